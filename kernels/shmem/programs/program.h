// Runs of a program compiled for the cores of an Epiphany machine and linked with OpenSHMEM routines, on any number of
// PEs, with its output and results.
//
// Requirements of the image: its symbols name the routines that it uses, at addresses given by routine_address(). At
// its entry, all other memory is zero, a0 has the number of arguments, a1 has the address of their table at the end of
// memory, and the stack pointer is below the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device_model/epiphany/epiphany_device.h"
#include "device_model/epiphany/epiphany_guest.h"
#include "device_model/riscv/program/elf.h"
#include "device_model/riscv/program/source_map.h"
#include "kernels/shmem/guest.h"
#include "kernels/shmem/job.h"

namespace nocbench::shmem {

/// Returns the names of all routines that the simulator executes, by number.
std::vector<std::string> routine_names();
/// Returns the address of a routine for calls by a program: outside memory, and within reach of one instruction.
Address routine_address(std::size_t number);

/// Output of a PE.
struct Printed {
    Tick tick = 0;
    int pe = 0;
    Stream stream = Stream::output;
    std::string text;
};

struct Program {
    std::string name;
    std::vector<std::byte> elf;
    riscv::SourceMap source_map;
    int num_pes = 0;
    std::vector<std::string> arguments;  // program name first
    Options options;
    bool charges_routines = true;  // routines take the memory that they would take on the chip
    Cycle cycles_max = kDefaultCyclesMax;
    std::function<void(const Printed&)> print;  // hears of output while the program runs, in order of time
    std::function<bool()> is_interrupted;       // asked now and then whether to stop the program
    Cycle cycles_ahead = 0;  // simulated ahead by harts; 0: default. For tests: affects only simulation speed
    bool sleeps = true;      // for tests; see riscv::SharedMemoryHart
};

struct PeRun {
    std::optional<int> exit_status;  // none: not ended
    std::uint64_t num_instructions = 0;
    std::uint64_t num_rewinds = 0;
    std::vector<Cycle> cycles_by_place;  // by half words of the code
    EpiphanyGuest::Waits waits;          // waits within these cycles
};

/// Use of each core's memory by the program.
struct MemoryUse {
    std::uint32_t memory_bytes = 0;
    std::uint32_t code_begin = 0;
    std::uint32_t image_bytes = 0;
    std::uint32_t routine_bytes = 0;
    std::uint32_t argument_bytes = 0;
    std::uint32_t heap_bytes_max = 0;
};

struct ProgramRun {
    std::vector<Printed> printed;  // in order of time
    std::vector<PeRun> pes;
    // of the whole program, below 256: the status of global_exit, otherwise the highest of all PEs; none: not ended
    std::optional<int> exit_status;
    std::string error;  // reason why the program has not ended; empty if it has
    bool was_interrupted = false;
    std::vector<std::string> warnings;
    MemoryUse memory;
};

/// Runs a program on the first cores of `device`. Faults of the program are part of the result. Throws InputError for
/// an invalid image, an image that does not fit, or more PEs than cores.
ProgramRun run_program(EpiphanyDevice& device, const EpiphanyConstants& constants, const Program& program);

}  // namespace nocbench::shmem
