// Each PE sleeps a second with the lock, while the others wait for it; one comes late.
// pes: 1 2 16
// expect: PASS
#include <shmem.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static long lock = 0;
static int inside, entered;
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), pes = shmem_n_pes(), alone = 1;
    shmem_barrier_all();
    time_t begin = time(NULL);
    if (me == 1) sleep(3);
    shmem_set_lock(&lock);
    alone = shmem_int_finc(&inside, 0) == 0;
    shmem_int_inc(&entered, 0);
    sleep(1);
    shmem_int_add(&inside, -1, 0);
    shmem_clear_lock(&lock);
    if (!alone) printf("FAIL: PE %d was not alone\n", me);
    shmem_barrier_all();
    int took = (int)(time(NULL) - begin), least = pes > 4 || pes == 1 ? pes : pes + 2;
    if (me == 0) printf("%s\n", entered == pes && took >= least && took <= least + 2 ? "PASS" : "FAIL");
    shmem_finalize();
    return 0;
}
