// pes: 5 8
// expect: PASS float_complex_alignment
// A complex float has the alignment of a float.
#include <complex.h>
#include <shmem.h>
#include <stdio.h>

struct numbers { float before; float complex z[3]; };
static struct numbers in, out, work[6];
static long sync[SHMEM_REDUCE_SYNC_SIZE];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), wrong = 0;
    for (int i = 0; i < 3; i++) in.z[i] = me + i - 2 * me * I;
    shmem_barrier_all();
    shmem_complexf_sum_to_all(out.z, in.z, 3, 0, 0, n, work[0].z, sync);
    for (int i = 0; i < 3; i++) wrong += out.z[i] != n * (n - 1) / 2 + n * i - n * (n - 1) * I;
    wrong += out.before != 0;
    if (wrong) printf("FAIL: PE %d, %f%+fi\n", me, crealf(out.z[0]), cimagf(out.z[0]));
    if (me == 0 && !wrong) printf("PASS float_complex_alignment\n");
    shmem_finalize();
    return wrong;
}
