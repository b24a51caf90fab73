// Two arrays that exceed the memory together.
#include <shmem.h>

static double grid[2000], next_grid[2200];

int main(void) {
    shmem_init();
    for (int i = 0; i < 2000; i++) next_grid[i] = grid[i] * 2;
    shmem_double_put(grid, next_grid, 2000, 0);
    shmem_finalize();
    return 0;
}
