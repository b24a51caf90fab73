// pes: 2
// expect: PASS wait_comparisons
// wait and wait_until with all comparisons and types.
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

static short s;
static int i, turn;
static long l;
static long long ll;

static void pass_on(void) { shmem_int_add(&turn, 1, 1); }

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), ok = 1;
    if (me == 0) {
        shmem_int_p(&i, 5, 1); pass_on();
        shmem_int_wait_until(&turn, SHMEM_CMP_EQ, -1);
        shmem_int_p(&i, -3, 1);
        shmem_int_wait_until(&turn, SHMEM_CMP_EQ, -2);
        shmem_long_p(&l, 10, 1); usleep(3); shmem_long_p(&l, 11, 1);
        shmem_int_wait_until(&turn, SHMEM_CMP_EQ, -3);
        shmem_longlong_p(&ll, -(1LL << 40), 1);
        shmem_short_p(&s, 7, 1);
        shmem_int_wait_until(&turn, SHMEM_CMP_LE, -4);
        shmem_short_p(&s, 6, 1);
    } else {
        shmem_int_wait_until(&i, SHMEM_CMP_NE, 0); ok &= i == 5;
        shmem_int_wait_until(&turn, SHMEM_CMP_GE, 1);
        shmem_int_p(&turn, -1, 0);
        shmem_int_wait_until(&i, SHMEM_CMP_LT, 0); ok &= i == -3;
        shmem_int_p(&turn, -2, 0);
        shmem_long_wait_until(&l, SHMEM_CMP_GT, 10); ok &= l == 11;
        shmem_int_p(&turn, -3, 0);
        shmem_longlong_wait_until(&ll, SHMEM_CMP_LE, -5); ok &= ll == -1099511627776LL;
        shmem_short_wait(&s, 0); ok &= s == 7;
        shmem_int_p(&turn, -4, 0);
        shmem_short_wait_until(&s, SHMEM_CMP_EQ, 6);
        shmem_wait_until(&l, SHMEM_CMP_GE, 11L);
        shmem_wait(&l, 10);
    }
    shmem_barrier_all();
    if (!ok) printf("PE %d wrong\n", me);
    static int failures;
    shmem_int_add(&failures, !ok, 0);
    shmem_barrier_all();
    if (me == 0) puts(failures ? "FAIL wait_comparisons" : "PASS wait_comparisons");
    shmem_finalize();
    return !ok;
}
