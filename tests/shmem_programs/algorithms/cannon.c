// pes: 1 4 16
// expect: PASS cannon
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define B 6 /* side of a block */
typedef float Block[B][B];
static Block a[2], b[2], c;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), side = (int)sqrtf((float)shmem_n_pes());
    int row = me / side, col = me % side;
    /* initially skewed: block (row, row + col) of a, and (row + col, col) of b */
    int k = (row + col) % side;
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++) {
            int ar = row * B + i, ac = k * B + j, br = k * B + i, bc = col * B + j;
            a[0][i][j] = (ar + 2 * ac) % 7;
            b[0][i][j] = (3 * br + bc) % 5;
            c[i][j] = 0;
        }
    shmem_barrier_all();
    for (int s = 0; s < side; s++) {
        int now = s & 1, next = !now;
        shmem_putmem(a[next], a[now], sizeof(Block), row * side + (col + side - 1) % side);
        shmem_putmem(b[next], b[now], sizeof(Block), (row + side - 1) % side * side + col);
        for (int i = 0; i < B; i++)
            for (int j = 0; j < B; j++)
                for (int l = 0; l < B; l++) c[i][j] += a[now][i][l] * b[now][l][j];
        shmem_barrier_all();
    }
    int bad = 0;
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++) {
            float sum = 0;
            for (int l = 0; l < side * B; l++) sum += (float)((row * B + i + 2 * l) % 7) * (float)((3 * l + col * B + j) % 5);
            bad += c[i][j] != sum;
        }
    if (bad) printf("FAIL: PE %d: %d\n", me, bad);
    shmem_barrier_all();
    if (me == 0 && !bad) printf("PASS cannon\n");
    shmem_finalize();
    return bad ? EXIT_FAILURE : 0;
}
