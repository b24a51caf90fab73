// pes: 8
// expect: PASS classes
// C++: classes over the symmetric heap, templates, constructors and destructors of globals.
#include <shmem.h>
#include <cstdio>
#include <new>

namespace {

int constructed = 0;

struct Counter {
    int start;
    explicit Counter(int first) : start(first) { ++constructed; }
    ~Counter() { --constructed; }
};
Counter first(10), second(20);

template <typename T>
class SharedArray {
public:
    explicit SharedArray(int size) : data_(static_cast<T*>(shmem_malloc(size * sizeof(T)))), size_(size) {
        for (int i = 0; i < size_; ++i) new (data_ + i) T();
    }
    ~SharedArray() { shmem_free(data_); }
    SharedArray(const SharedArray&) = delete;
    T& operator[](int i) { return data_[i]; }
    void send(int i, const T& value, int pe) { shmem_putmem(data_ + i, &value, sizeof(T), pe); }
    T fetch(int i, int pe) const {
        T value;
        shmem_getmem(&value, data_ + i, sizeof(T), pe);
        return value;
    }

private:
    T* data_;
    int size_;
};

struct Point {
    float x = 0, y = 0;
    bool operator==(const Point& other) const { return x == other.x && y == other.y; }
};

struct Shape {
    virtual ~Shape() = default;
    virtual int corners() const = 0;
};
struct Square : Shape {
    int corners() const override { return 4; }
};
struct Triangle : Shape {
    int corners() const override { return 3; }
};

}  // namespace

int main() {
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    int wrong = constructed != 2 || first.start + second.start != 30;
    {
        SharedArray<Point> points(n);
        SharedArray<long long> numbers(4);
        shmem_barrier_all();
        for (int pe = 0; pe < n; ++pe) points.send(me, Point{me + 0.5f, float(pe)}, pe);
        numbers[1] = 1LL << (32 + me);
        shmem_barrier_all();
        for (int pe = 0; pe < n; ++pe) wrong += !(points[pe] == Point{pe + 0.5f, float(me)});
        wrong += numbers.fetch(1, (me + 1) % n) != 1LL << (32 + (me + 1) % n);
        shmem_barrier_all();
    }
    Shape* shapes[] = {new Square, new Triangle};
    int corners = 0;
    for (Shape* shape : shapes) corners += shape->corners();
    for (Shape* shape : shapes) delete shape;
    wrong += corners != 7;
    if (wrong) std::printf("PE %d: %d wrong\n", me, wrong);
    if (me == 0 && !wrong) std::puts("PASS classes");
    shmem_finalize();
    return wrong;
}
