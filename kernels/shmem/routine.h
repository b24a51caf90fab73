// Routines of a library that programs call and that the simulator carries out.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "kernels/shmem/guest_call.h"

namespace nocbench::shmem {

class Pe;

/// Each has an address outside of memory, in the order of the table: a jump there is the call. Names with the same
/// `run` and `code_bytes` are one routine, whose code is charged once.
struct Routine {
    std::string_view name;
    std::uint32_t code_bytes = 0;  // of the core's memory that the routine would take on the chip
    void (*run)(Pe& pe, GuestCall& call) = nullptr;
    bool needs_set_up = true;  // of OpenSHMEM: it must not be called before shmem_init
    bool is_query = false;     // it may be called after shmem_finalize

    /// Calls it. Throws KernelError that begins with its name where the program may not do what it asks for.
    void carry_out(Pe& pe, GuestCall& call) const;
};

/// Routines of OpenSHMEM.
std::span<const Routine> shmem_routines();
/// Routines of the C library that the simulator carries out: output, time, the heap, the end of the program.
std::span<const Routine> c_library_routines();

}  // namespace nocbench::shmem
