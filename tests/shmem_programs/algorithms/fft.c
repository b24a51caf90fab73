// pes: 4 16
// expect: PASS fft
// FFT of 256 points: butterflies exchange data over distances larger than a PE's part.
#include <complex.h>
#include <math.h>
#include <shmem.h>
#include <stdio.h>

#define POINTS 256
static float complex x[POINTS], other[POINTS];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), part = POINTS / n;
    for (int i = 0; i < part; ++i) x[i] = cexpf(2.0f * (float)M_PI * I * 5 * (me * part + i) / POINTS);
    for (int half = POINTS / 2; half >= 1; half /= 2) {
        shmem_barrier_all();
        if (half >= part) {
            int partner = me ^ (half / part);
            shmem_getmem(other, x, part * sizeof *x, partner);
            shmem_barrier_all();
            for (int i = 0; i < part; ++i) {
                int at = me * part + i;
                float complex w = cexpf(-2.0f * (float)M_PI * I * (at % half) / (2 * half));
                x[i] = me < partner ? x[i] + other[i] : (other[i] - x[i]) * w;
            }
        } else {
            shmem_barrier_all();
            for (int i = 0; i < part; ++i)
                if ((i & half) == 0) {
                    float complex u = x[i], v = x[i + half];
                    x[i] = u + v;
                    x[i + half] = (u - v) * cexpf(-2.0f * (float)M_PI * I * (i % half) / (2 * half));
                }
        }
    }
    int bad = 0;
    for (int i = 0; i < part; ++i) {
        unsigned at = me * part + i, reversed = 0;
        for (int bit = 0; bit < 8; ++bit) reversed |= (at >> bit & 1) << (7 - bit);
        float want = reversed == 5 ? POINTS : 0;
        if (cabsf(x[i] - want) > 2e-2f) bad++;
    }
    if (bad) printf("FAIL: PE %d: %d\n", me, bad);
    shmem_barrier_all();
    if (me == 0 && !bad) printf("PASS fft\n");
    shmem_finalize();
    return bad;
}
