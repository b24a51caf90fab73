// pes: 1 4 16
// expect: PASS jacobi
// Heat in a bar: neighbours exchange the ends of their parts; the result is compared with one core's.
#include <math.h>
#include <shmem.h>
#include <stdio.h>

#define CELLS 96
#define STEPS 60
static float part[2][CELLS + 2];
static float whole[2][CELLS + 2];

static void step(const float *old, float *new, int n) {
    for (int i = 1; i <= n; ++i) new[i] = old[i] + 0.25f * (old[i - 1] - 2 * old[i] + old[i + 1]);
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), n = CELLS / npes;
    if (me == 0) part[0][0] = part[1][0] = 100;
    whole[0][0] = whole[1][0] = 100;
    shmem_barrier_all();
    for (int t = 0; t < STEPS; ++t) {
        float *old = part[t & 1], *new = part[!(t & 1)];
        if (me > 0) shmem_float_p(&old[n + 1], old[1], me - 1);
        if (me < npes - 1) shmem_float_p(&old[0], old[n], me + 1);
        shmem_barrier_all();
        step(old, new, n);
        step(whole[t & 1], whole[!(t & 1)], CELLS);
    }
    float worst = 0;
    for (int i = 1; i <= n; ++i) worst = fmaxf(worst, fabsf(part[0][i] - whole[0][me * n + i]));
    if (worst > 1e-6f) printf("FAIL: PE %d: %g\n", me, worst);
    shmem_barrier_all();
    if (me == 0 && worst <= 1e-6f) printf("PASS jacobi\n");
    shmem_finalize();
    return 0;
}
