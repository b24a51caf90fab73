// Puts with wrong alignment: doubles at a multiple of 4, and ints at an odd address.
#include <shmem.h>

static char room[64] __attribute__((aligned(8)));
static double source[2];

int main(void) {
    shmem_init();
    shmem_double_put((double *)(room + 4), source, 2, 1);
    shmem_int_p((int *)(room + 1), 5, 1);
    shmem_finalize();
    return 0;
}
