// pes: 2
// expect: PASS overloads
#include <shmem.h>

#include <complex>
#include <cstdint>
#include <cstdio>

static volatile long flag;
static std::complex<float> sum, term, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long sync_array[SHMEM_REDUCE_SYNC_SIZE];
static std::int64_t wide;
static double pair[2];

int main() {
    shmem_init();
    const int me = shmem_my_pe(), peer = 1 - me;
    term = {1.0F + me, 2.0F};
    shmem_barrier_all();
    shmem_complexf_prod_to_all(&sum, &term, 1, 0, 0, 2, work, sync_array);
    const double mine[2] = {0.5 + me, 1.5};
    shmem_put(pair, mine, 2, peer);
    shmem_p(&wide, std::int64_t{1} << 40, peer);
    shmem_quiet();
    shmem_p(&flag, 1L, peer);
    shmem_wait_until(&flag, SHMEM_CMP_EQ, 1L);
    const bool ok = sum == std::complex<float>(1, 2) * std::complex<float>(2, 2) && pair[0] == 0.5 + peer &&
                    shmem_g(&wide, me) == std::int64_t{1} << 40;
    if (!ok) std::printf("FAIL %d %f %f\n", me, sum.real(), sum.imag());
    shmem_barrier_all();
    if (me == 0 && ok) std::puts("PASS overloads");
    shmem_finalize();
}
