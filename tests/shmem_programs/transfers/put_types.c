/* run: -n 16; status 0
 * A block of every type goes to the right neighbour, single elements to the left one. */
#include <stdio.h>
#include <shmem.h>

#define N 9
#define CHECK_TYPE(T, NAME, BASE)                                        \
    static T NAME##_in[N], NAME##_out[N], NAME##_one;                    \
    static int check_##NAME(int me, int n) {                             \
        int right = (me + 1) % n, left = (me + n - 1) % n, wrong = 0;    \
        for (int i = 0; i < N; i++)                                      \
            NAME##_out[i] = (T)(BASE + me * 3 + i);                      \
        shmem_##NAME##_put(NAME##_in, NAME##_out, N, right);             \
        shmem_##NAME##_p(&NAME##_one, (T)(BASE + me), left);             \
        shmem_barrier_all();                                             \
        for (int i = 0; i < N; i++)                                      \
            wrong += NAME##_in[i] != (T)(BASE + left * 3 + i);           \
        wrong += NAME##_one != (T)(BASE + right);                        \
        wrong += shmem_##NAME##_g(&NAME##_one, right) != (T)(BASE + (me + 2) % n); \
        return wrong;                                                    \
    }

CHECK_TYPE(char, char, 1)
CHECK_TYPE(short, short, 1000)
CHECK_TYPE(int, int, 100000)
CHECK_TYPE(long, long, -70000)
CHECK_TYPE(long long, longlong, 5000000000LL)
CHECK_TYPE(float, float, 0.5f)
CHECK_TYPE(double, double, 1e10)
CHECK_TYPE(long double, longdouble, 0.25L)

static int errors;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int wrong = check_char(me, n) + check_short(me, n) + check_int(me, n) + check_long(me, n) +
                check_longlong(me, n) + check_float(me, n) + check_double(me, n) + check_longdouble(me, n);
    if (wrong)
        printf("PE %d: %d wrong values\n", me, wrong);
    shmem_int_add(&errors, wrong, 0);
    shmem_barrier_all();
    int status = me == 0 ? errors != 0 : 0;
    if (me == 0)
        printf("%s put_types\n", errors ? "FAIL" : "PASS");
    shmem_finalize();
    return status;
}
