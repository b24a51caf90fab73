#include "device_model/epiphany/epiphany_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "device_model/epiphany/epiphany_guest.h"
#include "device_model/sim/error.h"

namespace nocbench {

namespace {

constexpr unsigned kRowShift = 26;
constexpr std::uint64_t kOffsetMask = (1U << kCoreIdShift) - 1;
constexpr int kColumnMask = 0x3f;

constexpr unsigned kActionShift = 28;
constexpr std::uint32_t kSubjectMask = (1U << kActionShift) - 1;

bool is_size(std::size_t size) { return size == 1 || size == 2 || size == 4 || size == kDwordBytes; }

}  // namespace

EpiphanyState::EpiphanyState(const EpiphanyConstants& constants, const EpiphanyShape& shape)
    : constants_(constants),
      shape_(shape),
      mesh_(mesh_with_edge_link(shape.columns, shape.rows)),
      elink_(constants_.elink, shape.clock_hz),
      nodes_(static_cast<std::size_t>(mesh_.topology.num_nodes)),
      writes_(nodes_.size() * nodes_.size()) {
    for (std::size_t which = 0; which < kNumPlanes; ++which) {
        planes_[which] = std::make_unique<MeshPlane>(static_cast<Plane>(which), constants_.mesh, mesh_.topology, *this);
    }
    for (Node& node : nodes_) {
        node.bank_busy_until.resize(static_cast<std::size_t>(constants_.core.memory_banks));
    }
}

EpiphanyState::~EpiphanyState() = default;

std::uint32_t EpiphanyState::global_address(LogicalCoordinate core, std::uint32_t offset) const {
    require_core(core);
    return static_cast<std::uint32_t>(shape_.first_core_row + core.y) << kRowShift |
           static_cast<std::uint32_t>(shape_.first_core_column + core.x) << kCoreIdShift | offset;
}

void EpiphanyState::require_core(LogicalCoordinate core) const {
    if (core.x < 0 || core.x >= shape_.columns || core.y < 0 || core.y >= shape_.rows) {
        throw InputError(fmt::format("core ({}, {}): expected x from 0 to {} and y from 0 to {}", core.x, core.y,
                                     shape_.columns - 1, shape_.rows - 1));
    }
}

void EpiphanyState::write_memory(LogicalCoordinate core, std::uint64_t offset, std::span<const std::byte> bytes) {
    require_range(core, offset, bytes.size());
    Node& node = nodes_[static_cast<std::size_t>(shape_.core_number(core))];
    if (node.guest != nullptr) {
        std::ranges::copy(bytes, node.guest->memory().begin() + static_cast<std::ptrdiff_t>(offset));
    } else {
        node.memory.write(offset, bytes);
    }
}

std::vector<std::byte> EpiphanyState::read_memory(LogicalCoordinate core, std::uint64_t offset,
                                                  std::size_t size) const {
    require_range(core, offset, size);
    std::vector<std::byte> bytes(size);
    read_bytes(nodes_[static_cast<std::size_t>(shape_.core_number(core))], offset, bytes);
    return bytes;
}

std::vector<std::byte> EpiphanyState::take_memory(NodeIndex index) const {
    return read_memory(shape_.core_at(index), 0, static_cast<std::size_t>(constants_.core.memory_bytes));
}

void EpiphanyState::read_bytes(const Node& node, std::uint64_t offset, std::span<std::byte> out) {
    if (node.guest != nullptr) {
        std::ranges::copy(node.guest->memory().subspan(offset, out.size()), out.begin());
    } else {
        node.memory.read(offset, out);
    }
}

std::pair<LogicalCoordinate, std::uint64_t> EpiphanyState::core_memory_at(NodeIndex index, std::uint64_t address,
                                                                          std::size_t bytes) const {
    const Place place = place_of(index, address, 1, "memory");
    const auto memory_bytes = static_cast<std::uint64_t>(constants_.core.memory_bytes);
    if (place.is_external || place.offset > memory_bytes || memory_bytes - place.offset < bytes) {
        throw KernelError(fmt::format("expected {} bytes in the memory of a core, found 0x{:x}", bytes, address));
    }
    return {shape_.core_at(place.node), place.offset};
}

void EpiphanyState::announce_read(const Place& place, std::size_t size, Tick tick) {
    if (!place.is_external && place.offset < kRegisterOffset && nodes_[place.node].guest != nullptr) {
        nodes_[place.node].guest->about_to_be_read(place.offset, size, tick);
    }
}

void EpiphanyState::require_range(LogicalCoordinate core, std::uint64_t offset, std::size_t size) const {
    require_core(core);
    require_within(fmt::format("memory of core ({}, {})", core.x, core.y), constants_.core.memory_bytes, offset, size);
}

void EpiphanyState::write_external(std::uint64_t offset, std::span<const std::byte> bytes) {
    require_within("external memory", constants_.elink.external_memory_bytes, offset, bytes.size());
    external_.write(offset, bytes);
}

std::vector<std::byte> EpiphanyState::read_external(std::uint64_t offset, std::size_t size) const {
    require_within("external memory", constants_.elink.external_memory_bytes, offset, size);
    std::vector<std::byte> bytes(size);
    external_.read(offset, bytes);
    return bytes;
}

void EpiphanyState::add_kernel(LogicalCoordinate core, const std::string& name, std::function<void()> kernel,
                               Tick start) {
    try {
        require_core(core);
    } catch (const InputError& error) {
        throw InputError(fmt::format("kernel '{}': {}", name, error.what()));
    }
    const auto number = static_cast<std::size_t>(shape_.core_number(core));
    if (nodes_[number].core >= 0) {
        throw InputError(fmt::format("kernel '{}': core ({}, {}) already runs kernel '{}'", name, core.x, core.y,
                                     core_of(nodes_[number]).identity().kernel));
    }
    nodes_[number].core = static_cast<int>(cores_.size());
    Processor::Identity identity;
    identity.node = static_cast<NodeIndex>(number);
    identity.core = core;
    identity.physical = {.x = core.x, .y = core.y};
    identity.processor = Processor::kOnlyProcessor;
    identity.kernel = name;
    cores_.push_back(std::make_unique<EpiphanyCore>(*this, *this, std::move(identity), std::move(kernel), start));
}

void EpiphanyState::add_host_kernel(const std::string& name, std::function<void(EpiphanyHost&)> kernel, Tick start) {
    hosts_.push_back(std::make_unique<EpiphanyHost>(*this, *this, name, std::move(kernel), start));
}

NodeIndex EpiphanyState::node_of(const HostTarget& target) const {
    return target.core ? static_cast<NodeIndex>(shape_.core_number(*target.core)) : mesh_.edge_node;
}

// Time

void EpiphanyState::push_event(Tick tick, EventKind kind, NodeIndex index, Action action, std::uint32_t subject) {
    events.push({tick, index, kind, static_cast<std::uint32_t>(action) << kActionShift | subject});
}

void EpiphanyState::handle_events() {
    while (!events.empty() && events.top().tick < window_end) {
        const Event event = events.top();
        events.pop();
        event_tick_ = event.tick;
        if (event.kind == EventKind::resume_processor) {
            Processor& processor = *processors[event.subject];
            const NodeIndex node = processor.identity().node;
            if (!processor.has_cancelled(event.tick) && (processor.identity().is_outside() || go_on_copying(node))) {
                processor.run();
            }
            continue;
        }
        const std::uint32_t subject = event.subject & kSubjectMask;
        switch (static_cast<Action>(event.subject >> kActionShift)) {
            case Action::serve_read:
                serve_read(subject, event.tick);
                break;
            case Action::commit:
                commit(subject, event.tick);
                break;
            case Action::dma_step: {
                DmaChannel& dma = nodes_[subject / kNumDmaChannels].dma[subject % kNumDmaChannels];
                dma.step_is_due = false;
                dma_step(static_cast<NodeIndex>(subject / kNumDmaChannels), static_cast<int>(subject % kNumDmaChannels),
                         event.tick);
                break;
            }
        }
    }
}

Tick EpiphanyState::next_step() const {
    // Steps are network cycles; idle ones are skipped.
    Cycle cycle = kNever;
    if (!events.empty()) {
        cycle = std::max(events.top().tick, window_end) / MeshPlane::kTicksPerNetworkCycle;
    }
    for (const auto& each : planes_) {
        cycle = std::min(cycle, each->next_cycle());
    }
    return cycle == kNever ? kNever : cycle * MeshPlane::kTicksPerNetworkCycle;
}

void EpiphanyState::step(Tick begin) {
    window_end = begin + MeshPlane::kTicksPerNetworkCycle;
    for (const auto& each : planes_) {
        each->begin_cycle(begin / MeshPlane::kTicksPerNetworkCycle);
    }
    handle_events();
    for (const auto& each : planes_) {
        each->run_cycle();
    }
}

// Addresses and memory

std::string EpiphanyState::caller(NodeIndex index, std::string_view call) const {
    const int core = nodes_[index].core;
    return fmt::format("{}: {}", core >= 0 ? cores_[static_cast<std::size_t>(core)]->name() : "a core", call);
}

EpiphanyState::Place EpiphanyState::place_of(NodeIndex index, std::uint64_t address, std::size_t size,
                                             std::string_view call) const {
    if (!is_size(size)) {
        throw KernelError(fmt::format("{}: expected 1, 2, 4 or 8 bytes, found {}", caller(index, call), size));
    }
    if (address % size != 0) {
        throw KernelError(
            fmt::format("{}: expected an address that is a multiple of the {} bytes accessed, found 0x{:08x}",
                        caller(index, call), size, address));
    }
    const auto external_bytes = static_cast<std::uint64_t>(constants_.elink.external_memory_bytes);
    if (address >= kExternalMemoryAddress && address - kExternalMemoryAddress < external_bytes) {
        return {true, mesh_.edge_node, address - kExternalMemoryAddress};
    }
    const std::uint64_t offset = address & kOffsetMask;
    const std::uint64_t id = address >> kCoreIdShift;
    NodeIndex owner = index;
    if (id != 0) {
        const int row = static_cast<int>(address >> kRowShift) - shape_.first_core_row;
        const int column = (static_cast<int>(id) & kColumnMask) - shape_.first_core_column;
        if (row < 0 || row >= shape_.rows || column < 0 || column >= shape_.columns) {
            throw KernelError(fmt::format(
                "{}: address 0x{:08x} belongs to no core and to no external memory: expected a core of rows {} to {} "
                "and columns {} to {}, or 0x{:08x} to 0x{:08x}, found row {} and column {}",
                caller(index, call), address, shape_.first_core_row, shape_.first_core_row + shape_.rows - 1,
                shape_.first_core_column, shape_.first_core_column + shape_.columns - 1, kExternalMemoryAddress,
                kExternalMemoryAddress + external_bytes - 1, row + shape_.first_core_row,
                column + shape_.first_core_column));
        }
        owner = static_cast<NodeIndex>(shape_.core_number({.x = column, .y = row}));
    }
    const auto memory_bytes = static_cast<std::uint64_t>(constants_.core.memory_bytes);
    if (offset + size > memory_bytes && offset < kRegisterOffset) {
        throw KernelError(
            fmt::format("{}: expected {} bytes within the core's memory, 0x0 to 0x{:x}, found them at 0x{:x}",
                        caller(index, call), size, memory_bytes - 1, offset));
    }
    return {false, owner, offset};
}

Tick EpiphanyState::take_bank(NodeIndex index, std::uint64_t offset, Tick tick) {
    if (offset >= kRegisterOffset) {
        return tick;
    }
    const std::uint64_t bank_bytes = static_cast<std::uint64_t>(constants_.core.memory_bytes) /
                                     static_cast<std::uint64_t>(constants_.core.memory_banks);
    Tick& busy_until = nodes_[index].bank_busy_until[static_cast<std::size_t>(offset / bank_bytes)];
    const Tick begin = std::max(tick, busy_until);
    busy_until = begin + kTicksPerCycle;
    return begin;
}

std::uint64_t EpiphanyState::read_word(const Place& place, std::size_t size) const {
    if (!place.is_external && place.offset >= kRegisterOffset) {
        for (std::size_t channel = 0; channel < kNumDmaChannels; ++channel) {
            if (place.offset == kDmaRegisterOffset + channel * kDmaRegisterStride + kDmaStatusOffset) {
                return nodes_[place.node].dma[channel].is_active ? kDmaActive : kDmaIdle;
            }
        }
        return 0;
    }
    std::array<std::byte, kDwordBytes> bytes{};
    const std::span<std::byte> out = std::span(bytes).first(size);
    if (place.is_external) {
        external_.read(place.offset, out);
    } else {
        read_bytes(nodes_[place.node], place.offset, out);
    }
    return std::bit_cast<std::uint64_t>(bytes);
}

void EpiphanyState::deliver(TransactionKind kind, NodeIndex source, const Place& place, std::size_t size,
                            std::uint64_t value, Tick tick) {
    auto bytes = std::bit_cast<std::array<std::byte, kDwordBytes>>(value);
    const std::span<std::byte> data = std::span(bytes).first(size);
    const Delivery delivery{kind, 0, source, place.node, 0, place.offset, data, tick};
    if (observers.tamper) {
        observers.tamper(delivery, data);
    }
    if (place.is_external) {
        external_.write(place.offset, data);
        nodes_[mesh_.edge_node].bytes_delivered += size;
    } else {
        Node& node = nodes_[place.node];
        if (node.guest != nullptr) {
            node.guest->write(place.offset, data, event_tick_);
        } else {
            node.memory.write(place.offset, data);
        }
        node.bytes_delivered += size;
        // Accesses over the mesh take the bank first.
        static_cast<void>(take_bank(place.node, place.offset, tick));
    }
    if (observers.delivered) {
        observers.delivered(delivery);
    }
    if (!place.is_external) {
        notify_memory(place.node, tick);
    }
}

void EpiphanyState::write_from_outside(const HostTarget& target, std::span<const std::byte> bytes, Tick tick) {
    std::vector<std::byte> written(bytes.begin(), bytes.end());
    const NodeIndex node = node_of(target);
    const Delivery delivery{TransactionKind::write, 0, kOutside, node, 0, target.offset, written, tick};
    if (observers.tamper) {
        observers.tamper(delivery, written);
    }
    if (target.core && nodes_[node].guest != nullptr) {
        nodes_[node].guest->write(target.offset, written, tick);
    } else if (target.core) {
        write_memory(*target.core, target.offset, written);
    } else {
        write_external(target.offset, written);
    }
    nodes_[node].bytes_delivered += written.size();
    if (observers.delivered) {
        observers.delivered(delivery);
    }
    if (target.core) {
        notify_memory(node, tick);
    }
}

// Results

FloorPlan EpiphanyState::floor_plan() const {
    FloorPlan plan;
    plan.columns = shape_.columns + 1;
    plan.rows = shape_.rows;
    plan.flit_bytes = kDwordBytes;
    const PhysicalCoordinate elink = place_of_node(mesh_.edge_node);
    for (int y = 0; y < shape_.rows; ++y) {
        for (int x = 0; x < shape_.columns; ++x) {
            plan.tiles.push_back({{.x = x, .y = y}, "core", LogicalCoordinate{.x = x, .y = y}});
        }
        if (y == elink.y) {
            plan.tiles.push_back({elink, "eLink", std::nullopt});
        }
    }
    for (const char* name : {"cMesh", "xMesh", "rMesh"}) {
        plan.networks.push_back({name,
                                 {Direction::east, Direction::west, Direction::south, Direction::north},
                                 false,
                                 static_cast<int>(MeshPlane::kNetworkCyclesPerCycle)});
    }
    return plan;
}

PhysicalCoordinate EpiphanyState::place_of_node(NodeIndex node) const {
    if (node >= shape_.num_cores()) {
        return {.x = shape_.columns, .y = (shape_.rows - 1) / 2};
    }
    const LogicalCoordinate core = shape_.core_at(node);
    return {.x = core.x, .y = core.y};
}

std::vector<LinkUse> EpiphanyState::link_use() const {
    std::vector<LinkUse> use;
    const auto add = [&](std::size_t plane, PhysicalCoordinate router, Direction direction, std::uint64_t flits) {
        if (flits != 0) {
            use.push_back({static_cast<int>(plane), router, direction, flits});
        }
    };
    for (std::size_t plane = 0; plane < kNumPlanes; ++plane) {
        const MeshPlane& network = *planes_[plane];
        for (int node = 0; node < shape_.num_cores(); ++node) {
            for (const auto& [port, direction] :
                 {std::pair{kNiuPort, Direction::to_tile}, std::pair{kRightPort, Direction::east},
                  std::pair{kLeftPort, Direction::west}, std::pair{kDownPort, Direction::south},
                  std::pair{kUpPort, Direction::north}}) {
                add(plane, place_of_node(static_cast<NodeIndex>(node)), direction,
                    network.flits_sent(static_cast<NodeIndex>(node), port));
            }
        }
        // Ports beyond the chip's edge: into the rows, and off the chip. The links between rows are not shown.
        for (int node = shape_.num_cores(); node < mesh_.topology.num_nodes; ++node) {
            for (int port = kNiuPort + 1; port < mesh_.topology.num_ports; ++port) {
                const Topology::Link& link = mesh_.topology.link(node, port);
                if (link.exists && link.neighbour < shape_.num_cores()) {
                    add(plane, {.x = shape_.columns, .y = shape_.core_at(link.neighbour).y}, Direction::west,
                        network.flits_sent(static_cast<NodeIndex>(node), port));
                }
            }
        }
        add(plane, place_of_node(mesh_.edge_node), Direction::to_tile, network.flits_sent(mesh_.edge_node, kNiuPort));
    }
    return use;
}

std::vector<LinkUse> EpiphanyState::injection_use() const {
    std::vector<LinkUse> use;
    for (std::size_t plane = 0; plane < kNumPlanes; ++plane) {
        for (int node = 0; node < mesh_.topology.num_nodes; ++node) {
            const std::uint64_t flits = planes_[plane]->flits_injected(static_cast<NodeIndex>(node));
            if (flits != 0) {
                use.push_back({static_cast<int>(plane), place_of_node(static_cast<NodeIndex>(node)),
                               Direction::from_tile, flits});
            }
        }
    }
    return use;
}

std::vector<TileDeliveries> EpiphanyState::deliveries() const {
    std::vector<TileDeliveries> deliveries;
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        if (const std::uint64_t bytes = nodes_[node].bytes_delivered; bytes != 0) {
            deliveries.push_back({place_of_node(static_cast<NodeIndex>(node)), bytes});
        }
    }
    std::ranges::sort(deliveries, {}, [](const TileDeliveries& each) { return std::pair(each.tile.y, each.tile.x); });
    return deliveries;
}

std::uint64_t EpiphanyState::flit_hops() const {
    std::uint64_t sum = 0;
    for (const auto& each : planes_) {
        sum += each->flit_hops();
    }
    return sum;
}

}  // namespace nocbench
