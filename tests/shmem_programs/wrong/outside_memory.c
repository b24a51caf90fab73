// An address behind the core's memory that belongs to no other core.
#include <shmem.h>

static int *volatile far = (int *)0x9000;

int main(void) {
    shmem_init();
    int value = *far;
    shmem_finalize();
    return value;
}
