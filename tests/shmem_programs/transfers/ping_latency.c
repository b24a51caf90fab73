/* run: -n 16 -- 10; status 0
 * Half of a round trip between PE 0 and all others; argv: repetitions. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile long flag = -1;

static double microseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

int main(int argc, char *argv[]) {
    int repetitions = argc > 1 ? atoi(argv[1]) : 5;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), wrong = 0;
    for (int other = 1; other < n; other++) {
        shmem_barrier_all();
        flag = -1;
        shmem_barrier_all();
        if (me == 0) {
            double start = microseconds();
            for (long i = 0; i < repetitions; i++) {
                shmem_long_p((long *)&flag, i, other);
                shmem_long_wait_until((long *)&flag, SHMEM_CMP_EQ, i);
            }
            double each = (microseconds() - start) / repetitions / 2;
            printf("PE %2d: %.3f us\n", other, each);
            wrong |= each <= 0.0 || each > 5.0;
        } else if (me == other) {
            for (long i = 0; i < repetitions; i++) {
                shmem_long_wait_until((long *)&flag, SHMEM_CMP_EQ, i);
                shmem_long_p((long *)&flag, i, 0);
            }
        }
    }
    shmem_barrier_all();
    if (me == 0) printf("%s ping_latency\n", wrong ? "FAIL" : "PASS");
    shmem_finalize();
    return wrong;
}
