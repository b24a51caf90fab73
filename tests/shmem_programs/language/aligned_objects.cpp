// Objects with an alignment above 8, alone and in arrays.
// pes: 1 4
// expect: PASS
#include <shmem.h>

#include <cstdint>
#include <cstdio>
#include <memory>

struct alignas(64) Line {
    char bytes[64];
};

int main() {
    shmem_init();
    int failures = 0;
    for (int count = 1; count < 5; ++count) {
        const auto one = std::make_unique<Line>();
        const auto several = std::make_unique<Line[]>(count);
        failures += reinterpret_cast<std::uintptr_t>(one.get()) % 64 != 0;
        failures += reinterpret_cast<std::uintptr_t>(several.get()) % 64 != 0;
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 0) std::puts(failures == 0 ? "PASS" : "FAIL");
    shmem_finalize();
}
