// pes: 2 5
// expect: PASS long_double_reductions
#include <shmem.h>
#include <stdio.h>

#define N 3
long pSyncA[SHMEM_REDUCE_SYNC_SIZE], pSyncB[SHMEM_REDUCE_SYNC_SIZE];
int which, bad;

#define ONE(T, name, op, expr)                                                                                   \
    do {                                                                                                         \
        static T s[N], d[N], w[SHMEM_REDUCE_MIN_WRKDATA_SIZE];                                                   \
        for (int i = 0; i < N; i++) s[i] = (T)(me + i + 1);                                                      \
        shmem_barrier_all();                                                                                     \
        shmem_##name##_##op##_to_all(d, s, N, 0, 0, n, w, which++ & 1 ? pSyncA : pSyncB);                        \
        for (int i = 0; i < N; i++) {                                                                            \
            T x = (T)(i + 1);                                                                                    \
            for (int p = 1; p < n; p++) {                                                                        \
                T y = (T)(p + i + 1);                                                                            \
                x = expr;                                                                                        \
            }                                                                                                    \
            if (d[i] != x) {                                                                                     \
                bad++;                                                                                           \
                printf("FAIL " #name " " #op " PE %d\n", me);                                                    \
            }                                                                                                    \
        }                                                                                                        \
    } while (0)
#define ARITHMETIC(T, name)                   \
    ONE(T, name, sum, x + y);                 \
    ONE(T, name, prod, x * y);
#define REAL(T, name)                         \
    ARITHMETIC(T, name)                       \
    ONE(T, name, max, x > y ? x : y);         \
    ONE(T, name, min, x < y ? x : y);
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    REAL(long double, longdouble)
    shmem_barrier_all();
    if (me == 0 && !bad) printf("PASS long_double_reductions\n");
    shmem_finalize();
    return bad != 0;
}
