// pes: 2 16
// expect: PASS all_operations
#include <shmem.h>
#include <stdio.h>

static int i32;
static long l32;
static long long i64;
static float f32;
static double f64;
static int bad;

#define WANT(expression, value)                                                             \
    do {                                                                                    \
        if ((expression) != (value)) {                                                      \
            bad++;                                                                          \
            printf("FAIL PE %d line %d: %s\n", shmem_my_pe(), __LINE__, #expression);       \
        }                                                                                   \
    } while (0)

#define INTEGER(name, var, T)                                                               \
    var = 5;                                                                                \
    shmem_barrier_all();                                                                    \
    WANT(shmem_##name##_fetch(&var, peer), 5);                                              \
    shmem_barrier_all();                                                                    \
    shmem_##name##_set(&var, (T)40, peer);                                                  \
    WANT(shmem_##name##_fadd(&var, 2, peer), 40);                                           \
    WANT(shmem_##name##_finc(&var, peer), 42);                                              \
    shmem_##name##_add(&var, -3, peer);                                                     \
    shmem_##name##_inc(&var, peer);                                                         \
    WANT(shmem_##name##_cswap(&var, 7, 8, peer), 41);                                       \
    WANT(shmem_##name##_cswap(&var, 41, 8, peer), 41);                                      \
    WANT(shmem_##name##_swap(&var, 99, peer), 8);                                           \
    shmem_barrier_all();                                                                    \
    WANT(var, 99);                                                                          \
    shmem_barrier_all()

#define REAL(name, var)                                                                     \
    var = 1.25;                                                                             \
    shmem_barrier_all();                                                                    \
    WANT(shmem_##name##_fetch(&var, peer), 1.25);                                           \
    WANT(shmem_##name##_swap(&var, 2.5, peer), 1.25);                                       \
    shmem_##name##_set(&var, -0.5, peer);                                                   \
    shmem_barrier_all();                                                                    \
    WANT(var, -0.5);                                                                        \
    shmem_barrier_all()

int main(void) {
    start_pes(0);
    int peer = (shmem_my_pe() + 1) % shmem_n_pes();
    INTEGER(int, i32, int);
    INTEGER(long, l32, long);
    INTEGER(longlong, i64, long long);
    REAL(float, f32);
    REAL(double, f64);
    if (shmem_my_pe() == 0 && bad == 0) printf("PASS all_operations\n");
    return bad;
}
