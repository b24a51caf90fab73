// printf formatting for programs on a core, with formats and values in the program's memory.
#pragma once

#include <string>
#include <string_view>

#include "kernels/shmem/guest.h"
#include "kernels/shmem/guest_call.h"

namespace nocbench::shmem {

/// Formats the next arguments of `call`, which are behind `...` or in a va_list. Throws KernelError for unknown
/// directives.
///
/// Doubles are printed by the simulator's host, exactly. `long double` has 128 bits in programs and fewer on the host:
/// further digits may differ.
std::string formatted(Guest& guest, std::string_view format, GuestCall& call);

}  // namespace nocbench::shmem
