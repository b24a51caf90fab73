// pes: 2 4
// expect: PASS strided
#include <shmem.h>
#include <stdio.h>
#include <assert.h>

short in[40];
short out[60];
double columns[8][8], column[8];

int main(int argc, char *argv[]) {
    (void)argc;
    (void)argv;
    shmem_init();
    int me = shmem_my_pe(), peer = me ^ 1;
    for (int i = 0; i < 40; ++i) in[i] = 100 * me + i;
    shmem_barrier_all();
    shmem_short_iput(out, in, 3, 2, 20, peer);
    shmem_barrier_all();
    for (int i = 0; i < 60; ++i) assert(out[i] == (i % 3 ? 0 : 100 * peer + i / 3 * 2));
    /* a column of a remote matrix */
    for (int r = 0; r < 8; ++r)
        for (int c = 0; c < 8; ++c) columns[r][c] = me * 64 + r * 8 + c;
    shmem_barrier_all();
    shmem_double_iget(column, &columns[0][5], 1, 8, 8, peer);
    for (int r = 0; r < 8; ++r) assert(column[r] == peer * 64 + r * 8 + 5);
    shmem_iput64(&columns[0][0], column, 8, 1, 8, peer);
    shmem_barrier_all();
    for (int r = 0; r < 8; ++r) assert(columns[r][0] == me * 64 + r * 8 + 5);
    if (me == 0) printf("PASS strided\n");
    shmem_finalize();
}
