// The program fits into memory, but leaves no space for a stack.
#include <shmem.h>

static char room[31000];

int main(void) {
    shmem_init();
    shmem_putmem(room, room, 10, 0);
    shmem_finalize();
    return 0;
}
