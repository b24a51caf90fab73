// pes: 1 7 16
// expect: PASS counter
#include <shmem.h>
#include <stdio.h>

int counter = 0;
int tickets[16];

int main(void) {
    shmem_init();
    int n = shmem_n_pes(), me = shmem_my_pe();
    for (int i = 0; i < 10; ++i) shmem_int_inc(&counter, 0);
    int mine = shmem_int_finc(&tickets[0], 0);
    shmem_barrier_all();
    if (mine < 0 || mine >= n) printf("FAIL ticket %d\n", mine);
    if (me == 0) {
        if (counter == 10 * n && tickets[0] == n)
            printf("PASS counter\n");
        else
            printf("FAIL %d %d\n", counter, tickets[0]);
    }
    shmem_finalize();
    return 0;
}
