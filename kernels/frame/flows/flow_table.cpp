#include "kernels/frame/flows/flow_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "device_model/sim/error.h"
#include "device_model/tenstorrent/device.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/flows/flow_kernel.h"
#include "kernels/tensix/program.h"

namespace nocbench {

namespace {

constexpr const char* kKernel = "flows";

/// What cores and NoCs a kernel is for, and the flows of it.
struct KernelFlows {
    LogicalCoordinate core;
    int noc = 0;
    std::vector<PlacedFlow> flows;
};

/// Places flows: every tile has one buffer that is read from and one that is written to, both at the same addresses
/// everywhere. All copies from tile to tile then begin at the same places.
class Placement {
public:
    Placement(const FlowTable& table, const Point& point)
        : table_(table),
          point_(point),
          grid_(point.device().grid()),
          check_(point),
          source_address_(point.first_l1_buffer()),
          destination_address_(point.second_l1_buffer()),
          bank_source_(static_cast<std::uint32_t>(point.device().architecture().dram.unreserved_base_bytes)) {
        require_banks();
        std::map<std::pair<LogicalCoordinate, int>, std::size_t> kernels;
        for (std::size_t index = 0; index < table.flows.size(); ++index) {
            const Flow& flow = table.flows[index];
            const auto [found, is_new] = kernels.try_emplace({flow.core, flow.noc}, kernels_.size());
            if (is_new) {
                kernels_.push_back({flow.core, flow.noc, {}});
            }
            kernels_[found->second].flows.push_back(place(index));
        }
        for (const auto& [copy, times] : copies_) {
            check_.expect({kKernel, copy.kind, copy.source, copy.destination, data_of(copy), times});
        }
    }

    [[nodiscard]] const std::vector<KernelFlows>& kernels() const { return kernels_; }
    [[nodiscard]] std::string data_fault() const { return check_.fault(kKernel); }

private:
    struct Copy {
        TransactionKind kind = TransactionKind::write;
        MemoryPlace source;
        MemoryPlace destination;
        NodeIndex pattern_of = 0;  // the tile that the source has the pattern of
        std::uint32_t bytes = 0;
        auto operator<=>(const Copy&) const = default;
    };

    void require_banks() const {
        const DramConstants& dram = point_.device().architecture().dram;
        const auto end = static_cast<std::uint64_t>(dram.bank_size_bytes);
        if (std::uint64_t{bank_destination(kNumNocs - 1)} + point_.call_size_bytes() > end) {
            throw InputError(fmt::format("{} buffers of {} bytes at 0x{:x} do not fit into a DRAM bank of {} bytes",
                                         1 + kNumNocs, point_.call_size_bytes(), bank_source_, end));
        }
    }

    /// NoCs reach a bank by tiles of their own, where the check of data does not know that the memory is the same.
    [[nodiscard]] std::uint32_t bank_destination(int noc) const {
        return bank_source_ + (1 + static_cast<std::uint32_t>(noc)) * point_.buffer_bytes();
    }

    PlacedFlow place(std::size_t index) {
        const Flow& flow = table_.flows[index];
        const bool is_read = flow.kind == Flow::Kind::read;
        PlacedFlow placed;
        placed.index = index;
        placed.own_address = is_read ? destination_address_ : source_address_;
        const std::uint32_t l1_address = is_read ? source_address_ : destination_address_;
        const std::uint32_t bank_address = is_read ? bank_source_ : bank_destination(flow.noc);
        switch (flow.partner) {
            case Flow::Partner::core: {
                const TranslatedCoordinate tile = grid_.translated(flow.cores.first);
                placed.targets.push_back(target(tile, tile, l1_address));
                count_copies(flow, placed, l1_place(grid_, flow.cores.first, l1_address), flow.num_calls);
                break;
            }
            case Flow::Partner::rectangle: {
                placed.targets.push_back(
                    target(grid_.translated(flow.cores.first), grid_.translated(flow.cores.last), l1_address));
                placed.num_receivers = 0;
                const PhysicalCoordinate own = grid_.physical(flow.core);
                for (const PhysicalCoordinate tile : tensix_tiles_of(grid_, flow.cores)) {
                    if (tile != own) {
                        ++placed.num_receivers;
                        count_copies(flow, placed, l1_place(grid_, tile, l1_address), flow.num_calls);
                    }
                }
                break;
            }
            case Flow::Partner::bank:
                add_bank(flow, placed, flow.bank, bank_address, flow.num_calls);
                break;
            case Flow::Partner::all_banks: {
                const std::uint64_t num_banks = grid_.dram_banks().size();
                for (std::uint32_t bank = 0; bank < num_banks; ++bank) {
                    add_bank(flow, placed, bank, bank_address, (flow.num_calls + num_banks - 1 - bank) / num_banks);
                }
                break;
            }
        }
        return placed;
    }

