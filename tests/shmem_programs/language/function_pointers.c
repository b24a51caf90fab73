// pes: 4
// expect: PASS function_pointers
// Routines called by their addresses in a table.
#include <shmem.h>
#include <stdio.h>

typedef void (*Reduce)(int *, const int *, int, int, int, int, int *, long *);
static const struct {
    const char *name;
    Reduce reduce;
    int result;
} operations[] = {{"sum", shmem_int_sum_to_all, 10},
                  {"product", shmem_int_prod_to_all, 24},
                  {"maximum", shmem_int_max_to_all, 4},
                  {"minimum", shmem_int_min_to_all, 1}};
static int in, out, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long sync_arrays[2][SHMEM_REDUCE_SYNC_SIZE];

int main(void) {
    shmem_init();
    int bad = 0;
    void (*barrier)(void) = shmem_barrier_all;
    in = shmem_my_pe() + 1;
    for (unsigned i = 0; i < sizeof operations / sizeof *operations; ++i) {
        barrier();
        operations[i].reduce(&out, &in, 1, 0, 0, 4, work, sync_arrays[i % 2]);
        if (out != operations[i].result) {
            printf("FAIL %s: %d\n", operations[i].name, out);
            bad++;
        }
    }
    if (shmem_my_pe() == 0 && !bad) printf("PASS function_pointers\n");
    shmem_finalize();
    return bad;
}
