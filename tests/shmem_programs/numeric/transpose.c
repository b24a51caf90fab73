// pes: 8
// expect: PASS transpose
// Matrix of doubles by rows, transposed by one alltoall and local transposes; two transposes give the original.
#include <shmem.h>
#include <stdio.h>

#define P 8
#define R 2 /* rows of each PE */
#define N (P * R)
static double m[R][N], packed[P][R][R], arrived[P][R][R];
static long psync[2][SHMEM_ALLTOALL_SYNC_SIZE];

static void transpose(int k) {
    for (int p = 0; p < P; p++)
        for (int i = 0; i < R; i++)
            for (int j = 0; j < R; j++) packed[p][j][i] = m[i][p * R + j];
    shmem_barrier_all();
    shmem_alltoall64(arrived, packed, R * R, 0, 0, P, psync[k]);
    for (int p = 0; p < P; p++)
        for (int i = 0; i < R; i++)
            for (int j = 0; j < R; j++) m[i][p * R + j] = arrived[p][i][j];
    shmem_barrier_all();
}

static int check(int me, int turned) {
    int wrong = 0;
    for (int i = 0; i < R; i++)
        for (int j = 0; j < N; j++)
            wrong += m[i][j] != (turned ? 100.0 * j + me * R + i : 100.0 * (me * R + i) + j);
    return wrong;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    for (int i = 0; i < R; i++)
        for (int j = 0; j < N; j++) m[i][j] = 100.0 * (me * R + i) + j;
    transpose(0);
    int wrong = check(me, 1);
    transpose(1);
    wrong += check(me, 0);
    if (wrong) printf("PE %d: %d wrong\n", me, wrong);
    if (me == 0 && !wrong) puts("PASS transpose");
    shmem_finalize();
    return wrong;
}
