// PE 1 runs an empty loop, and no PE ends the program.
#include <shmem.h>

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 1) {
        for (;;) {
        }
    }
    return 0;
}
