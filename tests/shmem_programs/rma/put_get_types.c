// pes: 2 16
// expect: PASS put_get_types
#include <shmem.h>
#include <stdio.h>
#include <string.h>

#define N 13

#define DECLARE(T, name) static T name##_dst[N], name##_src[N], name##_back[N];
DECLARE(char, char)
DECLARE(short, short)
DECLARE(int, int)
DECLARE(long, long)
DECLARE(long long, longlong)
DECLARE(float, float)
DECLARE(double, double)
DECLARE(long double, longdouble)

static int failures = 0;

#define CHECK(T, name)                                                              \
    do {                                                                            \
        for (int i = 0; i < N; i++) name##_src[i] = (T)(me * 3 + i);                \
        memset(name##_dst, 0, sizeof name##_dst);                                   \
        shmem_barrier_all();                                                        \
        shmem_##name##_put(name##_dst, name##_src, N, next);                        \
        shmem_barrier_all();                                                        \
        for (int i = 0; i < N; i++)                                                 \
            if (name##_dst[i] != (T)(prev * 3 + i)) failures++;                     \
        shmem_##name##_get(name##_back, name##_dst, N, next);                       \
        for (int i = 0; i < N; i++)                                                 \
            if (name##_back[i] != name##_src[i]) failures++;                        \
        if (shmem_##name##_g(&name##_dst[4], next) != name##_src[4]) failures++;    \
        shmem_barrier_all();                                                        \
    } while (0)

int main() {
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    const int next = (me + 1) % n, prev = (me + n - 1) % n;
    CHECK(char, char);
    CHECK(short, short);
    CHECK(int, int);
    CHECK(long, long);
    CHECK(long long, longlong);
    CHECK(float, float);
    CHECK(double, double);
    CHECK(long double, longdouble);
    if (failures) printf("FAIL: PE %d: %d wrong values\n", me, failures);
    shmem_barrier_all();
    if (me == 0 && !failures) puts("PASS put_get_types");
    shmem_finalize();
    return failures != 0;
}
