#include "device_model/epiphany/epiphany_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "device_model/sim/error.h"

namespace nocbench {

namespace {

constexpr unsigned kCoreIdShift = 20;
constexpr unsigned kRowShift = 26;
constexpr std::uint64_t kOffsetMask = (1U << kCoreIdShift) - 1;
constexpr int kColumnMask = 0x3f;

constexpr unsigned kActionShift = 28;
constexpr std::uint32_t kSubjectMask = (1U << kActionShift) - 1;

bool is_size(std::size_t size) { return size == 1 || size == 2 || size == 4 || size == kDwordBytes; }

}  // namespace

EpiphanyDevice::EpiphanyDevice(const EpiphanyConstants& constants, const EpiphanyShape& shape)
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

EpiphanyDevice::~EpiphanyDevice() = default;

std::uint32_t EpiphanyDevice::global_address(LogicalCoordinate core, std::uint32_t offset) const {
    require_core(core);
    return static_cast<std::uint32_t>(shape_.first_core_row + core.y) << kRowShift |
           static_cast<std::uint32_t>(shape_.first_core_column + core.x) << kCoreIdShift | offset;
}

int EpiphanyDevice::hops(LogicalCoordinate from, LogicalCoordinate to) {
    return std::abs(from.x - to.x) + std::abs(from.y - to.y);
}

void EpiphanyDevice::require_core(LogicalCoordinate core) const {
    if (core.x < 0 || core.x >= shape_.columns || core.y < 0 || core.y >= shape_.rows) {
        throw InputError(fmt::format("core ({}, {}): expected x from 0 to {} and y from 0 to {}", core.x, core.y,
                                     shape_.columns - 1, shape_.rows - 1));
    }
}

void EpiphanyDevice::write_memory(LogicalCoordinate core, std::uint64_t offset, std::span<const std::byte> bytes) {
    require_range(core, offset, bytes.size());
    nodes_[static_cast<std::size_t>(core_number(core))].memory.write(offset, bytes);
}

std::vector<std::byte> EpiphanyDevice::read_memory(LogicalCoordinate core, std::uint64_t offset,
                                                   std::size_t size) const {
    require_range(core, offset, size);
    std::vector<std::byte> bytes(size);
    nodes_[static_cast<std::size_t>(core_number(core))].memory.read(offset, bytes);
    return bytes;
}

void EpiphanyDevice::require_range(LogicalCoordinate core, std::uint64_t offset, std::size_t size) const {
    require_core(core);
    require_within(fmt::format("memory of core ({}, {})", core.x, core.y), constants_.core.memory_bytes, offset, size);
}

void EpiphanyDevice::write_external(std::uint64_t offset, std::span<const std::byte> bytes) {
    require_within("external memory", constants_.elink.external_memory_bytes, offset, bytes.size());
    external_.write(offset, bytes);
}

std::vector<std::byte> EpiphanyDevice::read_external(std::uint64_t offset, std::size_t size) const {
    require_within("external memory", constants_.elink.external_memory_bytes, offset, size);
    std::vector<std::byte> bytes(size);
    external_.read(offset, bytes);
    return bytes;
}

void EpiphanyDevice::add_kernel(LogicalCoordinate core, const std::string& name, std::function<void()> kernel,
                                Tick start) {
    try {
        require_core(core);
    } catch (const InputError& error) {
        throw InputError(fmt::format("kernel '{}': {}", name, error.what()));
    }
    const auto number = static_cast<std::size_t>(core_number(core));
    if (nodes_[number].core >= 0) {
        throw InputError(fmt::format("kernel '{}': core ({}, {}) already runs kernel '{}'", name, core.x, core.y,
                                     core_of(nodes_[number]).identity().kernel));
    }
    nodes_[number].core = static_cast<int>(cores_.size());
    Processor::Identity identity;
    identity.index = static_cast<std::uint32_t>(cores_.size());
    identity.node = static_cast<NodeIndex>(number);
    identity.core = core;
    identity.physical = {.x = core.x, .y = core.y};
    identity.processor = Processor::kOnlyProcessor;
    identity.kernel = name;
    cores_.push_back(std::make_unique<EpiphanyCore>(*this, *this, std::move(identity), std::move(kernel), start));
}

// Time

void EpiphanyDevice::push_event(Tick tick, EventKind kind, NodeIndex index, Action action, std::uint32_t subject) {
    events.push({tick, index, kind, static_cast<std::uint32_t>(action) << kActionShift | subject});
}

void EpiphanyDevice::handle_events() {
    while (!events.empty() && events.top().tick < window_end) {
        const Event event = events.top();
        events.pop();
        if (event.kind == EventKind::resume_processor) {
            cores_[event.subject]->run();
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

void EpiphanyDevice::run(Cycle cycles_max) {
    last_tick = ticks_from_cycles(cycles_max);
    // Cycle by cycle of the networks, as far as anything happens: first what happens outside of them, then they.
    while (true) {
        Cycle cycle = kNever;
        if (!events.empty()) {
            cycle = std::max(events.top().tick, window_end) / MeshPlane::kTicksPerNetworkCycle;
        }
        for (const auto& each : planes_) {
            cycle = std::min(cycle, each->next_cycle());
        }
        if (cycle == kNever) {
            break;
        }
        const Tick start = cycle * MeshPlane::kTicksPerNetworkCycle;
        if (start > last_tick) {
            throw KernelError(
                fmt::format("the program still runs after {} cycles{}", cycles_max, describe_unfinished(cores_)));
        }
        window_end = start + MeshPlane::kTicksPerNetworkCycle;
        for (const auto& each : planes_) {
            each->begin_cycle(cycle);
        }
        handle_events();
        for (const auto& each : planes_) {
            each->run_cycle();
        }
        elapsed_cycles_ = cycle_at_or_after(window_end);
    }
    if (!std::ranges::all_of(cores_, [](const auto& core) { return core->is_finished(); })) {
        throw KernelError(fmt::format("deadlock: nothing moves any more after cycle {}{}", elapsed_cycles_,
                                      describe_unfinished(cores_)));
    }
    for (const auto& core : cores_) {
        elapsed_cycles_ = std::max(elapsed_cycles_, cycle_at_or_after(core->now()));
    }
}

// Addresses and memory

std::string EpiphanyDevice::caller(NodeIndex index, std::string_view call) const {
    const int core = nodes_[index].core;
    return fmt::format("{}: {}", core >= 0 ? cores_[static_cast<std::size_t>(core)]->name() : "a core", call);
}

EpiphanyDevice::Place EpiphanyDevice::place_of(NodeIndex index, std::uint64_t address, std::size_t size,
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
        owner = static_cast<NodeIndex>(core_number({.x = column, .y = row}));
    }
    const auto memory_bytes = static_cast<std::uint64_t>(constants_.core.memory_bytes);
    if (offset + size > memory_bytes && offset < kRegisterOffset) {
        throw KernelError(
            fmt::format("{}: expected {} bytes within the core's memory, 0x0 to 0x{:x}, found them at 0x{:x}",
                        caller(index, call), size, memory_bytes - 1, offset));
    }
    return {false, owner, offset};
}

Tick EpiphanyDevice::take_bank(NodeIndex index, std::uint64_t offset, Tick tick) {
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

std::uint64_t EpiphanyDevice::read_word(const Place& place, std::size_t size) const {
    if (!place.is_external && place.offset >= kRegisterOffset) {
        for (std::size_t channel = 0; channel < kNumDmaChannels; ++channel) {
            if (place.offset == kDmaRegisterOffset + channel * kDmaRegisterStride + kDmaStatusOffset) {
                return nodes_[place.node].dma[channel].is_active ? kDmaActive : kDmaIdle;
            }
        }
        return 0;
    }
    std::array<std::byte, kDwordBytes> bytes{};
    const Memory& memory = place.is_external ? external_ : nodes_[place.node].memory;
    memory.read(place.offset, std::span(bytes).first(size));
    return std::bit_cast<std::uint64_t>(bytes);
}

void EpiphanyDevice::deliver(TransactionKind kind, NodeIndex source, const Place& place, std::size_t size,
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
        node.memory.write(place.offset, data);
        node.bytes_delivered += size;
        // What comes in over the mesh goes first.
        static_cast<void>(take_bank(place.node, place.offset, tick));
    }
    if (observers.delivered) {
        observers.delivered(delivery);
    }
    if (!place.is_external) {
        notify_memory(place.node, tick);
    }
}

// What came out

std::vector<TileDeliveries> EpiphanyDevice::deliveries() const {
    std::vector<TileDeliveries> deliveries;
    for (int number = 0; number < num_cores(); ++number) {
        const std::uint64_t bytes = nodes_[static_cast<std::size_t>(number)].bytes_delivered;
        if (bytes != 0) {
            deliveries.push_back({{.x = core_at(number).x, .y = core_at(number).y}, bytes});
        }
    }
    return deliveries;
}

std::uint64_t EpiphanyDevice::flit_hops() const {
    std::uint64_t sum = 0;
    for (const auto& each : planes_) {
        sum += each->flit_hops();
    }
    return sum;
}

}  // namespace nocbench
