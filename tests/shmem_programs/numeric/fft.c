// pes: 8
// expect: PASS fft
// FFT of 128 complex floats in blocks: binary exchange by gets, then local stages; compared with the definition.
#include <math.h>
#include <shmem.h>
#include <stdio.h>

#define N 128
#define PES 8
#define PER (N / PES)
typedef struct { float re, im; } cf;
static cf x[PER], y[PER];

static cf input(int i) { return (cf){(float)(i % 9) - 4, i == 5 ? 2.0f : 0.0f}; }
static cf twiddle(int k, int n) {
    float angle = -2 * (float)M_PI * k / n;
    return (cf){cosf(angle), sinf(angle)};
}
static cf times(cf a, cf b) { return (cf){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static int reversed(int i) {
    int r = 0;
    for (int bit = 1; bit < N; bit *= 2, i >>= 1) r = r * 2 + (i & 1);
    return r;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    for (int i = 0; i < PER; i++) x[i] = input(me * PER + i);
    /* decimation in frequency: distances N/2 ... 1 */
    for (int half = N / 2; half >= 1; half /= 2) {
        shmem_barrier_all();
        if (half >= PER) shmem_getmem(y, x, sizeof x, me ^ half / PER);
        shmem_barrier_all();
        cf out[PER];
        for (int i = 0; i < PER; i++) {
            int at = me * PER + i, is_upper = at & half;
            cf mine = x[i], other = half >= PER ? y[i] : x[i ^ half];
            if (is_upper)
                out[i] = times((cf){other.re - mine.re, other.im - mine.im}, twiddle(at % half, 2 * half));
            else
                out[i] = (cf){mine.re + other.re, mine.im + other.im};
        }
        for (int i = 0; i < PER; i++) x[i] = out[i];
    }
    int wrong = 0;
    for (int i = 0; i < PER; i += 5) {
        int k = reversed(me * PER + i);
        cf sum = {0, 0};
        for (int j = 0; j < N; j++) {
            cf t = times(input(j), twiddle(j * k % N, N));
            sum.re += t.re;
            sum.im += t.im;
        }
        if (fabsf(sum.re - x[i].re) + fabsf(sum.im - x[i].im) > 0.01f) wrong++;
    }
    if (wrong) printf("PE %d: %d wrong\n", me, wrong);
    shmem_barrier_all();
    if (me == 0 && !wrong) printf("PASS fft\n");
    shmem_finalize();
    return wrong;
}
