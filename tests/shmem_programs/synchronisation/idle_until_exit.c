// pes: 3 16
// exit: 9
// expect: PASS idle_until_exit
// All PEs but one run empty loops until PE 1 ends the program.
#include <shmem.h>
#include <stdio.h>

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 1) {
        for (volatile int i = 0; i < 1000; i++) {
        }
        puts("PASS idle_until_exit");
        shmem_global_exit(9);
    }
    for (;;) {
    }
}
