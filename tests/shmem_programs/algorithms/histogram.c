// pes: 1 16
// expect: PASS histogram
#include <shmem.h>
#include <stdio.h>

#define BINS 64
int bins[BINS]; /* bin b is on PE b % n */

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    unsigned state = 12345u + me;
    shmem_barrier_all();
    for (int i = 0; i < 64; ++i) {
        state = state * 1664525u + 1013904223u;
        unsigned bin = state >> 26;
        shmem_int_atomic_inc(&bins[bin], bin % n);
    }
    shmem_barrier_all();
    if (me == 0) {
        int total = 0;
        for (int b = 0; b < BINS; ++b) total += shmem_int_g(&bins[b], b % n);
        printf(total == 64 * n ? "PASS histogram\n" : "FAIL: %d\n", total);
    }
    shmem_finalize();
    return 0;
}
