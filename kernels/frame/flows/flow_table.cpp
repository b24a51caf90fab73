#include "kernels/frame/flows/flow_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <utility>

#include "device_model/arch/architecture.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/device_state.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/flows/flow_kernel.h"
#include "kernels/tensix/program.h"

namespace nocbench {

namespace {

constexpr const char* kKernel = "flows";

/// Core and RISC of a kernel, and its flows.
struct KernelFlows {
    LogicalCoordinate core;
    int riscv = 0;
    std::vector<PlacedFlow> flows;
};

/// Placement of flows in memory. Every core has one buffer to read from and one to write to. Their addresses are equal
/// on all cores, so that all copies between cores begin at the same places.
class Placement {
public:
    Placement(const FlowTable& table, const Point& point)
        : table_(table),
          point_(point),
          grid_(point.device().grid()),
          check_(point),
          source_address_(point.first_l1_buffer()),
          destination_address_(point.second_l1_buffer()) {
        std::map<std::pair<LogicalCoordinate, int>, std::size_t> kernels;
        for (std::size_t index = 0; index < table.flows.size(); ++index) {
            const Flow& flow = table.flows[index];
            const auto [found, is_new] = kernels.try_emplace({flow.core, flow.riscv}, kernels_.size());
            if (is_new) {
                kernels_.push_back({flow.core, flow.riscv, {}});
            }
            kernels_[found->second].flows.push_back(place(index));
        }
        for (const auto& [copy, times] : copies_) {
            check_.expect({kKernel, copy.kind, copy.source, copy.destination, data_of(copy), times});
        }
        const auto word = std::as_bytes(std::span(&kInlineWord, 1));
        const auto inline_data = std::make_shared<const std::vector<std::byte>>(word.begin(), word.end());
        for (const auto& [places, times] : inline_words_) {
            check_.expect({kKernel, TransactionKind::write, places.first, places.second, inline_data, times});
        }
    }

    [[nodiscard]] const std::vector<KernelFlows>& kernels() const { return kernels_; }
    [[nodiscard]] std::string data_fault() const { return check_.fault(kKernel); }

private:
    struct Copy {
        TransactionKind kind = TransactionKind::write;
        MemoryPlace source;
        MemoryPlace destination;
        NodeIndex pattern_of = 0;  // tile whose pattern the source has; pages of DRAM have indices beyond real tiles
        std::uint32_t bytes = 0;
        auto operator<=>(const Copy&) const = default;
    };

    /// Pages of one size in a bank, used cyclically by flows.
    struct Region {
        std::uint32_t address = 0;  // within the bank
        std::uint32_t page_bytes = 0;
        std::uint32_t num_pages = 0;
    };

    /// Returns the region of a flow's pages. Writes through different tiles of a bank have separate regions: to the
    /// data check, these tiles do not share memory.
    const Region& region(const Flow& flow, std::uint32_t bank, PhysicalCoordinate tile) {
        const bool is_read = flow.kind == Flow::Kind::read;
        const auto [found, is_new] =
            regions_.try_emplace({bank, is_read, is_read ? PhysicalCoordinate{} : tile, flow.call_bytes});
        Region& region = found->second;
        if (is_new) {
            constexpr std::uint32_t kMostPages = 64;
            constexpr std::uint32_t kMostBytes = 1024 * 1024;
            const DramConstants& dram = point_.device().architecture().dram;
            const auto alignment = static_cast<std::uint32_t>(dram.read_alignment_bytes);
            region.page_bytes = (flow.call_bytes + alignment - 1) / alignment * alignment;
            region.num_pages = std::clamp(kMostBytes / region.page_bytes, 1U, kMostPages);
            std::uint64_t& end = ends_.try_emplace(bank, dram.unreserved_base_bytes).first->second;
            region.address = static_cast<std::uint32_t>(end);
            end += std::uint64_t{region.num_pages} * region.page_bytes;
            if (end > static_cast<std::uint64_t>(dram.bank_size_bytes)) {
                throw InputError(fmt::format(
                    "flows to and from DRAM bank {}: {} bytes for calls of all sizes do not fit into {} bytes", bank,
                    end, dram.bank_size_bytes));
            }
        }
        return region;
    }

    PlacedFlow place(std::size_t index) {
        const Flow& flow = table_.flows[index];
        const TorusArchitecture& architecture = point_.device().architecture();
        const bool is_read = flow.kind == Flow::Kind::read;
        PlacedFlow placed;
        placed.index = index;
        placed.own_address = is_read ? destination_address_ : source_address_;
        const std::uint32_t l1_address = flow.kind == Flow::Kind::increment      ? increment_word(architecture)
                                         : flow.kind == Flow::Kind::inline_write ? inline_word(architecture)
                                         : is_read                               ? source_address_
                                                                                 : destination_address_;
        switch (flow.partner) {
            case Flow::Partner::none:
                break;
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
                add_pages(flow, placed, {{flow.bank, endpoint(flow.bank, flow.noc)}});
                break;
            case Flow::Partner::all_banks: {
                std::vector<BankTile> banks;
                for (std::uint32_t bank = 0; bank < grid_.dram_banks().size(); ++bank) {
                    banks.push_back({bank, endpoint(bank, flow.noc)});
                }
                add_pages(flow, placed, banks);
                break;
            }
            case Flow::Partner::dram_tile:
                add_pages(flow, placed, {{bank_of(flow.tile), flow.tile}});
                break;
        }
        return placed;
    }

