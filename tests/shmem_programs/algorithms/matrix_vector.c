// pes: 4 16
// expect: PASS matrix_vector
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define N 32

int main(void) {
    static long pSync[SHMEM_COLLECT_SYNC_SIZE];
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), rows = N / npes;
    double *matrix = malloc(rows * N * sizeof *matrix);
    double *part = shmem_malloc(rows * sizeof *part), *vector = shmem_malloc(N * sizeof *vector);
    if (!matrix || !part || !vector) {
        fprintf(stderr, "FAIL: no memory\n");
        shmem_global_exit(1);
    }
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < N; ++c) matrix[r * N + c] = (me * rows + r == c) ? 2 : 0;
    for (int c = 0; c < N; ++c) vector[c] = c + 1;
    for (int t = 0; t < 3; ++t) {
        for (int r = 0; r < rows; ++r) {
            part[r] = 0;
            for (int c = 0; c < N; ++c) part[r] += matrix[r * N + c] * vector[c];
        }
        shmem_barrier_all();
        shmem_fcollect64(vector, part, rows, 0, 0, npes, pSync);
        shmem_barrier_all();
    }
    int bad = 0;
    for (int c = 0; c < N; ++c) bad += vector[c] != 8.0 * (c + 1);
    if (bad) printf("FAIL: PE %d\n", me);
    if (me == 0 && !bad) printf("PASS matrix_vector\n");
    free(matrix);
    shmem_free(part);
    shmem_free(vector);
    shmem_finalize();
    return 0;
}
