// pes: 2 4
// expect: PASS ping_pong
// Latency of a flag passed back and forth, and bandwidth by size; other PEs wait in the barrier.
#include <shmem.h>
#include <stdio.h>
#include <sys/time.h>

static volatile long flag;
static char buffer[4096], data[4096];

static double now(void) {
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return tv.tv_sec * 1e6 + tv.tv_usec;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    const int rounds = 200;
    shmem_barrier_all();
    double start = now();
    if (me < 2) {
        for (long i = 1; i <= rounds; ++i) {
            if (me == 0) {
                shmem_long_p((long *)&flag, i, 1);
                shmem_long_wait_until(&flag, SHMEM_CMP_EQ, i);
            } else {
                shmem_long_wait_until(&flag, SHMEM_CMP_EQ, i);
                shmem_long_p((long *)&flag, i, 0);
            }
        }
    }
    double half = (now() - start) / rounds / 2;
    shmem_barrier_all();
    int ok = 1;
    if (me == 0) {
        printf("latency %.3f us\n", half);
        ok = half > 0.01 && half < 10;
        double last = 0;
        for (int size = 64; size <= 4096; size *= 4) {
            start = now();
            for (int i = 0; i < 50; ++i) shmem_putmem(buffer, data, size, 1);
            shmem_quiet();
            double rate = size * 50 / (now() - start);
            printf("%5d B %8.1f MB/s\n", size, rate);
            ok = ok && rate > last * 0.8;
            last = rate;
        }
        printf(ok ? "PASS ping_pong\n" : "FAIL\n");
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
