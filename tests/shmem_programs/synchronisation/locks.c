// pes: 16
// expect: PASS locks
// A lock protects plain loads and stores to PE 0; a second lock is only tried.
#include <shmem.h>
#include <stdio.h>

static long lock = 0, other_lock = 0;
static int balance, entries, inside;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), wrong = 0;
    for (int i = 0; i < 5; i++) {
        shmem_set_lock(&lock);
        wrong += shmem_int_g(&inside, 0);
        shmem_int_p(&inside, 1, 0);
        int before = shmem_int_g(&balance, 0);
        shmem_int_p(&balance, before + me, 0);
        shmem_quiet();
        shmem_int_p(&inside, 0, 0);
        shmem_clear_lock(&lock);
    }
    int mine = 0, tries = 0;
    while (!mine) {
        if (shmem_test_lock(&other_lock) == 0) {
            int before = shmem_int_g(&entries, 0);
            shmem_int_p(&entries, before + 1, 0);
            shmem_clear_lock(&other_lock);
            mine = 1;
        }
        tries++;
    }
    shmem_barrier_all();
    if (me == 0) {
        wrong += balance != 5 * n * (n - 1) / 2;
        wrong += entries != n;
        printf("balance %d, entries %d\n%s locks\n", balance, entries, wrong ? "FAIL" : "PASS");
    }
    shmem_finalize();
    return wrong;
}
