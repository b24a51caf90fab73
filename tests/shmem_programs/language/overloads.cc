// pes: 4
// expect: PASS overloads
// C++: overloaded names of all types, lambdas, std::array and algorithms.
#include <algorithm>
#include <array>
#include <numeric>
#include <shmem.h>
#include <stdio.h>

static std::array<int, 6> ints;
static std::array<double, 3> doubles;
static float f;
static unsigned long long u;

template <typename T, typename F>
int count_if_not(const T& all, F fine) {
    return static_cast<int>(std::count_if(all.begin(), all.end(), [&](auto v) { return !fine(v); }));
}

int main() {
    shmem_init();
    auto me = shmem_my_pe(), n = shmem_n_pes();
    auto next = (me + 1) % n, last = (me + n - 1) % n;
    std::array<int, 6> mine;
    std::iota(mine.begin(), mine.end(), me * 10);
    std::reverse(mine.begin(), mine.end());
    shmem_put(ints.data(), mine.data(), mine.size(), next);
    shmem_p(&f, me * 0.5f, next);
    shmem_p(&u, 1ULL << 50, next);
    const double d[3] = {1.0 * me, 2.0 * me, 3.0 * me};
    shmem_put(doubles.data(), d, 3, next);
    shmem_barrier_all();
    int wrong = count_if_not(ints, [=](int v) { return v / 10 == last && v % 10 < 6; });
    wrong += !std::is_sorted(ints.rbegin(), ints.rend());
    wrong += f != last * 0.5f || u != 1ULL << 50 || doubles[2] != 3.0 * last;
    wrong += shmem_g(&f, next) != me * 0.5f;
    std::sort(ints.begin(), ints.end());
    wrong += std::accumulate(ints.begin(), ints.end(), 0) != 60 * last + 15;
    if (wrong) printf("PE %d: %d wrong\n", me, wrong);
    if (me == 0 && !wrong) printf("PASS overloads\n");
    shmem_finalize();
    return wrong;
}
