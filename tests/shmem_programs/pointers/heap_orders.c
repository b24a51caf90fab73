// pes: 4
// expect: PASS heap_orders
// Blocks freed in any order, resized and aligned keep their contents.
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int me;
static int check(const unsigned char *p, int size, int tag) {
    for (int i = 0; i < size; i++)
        if (p[i] != (unsigned char)(tag + i + me)) return 1;
    return 0;
}
static void fill(unsigned char *p, int size, int tag) {
    for (int i = 0; i < size; i++) p[i] = tag + i + me;
}

int main(void) {
    shmem_init();
    me = shmem_my_pe();
    unsigned char *block[8];
    int bad = 0;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 8; i++) {
            block[i] = shmem_malloc(100 + 60 * i);
            if (block[i] == NULL) return printf("no memory\n"), 1;
            fill(block[i], 100 + 60 * i, i);
        }
        static const int order[8] = {3, 0, 6, 7, 1, 5, 2, 4};
        for (int k = 0; k < 4; k++) shmem_free(block[order[k]]);
        unsigned char *aligned = shmem_align(256, 40);
        bad += (uintptr_t)aligned % 256 != 0;
        block[1] = shmem_realloc(block[1], 700);
        bad += check(block[1], 160, 1);
        block[2] = shmem_realloc(block[2], 20);
        bad += check(block[2], 20, 2) + check(block[4], 340, 4) + check(block[5], 400, 5);
        shmem_free(aligned);
        for (int k = 4; k < 8; k++) shmem_free(block[order[k]]);
        shmem_free(NULL);
    }
    /* no memory is lost: nearly the whole heap is available as one block again */
    void *big = shmem_malloc(20000);
    bad += big == NULL;
    shmem_free(big);
    bad += shmem_malloc(0) != NULL;
    if (bad) printf("PE %d: %d bad\n", me, bad);
    if (me == 0 && !bad) printf("PASS heap_orders\n");
    shmem_finalize();
    return bad;
}
