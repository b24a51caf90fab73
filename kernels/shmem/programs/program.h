// A program that was compiled for the cores of an Epiphany machine and linked with routines of OpenSHMEM: run on as
// many PEs as asked for, with what it printed and what it did.
//
// The contract with the image: its symbols name the routines that it uses, whose addresses routine_address() gives.
// When it starts at its entry, all of memory that it does not fill is zero, a0 has the number of arguments, a1 the
// address of their table at the end of memory, and the stack pointer is below that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/epiphany/epiphany_device.h"
#include "device_model/epiphany/epiphany_guest.h"
#include "device_model/riscv/elf.h"
#include "device_model/riscv/source_map.h"
#include "kernels/shmem/guest.h"
#include "kernels/shmem/job.h"

namespace nocbench::shmem {

/// The names of all routines that the simulator carries out, by their numbers.
std::vector<std::string> routine_names();
/// The address to which a program jumps to call a routine: outside of memory, and near enough for one instruction.
Address routine_address(std::size_t number);

struct Program {
    std::string name;
    std::vector<std::byte> elf;
    riscv::SourceMap source_map;
    int num_pes = 0;
    std::vector<std::string> arguments;  // its own name first
    Options options;
    bool charges_routines = true;  // what they would take of the core's memory
    Cycle cycles_max = kDefaultCyclesMax;
    Cycle cycles_ahead = 0;  // of harts; 0: as usual. For tests: it changes nothing but the time that it takes
    bool sleeps = true;      // likewise; see riscv::SharedMemoryHart
};

/// Something that a PE printed.
struct Printed {
    Tick tick = 0;
    int pe = 0;
    Stream stream = Stream::output;
    std::string text;
};

struct PeRun {
    std::optional<int> exit_status;  // none: it has not ended
    std::uint64_t num_instructions = 0;
    std::uint64_t num_rewinds = 0;
    std::vector<Cycle> cycles_by_place;  // by half words of the code
    EpiphanyGuest::Waits waits;          // of these cycles
};

/// The share of each core's memory that the program takes.
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
    std::optional<int> exit_status;  // of the whole, below 256: that of global_exit, or the highest one; none: no end
    std::string error;               // why it has not; empty: it has
    std::vector<std::string> warnings;
    MemoryUse memory;
};

/// Runs a program on the first cores of `device`. What the program does wrong is told in the result; throws InputError
/// for an image that is no such program, does not fit, or for more PEs than there are cores.
ProgramRun run_program(EpiphanyDevice& device, const EpiphanyConstants& constants, const Program& program);

}  // namespace nocbench::shmem
