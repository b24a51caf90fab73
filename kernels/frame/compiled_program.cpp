#include "kernels/frame/compiled_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "device_model/arch/architecture.h"
#include "device_model/sim/error.h"
#include "device_model/sim/random_numbers.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/grid.h"
#include "device_model/tenstorrent/tile/tile_bus.h"
#include "kernels/tensix/program.h"

namespace nocbench {

namespace {

/// Label of the device profiler's record by which rows count transactions, as in the published tests.
constexpr std::string_view kNumTransactionsLabel = "Number of transactions";
constexpr std::string_view kTransactionSize = "Transaction size in bytes";

std::optional<std::uint64_t> recorded(const KernelResult& kernel, std::string_view name) {
    const auto found = std::ranges::find(kernel.timestamped_values, name, &TimestampedValue::name);
    return found == kernel.timestamped_values.end() ? std::nullopt : std::optional(found->value);
}

std::shared_ptr<const CompiledKernel> compiled_kernel(const CompiledProgram::Kernel& kernel,
                                                      const TorusArchitecture& architecture) {
    if (kernel.firmware.has_value()) {
        return std::make_shared<const CompiledKernel>(kernel.elf, kernel.name, architecture, kernel.source_map,
                                                      *kernel.firmware);
    }
    return std::make_shared<const CompiledKernel>(kernel.elf, kernel.name, architecture, kernel.source_map);
}

/// Returns the start of each core. Source: tt-metal, detail::LaunchProgram(), which sorts cores by x, then y.
std::map<LogicalCoordinate, Tick> starts_of(const CompiledProgram& asked) {
    std::map<LogicalCoordinate, Tick> starts;
    for (const CompiledProgram::Kernel& kernel : asked.kernels) {
        for (const LogicalCoordinate core : kernel.cores) {
            starts[core] = 0;
        }
    }
    Tick next = 0;
    for (auto& [core, start] : starts) {
        start = std::exchange(next, next + asked.launch_skew);
    }
    return starts;
}

void set_up(Program& program, Device& device, const CompiledProgram& asked) {
    for (const CompiledProgram::InitialData& data : asked.initial_data) {
        if (data.range.core.has_value()) {
            device.write_l1(*data.range.core, data.range.address, data.bytes);
        } else {
            device.write_dram(data.range.bank, data.range.address, data.bytes);
        }
    }
    for (const CompiledProgram::Semaphore& semaphore : asked.semaphores) {
        program.add_semaphore(semaphore.cores, semaphore.initial_value, semaphore.id);
    }
    for (const CompiledProgram::CircularBuffer& buffer : asked.circular_buffers) {
        for (const LogicalCoordinate core : buffer.cores) {
            program.add_circular_buffer(core, buffer.id, buffer.address, buffer.page_bytes, buffer.num_pages);
            if (buffer.is_in_place) {
                tile_registers(device.state(),
                               static_cast<NodeIndex>(device.grid().node_index(device.grid().physical(core))))
                    .buffers_in_place.insert(buffer.id);
            }
        }
    }
    for (const CompiledProgram::RemoteBuffer& remote : asked.remote_buffers) {
        for (const LogicalCoordinate core : remote.cores) {
            program.add_remote_circular_buffer(core, remote.buffer);
        }
    }
    const std::map<LogicalCoordinate, Tick> starts = starts_of(asked);
    for (const CompiledProgram::Kernel& kernel : asked.kernels) {
        const std::shared_ptr<const CompiledKernel> compiled = compiled_kernel(kernel, device.architecture());
        for (const LogicalCoordinate core : kernel.cores) {
            program.add_compiled_kernel({core}, compiled, kernel.riscv, kernel.noc, starts.at(core));
            program.set_common_runtime_args(core, kernel.riscv, kernel.common_runtime_args);
        }
        for (const auto& [core, args] : kernel.runtime_args) {
            program.set_runtime_args(core, kernel.riscv, args);
        }
    }
}

/// Returns the first zone that a kernel has. Throws InputError, naming the last one, if it has none.
const Zone& timed_zone(const KernelResult& kernel, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (name.empty()) {
            return kernel.zones.front();
        }
        if (const auto found = std::ranges::find(kernel.zones, name, &Zone::name); found != kernel.zones.end()) {
            return *found;
        }
    }
    return kernel.zone(names.back());
}

void add_row(CompiledProgramResult& all, const CompiledProgram::Kernel& kernel) {
    PointResult& point = all.point;
    std::vector<CoreResult> cores;
    std::uint64_t num_transactions = 0;
    std::uint64_t transaction_bytes = 0;
    for (const CompiledKernelResult& result : all.kernels) {
        const Processor::Identity& identity = result.kernel.identity;
        if (identity.kernel != kernel.name || identity.processor != kernel.riscv) {
            continue;
        }
        const Zone& zone = timed_zone(result.kernel, kernel.zones);
        num_transactions = recorded(result.kernel, kNumTransactionsLabel).value_or(result.run.num_commands);
        transaction_bytes =
            recorded(result.kernel, kTransactionSize)
                .value_or(result.run.num_commands == 0 ? 0 : result.run.bytes_moved / result.run.num_commands);
        const Tick latency = zone.end - zone.start;
        const double bytes = static_cast<double>(num_transactions) * static_cast<double>(transaction_bytes);
        cores.push_back({kernel.name, identity, kernel.noc, latency,
                         latency == 0 ? 0 : bytes / cycles_from_ticks(latency), zone.ledger, zone.name});
    }
    if (cores.empty()) {
        return;
    }
    KernelReport report;
    report.label = kernel.name;
    report.kernel = kernel.name;
    report.riscv = kernel.riscv;
    report.noc = kernel.noc;
    report.transaction_size_bytes = transaction_bytes;
    all.num_transactions.push_back(num_transactions);
    point.rows.push_back(row_of_cores(report, cores));
    point.cores.insert(point.cores.end(), cores.begin(), cores.end());
}

/// Returns the work of a program; nothing without compute kernels.
std::optional<CompiledProgramResult::Work> work_of(const CompiledProgramResult& all, const Device& device) {
    CompiledProgramResult::Work work;
    Ledger busiest;
    bool computes = false;
    for (const CompiledKernelResult& result : all.kernels) {
        computes = computes || result.kernel.identity.processor >= device.architecture().num_riscs();
        work.operations += result.run.num_operations;
        work.math_ticks += result.run.math_ticks;
        const Ledger own = result.kernel.zones.front().ledger.without_waits_for_kernels();
        if (own.total() > busiest.total()) {
            busiest = own;
        }
    }
    for (const MemoryUse& use : all.point.memories) {
        work.dram_bytes += use.bank.has_value() ? 0 : use.bytes_read + use.bytes_written;
    }
    for (const TileDeliveries& delivered : all.point.deliveries) {
        work.noc_bytes += delivered.bytes;
    }
    work.limiter = busiest.limiter();
    return computes ? std::optional(work) : std::nullopt;
}

std::vector<CompiledProgramResult::PlacedDelay> placed_delays(Device& device) {
    std::vector<CompiledProgramResult::PlacedDelay> placed;
    for (const Perturbation::Delay& delay : device.delays()) {
        placed.push_back({delay, known_address(device, delay.node, 0)});
    }
    return placed;
}

std::vector<CompiledProgramResult::Page> pages_of(Device& device) {
    std::vector<CompiledProgramResult::Page> pages;
    device.for_each_written([&](NodeIndex node, std::uint64_t address, std::span<const std::byte> bytes) {
        std::uint64_t fingerprint = 0;
        for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
            std::uint64_t word = 0;
            std::memcpy(&word, &bytes[i], sizeof(word));
            fingerprint = splitmix64(fingerprint ^ word);
        }
        pages.push_back({known_address(device, node, address), bytes.size(), fingerprint});
    });
    return pages;
}

}  // namespace

