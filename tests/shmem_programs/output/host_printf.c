// pes: 2
// expect: PE 0 says 3.50
// expect: PASS host_printf
#include <host_stdio.h>
#include <shmem.h>

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) host_printf("PE %d says %.2f\n", shmem_my_pe(), 3.5);
    shmem_barrier_all();
    if (shmem_my_pe() == 1) host_printf("PASS %s\n", "host_printf");
    shmem_finalize();
    return 0;
}
