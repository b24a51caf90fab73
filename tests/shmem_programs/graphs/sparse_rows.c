// pes: 16
// expect: PASS sparse_rows
// Distributed rows of a sparse matrix; parts of the vector are fetched on demand and kept in a small cache.
#include <shmem.h>
#include <stdio.h>

#define ROWS 10
#define EACH 4
static float x[ROWS], y[ROWS];
static struct { int index; float value; } cache[16];
static int hits, misses;

static float fetch(int index) {
    int slot = index % 16;
    if (cache[slot].index != index + 1) {
        cache[slot].index = index + 1;
        cache[slot].value = shmem_float_g(&x[index % ROWS], index / ROWS);
        misses++;
    } else {
        hits++;
    }
    return cache[slot].value;
}

static int column(int row, int k, int all) { return (row * 3 + k * k) % all; }

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), all = ROWS * shmem_n_pes(), wrong = 0;
    for (int i = 0; i < ROWS; i++) x[i] = (me * ROWS + i) * 0.5f;
    shmem_barrier_all();
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < ROWS; i++) {
            y[i] = 0;
            for (int k = 0; k < EACH; k++) y[i] += (k + 1) * fetch(column(me * ROWS + i, k, all));
        }
    for (int i = 0; i < ROWS; i++) {
        float sum = 0;
        for (int k = 0; k < EACH; k++) sum += (k + 1) * column(me * ROWS + i, k, all) * 0.5f;
        wrong += sum != y[i];
    }
    wrong += hits + misses != 2 * ROWS * EACH || hits == 0;
    if (wrong) printf("PE %d: %d wrong\n", me, wrong);
    shmem_barrier_all();
    if (me == 0) printf("PE 0: %d hits, %d misses\n", hits, misses);
    if (me == 0 && !wrong) printf("PASS sparse_rows\n");
    shmem_finalize();
    return wrong;
}