CompiledProgramResult run_compiled_program(const CompiledProgram& asked, const std::string& arch,
                                           const std::string& board_name, const std::vector<Setting>& settings,
                                           const MachineWatcher& watcher) {
    const Architecture architecture = load_architecture(find_architecture(arch), board_name, settings);
    Device device(architecture, board_name);
    return run_compiled_program(asked, device, settings, watcher);
}

CompiledProgramResult run_compiled_program(const CompiledProgram& asked, Device& device,
                                           const std::vector<Setting>& settings, const MachineWatcher& watcher) {
    if (watcher) {
        watcher(device);
    }
    device.check(asked.checks, asked.named_ranges, asked.kept_words);
    Program program(device);
    if (asked.riscs_share_nocs) {
        program.let_riscs_share_nocs();
    }
    set_up(program, device, asked);
    program.set_sleeps(asked.sleeps);
    if (asked.perturbation.has_value()) {
        device.perturb(*asked.perturbation);
    }
    CompiledProgramResult result;
    try {
        program.run(asked.cycles_max);
    } catch (const KernelError& error) {
        result.findings = located_findings(device);
        result.delays = placed_delays(device);
        if (result.findings.empty() && !asked.perturbation.has_value()) {
            throw;
        }
        result.failure = error.what();
        return result;
    }
    result.delays = placed_delays(device);
    if (asked.takes_fingerprints) {
        result.pages = pages_of(device);
    }
    for (KernelResult& kernel : device.kernel_results()) {
        const CompiledKernelRun& run = program.compiled_run(kernel.identity.core, kernel.identity.processor);
        result.kernels.push_back({std::move(kernel), run});
    }
    for (const CompiledProgram::Range& range : asked.read_back) {
        result.read_back.push_back(range.core.has_value() ? device.read_l1(*range.core, range.address, range.bytes)
                                                          : device.read_dram(range.bank, range.address, range.bytes));
    }
    result.findings = located_findings(device);
    PointResult& point = result.point;
    for (const CompiledProgram::Kernel& kernel : asked.kernels) {
        add_row(result, kernel);
    }
    set_use(point, device);
    point.floor_plan = device.floor_plan();
    point.arch = device.architecture().name;
    point.board = device.board().name;
    point.clock_hz = device.board().clock_hz;
    add_settings(point, settings);
    result.work = work_of(result, device);
    return result;
}

}  // namespace nocbench
