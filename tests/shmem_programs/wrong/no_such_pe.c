// A PE number that does not exist.
#include <shmem.h>

static int target;

int main(void) {
    shmem_init();
    shmem_int_p(&target, 5, shmem_n_pes());
    shmem_finalize();
    return 0;
}
