// pes: 2 4
// expect: PASS sized_names
#include <mpp/shmem.h>
#include <stdio.h>
#include <string.h>

static unsigned char a[64], b[64];

static int check(const char *what, int n) {
    int bad = 0;
    for (int i = 0; i < 64; ++i) bad += b[i] != (i < n ? a[i] : 0);
    if (bad) printf("FAIL %s\n", what);
    memset(b, 0, sizeof b);
    shmem_barrier_all();
    return bad;
}

int main(void) {
    shmem_init();
    int to = (shmem_my_pe() + 1) % shmem_n_pes(), bad = 0;
    for (int i = 0; i < 64; ++i) a[i] = i + 1;
    shmem_barrier_all();
#define PUT(bits, count)                        \
    shmem_put##bits(b, a, count, to);           \
    shmem_barrier_all();                        \
    bad += check("put" #bits, count * bits / 8);
#define GET(bits, count)                        \
    shmem_get##bits(b, a, count, to);           \
    bad += check("get" #bits, count * bits / 8);
    PUT(8, 5)
    PUT(16, 5)
    PUT(32, 5)
    PUT(64, 5)
    PUT(128, 3)
    GET(8, 7)
    GET(16, 7)
    GET(32, 7)
    GET(64, 7)
    GET(128, 4)
    shmem_barrier_all();
    if (shmem_my_pe() == 0 && !bad) printf("PASS sized_names\n");
    shmem_finalize();
    return bad;
}
