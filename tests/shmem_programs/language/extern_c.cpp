// shmem.h included within extern "C", as in libraries written only for C.
// pes: 1 4 16
// expect: PASS
extern "C" {
#include <shmem.h>
}
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>
// global pointer as in PGAS languages
template <class T>
struct gptr {
    int pe;
    T* p;
    T get() const { return shmem_g(p, pe); }
    void put(T v) const { shmem_p(p, v, pe); }
    gptr operator+(int k) const { return {pe, p + k}; }
};
static double dd[4];
static long ll[4];
static float ff[4];
template <class T>
int check(T* a) {
    const int me = shmem_my_pe(), n = shmem_n_pes();
    gptr<T> g{(me + 1) % n, a};
    for (int k = 0; k < 4; ++k) (g + k).put(T(me + k));
    shmem_barrier_all();
    int bad = 0;
    for (int k = 0; k < 4; ++k) bad += (g + k).get() != T(me + k);
    T tmp[4];
    shmem_get(tmp, a, 4, me);
    for (int k = 0; k < 4; ++k) bad += tmp[k] != T((me + n - 1) % n + k);
    shmem_barrier_all();
    return bad;
}
int main(int, char**) {
    shmem_init();
    int bad = check(dd) + check(ll) + check(ff);
    shmem_barrier_all();
    long old = shmem_fadd(&ll[0], 1L, 0);
    (void)old;
    shmem_finc(&ll[1], 0);
    shmem_inc(&ll[2], 0);
    shmem_add(&ll[3], 2L, 0);
    shmem_barrier_all();
    std::unordered_map<int, std::function<int(int)>> ops{{1, [](int x) { return x + 1; }},
                                                         {2, [](int x) { return x * 2; }}};
    if (ops.at(2)(ops.at(1)(3)) != 8) bad++;
    if (shmem_my_pe() == 0) {
        const int n = shmem_n_pes();
        if (ll[2] != n - 1 + 2 + n) bad++;
        std::printf("%s %ld\n", bad ? "FAIL" : "PASS", ll[2]);
    }
    shmem_finalize();
}
