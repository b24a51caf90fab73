// Boards with a common beginning form a task. A counter assigns tasks, and a C atomic counts nodes.
// pes: 1 4 16
// expect: 40 solutions
// expect: PASS
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#define CLOCK_SEC(a,b) ((b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) / 1e9)
static int N = 7;
static long solutions, total, task;
static long pWrk[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long pSync[SHMEM_REDUCE_SYNC_SIZE] = { SHMEM_SYNC_VALUE };
static _Atomic unsigned long long visited;
static void place(unsigned cols, unsigned l, unsigned r, int row) {
  atomic_fetch_add(&visited, 1ULL);
  if (row == N) { solutions++; return; }
  for (unsigned free = ~(cols | l | r) & ((1u << N) - 1); free; free &= free - 1) {
    unsigned bit = free & -free;
    place(cols | bit, (l | bit) << 1, (r | bit) >> 1, row + 1);
  }
}
int main(int argc, char **argv) {
  struct timespec a, b;
  shmem_init();
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) pSync[i] = SHMEM_SYNC_VALUE;
  clock_gettime(CLOCK_MONOTONIC, &a);
  shmem_barrier_all();
  for (long t; (t = shmem_long_fadd(&task, 1, 0)) < N * N;) {
    int c0 = t / N, c1 = t % N; unsigned b0 = 1u << c0, b1 = 1u << c1;
    if (c0 == c1 || abs(c0 - c1) == 1) continue;
    place(b0 | b1, ((b0 << 1) | b1) << 1, ((b0 >> 1) | b1) >> 1, 2);
  }
  shmem_barrier_all();
  shmem_long_sum_to_all(&total, &solutions, 1, 0, 0, shmem_n_pes(), pWrk, pSync);
  clock_gettime(CLOCK_MONOTONIC, &b);
  if (shmem_my_pe() == 0) printf("%ld solutions in %.6f s, %s\n", total, CLOCK_SEC(a, b), total == 40 ? "PASS" : "FAIL");
  shmem_finalize();
  return 0;
}
