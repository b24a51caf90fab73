// pes: 16
// expect: PASS cannon
// Cannon's multiplication of 24 x 24 matrices of float on 4 x 4 PEs.
#include <shmem.h>
#include <stdio.h>
#include <string.h>

#define Q 4
#define B 6
typedef float block[B][B];
static block a[2], b[2], c;

static float ea(int i, int j) { return (float)((i * 3 + j) % 7 - 3); }
static float eb(int i, int j) { return (float)((i - 2 * j) % 5); }

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), row = me / Q, column = me % Q;
    int k0 = (row + column) % Q;
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++) {
            a[0][i][j] = ea(row * B + i, k0 * B + j);
            b[0][i][j] = eb(k0 * B + i, column * B + j);
        }
    int left = row * Q + (column + Q - 1) % Q, up = (row + Q - 1) % Q * Q + column;
    for (int step = 0; step < Q; step++) {
        int now = step & 1;
        shmem_barrier_all();
        if (step + 1 < Q) {
            shmem_putmem_nbi(a[!now], a[now], sizeof(block), left);
            shmem_putmem_nbi(b[!now], b[now], sizeof(block), up);
        }
        for (int i = 0; i < B; i++)
            for (int k = 0; k < B; k++)
                for (int j = 0; j < B; j++) c[i][j] += a[now][i][k] * b[now][k][j];
        shmem_quiet();
    }
    int wrong = 0;
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++) {
            float sum = 0;
            for (int k = 0; k < Q * B; k++) sum += ea(row * B + i, k) * eb(k, column * B + j);
            wrong += sum != c[i][j];
        }
    if (wrong) printf("PE %d: %d wrong elements\n", me, wrong);
    shmem_barrier_all();
    if (me == 0 && !wrong) printf("PASS cannon\n");
    shmem_finalize();
    return wrong;
}
