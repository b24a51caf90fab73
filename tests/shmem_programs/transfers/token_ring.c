// pes: 16
// args: 3
// expect: PASS token_ring
// A token circulates argv[1] times; each PE records its number in the token.
#include <assert.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

struct token { int hops; int visited[16]; };
static struct token token;
static int arrived = 0;

int main(int argc, char **argv) {
    assert(argc == 2);
    const int rounds = atoi(argv[1]);
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
    for (int round = 1; round <= rounds; round++) {
        if (me != 0 || round != 1) shmem_int_wait_until(&arrived, SHMEM_CMP_GE, me == 0 ? round - 1 : round);
        token.hops++;
        token.visited[me] += round;
        shmem_putmem(&token, &token, sizeof token, next);
        shmem_fence();
        shmem_int_inc(&arrived, next);
    }
    if (me == 0) {
        shmem_int_wait_until(&arrived, SHMEM_CMP_EQ, rounds);
        assert(token.hops == n * rounds);
        for (int pe = 0; pe < n; pe++) assert(token.visited[pe] == rounds * (rounds + 1) / 2);
        printf("token has made %d hops\nPASS token_ring\n", token.hops);
    }
    shmem_finalize();
    return EXIT_SUCCESS;
}
