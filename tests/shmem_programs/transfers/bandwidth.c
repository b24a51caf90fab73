// pes: 2
// expect: PASS bandwidth
// OSU style: put and get bandwidth for powers of two, with the wall clock of the machine.
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#define MAX_BYTES 4096
#define LOOPS 8

static char s_buf[MAX_BYTES] __attribute__((aligned(8)));
static char r_buf[MAX_BYTES] __attribute__((aligned(8)));

static double now_us(void) {
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return tv.tv_sec * 1e6 + tv.tv_usec;
}

int main(void) {
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe();
    if (shmem_n_pes() != 2) {
        if (me == 0) fprintf(stderr, "needs 2 PEs\n");
        return 1;
    }
    double last = 0;
    if (me == 0) printf("# bytes      put MB/s\n");
    for (int size = 64; size <= MAX_BYTES; size *= 2) {
        memset(s_buf, size >> 5 & 0xff, size);
        shmem_barrier_all();
        if (me == 0) {
            double begin = now_us();
            for (int i = 0; i < LOOPS; i++) shmem_putmem(r_buf, s_buf, size, 1);
            shmem_quiet();
            double took = now_us() - begin;
            if (took <= 0) took = 1;
            last = (double)size * LOOPS / took;
            printf("%7d %13.2f\n", size, last);
        }
        shmem_barrier_all();
        if (me == 1)
            for (int i = 0; i < size; i++) bad |= r_buf[i] != (char)(size >> 5 & 0xff);
    }
    /* no transfer exceeds the link's 4.8 GB/s, and large puts reach a third of it */
    if (me == 0 && (last > 4800 || last < 1200)) bad = 2;
    if (me == 0) puts(bad ? "FAIL bandwidth" : "PASS bandwidth");
    shmem_finalize();
    return bad;
}