    void add_bank(const Flow& flow, PlacedFlow& placed, std::uint32_t bank, std::uint32_t address,
                  std::uint64_t num_calls) {
        const std::span<const DramBank> banks = grid_.dram_banks();
        if (bank >= banks.size()) {
            throw InputError(fmt::format("DRAM bank: expected 0 to {}, found {}", banks.size() - 1, bank));
        }
        const TranslatedCoordinate tile = grid_.translated(banks[bank].endpoint[static_cast<std::size_t>(flow.noc)]);
        const MemoryPlace place = dram_place(grid_, bank, flow.noc, address);
        placed.targets.push_back(target(tile, tile, static_cast<std::uint32_t>(place.address)));
        const PhysicalCoordinate usual = banks[bank].endpoint.front();
        count_copies(flow, placed, place, static_cast<NodeIndex>(grid_.node_index(usual)), num_calls);
    }

    static PlacedFlow::Target target(TranslatedCoordinate first, TranslatedCoordinate last, std::uint32_t address) {
        return {static_cast<std::uint32_t>(first.x), static_cast<std::uint32_t>(first.y),
                static_cast<std::uint32_t>(last.x), static_cast<std::uint32_t>(last.y), address};
    }

    void count_copies(const Flow& flow, const PlacedFlow& placed, MemoryPlace partner, std::uint64_t num_calls) {
        count_copies(flow, placed, partner, partner.tile, num_calls);
    }

    void count_copies(const Flow& flow, const PlacedFlow& placed, MemoryPlace partner, NodeIndex pattern_of_partner,
                      std::uint64_t num_calls) {
        if (num_calls == 0) {
            return;
        }
        const MemoryPlace own = l1_place(grid_, flow.core, placed.own_address);
        const bool is_read = flow.kind == Flow::Kind::read;
        copies_[{is_read ? TransactionKind::read : TransactionKind::write, is_read ? partner : own,
                 is_read ? own : partner, is_read ? pattern_of_partner : own.tile, flow.call_bytes}] += num_calls;
    }

    /// The first bytes of a buffer that is read from, which is filled when it is first asked for.
    DataCheck::Data data_of(const Copy& copy) {
        const auto [filled, is_new] = filled_.try_emplace(copy.source);
        std::map<std::uint32_t, DataCheck::Data>& prefixes = filled->second;
        if (is_new) {
            prefixes[point_.call_size_bytes()] = check_.fill(copy.source, copy.pattern_of);
        }
        const auto [found, is_new_size] = prefixes.try_emplace(copy.bytes);
        if (is_new_size) {
            const std::vector<std::byte>& whole = *prefixes.at(point_.call_size_bytes());
            found->second = std::make_shared<const std::vector<std::byte>>(whole.begin(), whole.begin() + copy.bytes);
        }
        return found->second;
    }

