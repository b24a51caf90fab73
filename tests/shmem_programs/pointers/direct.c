// pes: 16
// expect: PASS direct
// Loads and stores of all widths, memcpy and memset through shmem_ptr.
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static struct { int8_t b; uint16_t h; int32_t w; int64_t d; float f; double g; char text[24]; } box;
static char area[64];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, from = (me + n - 1) % n, bad = 0;
    __typeof__(box) *there = shmem_ptr(&box, next);
    if (!there) bad++;
    *(volatile int32_t *)shmem_ptr(&box.w, me) = 5;
    bad += box.w != 5;
    shmem_barrier_all();
    there->b = -me;
    there->h = 60000 + me;
    there->w = -100000 * me;
    there->d = 1LL << (40 + me);
    there->f = me / 4.0f;
    there->g = me * 1e20;
    strcpy(there->text, "from the left");
    char *far = shmem_ptr(area, next);
    memset(far, '.', sizeof area);
    memcpy(far + 3, "abcdefghijklmnop", 16);
    shmem_barrier_all();
    bad += box.b != -from || box.h != 60000 + from || box.w != -100000 * from;
    bad += box.d != 1LL << (40 + from) || box.f != from * 0.25f || box.g != from * 1e20;
    bad += strcmp(box.text, "from the left") != 0;
    bad += memcmp(area, "...abcdefghijklmnop....", 23) != 0 || area[63] != '.';
    bad += there->w != -100000 * me || strlen(there->text) != 13; /* loads through the pointer */
    if (bad) printf("PE %d: %d bad\n", me, bad);
    shmem_barrier_all();
    if (me == 0 && !bad) printf("PASS direct\n");
    shmem_finalize();
    return bad;
}
