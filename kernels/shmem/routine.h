// Library routines that programs call and the simulator executes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "kernels/shmem/guest_call.h"

namespace nocbench::shmem {

class Pe;

/// Library routine. Programs call it by a jump to an address outside memory, given by its index in the table. Names
/// with equal `run` and `code_bytes` are one routine, whose code is charged once.
struct Routine {
    std::string_view name;
    std::uint32_t code_bytes = 0;  // memory that the routine would take on the chip
    void (*run)(Pe& pe, GuestCall& call) = nullptr;
    bool needs_set_up = true;  // OpenSHMEM routine that must not be called before shmem_init
    bool is_query = false;     // callable after shmem_finalize

    /// Executes the routine. For invalid calls, throws KernelError that begins with the routine's name.
    void carry_out(Pe& pe, GuestCall& call) const;
};

std::span<const Routine> shmem_routines();
/// Returns the C library routines that the simulator executes: output, time, the heap, the end of the program.
std::span<const Routine> c_library_routines();

}  // namespace nocbench::shmem
