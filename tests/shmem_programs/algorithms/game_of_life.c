// pes: 2 16
// expect: PASS game_of_life
// A glider returns to its position after four times the side of the world.
#include <shmem.h>
#include <stdio.h>
#include <string.h>

#define SIDE 16
static unsigned char rows[2][SIDE + 2][SIDE];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), h = SIDE / n;
    static const int glider[5][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
    for (int i = 0; i < 5; ++i) {
        int r = glider[i][0] - me * h;
        if (r >= 0 && r < h) rows[0][r + 1][glider[i][1]] = 1;
    }
    static unsigned char start[SIDE][SIDE];
    memcpy(start, rows[0][1], h * SIDE);
    for (int t = 0; t < 4 * SIDE; ++t) {
        unsigned char(*old)[SIDE] = rows[t & 1], (*new)[SIDE] = rows[!(t & 1)];
        shmem_barrier_all();
        shmem_putmem(old[h + 1], old[1], SIDE, (me + n - 1) % n);
        shmem_putmem(old[0], old[h], SIDE, (me + 1) % n);
        shmem_barrier_all();
        for (int r = 1; r <= h; ++r)
            for (int c = 0; c < SIDE; ++c) {
                int around = -old[r][c];
                for (int y = r - 1; y <= r + 1; ++y)
                    for (int x = c + SIDE - 1; x <= c + SIDE + 1; ++x) around += old[y][x & (SIDE - 1)];
                new[r][c] = around == 3 || (around == 2 && old[r][c]);
            }
    }
    int bad = memcmp(start, rows[0][1], h * SIDE) != 0;
    if (bad) printf("FAIL: PE %d\n", me);
    shmem_barrier_all();
    if (me == 0 && !bad) printf("PASS game_of_life\n");
    shmem_finalize();
    return bad;
}
