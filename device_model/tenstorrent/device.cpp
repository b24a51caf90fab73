#include "device_model/tenstorrent/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <variant>

#include "device_model/arch/architecture.h"
#include "device_model/noc/network.h"
#include "device_model/noc/topology.h"
#include "device_model/noc/wait_for_graph.h"
#include "device_model/sim/error.h"
#include "device_model/sim/simulation.h"
#include "device_model/tenstorrent/checks/bounds_check.h"
#include "device_model/tenstorrent/checks/race_check.h"
#include "device_model/tenstorrent/checks/sync_check.h"
#include "device_model/tenstorrent/niu/network_interfaces.h"
#include "device_model/tenstorrent/noc_parameters.h"
#include "device_model/tenstorrent/risc.h"
#include "device_model/tenstorrent/tile/niu_command.h"
#include "device_model/tenstorrent/tile/tile_bus.h"

namespace nocbench {

namespace {

/// Describes packets that wait for each other, one per line; empty if none do.
std::string wait_for_cycle_of(Network& network, const Grid& grid, int noc) {
    const std::vector<WaitingPacket> wait_cycle = find_wait_for_cycle(network);
    if (wait_cycle.empty()) {
        return {};
    }
    std::string message = fmt::format("\n  packets on NoC {} form a cycle in the wait-for graph:", noc);
    using Names = std::array<const char*, 5>;
    const Names port_names =
        grid.is_mesh() ? Names{"the tile", "the left", "the right", "above", "below"} : Names{"the tile", "x", "y"};
    for (const WaitingPacket& waiting : wait_cycle) {
        const PhysicalCoordinate here = grid.place_of_node(waiting.node);
        const PhysicalCoordinate source = grid.place_of_node(waiting.packet.source);
        message +=
            fmt::format("\n    {} from tile ({}, {})", packet_kind_name(waiting.packet.kind), source.x, source.y);
        if (waiting.packet.tree == kNoTree) {
            const PhysicalCoordinate destination = grid.place_of_node(waiting.packet.destination);
            message += fmt::format(" to tile ({}, {})", destination.x, destination.y);
        }
        message += fmt::format(", in the router of ({}, {}), came from {} on virtual channel {}, {}", here.x, here.y,
                               port_names[static_cast<std::size_t>(waiting.input_port)], waiting.virtual_channel,
                               waiting.has_output ? "waits for room behind it" : "waits for a virtual channel");
    }
    return message;
}

}  // namespace

Device::Device(const Architecture& architecture, const std::string& board)
    : Device(architecture, board, Network::kWindowCyclesMax) {}

Device::Device(const Architecture& architecture, const std::string& board, Cycle window_cycles_max)
    : state_([&] {
          if (architecture.kind != ArchitectureKind::tensix_torus) {
              throw InputError(fmt::format("device: expected an architecture of kind {}, found {}, of kind {}",
                                           to_string(ArchitectureKind::tensix_torus), architecture.name,
                                           to_string(architecture.kind)));
          }
          return std::make_unique<DeviceState>(torus_of(architecture), torus_of(architecture.board(board)),
                                               window_cycles_max);
      }()) {}

Device::~Device() = default;

const TorusArchitecture& Device::architecture() const { return state_->architecture; }
const TorusBoard& Device::board() const { return state_->board; }
const Grid& Device::grid() const { return state_->grid; }

void Device::check_l1_range(LogicalCoordinate core, std::uint64_t address, std::size_t size) const {
    require_within(fmt::format("L1 of core ({}, {})", core.x, core.y), state_->architecture.l1.size_bytes, address,
                   size);
}

void Device::check_dram_range(std::size_t bank, std::uint64_t address, std::size_t size) const {
    const std::size_t num_banks = state_->grid.dram_banks().size();
    if (bank >= num_banks) {
        throw InputError(fmt::format("DRAM bank: expected 0 to {}, found {}", num_banks - 1, bank));
    }
    require_within(fmt::format("DRAM bank {}", bank), state_->architecture.dram.bank_size_bytes, address, size);
}

void Device::write_l1(LogicalCoordinate core, std::uint64_t address, std::span<const std::byte> bytes) {
    check_l1_range(core, address, bytes.size());
    write(static_cast<NodeIndex>(state_->grid.node_index(state_->grid.physical(core))), address, bytes);
}

void Device::write(NodeIndex tile, std::uint64_t address, std::span<const std::byte> bytes) {
    if (state_->race_check) {
        state_->race_check->given(tile, address, bytes.size());
    }
    state_->memory(tile).write(address, bytes);
}

std::vector<std::byte> Device::read_l1(LogicalCoordinate core, std::uint64_t address, std::size_t size) const {
    check_l1_range(core, address, size);
    std::vector<std::byte> bytes(size);
    state_->tile_memory[static_cast<std::size_t>(state_->grid.node_index(state_->grid.physical(core)))].read(address,
                                                                                                             bytes);
    return bytes;
}

void Device::write_dram(std::size_t bank, std::uint64_t address, std::span<const std::byte> bytes) {
    check_dram_range(bank, address, bytes.size());
    const DramBank& place = state_->grid.dram_banks()[bank];
    write(static_cast<NodeIndex>(state_->grid.node_index(place.endpoint.front())),
          static_cast<std::uint64_t>(place.offset_bytes) + address, bytes);
}

std::vector<std::byte> Device::read_dram(std::size_t bank, std::uint64_t address, std::size_t size) const {
    check_dram_range(bank, address, size);
    std::vector<std::byte> bytes(size);
    const DramBank& place = state_->grid.dram_banks()[bank];
    state_->memory(place).read(static_cast<std::uint64_t>(place.offset_bytes) + address, bytes);
    return bytes;
}

void Device::take_memory(Device& other) {
    std::swap(state_->tile_memory, other.state_->tile_memory);
    std::swap(state_->dram_memory, other.state_->dram_memory);
}

NodeIndex Device::require_host_range(std::uint64_t address, std::size_t size) const {
    const PhysicalCoordinate tile = state_->grid.physical(host_tile(*state_));
    require_within("memory of the host", state_->architecture.pcie.host_memory_bytes, address, size);
    return static_cast<NodeIndex>(state_->grid.node_index(tile));
}

void Device::write_host(std::uint64_t address, std::span<const std::byte> bytes) {
    state_->memory(require_host_range(address, bytes.size())).write(address, bytes);
}

std::vector<std::byte> Device::read_host(std::uint64_t address, std::size_t size) const {
    std::vector<std::byte> bytes(size);
    state_->memory(require_host_range(address, size)).read(address, bytes);
    return bytes;
}

const Processor::Identity& Device::identity(std::uint32_t risc) const { return state_->riscs.at(risc)->identity(); }

void Device::check(const std::set<Check>& checks, std::vector<NamedRange> ranges, std::vector<NamedRange> kept_words) {
    if (checks.contains(Check::races) || checks.contains(Check::initialization)) {
        state_->race_check =
            std::make_unique<RaceCheck>(*state_, checks.contains(Check::races), checks.contains(Check::initialization));
        for_each_written([this](NodeIndex node, std::uint64_t address, std::span<const std::byte> bytes) {
            state_->race_check->given(node, address, bytes.size());
        });
    }
    if (checks.contains(Check::synchronization)) {
        state_->sync_check = std::make_unique<SyncCheck>(*state_, std::move(kept_words));
    }
    if (checks.contains(Check::bounds)) {
        state_->bounds_check = std::make_unique<BoundsCheck>(std::move(ranges));
    }
}

void Device::perturb(const Perturbation::Settings& settings) {
    state_->perturbation = std::make_unique<Perturbation>(settings);
}

std::vector<Perturbation::Delay> Device::delays() const {
    return state_->perturbation ? state_->perturbation->delays() : std::vector<Perturbation::Delay>{};
}

void Device::for_each_written(
    const std::function<void(NodeIndex, std::uint64_t, std::span<const std::byte>)>& act) const {
    const auto walk = [&act](NodeIndex node, const Memory& memory) {
        memory.for_each_page(
            [&](std::uint64_t address, std::span<const std::byte> bytes) { act(node, address, bytes); });
    };
    std::vector<bool> is_done(state_->dram_memory.size());
    for (int index = 0; index < state_->grid.num_nodes(); ++index) {
        const auto node = static_cast<NodeIndex>(index);
        const int group = state_->dram_group_of_node[node];
        if (group < 0) {
            walk(node, state_->tile_memory[node]);
        } else if (!is_done[static_cast<std::size_t>(group)]) {
            is_done[static_cast<std::size_t>(group)] = true;
            walk(node, state_->dram_memory[static_cast<std::size_t>(group)]);
        }
    }
}

std::vector<Finding> Device::findings() const {
    std::vector<Finding> findings;
    const auto add = [&findings](const std::vector<Finding>& more) {
        findings.insert(findings.end(), more.begin(), more.end());
    };
    if (state_->race_check) {
        add(state_->race_check->findings());
    }
    if (state_->sync_check) {
        add(state_->sync_check->findings());
    }
    if (state_->bounds_check) {
        add(state_->bounds_check->findings());
    }
    return findings;
}

void Device::refuse_processor(const std::string& kernel, int processor) const {
    const int num_riscs = state_->architecture.num_riscs();
    throw InputError(fmt::format("kernel '{}': expected riscv 0 {} {}, found {}", kernel, num_riscs == 2 ? "or" : "to",
                                 num_riscs - 1, processor));
}

void Device::add_kernel(LogicalCoordinate core, int processor, const std::string& name, std::function<void()> kernel,
                        Tick start) {
    if (processor < 0 || processor >= state_->architecture.num_all_riscs()) {
        refuse_processor(name, processor);
    }
    Processor::Identity identity;
    identity.core = core;
    try {
        identity.physical = state_->grid.physical(core);
    } catch (const InputError& error) {
        throw InputError(fmt::format("kernel '{}': {}", name, error.what()));
    }
    identity.node = static_cast<NodeIndex>(state_->grid.node_index(identity.physical));
    identity.processor = processor;
    identity.skew = state_->skew_of_tile[identity.node];
    identity.kernel = name;
    identity.index = static_cast<std::uint32_t>(state_->riscs.size());
    int& occupant = state_->riscs_of_node(identity.node)[static_cast<std::size_t>(processor)];
    if (occupant >= 0) {
        throw InputError(fmt::format("kernel '{}': riscv_{} of core ({}, {}) already runs kernel '{}'", name, processor,
                                     core.x, core.y,
                                     state_->riscs[static_cast<std::size_t>(occupant)]->identity().kernel));
    }
    occupant = static_cast<int>(identity.index);
    auto whole_kernel = [this, index = identity.index, kernel = std::move(kernel)] {
        Risc& risc = *state_->riscs[index];
        if (state_->perturbation) {
            const Processor::Identity& its = risc.identity();
            risc.spend(
                ticks_from_cycles(state_->perturbation->next(Perturbation::Kind::start, its.node, its.processor)));
        }
        lag_behind_riscv_1(risc);
        kernel();
        require_closed_chains(*state_->riscs[index]);
    };
    state_->riscs.push_back(std::make_unique<Risc>(*state_, std::move(identity), std::move(whole_kernel), start));
}

void Device::lag_behind_riscv_1(Risc& risc) const {
    const Cycle lag = state_->architecture.risc.launch_lag_cycles;
    if (risc.identity().processor == 0 && lag != 0 &&
        std::ranges::any_of(state_->riscs, [](const auto& other) { return other->identity().processor == 1; })) {
        risc.spend(ticks_from_cycles(lag));
    }
}

void Device::require_closed_chains(const Risc& risc) const {
    for (int noc = 0; noc < state_->architecture.num_nocs(); ++noc) {
        const OpenChain& chain =
            state_->interfaces[static_cast<std::size_t>(noc)]->initiator(risc.identity().node).open_chain();
        if (chain.tree != kNoTree && chain.risc == risc.identity().index) {
            throw KernelError(fmt::format(
                "{}: it ends with a chain of linked multicasts open on NoC {}: expected a last multicast that "
                "is not linked",
                risc.name(), noc));
        }
    }
}

Cycle Device::next_window() const {
    const WindowSchedule& schedule = state_->schedule;
    const auto window_at = [&](Cycle cycle) {  // the window stepped then, or the next one
        return std::max(cycle / schedule.window_cycles * schedule.window_cycles, windows_end_);
    };
    Cycle next = kNever;
    if (!state_->events.empty()) {
        next = window_at(cycle_containing(state_->events.top().due()) + schedule.event_skew_cycles);
    }
    for (const EndpointArrival& arrival : state_->endpoint_arrivals) {
        next = std::min(next, window_at(arrival.cycle + schedule.endpoint_skew_cycles + schedule.window_cycles));
    }
    for (const auto& interfaces : state_->interfaces) {
        next = std::min(next, interfaces->network().next_active_window());
    }
    return next;
}

/// Serves arrivals that fall before the window beginning at `window`.
void Device::serve_endpoint_arrivals(Cycle window) {
    std::vector<EndpointArrival>& arrivals = state_->endpoint_arrivals;
    // Arrivals still to come are later than these.
    const auto is_complete = [&](const EndpointArrival& arrival) {
        return arrival.cycle + state_->schedule.endpoint_skew_cycles < window;
    };
    std::ranges::stable_sort(arrivals, [](const EndpointArrival& left, const EndpointArrival& right) {
        return std::tie(left.cycle, left.node, left.noc) < std::tie(right.cycle, right.node, right.noc);
    });
    const auto end = std::ranges::partition_point(arrivals, is_complete);
    for (const EndpointArrival& arrival : std::ranges::subrange(arrivals.begin(), end)) {
        state_->interfaces[arrival.noc]->serve(arrival);
    }
    arrivals.erase(arrivals.begin(), end);
}

void Device::handle_events() {
    EventQueue& events = state_->events;
    while (!events.empty() && events.top().due() < state_->window_end) {
        const Event event = events.top();
        events.pop();
        extend_to(cycle_at_or_after(event.tick));
        switch (event.kind) {
            case EventKind::commit_write:
                state_->interfaces[event.place % kNumNocs]->commit_write(event.subject, event.tick);
                break;
            case EventKind::complete_transaction:
                state_->interfaces[event.place % kNumNocs]->complete(event.subject, event.tick);
                break;
            case EventKind::end_compute_command:
                if (auto& unit = tile_registers(*state_, static_cast<NodeIndex>(event.place)).compute;
                    unit.has_value()) {
                    unit->end_command(static_cast<ComputeThread>(event.subject), event.tick);
                }
                break;
            case EventKind::resume_processor:
                state_->processors[event.subject]->run();
                break;
        }
    }
}

Simulation& Device::simulation() { return *state_; }
const Simulation& Device::simulation() const { return *state_; }

Tick Device::next_step() const {
    const Cycle window = next_window();
    return window == kNever ? kNever : ticks_from_cycles(window);
}

void Device::step(Tick begin) {
    const Cycle window = cycle_containing(begin);
    const WindowSchedule& schedule = state_->schedule;
    state_->window_end = ticks_from_cycles(window + schedule.window_cycles - schedule.event_skew_cycles);
    serve_endpoint_arrivals(window);
    handle_events();
    state_->leaving_data.take_sent();
    for (const auto& interfaces : state_->interfaces) {
        interfaces->network().step_window(window);
    }
    state_->leaving_data.count_bytes_left();
    windows_end_ = window + schedule.window_cycles;
}

std::string Device::further_waits() const {
    std::string lines;
    for (int noc = 0; noc < state_->architecture.num_nocs(); ++noc) {
        lines += wait_for_cycle_of(state_->interfaces[static_cast<std::size_t>(noc)]->network(), state_->grid, noc);
    }
    return lines;
}

FloorPlan floor_plan_of(const TorusArchitecture& architecture, const Grid& grid) {
    FloorPlan plan;
    plan.columns = grid.columns();
    plan.rows = grid.rows();
    plan.flit_bytes = architecture.router.flit_bytes;
    for (int node = 0; node < grid.num_nodes(); ++node) {
        const PhysicalCoordinate place = grid.place_of_node(node);
        plan.tiles.push_back({place, std::string(to_string(grid.tile_kind(place))), grid.logical(place)});
    }
    for (int noc = 0; noc < architecture.num_nocs(); ++noc) {
        std::vector<Direction> directions;
        std::ranges::transform(noc_links(grid, noc), std::back_inserter(directions), &NocLink::direction);
        plan.networks.push_back({fmt::format("NoC {}", noc), directions, !grid.is_mesh(), 1});
    }
    return plan;
}

FloorPlan Device::floor_plan() const { return floor_plan_of(state_->architecture, state_->grid); }

PhysicalCoordinate Device::place_of_node(NodeIndex node) const { return state_->grid.place_of_node(node); }

std::vector<LinkUse> Device::link_use() const {
    std::vector<LinkUse> use;
    for (int noc = 0; noc < state_->architecture.num_nocs(); ++noc) {
        const Network& network = state_->interfaces[static_cast<std::size_t>(noc)]->network();
        std::vector<NocLink> links = noc_links(state_->grid, noc);
        links.insert(links.begin(), {kNiuPort, Direction::to_tile});
        for (int node = 0; node < state_->grid.num_nodes(); ++node) {
            for (const auto& [port, direction] : links) {
                const std::uint64_t flits = network.flits_sent(static_cast<NodeIndex>(node), port);
                if (flits != 0) {
                    use.push_back({noc, state_->grid.place_of_node(node), direction, flits});
                }
            }
        }
    }
    return use;
}

std::vector<LinkUse> Device::injection_use() const {
    std::vector<LinkUse> use;
    for (int noc = 0; noc < state_->architecture.num_nocs(); ++noc) {
        const Network& network = state_->interfaces[static_cast<std::size_t>(noc)]->network();
        for (int node = 0; node < state_->grid.num_nodes(); ++node) {
            const std::uint64_t flits = network.flits_injected(static_cast<NodeIndex>(node));
            if (flits != 0) {
                use.push_back({noc, state_->grid.place_of_node(node), Direction::from_tile, flits});
            }
        }
    }
    return use;
}

void Device::count_packets() {
    for (const auto& interfaces : state_->interfaces) {
        interfaces->count_packets();
    }
}

std::vector<PacketUse> Device::packet_use() const {
    std::vector<PacketUse> use;
    for (const auto& interfaces : state_->interfaces) {
        interfaces->append_packet_use(use);
    }
    return use;
}

std::vector<MemoryUse> Device::memory_use() const {
    std::vector<MemoryUse> use;
    for (std::size_t bank = 0; bank < state_->grid.dram_banks().size(); ++bank) {
        std::get<DramController>(state_->controllers[bank]).append_use(fmt::format("DRAM bank {}", bank), use);
    }
    return use;
}

std::vector<TileDeliveries> Device::deliveries() const {
    std::vector<TileDeliveries> deliveries;
    for (int node = 0; node < state_->grid.num_nodes(); ++node) {
        const std::uint64_t bytes = state_->bytes_delivered[static_cast<std::size_t>(node)];
        if (bytes != 0) {
            deliveries.push_back({state_->grid.place_of_node(node), bytes});
        }
    }
    return deliveries;
}

std::uint64_t Device::flit_hops() const {
    std::uint64_t sum = 0;
    for (const auto& interfaces : state_->interfaces) {
        sum += interfaces->network().flit_hops();
    }
    return sum;
}

}  // namespace nocbench
