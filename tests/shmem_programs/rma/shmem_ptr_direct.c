// pes: 4 16
// expect: PASS shmem_ptr_direct
#include <shmem.h>
#include <stdio.h>

int cell[4];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_barrier_all();
    int *right = shmem_ptr(cell, (me + 1) % n);
    if (!right) {
        printf("FAIL: no pointer\n");
        return 1;
    }
    right[0] = me;        // plain store
    right[1] = 10 * me;
    shmem_barrier_all();
    int left = (me + n - 1) % n;
    int good = cell[0] == left && cell[1] == 10 * left;
    const int *mine = shmem_ptr(cell, me);
    good = good && mine[0] == left;
    int sum = 0;
    for (int pe = 0; pe < n; ++pe) sum += *(int *)shmem_ptr(&cell[0], pe);  // plain loads
    good = good && sum == n * (n - 1) / 2;
    if (!good) printf("FAIL: PE %d\n", me);
    if (me == 0 && good) printf("PASS shmem_ptr_direct\n");
    shmem_finalize();
    return !good;
}
