// pes: 8
// expect: PASS nqueens
#include <shmem.h>
#include <stdio.h>

static int solutions, all, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long sync_all[SHMEM_REDUCE_SYNC_SIZE];

static int place(int n, unsigned columns, unsigned left, unsigned right, int row) {
    if (row == n) return 1;
    int found = 0;
    for (unsigned free = ~(columns | left | right) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        found += place(n, columns | bit, (left | bit) << 1, (right | bit) >> 1, row + 1);
    }
    return found;
}

int main(void) {
    shmem_init();
    unsigned bit = 1u << shmem_my_pe();
    solutions = place(8, bit, bit << 1, bit >> 1, 1);
    shmem_int_sum_to_all(&all, &solutions, 1, 0, 0, shmem_n_pes(), work, sync_all);
    if (shmem_my_pe() == 0) printf(all == 92 ? "PASS nqueens\n" : "FAIL: %d\n", all);
    shmem_finalize();
    return 0;
}
