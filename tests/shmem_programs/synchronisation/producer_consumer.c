// pes: 8
// expect: PASS producer_consumer
// Bounded queues with credits: odd PEs consume the output of the preceding PE.
#include <shmem.h>
#include <stdio.h>

#define SLOTS 4
#define ITEMS 50

typedef struct { int id; float weight; } item_t;

static item_t queue[SLOTS];
static int filled, emptied; /* counts of full and free slots, in the consumer and in the producer */

int main(void) {
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe();
    if (me % 2 == 0) {
        for (int k = 0; k < ITEMS; k++) {
            item_t item = {me * 1000 + k, k * 0.5f};
            shmem_int_wait_until(&emptied, SHMEM_CMP_GT, k - SLOTS);
            shmem_putmem(&queue[k % SLOTS], &item, sizeof item, me + 1);
            shmem_fence();
            shmem_int_p(&filled, k + 1, me + 1);
        }
    } else {
        float total = 0;
        for (int k = 0; k < ITEMS; k++) {
            shmem_int_wait_until(&filled, SHMEM_CMP_GT, k);
            bad += queue[k % SLOTS].id != (me - 1) * 1000 + k;
            total += queue[k % SLOTS].weight;
            shmem_int_p(&emptied, k + 1, me - 1);
        }
        bad += total != ITEMS * (ITEMS - 1) / 4.0f;
        if (bad) printf("consumer %d: %d bad items\n", me, bad);
    }
    shmem_barrier_all();
    if (me == 0) puts("PASS producer_consumer");
    shmem_finalize();
    return bad;
}
