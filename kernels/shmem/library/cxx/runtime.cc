// SPDX-License-Identifier: Apache-2.0
// Non-header parts of the C++ library.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>

namespace {
[[noreturn]] void give_up(const char* what) {
    std::fprintf(stderr, "terminate called after throwing: %s\n", what);
    std::abort();
}
void* allocate(std::size_t size) {
    void* block = std::malloc(size);
    if (block == nullptr) give_up("std::bad_alloc");
    return block;
}
}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }

const std::nothrow_t std::nothrow;

extern "C" void __cxa_pure_virtual() { give_up("a pure virtual function"); }
extern "C" void __cxa_deleted_virtual() { give_up("a deleted function"); }

namespace std {
void __throw_bad_alloc() { give_up("std::bad_alloc"); }
void __throw_bad_array_new_length() { give_up("std::bad_array_new_length"); }
void __throw_bad_function_call() { give_up("std::bad_function_call"); }
void __throw_length_error(const char* what) { give_up(what); }
void __throw_logic_error(const char* what) { give_up(what); }
void __throw_out_of_range(const char* what) { give_up(what); }
void __throw_out_of_range_fmt(const char* what, ...) { give_up(what); }
void __throw_invalid_argument(const char* what) { give_up(what); }
void __throw_runtime_error(const char* what) { give_up(what); }
bool _Sp_make_shared_tag::_S_eq(const type_info&) noexcept { return false; }  // no run-time type information
void __glibcxx_assert_fail(const char* file, int line, const char* function, const char* condition) noexcept {
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, function, condition);
    std::abort();
}
}  // namespace std
