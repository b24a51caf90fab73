// Notifies the address sanitizer of stack switches, which it cannot detect. Compiles to nothing without it.
#pragma once

#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace nocbench {

/// Memory range of a stack, in the sanitizer's terms.
struct StackBounds {
    const void* bottom = nullptr;
    std::size_t size_bytes = 0;
};

/// Announces a new stack. Clears the sanitizer's notes on its memory, left by an earlier stack whose functions never
/// returned.
inline void announce_stack([[maybe_unused]] const StackBounds& stack) {
#ifdef __SANITIZE_ADDRESS__
    __asan_unpoison_memory_region(stack.bottom, stack.size_bytes);
#endif
}

/// Announces a switch to the stack `to`. `saved` receives the sanitizer's state of the current stack; null if it is
/// never resumed.
// NOLINTNEXTLINE(misc-const-correctness): the sanitizer writes through it.
inline void announce_switch([[maybe_unused]] void** saved, [[maybe_unused]] const StackBounds& to) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(saved, to.bottom, to.size_bytes);
#endif
}

/// Confirms a switch; call first on the new stack. `saved` is the state kept when this stack was left; `from` receives
/// the bounds of the previous stack.
// NOLINTNEXTLINE(misc-const-correctness): the sanitizer writes through it.
inline void confirm_switch([[maybe_unused]] void* saved, [[maybe_unused]] StackBounds* from) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(saved, from != nullptr ? &from->bottom : nullptr,
                                    from != nullptr ? &from->size_bytes : nullptr);
#endif
}

}  // namespace nocbench
