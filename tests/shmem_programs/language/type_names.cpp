// Names of types, built-in and polymorphic.
// pes: 2
// expect: PASS
#include <shmem.h>

#include <cstdio>
#include <cstring>
#include <typeinfo>
struct Shape {
    virtual ~Shape() = default;
};
struct Circle : Shape {};
template <class T>
bool has_name(T, const char* name) {
    return !std::strcmp(typeid(T).name(), name);
}
int main() {
    shmem_init();
    Circle circle;
    Shape& shape = circle;
    int* pointer = nullptr;
    const bool right = has_name(1, "i") && has_name(2.0f, "f") && has_name(3L, "l") && has_name(pointer, "Pi") &&
                       typeid(shape) == typeid(Circle) && typeid(Shape) != typeid(Circle);
    std::printf("%s %s\n", right ? "PASS" : "FAIL", typeid(shape).name());
    shmem_finalize();
}