    struct BankTile {
        std::uint32_t bank = 0;
        PhysicalCoordinate tile;
    };

    [[nodiscard]] PhysicalCoordinate endpoint(std::uint32_t bank, int noc) const {
        const std::span<const DramBank> banks = grid_.dram_banks();
        if (bank >= banks.size()) {
            throw InputError(fmt::format("DRAM bank: expected 0 to {}, found {}", banks.size() - 1, bank));
        }
        return banks[bank].endpoint[static_cast<std::size_t>(noc)];
    }

    [[nodiscard]] std::uint32_t bank_of(PhysicalCoordinate tile) const {
        const std::optional<std::uint32_t> bank = bank_of_tile(point_.device().architecture(), grid_, tile);
        if (!bank.has_value()) {
            throw InputError(fmt::format("expected a DRAM tile at {}, found none that is in use", to_string(tile)));
        }
        return *bank;
    }

    /// Adds target pages, interleaved over the banks. Later flows to or from the same banks continue with the next
    /// pages.
    void add_pages(const Flow& flow, PlacedFlow& placed, const std::vector<BankTile>& banks) {
        std::vector<const Region*> regions;
        regions.reserve(banks.size());
        for (const BankTile& bank : banks) {
            regions.push_back(&region(flow, bank.bank, bank.tile));
        }
        const std::uint64_t num_pages = banks.size() * regions.front()->num_pages;
        const std::uint64_t num_targets = std::min<std::uint64_t>(flow.num_calls, num_pages);
        std::uint64_t& next_page = next_pages_[regions];
        const std::uint64_t first_page = flow.page.value_or(next_page);
        for (std::uint64_t call = 0; call < num_targets; ++call) {
            const std::uint64_t page = (first_page + call) % num_pages;
            const BankTile& bank = banks[page % banks.size()];
            const auto page_of_bank = static_cast<std::uint32_t>(page / banks.size());
            const Region& pages = *regions[page % banks.size()];
            const TranslatedCoordinate tile = grid_.translated(bank.tile);
            const MemoryPlace place =
                dram_place(grid_, bank.bank, bank.tile, pages.address + std::uint64_t{page_of_bank} * pages.page_bytes);
            placed.targets.push_back(target(tile, tile, static_cast<std::uint32_t>(place.address)));
            const auto usual_tile = grid_.node_index(endpoint(bank.bank, 0));
            count_copies(flow, placed, place,
                         static_cast<NodeIndex>(usual_tile + static_cast<int>(page_of_bank) * grid_.num_nodes()),
                         (flow.num_calls + num_targets - 1 - call) / num_targets);
        }
        if (flow.is_transfer()) {
            next_page = (first_page + flow.num_calls) % num_pages;
        }
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
        if (num_calls == 0 || !flow.is_transfer()) {
            return;
        }
        if (flow.kind == Flow::Kind::inline_write) {
            inline_words_[{l1_place(grid_, flow.core, 0), partner}] += num_calls;
            return;
        }
        const MemoryPlace own = l1_place(grid_, flow.core, placed.own_address);
        const bool is_read = flow.kind == Flow::Kind::read;
        copies_[{is_read ? TransactionKind::read : TransactionKind::write, is_read ? partner : own,
                 is_read ? own : partner, is_read ? pattern_of_partner : own.tile, flow.call_bytes}] += num_calls;
    }

