/* A put beyond a static array. */
#include <shmem.h>
static int table[8], beside[8], mine[16];
int main(void) {
    shmem_init();
    beside[0] = shmem_my_pe();
    shmem_barrier_all();
    if (beside[0] == 0)
        shmem_int_put(table, mine, 9, 1);
    shmem_finalize();
    return 0;
}
