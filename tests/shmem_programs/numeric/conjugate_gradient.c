// pes: 8
// expect: PASS conjugate_gradient
// Conjugate gradients for the Laplacian of a line, in float, with reductions for scalar products.
#include <math.h>
#include <shmem.h>
#include <stdio.h>

#define L 8
static float x[L], r[L], p[L + 2], q[L], pwrk[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long psync[2][SHMEM_REDUCE_SYNC_SIZE];
static float part, total;
static int me, n, calls;

static float dot(const float *a, const float *b) {
    part = 0;
    for (int i = 0; i < L; i++) part += a[i] * b[i];
    shmem_float_sum_to_all(&total, &part, 1, 0, 0, n, pwrk, psync[calls++ % 2]);
    shmem_barrier_all();
    return total;
}

static void apply(void) { /* q = A p */
    shmem_barrier_all();
    p[0] = me > 0 ? shmem_float_g(&p[L], me - 1) : 0;
    p[L + 1] = me < n - 1 ? shmem_float_g(&p[1], me + 1) : 0;
    shmem_barrier_all();
    for (int i = 0; i < L; i++) q[i] = 2 * p[i + 1] - p[i] - p[i + 2];
}

int main(void) {
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    for (int i = 0; i < L; i++) r[i] = p[i + 1] = 1.0f;
    float rho = dot(r, r);
    int iterations = 0;
    while (sqrtf(rho) > 1e-3f && iterations < 200) {
        apply();
        float alpha = rho / dot(p + 1, q);
        for (int i = 0; i < L; i++) {
            x[i] += alpha * p[i + 1];
            r[i] -= alpha * q[i];
        }
        float next = dot(r, r);
        for (int i = 0; i < L; i++) p[i + 1] = r[i] + next / rho * p[i + 1];
        rho = next;
        iterations++;
    }
    /* the solution of -x'' = 1 is (i + 1) (N - i) / 2 */
    int wrong = 0, N = n * L;
    for (int i = 0; i < L; i++) {
        int at = me * L + i;
        float exact = (at + 1) * (float)(N - at) / 2;
        wrong += fabsf(x[i] - exact) > 0.01f * exact;
    }
    if (me == 0) printf("%d iterations\n", iterations);
    if (wrong) printf("PE %d: %d wrong, %f\n", me, wrong, x[0]);
    if (me == 0 && !wrong) printf("PASS conjugate_gradient\n");
    shmem_finalize();
    return wrong;
}
