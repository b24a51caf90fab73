// Containers, random number generators and clocks of the C++ library.
// pes: 1 4 16
// expect: tops:
// expect: PASS
#include <shmem.h>

#include <algorithm>
#include <bitset>
#include <chrono>
#include <deque>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <stack>
#include <string>
#include <tuple>
#include <variant>
#include <vector>
static int table[16];
int main(int argc, char* argv[]) {
    shmem_init();
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    std::mt19937 gen(1234 + me);
    std::uniform_int_distribution<int> dist(0, 99);
    std::vector<int> v(20);
    std::generate(v.begin(), v.end(), [&] { return dist(gen); });
    std::sort(v.begin(), v.end(), std::greater<>{});
    std::priority_queue<int> pq(v.begin(), v.end());
    std::set<int> s(v.begin(), v.end());
    std::map<int, std::string> m;
    for (int x : s) m[x] = std::to_string(x);
    int top = pq.top();
    auto start = std::chrono::steady_clock::now();
    shmem_int_p(&table[me], top, 0);
    shmem_barrier_all();
    auto us = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start).count();
    if (me == 0) {
        std::cout << "tops:";
        std::copy(table, table + npes, std::ostream_iterator<int>(std::cout, " "));
        std::cout << '\n';
        std::bitset<8> b(0x55);
        std::optional<int> o;
        if (npes) o = npes;
        std::ostringstream os;
        os << "us>=0:" << (us >= 0) << " " << b.count();
        std::cout << os.str()
                  << (top == v.front() && *o == npes && *std::max_element(table, table + npes) < 100 ? " PASS"
                                                                                                     : " FAIL")
                  << std::endl;
    }
    shmem_finalize();
    return 0;
}
