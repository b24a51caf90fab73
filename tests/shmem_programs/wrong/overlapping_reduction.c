// A reduction whose target overlaps its source, shifted by one element.
#include <shmem.h>

static int values[9], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long sync[SHMEM_REDUCE_SYNC_SIZE];

int main(void) {
    shmem_init();
    shmem_int_sum_to_all(values + 1, values, 8, 0, 0, shmem_n_pes(), work, sync);
    shmem_finalize();
    return 0;
}
