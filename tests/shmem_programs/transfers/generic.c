/* run: -n 8; status 0
 * C11 generic names, with arrays, pointers to const and volatile, and compound literals. */
#include <shmem.h>
#include <stdio.h>

static float f[4];
static long l[4];
static unsigned u;
static volatile int vi;
static short h[3];
static long long ll;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), to = (me + 1) % n, from = (me + n - 1) % n, ok = 1;
    const long mine[4] = {me, 10L * me, 100L * me, -me};
    shmem_put(f, ((float[]){me + 0.5f, 1, 2, 3}), 4, to);
    shmem_put(l, mine, 4, to);
    shmem_p(&u, 4000000000u + me, to);
    shmem_p(h + 1, (short)(me - 3), to);
    shmem_p(&vi, me + 7, to);
    shmem_add(&ll, 1LL << 33, to);
    shmem_barrier_all();
    ok &= f[0] == from + 0.5f && f[3] == 3;
    ok &= l[1] == 10L * from && l[3] == -from;
    ok &= u == 4000000000u + from && h[1] == from - 3 && vi == from + 7;
    ok &= ll == 8589934592LL;
    long copy[2];
    const long *source = l;
    shmem_get(copy, source, 2, to);
    ok &= copy[0] == me && copy[1] == 10L * me;
    ok &= shmem_g(&u, to) == 4000000000u + me;
    shmem_barrier_all();
    ok &= shmem_swap(&l[0], 77L, to) == me;
    ok &= shmem_finc(&ll, to) == 1LL << 33;
    shmem_barrier_all();
    ok &= shmem_cswap(&l[0], 77L, 78L, me) == 77;
    ok &= shmem_fetch(&l[0], me) == 78;
    if (!ok) printf("PE %d is wrong\n", me);
    static int bad;
    shmem_int_add(&bad, !ok, 0);
    shmem_barrier_all();
    if (me == 0) printf("%s generic\n", bad ? "FAIL" : "PASS");
    shmem_finalize();
    return !ok;
}
