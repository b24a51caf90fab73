// pes: 4
// expect: PASS names_of_1_4
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t word;
static int64_t wide;
static size_t size;
static unsigned long number;
static double real;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), ok = 1;
    uint32_t *heap = shmem_calloc(8, sizeof *heap);
    for (int i = 0; i < 8; ++i) ok &= heap[i] == 0;
    shmem_uint32_atomic_add(&word, 3, 0);
    shmem_int64_atomic_inc(&wide, 0);
    shmem_size_atomic_add(&size, me, 0);
    (void)shmem_ulong_atomic_fetch_add(&number, 2, 0);
    shmem_atomic_inc(&heap[1], 0);
    shmem_sync_all();
    if (me == 0) {
        ok &= word == 3u * n && wide == n && size == (size_t)(n * (n - 1) / 2) && number == 2ul * n && heap[1] == (uint32_t)n;
        shmem_double_atomic_set(&real, 2.25, 1);
        ok &= shmem_atomic_compare_swap(&wide, (int64_t)n, (int64_t)-1, 0) == n && wide == -1;
    }
    shmem_barrier_all();
    ok &= me != 1 || shmem_double_atomic_fetch(&real, 1) == 2.25;
    ok &= shmem_uint32_test(&word, SHMEM_CMP_GE, 0u) == 1;
    if (!ok) printf("FAIL %d\n", me);
    if (me == 0 && ok) printf("PASS names_of_1_4\n");
    shmem_free(heap);
    shmem_finalize();
    return 0;
}
