// Tells the address sanitizer when execution changes to another stack, which it cannot see by itself. Without the
// sanitizer there is nothing to tell, and all of this compiles to nothing.
#pragma once

#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace nocbench {

/// A stack, as the sanitizer wants to know it.
struct StackBounds {
    const void* bottom = nullptr;
    std::size_t size_bytes = 0;
};

/// Call for a new stack. Its memory may have been that of a stack whose last functions never returned: what the
/// sanitizer had noted about their variables would be taken for something about those of the new stack's functions.
inline void announce_stack([[maybe_unused]] const StackBounds& stack) {
#ifdef __SANITIZE_ADDRESS__
    __asan_unpoison_memory_region(stack.bottom, stack.size_bytes);
#endif
}

/// Call before a switch to the stack `to`. `saved` keeps what the sanitizer knows of the stack that is left; null if it
/// is left for good.
// NOLINTNEXTLINE(misc-const-correctness): the sanitizer writes through it.
inline void announce_switch([[maybe_unused]] void** saved, [[maybe_unused]] const StackBounds& to) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(saved, to.bottom, to.size_bytes);
#endif
}

/// Call first thing on the other side. `saved` is what was kept when this stack was left; `from` gets the stack that
/// execution came from.
// NOLINTNEXTLINE(misc-const-correctness): the sanitizer writes through it.
inline void confirm_switch([[maybe_unused]] void* saved, [[maybe_unused]] StackBounds* from) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(saved, from != nullptr ? &from->bottom : nullptr,
                                    from != nullptr ? &from->size_bytes : nullptr);
#endif
}

}  // namespace nocbench
