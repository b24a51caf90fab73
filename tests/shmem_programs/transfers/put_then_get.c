// pes: 16
// expect: PASS put_then_get
// shmem_quiet between a put and a get of one address: the get returns the put data, from all PEs.
#include <shmem.h>
#include <stdio.h>

long long box[16];

int main() {
    shmem_init();
    int me = shmem_my_pe(), np = shmem_n_pes();
    int errs = 0;
    for (int k = 1; k <= 10; ++k) {
        for (int p = 0; p < np; ++p) shmem_longlong_p(&box[me], 1000000000000LL * me + k * p, p);
        shmem_quiet();
        for (int p = 0; p < np; ++p)
            if (shmem_longlong_g(&box[me], p) != 1000000000000LL * me + k * p) ++errs;
    }
    shmem_barrier_all();
    for (int p = 0; p < np; ++p)
        if (box[p] != 1000000000000LL * p + 10 * me) ++errs;
    if (errs) shmem_global_exit(errs);
    shmem_barrier_all();
    if (!me) puts("PASS put_then_get");
    shmem_finalize();
}
