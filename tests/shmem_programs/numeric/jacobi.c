// pes: 16
// expect: PASS jacobi
// Heat in a bar: halo exchange by puts and flags, compared with a computation on one PE.
#include <math.h>
#include <shmem.h>
#include <stdio.h>

#define CELLS 12
#define STEPS 30
static float now[CELLS + 2], next[CELLS + 2];
static float halo[2][2]; /* by parity of the step: from the left, from the right */
static int step_of[2];
static float whole[16 * CELLS + 2], other[16 * CELLS + 2], result[16 * CELLS];

static float start(int i) { return i % 7 * 10.0f + i; }

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int i = 0; i < CELLS; i++) now[i + 1] = start(me * CELLS + i);
    shmem_barrier_all();
    for (int s = 1; s <= STEPS; s++) {
        int k = s & 1;
        if (me > 0) {
            shmem_float_p(&halo[k][1], now[1], me - 1);
            shmem_fence();
            shmem_int_p(&step_of[1], s, me - 1);
        }
        if (me < n - 1) {
            shmem_float_p(&halo[k][0], now[CELLS], me + 1);
            shmem_fence();
            shmem_int_p(&step_of[0], s, me + 1);
        }
        if (me > 0) shmem_int_wait_until(&step_of[0], SHMEM_CMP_GE, s);
        if (me < n - 1) shmem_int_wait_until(&step_of[1], SHMEM_CMP_GE, s);
        now[0] = me > 0 ? halo[k][0] : 0.0f;
        now[CELLS + 1] = me < n - 1 ? halo[k][1] : 100.0f;
        for (int i = 1; i <= CELLS; i++) next[i] = 0.25f * now[i - 1] + 0.5f * now[i] + 0.25f * now[i + 1];
        for (int i = 1; i <= CELLS; i++) now[i] = next[i];
    }
    shmem_float_put(result + me * CELLS, now + 1, CELLS, 0);
    shmem_barrier_all();
    int wrong = 0;
    if (me == 0) {
        int all = n * CELLS;
        for (int i = 0; i < all; i++) whole[i + 1] = start(i);
        for (int s = 1; s <= STEPS; s++) {
            whole[0] = 0.0f;
            whole[all + 1] = 100.0f;
            for (int i = 1; i <= all; i++) other[i] = 0.25f * whole[i - 1] + 0.5f * whole[i] + 0.25f * whole[i + 1];
            for (int i = 1; i <= all; i++) whole[i] = other[i];
        }
        for (int i = 0; i < all; i++) wrong += fabsf(whole[i + 1] - result[i]) > 1e-4f;
        printf("%d wrong cells\n%s jacobi\n", wrong, wrong ? "FAIL" : "PASS");
    }
    shmem_finalize();
    return wrong;
}
