// pes: 4
// exit: 7
// expect: leaving
#include <shmem.h>
#include <stdio.h>

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 2) {
        printf("leaving\n");
        shmem_global_exit(7);
    }
    shmem_barrier_all(); /* never entered by PE 2 */
    printf("FAIL: not reached\n");
    return 0;
}
