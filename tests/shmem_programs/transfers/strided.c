/* run: -n 8; status 0
 * iput and iget with all pairs of strides from 1 to 4. */
#include <stdio.h>
#include <shmem.h>

enum { COUNT = 6, ROOM = COUNT * 4 };
int source[ROOM];
int target[ROOM];
double dsource[ROOM], dtarget[ROOM];
long wrong;

static void fill(int me) {
    for (int i = 0; i < ROOM; ++i) {
        source[i] = me * 100 + i;
        dsource[i] = me + 0.01 * i;
        target[i] = -1;
        dtarget[i] = -1.0;
    }
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int next = (me + 1) % n, before = (me - 1 + n) % n;
    for (int to = 1; to <= 4; ++to)
        for (int from = 1; from <= 4; ++from) {
            fill(me);
            shmem_barrier_all();
            shmem_int_iput(target, source, to, from, COUNT, next);
            shmem_double_iget(dtarget, dsource, to, from, COUNT, next);
            shmem_barrier_all();
            for (int i = 0; i < ROOM; ++i) {
                int is_set = i % to == 0 && i / to < COUNT;
                int expected = is_set ? before * 100 + i / to * from : -1;
                double dexpected = is_set ? next + 0.01 * (i / to * from) : -1.0;
                if (target[i] != expected || dtarget[i] != dexpected)
                    shmem_long_inc(&wrong, 0);
            }
            shmem_barrier_all();
        }
    if (me == 0)
        printf("%s strided\n", wrong == 0 ? "PASS" : "FAIL");
    int status = me == 0 ? (int)wrong : 0;
    shmem_finalize();
    return status;
}
