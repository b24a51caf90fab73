// pes: 16
// expect: PASS mandelbrot
// An atomic counter assigns rows to PEs; PE 0 prints the picture.
#include <shmem.h>
#include <stdio.h>

#define W 40
#define H 20
#define MOST 32
static int row;
static char picture[H][W + 1];

static int escape(float cr, float ci) {
    float zr = 0, zi = 0;
    int k = 0;
    for (; k < MOST && zr * zr + zi * zi < 4; k++) {
        float t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
    }
    return k;
}

int main(void) {
    shmem_init();
    int mine, rows = 0;
    while ((mine = shmem_int_finc(&row, 0)) < H) {
        char line[W + 1];
        for (int i = 0; i < W; i++) {
            int k = escape(-2.2f + 3.2f * i / W, -1.2f + 2.4f * mine / H);
            line[i] = k == MOST ? '#' : k > 8 ? '+' : k > 4 ? '.' : ' ';
        }
        line[W] = 0;
        shmem_char_put(picture[mine], line, W + 1, 0);
        rows++;
    }
    shmem_barrier_all();
    int wrong = 0;
    if (shmem_my_pe() == 0) {
        int inside = 0, twice = 0;
        for (int j = 0; j < H; j++) {
            puts(picture[j]);
            for (int i = 0; i < W; i++) inside += picture[j][i] == '#';
            for (int i = 0; i < W; i++) twice += j > 0 && picture[j][i] != picture[H - j][i];
        }
        wrong = inside < 80 || inside > 200 || twice > 4; /* the picture is symmetric */
        printf("%d points inside\n%s mandelbrot\n", inside, wrong ? "FAIL" : "PASS");
    }
    shmem_finalize();
    return wrong;
}
