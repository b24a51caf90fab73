// An address behind the memory of the core, and no other core's.
#include <shmem.h>

static int *volatile far = (int *)0x9000;

int main(void) {
    shmem_init();
    int value = *far;
    shmem_finalize();
    return value;
}
