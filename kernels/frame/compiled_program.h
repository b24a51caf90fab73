// User's program of compiled kernels: kernels on cores, their arguments, and memory to show at the end. Results have
// the form of those of a test's point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device_model/tenstorrent/checks/perturbation.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/located_findings.h"
#include "kernels/tensix/compiled_kernel.h"
#include "kernels/tensix/remote_circular_buffer.h"

namespace nocbench {

struct CompiledProgram {
    struct Kernel {
        std::string name;
        std::vector<std::byte> elf;
        riscv::SourceMap source_map;
        std::optional<KernelFirmware> firmware;  // of a kernel for the card
        std::vector<LogicalCoordinate> cores;
        int riscv = 0;
        int noc = 0;
        std::map<LogicalCoordinate, std::vector<std::uint32_t>> runtime_args;  // of cores with arguments
        std::vector<std::uint32_t> common_runtime_args;
        /// Timed zone: the first of these that a core has; an empty name is the whole kernel.
        std::vector<std::string> zones{""};
    };
    struct Semaphore {
        std::vector<LogicalCoordinate> cores;
        std::uint32_t initial_value = 0;
        std::optional<std::uint32_t> id;  // none: the next one
    };
    struct CircularBuffer {
        std::vector<LogicalCoordinate> cores;
        std::uint32_t id = 0;
        std::uint32_t address = 0;
        std::uint32_t page_bytes = 0;
        std::uint32_t num_pages = 0;
        bool is_in_place = false;  // on an allocated buffer
    };
    /// Ends of a buffer between cores, on some of its cores.
    struct RemoteBuffer {
        std::vector<LogicalCoordinate> cores;
        RemoteCircularBuffer buffer;
    };
    /// Memory range in a core's L1 or in a DRAM bank.
    struct Range {
        std::optional<LogicalCoordinate> core;
        std::size_t bank = 0;  // used without a core
        std::uint64_t address = 0;
        std::size_t bytes = 0;
    };
    struct InitialData {
        Range range;
        std::vector<std::byte> bytes;
    };

    std::string name;
    std::vector<Kernel> kernels;
    std::vector<Semaphore> semaphores;
    std::vector<CircularBuffer> circular_buffers;
    std::vector<RemoteBuffer> remote_buffers;  // with senders before their receivers
    std::vector<InitialData> initial_data;
    std::vector<Range> read_back;
    /// Time from the start of a core to that of the next one, column by column; 0 if all start at once.
    Tick launch_skew = 0;
    Cycle cycles_max = kDefaultCyclesMax;
    bool riscs_share_nocs = false;  // see Program::let_riscs_share_nocs()
    bool sleeps = true;             // false in tests; see Program::set_sleeps()
    std::set<Check> checks;
    std::vector<NamedRange> named_ranges;  // of L1 of every core
    std::vector<NamedRange> kept_words;    // of L1 of every core: see Device::check()
    std::optional<Perturbation::Settings> perturbation;
    bool takes_fingerprints = false;  // of memory at the end
};

/// Result of one RISC's kernel.
struct CompiledKernelResult {
    KernelResult kernel;
    CompiledKernelRun run;
};

struct CompiledProgramResult {
    PointResult point;                            // a row per kernel, with its cores
    std::vector<std::uint64_t> num_transactions;  // of each row
    std::vector<CompiledKernelResult> kernels;

    /// Work of a program with compute kernels, on all cores.
    struct Work {
        std::uint64_t operations = 0;  // arithmetic
        Tick math_ticks = 0;           // of the units for them, without the overhead of calls
        std::uint64_t dram_bytes = 0;  // of the flits transferred
        std::uint64_t noc_bytes = 0;   // of data that entered the memory of a tile
        Cause limiter = Cause::issue;  // of the kernel on a core that is busiest: waits least for others
    };
    std::optional<Work> work;
    std::vector<std::vector<std::byte>> read_back;
    std::vector<LocatedFinding> findings;
    std::string failure;  // of a run with findings or delays that ended with an error: these are then all there is

    /// A page of memory at the end.
    struct Page {
        KnownAddress begin;
        std::size_t bytes = 0;
        std::uint64_t fingerprint = 0;
    };
    std::vector<Page> pages;
    /// A delay, and the core or bank at whose tile it was.
    struct PlacedDelay {
        Perturbation::Delay delay;
        KnownAddress tile;
    };
    std::vector<PlacedDelay> delays;
};

/// Runs the program on a fresh device. `settings` change fields of the architecture; see load_architecture(). Throws
/// InputError, or KernelError for faults of kernels.
CompiledProgramResult run_compiled_program(const CompiledProgram& asked, const std::string& arch,
                                           const std::string& board_name, const std::vector<Setting>& settings = {},
                                           const MachineWatcher& watcher = {});
/// The same on a device on which nothing has run yet.
CompiledProgramResult run_compiled_program(const CompiledProgram& asked, Device& device,
                                           const std::vector<Setting>& settings, const MachineWatcher& watcher);

}  // namespace nocbench
