// The target is a variable on the stack.
#include <shmem.h>

int main(void) {
    int target = 0;
    shmem_init();
    shmem_int_p(&target, 5, (shmem_my_pe() + 1) % shmem_n_pes());
    shmem_finalize();
    return target;
}
