/* A synchronization array that begins with another value than SHMEM_SYNC_VALUE. */
#include <shmem.h>
static long sync_[SHMEM_BARRIER_SYNC_SIZE];
int main(void) {
    shmem_init();
    for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++) sync_[i] = i == 2 ? 1 : SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    shmem_barrier(0, 0, shmem_n_pes(), sync_);
    shmem_finalize();
    return 0;
}
