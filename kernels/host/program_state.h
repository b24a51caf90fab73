// Contents of a host program's program, before it runs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/host/session.h"
#include "nocbench/host/between_cores/global_circular_buffer.h"
#include "nocbench/host/cores.h"
#include "nocbench/host/program.h"
#include "nocbench/host/program_specs.h"

namespace tt::host {

using namespace tt::tt_metal;  // NOLINT(google-build-using-namespace): its programs are of these types

/// RISC of the first thread of a compute kernel; those of the others follow.
inline constexpr int kUnpackRiscv = 2;

struct KernelState {
    std::string name;  // of its row: that of its file, with a number if another kernel has it
    nocbench::host::KernelSource source;
    std::vector<CoreCoord> cores;
    std::map<CoreCoord, std::vector<std::uint32_t>> runtime_args;  // of cores that were given some
    std::vector<std::uint32_t> common_runtime_args;
    Caller caller;

    // Handles that the program may keep.
    std::map<CoreCoord, RuntimeArgsData> argument_handles{};
    std::vector<std::vector<RuntimeArgsData>> all_handles{};
    std::unique_ptr<RuntimeArgsData> common_handle{};
};

struct CircularBufferState {
    CoreRangeSet cores;
    CircularBufferConfig config;
    Caller caller;
    std::optional<experimental::GlobalCircularBuffer> global{};  // of remote ones
};

struct SemaphoreState {
    std::uint32_t id = 0;
    std::uint32_t initial_value = 0;
    CoreRangeSet cores;
};

struct ProgramState {
    std::uint64_t id = 0;  // number of the program, from 1 on
    std::uint64_t runtime_id = 0;
    std::vector<KernelState> kernels;
    std::vector<std::unique_ptr<CircularBufferState>> circular_buffers;
    std::vector<SemaphoreState> semaphores;
    std::vector<std::shared_ptr<Buffer>> buffers;  // kept as long as the program

    // By the names of a ProgramSpec, if it was made of one.
    std::map<std::string, std::pair<KernelHandle, experimental::KernelAdvancedOptions>> declared_kernels;
    std::map<std::string, std::pair<CBHandle, std::uint8_t>> declared_buffers;
};

class Chip;

/// Runs a program on a chip. Throws HostError.
void run(Chip& chip, const ProgramState& program, nocbench::host::Dispatch dispatch, const Caller& caller);
/// Throws HostError unless the remote circular buffers of each core have higher indices than its others, as firmware
/// needs it.
void require_remote_buffers_last(const ProgramState& program);
/// Compiles its kernels, so that run() finds them.
void compile(Chip& chip, const ProgramState& program, const Caller& caller);

}  // namespace tt::host
