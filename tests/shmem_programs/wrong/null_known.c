// A null pointer that is known to the compiler.
#include <shmem.h>

int main(void) {
    shmem_init();
    int *nowhere = 0;
    if (shmem_my_pe() == 1) *nowhere = 3;
    shmem_finalize();
    return 0;
}
