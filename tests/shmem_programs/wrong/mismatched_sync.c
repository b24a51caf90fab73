// PEs pass different sync arrays.
#include <shmem.h>

static int from = 1, to;
static long sync[2][SHMEM_BCAST_SYNC_SIZE];

int main(void) {
    shmem_init();
    shmem_broadcast32(&to, &from, 1, 0, 0, 0, shmem_n_pes(), sync[shmem_my_pe() == 3]);
    shmem_finalize();
    return 0;
}
