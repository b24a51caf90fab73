// All PEs call a reduction, but only even ones are in the active set.
#include <shmem.h>

static int one = 1, sum, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long sync[SHMEM_REDUCE_SYNC_SIZE];

int main(void) {
    shmem_init();
    shmem_int_sum_to_all(&sum, &one, 1, 0, 1, shmem_n_pes() / 2, work, sync);
    shmem_finalize();
    return 0;
}
