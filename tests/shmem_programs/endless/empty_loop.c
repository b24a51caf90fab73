// PE 1 goes round in a loop without anything, and nobody ends the program.
#include <shmem.h>

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 1) {
        for (;;) {
        }
    }
    return 0;
}
