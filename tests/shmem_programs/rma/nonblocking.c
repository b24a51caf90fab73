// pes: 2 16
// expect: PASS nonblocking
#include <shmem.h>
#include <stdio.h>

#define WORDS 256
static long a[WORDS], b[WORDS], c[WORDS];

int main(void) {
    int i, errors = 0;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), to = (me + 1) % n, from = (me + n - 1) % n;
    for (i = 0; i < WORDS; i++) a[i] = me * 1000 + i;
    shmem_barrier_all();
    shmem_long_put_nbi(b, a, WORDS, to);
    shmem_quiet();
    shmem_barrier_all();
    for (i = 0; i < WORDS; i++) errors += b[i] != from * 1000 + i;
    shmem_long_get_nbi(c, a, WORDS, to);
    shmem_quiet();
    for (i = 0; i < WORDS; i++) errors += c[i] != to * 1000 + i;
    /* odd sizes, two transfers in flight */
    shmem_barrier_all();
    shmem_putmem_nbi((char *)b + 1, (char *)a + 1, 13, to);
    shmem_put32_nbi(b + 10, a + 20, 5, to);
    shmem_quiet();
    shmem_barrier_all();
    for (i = 10; i < 15; i++) errors += b[i] != from * 1000 + i + 10;
    if (errors) printf("FAIL: PE %d, %d errors\n", me, errors);
    if (!me && !errors) printf("PASS nonblocking\n");
    shmem_finalize();
    return errors;
}
