// A program: kernels on cores, with their arguments, semaphores and circular buffers; what a host sets up for a device.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device_model/noc/packet.h"
#include "device_model/tenstorrent/device.h"
#include "kernels/tensix/compiled_kernel.h"

namespace nocbench {

inline constexpr std::uint32_t kNumCircularBuffers = 32;  // per core
inline constexpr std::uint32_t kNumSemaphores = 16;       // per core
inline constexpr std::uint32_t kSemaphoreBytes = 16;      // L1 that one semaphore takes
/// Words of run-time arguments that a kernel can have on a core, common ones included.
/// Source: tt-metal, max_runtime_args, since 2026; it was 256 before.
inline constexpr std::size_t kRuntimeArgsMax = 341;

/// An L1 queue of pages between the RISCs of a tile. Counters run on and wrap with their type.
struct CircularBuffer {
    std::uint32_t address = 0;
    std::uint32_t page_bytes = 0;
    std::uint32_t num_pages = 0;
    std::uint32_t pages_received = 0;
    std::uint32_t pages_acknowledged = 0;
};

/// What the kernels of one core share.
struct CoreContext {
    std::array<std::optional<CircularBuffer>, kNumCircularBuffers> circular_buffers;
    std::uint32_t num_semaphores = 0;
};

/// What one kernel can ask for: its arguments, and the counters that the API keeps in software.
struct KernelContext {
    int noc = 0;
    std::vector<std::uint32_t> compile_time_args;
    std::vector<std::uint32_t> runtime_args;
    std::vector<std::uint32_t> common_runtime_args;
    CoreContext* core = nullptr;

    struct IssuedCounters {
        std::uint64_t reads = 0;
        std::uint64_t writes = 0;
        std::uint64_t writes_to_be_acknowledged = 0;
        std::uint64_t posted_writes = 0;
        std::uint64_t atomics = 0;
    };

    /// What stateful calls have in common: it stays in the registers of their command buffer.
    struct CommandState {
        std::uint64_t noc_address = 0;  // of the tile; calls bring their own address in it
        std::uint32_t bytes = 0;
        std::uint8_t virtual_channel = 0;
        bool posted = false;
    };
    std::array<std::optional<CommandState>, kNumNocs> read_state;
    std::array<std::optional<CommandState>, kNumNocs> write_state;

    /// What the last call of a kind was to, and how many in a row were.
    struct LastCall {
        NodeIndex node = 0;
        TreeIndex tree = kNoTree;
        std::uint64_t count = 0;
    };

    std::array<LastCall, 3> last_calls{};  // by kind of transaction
    bool has_loaded_argument = false;
    std::array<IssuedCounters, kNumNocs> issued{};
};

class Program {
public:
    struct Kernel {
        std::string name;
        void (*function)() = nullptr;
        int riscv = 0;
        int noc = 0;
        std::vector<std::uint32_t> compile_time_args;
        /// Instead of `function`: a file with `kernel_main`, from the root of the repository, as for the device. It is
        /// compiled for the RISC and runs there.
        std::string device_source = {};  // NOLINT(readability-redundant-member-init): may be left out
        /// How many of `compile_time_args`, from the first on, are unknown to the compiler: `device_source` is compiled
        /// with 0 in their place, and gets them as common runtime arguments, from 0 on.
        std::size_t num_run_time_args = 0;

        bool operator==(const Kernel&) const = default;
    };

    explicit Program(Device& device) : device_(device) {}
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Puts `kernel` on each of `cores`, to start at `start`. Throws InputError if a core does not exist, its RISC has
    /// a kernel already, or its other RISC uses the same NoC (each RISC needs the counters of a NIU to itself), or the
    /// kernel has to be compiled and there is no compiler, or the compiler refuses it.
    void add_kernel(const std::vector<LogicalCoordinate>& cores, const Kernel& kernel, Tick start = 0);

    /// The same with a function that has captures, which is never compiled for the RISC, on one core.
    void add_kernel(LogicalCoordinate core, const std::string& name, int riscv, int noc, std::function<void()> function,
                    Tick start = 0);

    /// The same with a kernel that was compiled for the RISCs, on `riscv` of each of `cores`, with the NoC `noc` to
    /// itself. Throws InputError also if its image overlaps that of the other RISC, or it was made for another RISC or
    /// NoC.
    void add_compiled_kernel(const std::vector<LogicalCoordinate>& cores,
                             const std::shared_ptr<const CompiledKernel>& kernel, int riscv, int noc, Tick start = 0);
    /// What a compiled kernel did, once the program has run.
    [[nodiscard]] const CompiledKernelRun& compiled_run(LogicalCoordinate core, int riscv) const;

    /// For tests: whether compiled kernels that have been added sleep in polling loops, which changes nothing but how
    /// long that takes.
    void set_sleeps(bool sleeps);

    /// Arguments of the kernel on one core, by index. Throws InputError if it has not been added, or if it has more
    /// than kRuntimeArgsMax of both kinds then.
    void set_runtime_args(LogicalCoordinate core, int riscv, const std::vector<std::uint32_t>& args);
    void set_common_runtime_args(LogicalCoordinate core, int riscv, const std::vector<std::uint32_t>& args);

    /// A semaphore of the same id on each of `cores`; returns the id, which get_semaphore() turns into an address.
    std::uint32_t add_semaphore(const std::vector<LogicalCoordinate>& cores, std::uint32_t initial_value);

    void add_circular_buffer(LogicalCoordinate core, std::uint32_t id, std::uint32_t address, std::uint32_t page_bytes,
                             std::uint32_t num_pages);

    /// Runs the program; see Device::run.
    void run(Cycle cycles_max = kDefaultCyclesMax) { device_.run(cycles_max); }

private:
    using RiscKey = std::pair<LogicalCoordinate, int>;

    void check_noc(const std::string& name, LogicalCoordinate core, int riscv, int noc) const;
    void check_image(const CompiledKernel& kernel, LogicalCoordinate core, int riscv, int noc) const;
    KernelContext& add_context(LogicalCoordinate core, int riscv, int noc);
    KernelContext& context(LogicalCoordinate core, int riscv);
    CoreContext& core_context(LogicalCoordinate core);
    std::shared_ptr<const CompiledKernel> compiled(const Kernel& kernel);

    Device& device_;
    std::map<RiscKey, std::unique_ptr<KernelContext>> kernels_;
    std::map<LogicalCoordinate, std::unique_ptr<CoreContext>> cores_;
    std::map<RiscKey, std::unique_ptr<CompiledKernelRun>> compiled_runs_;
    std::vector<std::pair<Kernel, std::shared_ptr<const CompiledKernel>>> images_;  // that were compiled
};

/// L1 address of semaphore `id` of a core: the last part of what firmware keeps for itself.
std::uint32_t semaphore_address(const Architecture& architecture, std::uint32_t id);

}  // namespace nocbench
