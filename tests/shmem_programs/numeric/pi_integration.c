// pes: 4
// expect: PASS pi_integration
// Pi by the midpoint rule in double, summed by puts to PE 0.
#include <math.h>
#include <shmem.h>
#include <stdio.h>

double parts[16];

int main(void) {
    const int intervals = 400;
    shmem_init();
    int rank = shmem_my_pe(), size = shmem_n_pes();
    double h = 1.0 / intervals, sum = 0.0;
    for (int i = rank; i < intervals; i += size) {
        double x = h * (i + 0.5);
        sum += 4.0 / (1.0 + x * x);
    }
    shmem_double_p(&parts[rank], h * sum, 0);
    shmem_barrier_all();
    int wrong = 0;
    if (rank == 0) {
        double pi = 0;
        for (int i = 0; i < size; i++) pi += parts[i];
        wrong = fabs(pi - M_PI) > 1e-6 || fabs(4 * atan(1.0) - M_PI) > 1e-15;
        printf("pi = %.10f, error %.1e\n", pi, fabs(pi - M_PI));
        printf("%s pi_integration\n", wrong ? "FAIL" : "PASS");
    }
    shmem_finalize();
    return wrong;
}
