// PE 1 calls another collective routine than the other PEs.
#include <shmem.h>

static int one, all, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long reduce_sync[SHMEM_REDUCE_SYNC_SIZE];
static long broadcast_sync[SHMEM_BCAST_SYNC_SIZE];

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 1)
        shmem_broadcast32(&all, &one, 1, 0, 0, 0, 4, broadcast_sync);
    else
        shmem_int_sum_to_all(&all, &one, 1, 0, 0, 4, work, reduce_sync);
    shmem_finalize();
    return 0;
}
