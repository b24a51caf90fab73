// PE 1 waits for a value that PE 0 never puts.
#include <shmem.h>

static long flag;

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) shmem_long_p(&flag, 2, 1);
    if (shmem_my_pe() == 1) shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