    /// Returns the source data, and fills the buffer on first use. Buffers of cores are as long as the longest call;
    /// pages of DRAM are as long as their calls.
    DataCheck::Data data_of(const Copy& copy) {
        const auto [filled, is_new] = filled_.try_emplace(copy.source);
        std::map<std::uint32_t, DataCheck::Data>& by_size = filled->second;
        if (is_new) {
            const bool is_page = point_.device().state().memory_kind_of_node[copy.source.tile] == MemoryKind::dram;
            const std::uint32_t bytes = is_page ? copy.bytes : point_.call_size_bytes();
            by_size[bytes] = check_.fill(copy.source, copy.pattern_of, bytes);
        }
        const auto [found, is_new_size] = by_size.try_emplace(copy.bytes);
        if (is_new_size) {
            const std::vector<std::byte>& whole = *by_size.at(point_.call_size_bytes());
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
    std::map<std::tuple<std::uint32_t, bool, PhysicalCoordinate, std::uint32_t>, Region> regions_;
    std::map<std::vector<const Region*>, std::uint64_t>
        next_pages_;  // NOLINT(bugprone-nondeterministic-pointer-iteration-order): looked up only
    std::map<std::uint32_t, std::uint64_t> ends_;  // by bank: end of its regions
    std::vector<KernelFlows> kernels_;
    std::map<Copy, std::uint64_t> copies_;
    std::map<std::pair<MemoryPlace, MemoryPlace>, std::uint64_t> inline_words_;
    std::map<MemoryPlace, std::map<std::uint32_t, DataCheck::Data>> filled_;
};

/// Returns the NoC used by most of a kernel's flows.
int noc_of(const FlowTable& table, const KernelFlows& kernel) {
    const auto on_noc_1 = static_cast<std::size_t>(std::ranges::count_if(
        kernel.flows, [&](const PlacedFlow& placed) { return table.flows[placed.index].noc == 1; }));
    return 2 * on_noc_1 > kernel.flows.size() ? 1 : 0;
}

/// Content of the result row of a group on one NoC.
struct RowFlows {
    int riscv = 0;
    std::uint64_t num_calls = 0;
    std::uint64_t bytes = 0;
    struct OfKernel {
        std::uint64_t bytes = 0;
        FlowTimes times;
    };
    std::map<std::size_t, OfKernel> kernels;  // by number
};

double bandwidth(std::uint64_t bytes, Tick latency) {
    return latency == 0 ? 0 : static_cast<double>(bytes) / cycles_from_ticks(latency);
}

/// Returns the time of one RISC from its first flow of a row to the end of its last. Time on flows of other rows counts
/// as `issue`.
CoreResult core_result(const std::string& label, const std::string& zone, const RowFlows::OfKernel& part,
                       const KernelResult& kernel, int noc) {
    const Tick latency = part.times.end - part.times.begin;
    CoreResult core{label, kernel.identity, noc, latency, bandwidth(part.bytes, latency), {}, zone};
    for (const Zone& one : kernel.zones) {
        if (one.name == zone && one.parent == 0) {
            core.ledger.add(one.ledger);
        }
    }
    core.ledger.book(Cause::issue, latency - core.ledger.total());
    return core;
}

void add_rows(FlowTableResult& result, const FlowTable& table, const Placement& placement,
              const std::vector<KernelResult>& kernels) {
    std::map<std::pair<std::size_t, int>, RowFlows> rows;
    for (std::size_t number = 0; number < placement.kernels().size(); ++number) {
        for (const PlacedFlow& placed : placement.kernels()[number].flows) {
            const Flow& flow = table.flows[placed.index];
            const FlowTimes& times = result.flows[placed.index];
            const std::uint64_t num_calls = flow.is_transfer() ? flow.num_calls : 0;
            const std::uint64_t bytes = num_calls * flow.call_bytes;
            RowFlows& row = rows[{flow.group, flow.noc}];
            row.num_calls += num_calls;
            row.riscv = flow.riscv;
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
        report.riscv = row.riscv;
        report.noc = noc;
        report.transaction_size_bytes = row.num_calls == 0 ? 0 : (row.bytes + row.num_calls / 2) / row.num_calls;
        report.data_fault = fault;
        report.summary = CoreSummary::together;
        ResultRow its_row = row_of_cores(report, cores);
        its_row.median_core_cycles = its_row.latency_cycles;
        its_row.all_cores_cycles = cycles_from_ticks(all.end - all.begin);
        its_row.latency_cycles = its_row.all_cores_cycles;
        its_row.bandwidth_bytes_per_cycle = bandwidth(row.bytes, all.end - all.begin);
        result.num_transactions.push_back(row.num_calls);
        result.point.rows.push_back(std::move(its_row));
        result.point.cores.insert(result.point.cores.end(), cores.begin(), cores.end());
    }
}

}  // namespace

std::optional<std::uint32_t> bank_of_tile(const TorusArchitecture& architecture, const Grid& grid,
                                          PhysicalCoordinate tile) {
    const std::span<const DramBank> banks = grid.dram_banks();
    const auto is_endpoint = [&](const DramBank& bank) {
        return std::ranges::find(bank.endpoint, tile) != bank.endpoint.end();
    };
    const auto is_of_channel = [&](const DramBank& bank) {
        const auto& tiles = architecture.dram.channel_tiles[static_cast<std::size_t>(bank.channel)];
        return std::ranges::find(tiles, tile) != tiles.end();
    };
    auto found = std::ranges::find_if(banks, is_endpoint);
    if (found == banks.end()) {
        found = std::ranges::find_if(banks, is_of_channel);
    }
    return found == banks.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - banks.begin()));
}

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
    if (!table.checks.empty()) {
        device.check(table.checks);
    }
    if (watcher) {
        watcher(device);
    }
    const std::uint32_t largest = std::max(1U, std::ranges::max(table.flows, {}, &Flow::call_bytes).call_bytes);
    const std::vector<ParameterDefinition> no_parameters;
    const Point point(device, no_parameters, {{"num_transactions", "1"}, {"call_size", fmt::format("{}", largest)}});
    const Placement placement(table, point);
    FlowRun run(table);
    Program program(device);
    for (const KernelFlows& kernel : placement.kernels()) {
        program.add_kernel(kernel.core, kKernel, kernel.riscv, noc_of(table, kernel),
                           [&run, &kernel] { run_flows(run, kernel.flows); });
    }
    program.run(table.cycles_max);

    FlowTableResult result;
    result.flows = run.times();
    result.findings = located_findings(device);
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
