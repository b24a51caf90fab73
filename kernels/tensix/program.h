// A program: kernels on cores, with arguments, semaphores and circular buffers, as set up by a host for a device.
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
#include "kernels/tensix/remote_circular_buffer.h"

namespace nocbench {

inline constexpr std::uint32_t kNumCircularBuffers = 32;  // per core
/// Maximum words of a kernel's runtime arguments on a core, including common ones.
/// Source: tt-metal, max_runtime_args, since 2026; it was 256 before.
inline constexpr std::size_t kRuntimeArgsMax = 341;

/// Queue of pages in L1 between the RISCs of a tile. Counters wrap with their type.
struct CircularBuffer {
    std::uint32_t address = 0;
    std::uint32_t page_bytes = 0;
    std::uint32_t num_pages = 0;
    std::uint32_t pages_received = 0;
    std::uint32_t pages_acknowledged = 0;
};

/// State shared by the kernels of one core.
struct CoreContext {
    std::array<std::optional<CircularBuffer>, kNumCircularBuffers> circular_buffers;
    std::map<std::uint32_t, BufferInterface> remote_buffers;  // by id, with the circular buffers that lie on them
    std::uint32_t num_semaphores = 0;
};

/// Context of one kernel: its arguments, and the counters that the API keeps in software.
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

    /// Registers of a command buffer that stateful calls share.
    struct CommandState {
        std::uint64_t noc_address = 0;  // of the tile; calls supply the address within it
        std::uint32_t bytes = 0;
        std::uint8_t virtual_channel = 0;
        bool posted = false;
    };
    std::array<std::optional<CommandState>, kNumNocs> read_state;
    std::array<std::optional<CommandState>, kNumNocs> write_state;

    /// Target of the last call of a kind, and the number of consecutive calls to it.
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
        /// In place of `function`: a device source with `kernel_main`, as a path from the root of the repository,
        /// compiled for and run on the RISC.
        std::string device_source = {};  // NOLINT(readability-redundant-member-init): may be left out
        /// Number of leading `compile_time_args` hidden from the compiler: `device_source` is compiled with 0 in their
        /// place, and gets them as common runtime arguments from 0 on.
        std::size_t num_run_time_args = 0;

        bool operator==(const Kernel&) const = default;
    };

    explicit Program(Device& device) : device_(device) {}
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Adds `kernel` to each of `cores`, starting at `start`. Throws InputError if a core does not exist, its RISC has
    /// a kernel, another one uses the same NoC although each needs the counters of a NIU to itself, or a required
    /// compiler is missing or rejects the kernel.
    void add_kernel(const std::vector<LogicalCoordinate>& cores, const Kernel& kernel, Tick start = 0);

    /// Adds a function with captures, which is never compiled for the RISC, to one core.
    void add_kernel(LogicalCoordinate core, const std::string& name, int riscv, int noc, std::function<void()> function,
                    Tick start = 0);

    /// Adds a kernel compiled for RISCs to `riscv` of each of `cores`, with exclusive use of `noc`. Throws InputError
    /// also if its image overlaps that of the other RISC, or was made for another RISC or NoC.
    void add_compiled_kernel(const std::vector<LogicalCoordinate>& cores,
                             const std::shared_ptr<const CompiledKernel>& kernel, int riscv, int noc, Tick start = 0);
    /// Returns the results of a compiled kernel after the run.
    [[nodiscard]] const CompiledKernelRun& compiled_run(LogicalCoordinate core, int riscv) const;

    /// Lets both RISCs of a core use one NoC, as the device does: right while they wait for different kinds of
    /// transactions, since they read the same counters.
    void let_riscs_share_nocs() { riscs_share_nocs_ = true; }

    /// Sets whether added compiled kernels sleep in polling loops. For tests: affects only simulation speed.
    void set_sleeps(bool sleeps);

    /// Set the arguments of a core's kernel, by index. Throw InputError if the kernel has not been added, or would
    /// exceed kRuntimeArgsMax of both kinds.
    void set_runtime_args(LogicalCoordinate core, int riscv, const std::vector<std::uint32_t>& args);
    void set_common_runtime_args(LogicalCoordinate core, int riscv, const std::vector<std::uint32_t>& args);

    /// Adds a semaphore of the same id on each of `cores`: of the next one without `asked_id`. Returns the id, which
    /// get_semaphore() converts to an address.
    std::uint32_t add_semaphore(const std::vector<LogicalCoordinate>& cores, std::uint32_t initial_value,
                                std::optional<std::uint32_t> asked_id = {});

    void add_circular_buffer(LogicalCoordinate core, std::uint32_t id, std::uint32_t address, std::uint32_t page_bytes,
                             std::uint32_t num_pages);
    /// Adds the end of a buffer between cores, after the buffers of the core that lie on it, and a sender before its
    /// receivers; see set_up_remote_circular_buffer().
    void add_remote_circular_buffer(LogicalCoordinate core, const RemoteCircularBuffer& buffer);

    /// Runs the program; see Device::run.
    void run(Cycle cycles_max = kDefaultCyclesMax) { device_.run(cycles_max); }

private:
    using RiscKey = std::pair<LogicalCoordinate, int>;

    void check_noc(const std::string& name, LogicalCoordinate core, int riscv, int noc,
                   bool riscs_share_nocs = false) const;
    void check_image(const CompiledKernel& kernel, LogicalCoordinate core, int riscv, int noc) const;
    KernelContext& add_context(LogicalCoordinate core, int riscv, int noc);
    KernelContext& context(LogicalCoordinate core, int riscv);
    CoreContext& core_context(LogicalCoordinate core);
    std::shared_ptr<const CompiledKernel> compiled(const Kernel& kernel);

    Device& device_;
    bool riscs_share_nocs_ = false;
    std::map<RiscKey, std::unique_ptr<KernelContext>> kernels_;
    std::map<LogicalCoordinate, std::unique_ptr<CoreContext>> cores_;
    std::map<RiscKey, std::unique_ptr<CompiledKernelRun>> compiled_runs_;
    std::vector<std::pair<Kernel, std::shared_ptr<const CompiledKernel>>> images_;  // compiled kernels
};

/// Throws InputError if kernels cannot be compiled for the RISCs of an architecture.
void require_compilable(const TorusArchitecture& architecture);

/// Returns the L1 address of semaphore `id`, at the end of the firmware's reserved part.
std::uint32_t semaphore_address(const TorusArchitecture& architecture, std::uint32_t id);

}  // namespace nocbench
