// Text as printf makes it, for programs on a core: formats and values are read where the program has them.
#pragma once

#include <string>
#include <string_view>

#include "kernels/shmem/guest.h"
#include "kernels/shmem/guest_call.h"

namespace nocbench::shmem {

/// The text of `format` with the next arguments of `call`, which are those behind `...` or of a va_list that the call
/// continues with. Throws KernelError for a directive that there is not.
///
/// Doubles are printed as the simulator's host does it, exactly. `long double` has 128 bits there and fewer on the
/// host: digits beyond those differ from what such a program would print elsewhere.
std::string formatted(Guest& guest, std::string_view format, GuestCall& call);

}  // namespace nocbench::shmem
