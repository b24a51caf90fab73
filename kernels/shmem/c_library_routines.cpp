#include <array>

#include "kernels/shmem/pe.h"
#include "kernels/shmem/routine.h"

namespace nocbench::shmem {
namespace {
void put_text(Pe& pe, GuestCall& call) { pe.guest().print(Stream::output, pe.guest().text_at(call.word()) + "\n"); }
void end_program(Pe& pe, GuestCall& call) { pe.guest().exit(call.signed_word()); }
}  // namespace
std::span<const Routine> c_library_routines() {
    static const std::array<Routine, 2> routines{{{"puts", 0, put_text, false}, {"exit", 0, end_program, false}}};
    return routines;
}
}  // namespace nocbench::shmem
