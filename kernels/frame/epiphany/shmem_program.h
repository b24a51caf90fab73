// Runs of an OpenSHMEM program on a fresh machine. Results have the form of those of a test's point.
#pragma once

#include <string>
#include <vector>

#include "kernels/frame/primitive.h"
#include "kernels/shmem/programs/program.h"

namespace nocbench {

/// Label of the result row of all PEs.
inline constexpr const char* kPeLabel = "PE";

struct ShmemProgramResult {
    PointResult point;  // a row of all PEs: medians of their total times
    shmem::ProgramRun run;
};

/// Runs a program on a board of an Epiphany machine; empty: its default board. `settings` change fields of the
/// architecture; see load_architecture(). Throws InputError like shmem::run_program(), and for machines of another
/// kind.
ShmemProgramResult run_shmem_program(const shmem::Program& program, const std::string& arch,
                                     const std::string& board_name, const std::vector<Setting>& settings = {},
                                     const MachineWatcher& watcher = {});

}  // namespace nocbench
