/* A work array of one element. */
#include <shmem.h>
static long sync_[SHMEM_REDUCE_SYNC_SIZE];
static int work[1], mine, all;
int main(void) {
    shmem_init();
    mine = shmem_my_pe();
    shmem_int_sum_to_all(&all, &mine, 1, 0, 0, shmem_n_pes(), work, sync_);
    shmem_finalize();
    return 0;
}
