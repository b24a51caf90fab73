// pes: 2 16
// expect: PASS objects
#include <shmem.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

namespace {

template <typename T, int N>
class Symmetric {
public:
    Symmetric() : data_(static_cast<T*>(shmem_malloc(N * sizeof(T)))) {}
    ~Symmetric() { shmem_free(data_); }
    Symmetric(const Symmetric&) = delete;
    Symmetric& operator=(const Symmetric&) = delete;
    T& operator[](int i) { return data_[i]; }
    void put_to(int pe) const { shmem_put(data_ + N / 2, data_, N / 2, pe); }

private:
    T* data_;
};

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const = 0;
};
struct Square : Shape {
    explicit Square(int side) : side_(side) {}
    int area() const override { return side_ * side_; }
    int side_;
};

struct Announcer {
    explicit Announcer(const char* name) : name_(name) {}
    ~Announcer() { std::printf("bye %s\n", name_); }
    const char* name_;
};
Announcer announcer("global");

}  // namespace

int main() {
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    bool ok = true;
    {
        Symmetric<float, 8> values;
        for (int i = 0; i < 4; ++i) values[i] = me + i * 0.5F;
        shmem_barrier_all();
        values.put_to((me + 1) % n);
        shmem_barrier_all();
        ok = values[4] == (me + n - 1) % n && values[7] == (me + n - 1) % n + 1.5F;
        shmem_barrier_all();
    }
    std::vector<int> numbers(20);
    std::iota(numbers.begin(), numbers.end(), me);
    std::reverse(numbers.begin(), numbers.end());
    std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a < b; });
    ok = ok && std::accumulate(numbers.begin(), numbers.end(), 0) == 190 + 20 * me;
    const std::string text = "PE " + std::to_string(me);
    ok = ok && text.size() == (me < 10 ? 4U : 5U);
    Shape* shape = new Square(me);
    ok = ok && shape->area() == me * me;
    delete shape;
    static long counter;
    shmem_atomic_inc(&counter, 0);
    shmem_barrier_all();
    if (me == 0) std::printf(ok && counter == n ? "PASS objects\n" : "FAIL\n");
    shmem_finalize();
    return ok ? 0 : 1;
}
