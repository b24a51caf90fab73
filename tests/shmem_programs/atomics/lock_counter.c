// pes: 1 16
// expect: PASS lock_counter
#include <shmem.h>
#include <stdio.h>

static long lock = 0;
static int total = 0;

int main(void) {
    shmem_init();
    for (int i = 0; i < 4; i++) {
        shmem_set_lock(&lock);
        int value = shmem_int_g(&total, 0);
        shmem_int_p(&total, value + 1, 0);
        shmem_quiet();
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 0) printf(total == 4 * shmem_n_pes() ? "PASS lock_counter\n" : "FAIL: %d\n", total);
    shmem_finalize();
    return 0;
}
