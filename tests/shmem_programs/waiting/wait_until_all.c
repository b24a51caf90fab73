// pes: 2
// expect: PASS wait_until_all
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

static short s;
static int i;
static long l;
static long long ll;

#define ROUND(type, var, T, cmp, before, wait_value, sent)             \
    var = (T)(before);                                                 \
    shmem_barrier_all();                                               \
    if (me == 0) {                                                     \
        usleep(1);                                                     \
        shmem_##type##_p(&var, (T)(sent), 1);                          \
    } else {                                                           \
        shmem_##type##_wait_until(&var, cmp, (T)(wait_value));         \
        if (var != (T)(sent)) {                                        \
            printf("FAIL line %d\n", __LINE__);                        \
            errors++;                                                  \
        }                                                              \
    }                                                                  \
    shmem_barrier_all();

#define ALL(type, var, T)                               \
    ROUND(type, var, T, SHMEM_CMP_EQ, 0, 7, 7)          \
    ROUND(type, var, T, SHMEM_CMP_NE, 3, 3, -4)         \
    ROUND(type, var, T, SHMEM_CMP_GT, -5, -5, -4)       \
    ROUND(type, var, T, SHMEM_CMP_GE, 0, 10, 10)        \
    ROUND(type, var, T, SHMEM_CMP_LT, 0, 0, -1)         \
    ROUND(type, var, T, SHMEM_CMP_LE, 9, -2, -2)

int main(void) {
    int errors = 0;
    shmem_init();
    int me = shmem_my_pe();
    ALL(short, s, short)
    ALL(int, i, int)
    ALL(long, l, long)
    ALL(longlong, ll, long long)
    l = 0;
    shmem_barrier_all();
    if (me == 0)
        shmem_long_p(&l, 1, 1);
    else
        shmem_long_wait(&l, 0);
    shmem_barrier_all();
    if (me == 1 && !errors) printf("PASS wait_until_all\n");
    shmem_finalize();
    return errors;
}
