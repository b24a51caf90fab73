/* run: -n 16; status 0
 * broadcast32 and 64 from every root. The root's own target is not written. */
#include <shmem.h>
#include <stdio.h>

#define NELEMS 11
int src[NELEMS], dst[NELEMS];
double dsrc[NELEMS], ddst[NELEMS];
long pSync1[SHMEM_BCAST_SYNC_SIZE], pSync2[SHMEM_BCAST_SYNC_SIZE];

int main(void) {
    int i, root, err = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (i = 0; i < SHMEM_BCAST_SYNC_SIZE; i++) pSync1[i] = pSync2[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    for (root = 0; root < npes; root++) {
        for (i = 0; i < NELEMS; i++) {
            src[i] = me * 50 + i;
            dst[i] = -5;
            dsrc[i] = me * 0.5 + i;
            ddst[i] = -5;
        }
        shmem_barrier_all();
        shmem_broadcast32(dst, src, NELEMS, root, 0, 0, npes, pSync1);
        shmem_broadcast64(ddst, dsrc, NELEMS, root, 0, 0, npes, pSync2);
        shmem_barrier_all();
        for (i = 0; i < NELEMS; i++) {
            if (dst[i] != (me == root ? -5 : root * 50 + i)) err++;
            if (ddst[i] != (me == root ? -5 : root * 0.5 + i)) err++;
        }
    }
    if (err) printf("%d: %d errors\n", me, err);
    static int total;
    shmem_int_add(&total, err, 0);
    shmem_barrier_all();
    if (me == 0) printf("%s broadcasts\n", total ? "FAIL" : "PASS");
    shmem_finalize();
    return err > 0;
}
