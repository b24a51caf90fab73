// pes: 6
// expect: PASS try_lock_everywhere
// Locks of all PEs as an array of locks: dining philosophers that take the lower lock first.
#include <shmem.h>
#include <stdio.h>

enum { SEATS = 6, MEALS = 10 };
static long fork_lock[SEATS];
static int on_table[SEATS] = {1, 1, 1, 1, 1, 1}; /* on PE 0 */
static int conflicts;

static void take(int f) {
    shmem_set_lock(&fork_lock[f]);
    if (shmem_int_fadd(&on_table[f], -1, 0) != 1) shmem_int_inc(&conflicts, 0);
}

static void give(int f) {
    if (shmem_int_fadd(&on_table[f], 1, 0) != 0) shmem_int_inc(&conflicts, 0);
    shmem_clear_lock(&fork_lock[f]);
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int a = me, b = (me + 1) % n, low = a < b ? a : b, high = a < b ? b : a;
    for (int meal = 0; meal < MEALS; meal++) {
        take(low);
        take(high);
        for (volatile int eat = 0; eat < 10 + me; eat++) {}
        give(high);
        give(low);
    }
    shmem_barrier_all();
    if (me == 0) puts(conflicts ? "FAIL try_lock_everywhere" : "PASS try_lock_everywhere");
    shmem_finalize();
    return me == 0 ? conflicts : 0;
}
