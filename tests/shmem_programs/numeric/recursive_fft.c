// Recursive FFT with a malloc block for each half: the stack grows after the first block.
// pes: 1 4 16
// expect: PASS
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <complex.h>
#include <math.h>
#define N 64
static double complex x[N], y[N];
typedef double complex cplx;
static void fft(cplx *a, int n, int inv) {
  if (n == 1) return;
  cplx *e = malloc(n / 2 * sizeof *e), *o = malloc(n / 2 * sizeof *o);
  for (int i = 0; i < n / 2; i++) { e[i] = a[2 * i]; o[i] = a[2 * i + 1]; }
  fft(e, n / 2, inv); fft(o, n / 2, inv);
  for (int k = 0; k < n / 2; k++) { cplx t = cexp((inv ? 2 : -2) * I * M_PI * k / n) * o[k]; a[k] = e[k] + t; a[k + n / 2] = e[k] - t; }
  free(e); free(o);
}
int main(void) {
  shmem_init();
  int me = shmem_my_pe(), np = shmem_n_pes();
  for (int i = 0; i < N; i++) x[i] = csin(i * 0.1) + I * me;
  fft(x, N, 0);
  shmem_barrier_all();
  shmem_putmem(y, x, sizeof x, (me + 1) % np);
  shmem_barrier_all();
  fft(y, N, 1);
  double err = 0;
  for (int i = 0; i < N; i++) err = fmax(err, cabs(y[i] / N - (sin(i * 0.1) + I * ((me + np - 1) % np))));
  printf("%s\n", err < 1e-9 ? "PASS" : "FAIL");
  shmem_finalize();
  return 0;
}
