// pes: 3 16
// expect: PASS work_queue
// Dynamic scheduling: the next piece of work comes from a counter on PE 0.
#include <shmem.h>
#include <stdio.h>

#define PIECES 100

static int next_piece;
static int done[PIECES];
static long long sum, result;

static int is_prime(int n) {
    if (n < 2) return 0;
    for (int d = 2; d * d <= n; ++d)
        if (n % d == 0) return 0;
    return 1;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    for (;;) {
        int piece = shmem_int_fadd(&next_piece, 1, 0);
        if (piece >= PIECES) break;
        for (int n = piece * 10; n < piece * 10 + 10; ++n)
            if (is_prime(n)) sum += n;
        shmem_int_p(&done[piece], me + 1, 0);
    }
    shmem_longlong_add(&result, sum, 0);
    shmem_barrier_all();
    if (me == 0) {
        int missing = 0;
        for (int i = 0; i < PIECES; ++i) missing += done[i] == 0;
        if (result == 76127 && missing == 0)
            printf("PASS work_queue\n");
        else
            printf("FAIL: %lld, %d missing\n", result, missing);
    }
    shmem_finalize();
    return 0;
}
