// Array distributed over all PEs as a class, with proxies for remote elements.
// pes: 1 4 16
// expect: true PASS #
#include <shmem.h>

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <iomanip>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

template <typename T>
class SymArray {
    T* p_;
    std::size_t n_;

public:
    explicit SymArray(std::size_t n) : p_(static_cast<T*>(shmem_malloc(n * sizeof(T)))), n_(n) {
        for (auto& x : *this) x = T();
    }
    ~SymArray() { shmem_free(p_); }
    SymArray(const SymArray&) = delete;
    T* begin() { return p_; }
    T* end() { return p_ + n_; }
    T& operator[](std::size_t i) { return p_[i]; }
    struct Ref {
        T* p;
        int pe;
        operator T() const {
            T v;
            shmem_getmem(&v, p, sizeof v, pe);
            return v;
        }
        Ref& operator=(const T& v) {
            shmem_putmem(p, &v, sizeof v, pe);
            return *this;
        }
    };
    Ref at(std::size_t i, int pe) { return {p_ + i, pe}; }
};
struct Particle {
    double x, y, vx, vy;
    std::int32_t id;
    friend std::ostream& operator<<(std::ostream& o, const Particle& p) {
        return o << "#" << p.id << "(" << p.x << "," << p.y << ")";
    }
};
int main() {
    shmem_init();
    {
        const int me = shmem_my_pe(), n = shmem_n_pes();
        SymArray<Particle> ps(4);
        std::mt19937_64 gen(me);
        std::uniform_real_distribution<> u(0.0, 1.0);
        for (int i = 0; i < 4; ++i) ps[i] = {u(gen), u(gen), 0.1, -0.1, me * 4 + i};
        shmem_barrier_all();
        using namespace std::chrono_literals;
        auto t0 = std::chrono::high_resolution_clock::now();
        std::this_thread::sleep_for(10us);
        std::chrono::duration<double, std::micro> dt = std::chrono::high_resolution_clock::now() - t0;
        Particle q = ps.at(2, (me + 1) % n);
        bool ok = q.id == (me + 1) % n * 4 + 2 && dt.count() >= 10 && dt.count() < 12;
        std::ostringstream os;
        os << std::setw(3) << me << ": " << std::boolalpha << ok << ' ' << (ok ? "PASS" : "FAIL");
        if (me == 0)
            std::cout << os.str() << ' ' << std::fixed << std::setprecision(3) << q << std::endl;
        else if (!ok)
            std::cerr << "FAIL " << dt.count() << std::endl;
        shmem_barrier_all();
    }
    shmem_finalize();
}
