// pes: 16
// exit: 7
// expect: PASS global_exit
// PE 3 ends the program while all other PEs wait for a condition that never holds.
#include <shmem.h>
#include <stdio.h>

long never = 0;

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) puts("PASS global_exit");
    shmem_barrier_all();
    if (me == 3) shmem_global_exit(7);
    shmem_long_wait(&never, 0);
    puts("not reached");
    return 1;
}
