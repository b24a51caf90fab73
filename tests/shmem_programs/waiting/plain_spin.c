// pes: 2 9 16
// expect: PASS plain_spin
// Without waiting routines: a token circulates while all PEs poll a word of their own memory.
#include <shmem.h>
#include <stdio.h>

volatile int token = -1;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_barrier_all();
    volatile int *next = shmem_ptr((const void *)&token, (me + 1) % n);
    if (me == 0) *next = 100;
    while (token == -1) {
    }
    if (me != 0) *next = token + 1;
    int ok = token == 100 + (me + n - 1) % n;
    if (!ok) printf("FAIL: PE %d: %d\n", me, token);
    shmem_barrier_all();
    if (me == 0 && ok) printf("PASS plain_spin\n");
    shmem_finalize();
    return 0;
}
