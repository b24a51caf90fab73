// pes: 2
// expect: 1.25
// expect: PASS long_double
#include <math.h>
#include <shmem.h>
#include <stdio.h>

static long double there;

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    shmem_longdouble_p(&there, 1.25L + me, !me);
    shmem_barrier_all();
    if (me == 1) {
        printf("%.2Lf\n", there);
        long double root = sqrtl(shmem_longdouble_g(&there, 0) + 1.75L);
        printf(root == 2 ? "PASS long_double\n" : "FAIL %Lg\n", root);
    }
    shmem_finalize();
    return 0;
}
