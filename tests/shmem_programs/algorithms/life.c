// pes: 4
// args: 32
// expect: PASS life
// Conway's game of life on a 16 x 16 torus in stripes: after 64 generations a glider returns, after 32 it is half way.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 16
#define ROWS 4
static char grid[ROWS + 2][SIZE];
static const char *glider[] = {".#.", "..#", "###"};

static int at(int generation, int y, int x) { /* the glider moves by one along both axes in four generations */
    int d = generation / 4;
    int gy = (y - d % SIZE + SIZE) % SIZE, gx = (x - d % SIZE + SIZE) % SIZE;
    return gy < 3 && gx < 3 && glider[gy][gx] == '#';
}

int main(int argc, char **argv) {
    int generations = argc > 1 ? atoi(argv[1]) : 4;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < SIZE; x++) grid[y + 1][x] = at(0, me * ROWS + y, x);
    for (int g = 0; g < generations; g++) {
        shmem_barrier_all();
        shmem_putmem(grid[0], grid[ROWS], SIZE, (me + 1) % n);
        shmem_putmem(grid[ROWS + 1], grid[1], SIZE, (me + n - 1) % n);
        shmem_barrier_all();
        char next[ROWS][SIZE];
        for (int y = 1; y <= ROWS; y++)
            for (int x = 0; x < SIZE; x++) {
                int neighbours = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        if (dy || dx) neighbours += grid[y + dy][(x + dx + SIZE) % SIZE];
                next[y - 1][x] = neighbours == 3 || (neighbours == 2 && grid[y][x]);
            }
        memcpy(grid[1], next, sizeof next);
    }
    int wrong = 0;
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < SIZE; x++) wrong += grid[y + 1][x] != at(generations, me * ROWS + y, x);
    shmem_barrier_all();
    if (wrong) printf("PE %d: %d wrong cells\n", me, wrong);
    if (me == 0 && !wrong) puts("PASS life");
    shmem_finalize();
    return wrong;
}