    const FlowTable& table_;
    const Point& point_;
    const Grid& grid_;
    DataCheck check_;
    std::uint32_t source_address_;
    std::uint32_t destination_address_;
    std::uint32_t bank_source_;
    std::vector<KernelFlows> kernels_;
    std::map<Copy, std::uint64_t> copies_;
    std::map<MemoryPlace, std::map<std::uint32_t, DataCheck::Data>> filled_;
};

/// What a row says of a group on one NoC.
struct RowFlows {
    std::uint64_t num_calls = 0;
    std::uint64_t bytes = 0;
    struct OfKernel {
        std::uint64_t bytes = 0;
        FlowTimes times;
    };
    std::map<std::size_t, OfKernel> kernels;  // by number
};

/// The time of one RISC from its first flow of a row to the end of its last one. What it spent on other flows
/// meanwhile counts as `issue`.
CoreResult core_result(const std::string& label, const std::string& zone, const RowFlows::OfKernel& part,
                       const KernelResult& kernel, int noc) {
    const Tick latency = part.times.end - part.times.begin;
    CoreResult core{
        label, kernel.identity, noc, latency, static_cast<double>(part.bytes) / cycles_from_ticks(latency), {}, zone};
    for (const Zone& one : kernel.zones) {
        if (one.name == zone && one.parent == 0) {
            core.ledger.add(one.ledger);
        }
    }
    core.ledger.book(Cause::issue, latency - core.ledger.total());
    return core;
}

/// Adds the rows of all groups.
void add_rows(FlowTableResult& result, const FlowTable& table, const Placement& placement,
              const std::vector<KernelResult>& kernels) {
    std::map<std::pair<std::size_t, int>, RowFlows> rows;
    for (std::size_t number = 0; number < placement.kernels().size(); ++number) {
        for (const PlacedFlow& placed : placement.kernels()[number].flows) {
            const Flow& flow = table.flows[placed.index];
            const FlowTimes& times = result.flows[placed.index];
            const std::uint64_t bytes = flow.num_calls * flow.call_bytes;
            RowFlows& row = rows[{flow.group, flow.noc}];
            row.num_calls += flow.num_calls;
            row.bytes += bytes;
            const auto [part, is_new] = row.kernels.try_emplace(number, RowFlows::OfKernel{0, times});
            part->second.bytes += bytes;
            part->second.times.begin = std::min(part->second.times.begin, times.begin);
            part->second.times.end = std::max(part->second.times.end, times.end);
        }
    }
    const std::string fault = placement.data_fault();
    for (const auto& [key, row] : rows) {
        const auto& [group, noc] = key;
        const bool is_split = rows.contains({group, 1 - noc});
        const std::string& zone = table.groups[group];
        const std::string label = is_split ? fmt::format("{}, NoC {}", zone, noc) : zone;
        FlowTimes all = row.kernels.begin()->second.times;
        std::vector<CoreResult> cores;
        for (const auto& [number, part] : row.kernels) {
            cores.push_back(core_result(label, zone, part, kernels[number], noc));
            all.begin = std::min(all.begin, part.times.begin);
            all.end = std::max(all.end, part.times.end);
        }
        KernelReport report;
        report.label = label;
        report.riscv = noc;
        report.noc = noc;
        report.transaction_size_bytes = (row.bytes + row.num_calls / 2) / row.num_calls;
        report.data_fault = fault;
        report.summary = CoreSummary::together;
        ResultRow its_row = row_of_cores(report, cores);
        its_row.latency_cycles = cycles_from_ticks(all.end - all.begin);
        its_row.bandwidth_bytes_per_cycle = static_cast<double>(row.bytes) / its_row.latency_cycles;
        result.num_transactions.push_back(row.num_calls);
        result.point.rows.push_back(std::move(its_row));
        result.point.cores.insert(result.point.cores.end(), cores.begin(), cores.end());
    }
}

}  // namespace

FlowTableResult run_flow_table(const FlowTable& table, const std::string& arch, const std::string& board_name,
                               const std::vector<Setting>& settings, const MachineWatcher& watcher) {
    if (table.flows.empty()) {
        throw InputError(fmt::format("{}: expected at least one flow, found none", table.name));
    }
    const Architecture architecture = load_architecture(find_architecture(arch), board_name, settings);
    if (architecture.kind != ArchitectureKind::tensix_torus) {
        throw InputError(fmt::format("{}: expected an architecture of kind {} for flows", architecture.name,
                                     to_string(ArchitectureKind::tensix_torus)));
    }
    Device device(architecture, board_name);
    if (watcher) {
        watcher(device);
    }
    const std::uint32_t largest = std::ranges::max(table.flows, {}, &Flow::call_bytes).call_bytes;
    const std::vector<ParameterDefinition> no_parameters;
    const Point point(device, no_parameters, {{"num_transactions", "1"}, {"call_size", fmt::format("{}", largest)}});
    const Placement placement(table, point);
    FlowRun run(table);
    Program program(device);
    for (const KernelFlows& kernel : placement.kernels()) {
        program.add_kernel(kernel.core, kKernel, kernel.noc, kernel.noc,
                           [&run, &kernel] { run_flows(run, kernel.flows); });
    }
    program.run(table.cycles_max);

    FlowTableResult result;
    result.flows = run.times();
    const std::vector<KernelResult> kernels = device.kernel_results();
    add_rows(result, table, placement, kernels);
    PointResult& measured = result.point;
    set_use(measured, device);
    measured.floor_plan = device.floor_plan();
    measured.arch = architecture.name;
    measured.board = device.board().name;
    measured.clock_hz = device.board().clock_hz;
    add_settings(measured, settings);
    return result;
}

}  // namespace nocbench
