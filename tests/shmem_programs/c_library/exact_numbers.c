// Fused multiply-add without intermediate rounding, and functions of long doubles.
// pes: 2
// expect: PASS
#include <complex.h>
#include <math.h>
#include <shmem.h>
#include <stdio.h>

/* Volatile, so that the compiler cannot compute results. */
static volatile double values[][4] = {
    {0x1.0000000000001p0, 0x1.0000000000001p0, -1, 0x1p-51 + 0x1p-104},
    {0x1.0000000000001p0, 0x1.0000000000001p0, 0x1p-110, 0x1.0000000000002p0},
    {1 + 0x1p-27, 1 + 0x1p-26, 0x1p-120, 1 + 0x1p-26 + 0x1p-27 + 0x1p-52},
    {1 + 0x1p-27, 1 + 0x1p-26, -0x1p-120, 1 + 0x1p-26 + 0x1p-27},
    {-1 - 0x1p-27, 1 + 0x1p-26, -0x1p-120, -1 - 0x1p-26 - 0x1p-27 - 0x1p-52},
    {3, 5, -15, 0},
    {0x1p1000, 0x1p1000, -INFINITY, -INFINITY},
};
static volatile long double ten = 10.5L;

int main(void) {
    int failures = 0, exponent = 0;
    shmem_init();
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        const double found = fma(values[i][0], values[i][1], values[i][2]);
        if (found != values[i][3]) {
            printf("FAIL %u: %a, not %a\n", i, found, values[i][3]);
            failures++;
        }
    }
    if (ldexpl(frexpl(ten, &exponent), 4) != ten || exponent != 4 || ilogbl(ten) != 3) failures++;
    if (lrintl(ten) != 10 || lroundl(ten) != 11 || remainderl(ten, 4) != -1.5L) failures++;
    long double whole = 0;
    if (modfl(-ten, &whole) != -0.5L || whole != -10 || fdiml(ten, 12) != 0) failures++;
    if (fabsl(erfl(ten - 10) - 0.520499877813046537683L) > 1e-15L || creall(conjl(ten + 2 * I)) != ten) failures++;
    shmem_barrier_all();
    if (shmem_my_pe() == 0) printf("%s\n", failures ? "FAIL" : "PASS");
    shmem_finalize();
    return failures;
}
