// PE 2 ends while the other PEs wait for it in a barrier.
#include <shmem.h>

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 2) return 0;
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
