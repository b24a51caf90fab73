// pes: 16
// expect: PASS queens
// Eight queens problem: a counter assigns the first two rows to PEs, and locks protect the results.
#include <shmem.h>
#include <stdio.h>

#define N 8
static int next;
static long lock;
static int solutions;

static int place(unsigned columns, unsigned left, unsigned right) {
    if (columns == (1u << N) - 1) return 1;
    int found = 0;
    for (unsigned free = ~(columns | left | right) & ((1u << N) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        found += place(columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return found;
}

int main(void) {
    shmem_init();
    int mine = 0, job;
    while ((job = shmem_int_fadd(&next, 1, 0)) < N * N) {
        unsigned a = 1u << job / N, b = 1u << job % N;
        if ((a | a << 1 | a >> 1) & b) continue;
        mine += place(a | b, ((a << 1) | b) << 1, ((a >> 1) | b) >> 1);
    }
    shmem_set_lock(&lock);
    shmem_int_p(&solutions, shmem_int_g(&solutions, 0) + mine, 0);
    shmem_clear_lock(&lock);
    shmem_barrier_all();
    if (shmem_my_pe() == 0) printf("%d solutions\n%s queens\n", solutions, solutions == 92 ? "PASS" : "FAIL");
    int status = shmem_my_pe() == 0 && solutions != 92;
    shmem_finalize();
    return status;
}
