// pes: 7
// expect: PASS old_style
// SGI-era program: mpp/shmem.h, start_pes, _my_pe, no finalize.
#include <mpp/shmem.h>
#include <stdio.h>

long pSync[_SHMEM_REDUCE_SYNC_SIZE];
int pWrk[_SHMEM_REDUCE_MIN_WRKDATA_SIZE];
int aaa, bbb;

int main()
{
    int i, me, npes;

    start_pes(0);
    me = _my_pe();
    npes = _num_pes();
    for (i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; i++)
        pSync[i] = _SHMEM_SYNC_VALUE;
    int *p = (int *)shmalloc(sizeof(int));
    *p = me;
    aaa = me + 1;
    shmem_barrier_all();
    shmem_int_prod_to_all(&bbb, &aaa, 1, 0, 0, npes, pWrk, pSync);
    if (bbb != 5040 || shmem_int_g(p, npes - 1) != npes - 1) {
        printf("process %d: %d\n", me, bbb);
        return 1;
    }
    shmem_barrier_all();
    shfree(p);
    if (me == 0)
        printf("PASS old_style\n");
    return 0;
}
