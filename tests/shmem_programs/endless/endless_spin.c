// All PEs spin on a flag that is never set, without calling a library routine.
#include <shmem.h>

static volatile int flag;

int main(void) {
    shmem_init();
    while (flag == 0) {
    }
    shmem_finalize();
    return 0;
}
