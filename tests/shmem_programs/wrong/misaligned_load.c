// A word is read at an odd address.
#include <shmem.h>

static char bytes[16];
static volatile int offset = 1;

int main(void) {
    shmem_init();
    int *word = (int *)(bytes + offset);
    int value = *word;
    shmem_finalize();
    return value;
}
