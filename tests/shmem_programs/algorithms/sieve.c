// pes: 16
// args: 4000
// expect: PASS sieve
// Primes below argv[1], with a bit segment per PE.
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint8_t bits[64];
static int count, total, pwrk[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long psync[SHMEM_REDUCE_SYNC_SIZE];

int main(int argc, char *argv[]) {
    if (argc != 2) return 64;
    int limit = atoi(argv[1]);
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int per = (limit + n - 1) / n, low = me * per, high = low + per < limit ? low + per : limit;
    if (per > 8 * (int)sizeof bits) {
        fprintf(stderr, "%d is too much\n", limit);
        shmem_global_exit(65);
    }
    for (int p = 2; p * p < limit; p++) {
        int begin = (low + p - 1) / p * p;
        if (begin < p * p) begin = p * p;
        for (int k = begin; k < high; k += p) bits[(k - low) / 8] |= 1 << (k - low) % 8;
    }
    for (int k = low < 2 ? 2 : low; k < high; k++) count += !(bits[(k - low) / 8] >> (k - low) % 8 & 1);
    shmem_barrier_all();
    shmem_int_sum_to_all(&total, &count, 1, 0, 0, n, pwrk, psync);
    if (me == 0) printf("%d primes below %d\n%s sieve\n", total, limit, total == 550 ? "PASS" : "FAIL");
    shmem_finalize();
    return total != 550;
}
