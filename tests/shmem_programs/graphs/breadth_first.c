// pes: 16
// expect: PASS breadth_first
// Distances in a distributed graph: frontiers are messages to queues with atomic tails.
#include <limits.h>
#include <shmem.h>
#include <stdio.h>

#define PER 16
#define QUEUE 128
static int distance[PER], queue[2][QUEUE], tail[2], active, total, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long psync[2][SHMEM_REDUCE_SYNC_SIZE];

static void visit(int node, int level, int n) {
    int pe = node % n, slot = shmem_int_fadd(&tail[level & 1], 1, pe);
    shmem_int_p(&queue[level & 1][slot], node / n, pe);
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), nodes = PER * n;
    for (int i = 0; i < PER; i++) distance[i] = INT_MAX;
    shmem_barrier_all();
    if (me == 0) visit(1, 0, n);
    int level = 0;
    do {
        shmem_barrier_all();
        int now = level & 1, count = tail[now];
        if (count > QUEUE) shmem_global_exit(3);
        active = 0;
        for (int k = 0; k < count; k++) {
            int i = queue[now][k], node = i * n + me;
            if (distance[i] <= level) continue;
            distance[i] = level;
            active++;
            visit(2 * node % nodes, level + 1, n);
            visit((node + 7) % nodes, level + 1, n);
        }
        shmem_barrier_all();
        tail[now] = 0;
        shmem_int_sum_to_all(&total, &active, 1, 0, 0, n, work, psync[now]);
        level++;
    } while (total > 0);
    int wrong = 0;
    for (int i = 0; i < PER; i++) wrong += distance[i] == INT_MAX;
    /* every distance but the first has a predecessor one nearer, and no edge spans more than one level */
    shmem_barrier_all();
    for (int i = 0; i < PER; i++) {
        int node = i * n + me, next[2] = {2 * node % nodes, (node + 7) % nodes};
        for (int k = 0; k < 2; k++) wrong += shmem_int_g(&distance[next[k] / n], next[k] % n) > distance[i] + 1;
    }
    if (wrong) printf("PE %d: %d wrong\n", me, wrong);
    shmem_barrier_all();
    if (me == 0) printf("%d levels\n", level - 1);
    if (me == 0 && !wrong) printf("PASS breadth_first\n");
    shmem_finalize();
    return wrong;
}
