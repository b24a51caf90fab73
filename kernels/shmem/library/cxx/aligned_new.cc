// SPDX-License-Identifier: Apache-2.0
// Separate file: only programs that use these operators are charged for the routine that they call.
#include <bits/functexcept.h>

#include <cstdlib>
#include <new>

namespace {
void* allocate_aligned(std::size_t size, std::size_t alignment) {
    void* block = std::aligned_alloc(alignment, size);
    if (block == nullptr) std::__throw_bad_alloc();
    return block;
}
}  // namespace

void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate_aligned(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return allocate_aligned(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
