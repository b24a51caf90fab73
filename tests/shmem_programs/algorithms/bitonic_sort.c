// pes: 2 8 16
// expect: PASS bitonic_sort
#include <stdint.h>
#include <stdio.h>

#include <shmem.h>

static uint32_t key, incoming[32];
static int flags[32];

int main(void) {
    shmem_init();
    const unsigned me = shmem_my_pe(), n = shmem_n_pes();
    key = (me + 1) * 2654435761u;
    uint32_t before = key;
    static uint32_t sum_before, sum_after;
    shmem_uint32_atomic_add(&sum_before, before, 0);
    shmem_barrier_all();
    int step = 0;
    for (unsigned size = 2; size <= n; size *= 2)
        for (unsigned distance = size / 2; distance > 0; distance /= 2, ++step) {
            unsigned partner = me ^ distance;
            shmem_uint32_p(&incoming[step], key, partner);
            shmem_fence();
            shmem_int_p(&flags[step], 1, partner);
            shmem_int_wait_until(&flags[step], SHMEM_CMP_EQ, 1);
            int up = (me & size) == 0, low = me < partner;
            uint32_t other = incoming[step];
            if ((key > other) == (up == low)) key = other;
        }
    shmem_uint32_atomic_add(&sum_after, key, 0);
    shmem_barrier_all();
    if (me > 0 && shmem_uint32_g(&key, me - 1) > key) printf("FAIL: PE %u\n", me);
    shmem_barrier_all();
    if (me == 0) printf(sum_before == sum_after ? "PASS bitonic_sort\n" : "FAIL: keys are lost\n");
    shmem_finalize();
    return 0;
}
