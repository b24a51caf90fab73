// pes: 16
// expect: PASS bitonic
// One key per PE, sorted by a bitonic network of swaps.
#include <shmem.h>
#include <stdio.h>

static unsigned key, in[2];
static int sequence[2];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), step = 0;
    unsigned original = key = (me * 2654435761u) >> 8 & 0xffff;
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int partner = me ^ j, slot = ++step & 1;
            shmem_barrier_all();
            shmem_uint_p(&in[slot], key, partner);
            shmem_fence();
            shmem_int_p(&sequence[slot], step, partner);
            shmem_int_wait_until(&sequence[slot], SHMEM_CMP_EQ, step);
            int keeps_low = (me & j) == 0, ascending = (me & k) == 0;
            unsigned low = key < in[slot] ? key : in[slot], high = key < in[slot] ? in[slot] : key;
            key = keeps_low == ascending ? low : high;
        }
    shmem_barrier_all();
    int rank = 0, wrong = 0;
    for (int pe = 0; pe < n; pe++) {
        unsigned theirs = (pe * 2654435761u) >> 8 & 0xffff;
        rank += theirs < original || (theirs == original && pe < me);
    }
    wrong = shmem_uint_g(&key, rank) != original;
    if (wrong) printf("PE %d: key %u is not at %d\n", me, original, rank);
    if (me == 0 && !wrong) puts("PASS bitonic");
    shmem_finalize();
    return wrong;
}
