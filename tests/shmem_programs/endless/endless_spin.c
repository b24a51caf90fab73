// Everybody waits for a flag that nobody sets, without a routine of the library.
#include <shmem.h>

static volatile int flag;

int main(void) {
    shmem_init();
    while (flag == 0) {
    }
    shmem_finalize();
    return 0;
}
