// One PE ends the program while others sleep for an hour, or wait for a lock.
// exit: 7
// expect: PASS
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>
static long lock;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 1) shmem_set_lock(&lock);
    shmem_barrier_all();
    if (me == 0) {
        usleep(1000);
        printf("PASS\n");
        shmem_global_exit(7);
    }
    if (me % 2) sleep(3600);
    else shmem_set_lock(&lock);
    printf("FAIL\n");
    return 1;
}
