// pes: 16
// expect: PASS get_types
// Each PE gets a block of every width from each other PE.
#include <stdio.h>
#include <string.h>
#include <shmem.h>

static char bytes[40], copy[40];
static short halves[20], hcopy[20];
static float floats[10], fcopy[10];
static double doubles[5], dcopy[5];
static int failures;

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    for (int i = 0; i < 40; i++) bytes[i] = (char)(me * 7 + i);
    for (int i = 0; i < 20; i++) halves[i] = (short)(me * 1000 - i);
    for (int i = 0; i < 10; i++) floats[i] = me + i / 8.0f;
    for (int i = 0; i < 5; i++) doubles[i] = me * 1e6 + i;
    shmem_barrier_all();
    int bad = 0;
    for (int k = 0; k < n; k++) {
        int from = (me + k) % n;
        memset(copy, 0, sizeof copy);
        shmem_getmem(copy, bytes, 39, from);
        for (int i = 0; i < 39; i++) bad += copy[i] != (char)(from * 7 + i);
        bad += copy[39] != 0;
        shmem_short_get(hcopy, halves, 20, from);
        for (int i = 0; i < 20; i++) bad += hcopy[i] != from * 1000 - i;
        shmem_get32(fcopy, floats, 10, from);
        for (int i = 0; i < 10; i++) bad += fcopy[i] != from + i * 0.125f;
        shmem_get64(dcopy, doubles, 5, from);
        for (int i = 0; i < 5; i++) bad += dcopy[i] != from * 1000000.0 + i;
        char one = 0;
        shmem_get8(&one, &bytes[3], 1, from);
        bad += one != (char)(from * 7 + 3);
    }
    shmem_int_add(&failures, bad, 0);
    shmem_barrier_all();
    if (me == 0) puts(failures ? "FAIL get_types" : "PASS get_types");
    shmem_finalize();
    return me == 0 && failures != 0;
}
