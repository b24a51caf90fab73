// pes: 16
// expect: PASS atomic_counter
// Tickets by fetch-and-add of four types: each number is returned once.
#include <shmem.h>
#include <stdio.h>

static int ticket;
static long lticket;
static long long llticket;
static unsigned uticket;
static char drawn[4][16 * 8];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    const char one = 1;
    for (int i = 0; i < 8; i++) {
        shmem_putmem(&drawn[0][shmem_int_finc(&ticket, 0)], &one, 1, 0);
        shmem_putmem(&drawn[1][shmem_long_fadd(&lticket, 1, 1 % n)], &one, 1, 0);
        shmem_putmem(&drawn[2][shmem_longlong_fadd(&llticket, 1, 2 % n)], &one, 1, 0);
        shmem_putmem(&drawn[3][shmem_uint_atomic_fetch_inc(&uticket, 3 % n)], &one, 1, 0);
    }
    shmem_barrier_all();
    int missing = 0;
    if (me == 0) {
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < n * 8; i++) missing += !drawn[k][i];
        if (ticket != n * 8 || shmem_long_fetch(&lticket, 1 % n) != n * 8) missing++;
        printf("%s atomic_counter\n", missing ? "FAIL" : "PASS");
    }
    shmem_finalize();
    return missing;
}
