// pes: 16
// expect: PASS work_stealing
// Unequal tasks in queues of all PEs; idle PEs steal tasks by fetch-and-add.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define TASKS 24
static int next_task;
static int tasks[TASKS];
static long long results;
static int done_by_me, stolen;

static long long work(int size) {
    long long sum = 0;
    for (int i = 1; i <= size; i++) sum += (long long)i * i;
    return sum;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int t = 0; t < TASKS; t++) tasks[t] = (me % 4 == 0 ? 100 : 5) + t;
    shmem_barrier_all();
    long long mine = 0;
    for (int distance = 0; distance < n; distance++) {
        int victim = (me + distance) % n, t;
        while ((t = shmem_int_fadd(&next_task, 1, victim)) < TASKS) {
            mine += work(shmem_int_g(&tasks[t], victim));
            done_by_me++;
            stolen += distance != 0;
        }
    }
    shmem_longlong_add(&results, mine, 0);
    shmem_barrier_all();
    if (me == 0) {
        long long expected = 0;
        int all = 0, moved = 0;
        for (int p = 0; p < n; p++) {
            all += shmem_int_g(&done_by_me, p);
            moved += shmem_int_g(&stolen, p);
            for (int t = 0; t < TASKS; t++) {
                long long m = (p % 4 == 0 ? 100 : 5) + t;
                expected += m * (m + 1) * (2 * m + 1) / 6;
            }
        }
        printf("%d tasks, %d of them stolen\n", all, moved);
        if (all != TASKS * n || moved == 0 || results != expected) {
            printf("FAIL work_stealing\n");
            exit(EXIT_FAILURE);
        }
        printf("PASS work_stealing\n");
    }
    shmem_finalize();
    return EXIT_SUCCESS;
}
