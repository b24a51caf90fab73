#include "device_model/tenstorrent/tile/niu_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "device_model/noc/topology.h"
#include "device_model/sim/error.h"
#include "device_model/sim/narrow.h"
#include "device_model/tenstorrent/checks/bounds_check.h"
#include "device_model/tenstorrent/checks/race_check.h"
#include "device_model/tenstorrent/checks/sync_check.h"
#include "device_model/tenstorrent/niu/network_interfaces.h"
#include "device_model/tenstorrent/risc.h"

namespace nocbench {

namespace {

constexpr std::string_view kHops = "hops between tiles";

/// Returns the live Tensix tile at a corner of a multicast's rectangle.
PhysicalCoordinate corner(const Grid& grid, const char* which, TranslatedCoordinate corner) {
    try {
        const PhysicalCoordinate place = grid.physical(corner);
        grid.require_live_tensix(place);
        return place;
    } catch (const InputError& error) {
        throw InputError(
            fmt::format("{} corner ({}, {}) of the rectangle: {}", which, corner.x, corner.y, error.what()));
    }
}

MulticastRectangle rectangle_of(const Grid& grid, int noc, std::uint64_t noc_address) {
    const TranslatedCoordinate last = noc_address_coordinates(noc_address, kNocAddressBits);
    const TranslatedCoordinate first = noc_address_coordinates(noc_address, kNocFirstCornerBit);
    const NocCoordinate end = grid.noc_coordinate(noc, corner(grid, "last", last));
    const MulticastRectangle rectangle{grid.noc_coordinate(noc, corner(grid, "first", first)), end};
    if (grid.is_mesh() && (rectangle.first.x > end.x || rectangle.first.y > end.y)) {
        throw InputError(
            fmt::format("rectangle ({}, {}) to ({}, {}): expected a first corner that is not beyond the "
                        "last one, since links of a mesh do not run over its edge",
                        first.x, first.y, last.x, last.y));
    }
    return rectangle;
}

/// A DRAM tile can hold several banks, one after the other.
std::uint64_t dram_bytes(const DeviceState& state, NodeIndex node) {
    std::int64_t bytes = 0;
    for (const DramBank& bank : state.grid.dram_banks()) {
        const auto endpoint = static_cast<std::size_t>(state.grid.node_index(bank.endpoint.front()));
        if (state.dram_group_of_node[endpoint] == state.dram_group_of_node[node]) {
            bytes = std::max(bytes, bank.offset_bytes + state.architecture.dram.bank_size_bytes);
        }
    }
    return static_cast<std::uint64_t>(bytes);
}

std::uint64_t memory_bytes(const DeviceState& state, const CommandTarget& target) {
    switch (target.memory) {
        case MemoryKind::l1:
            return static_cast<std::uint64_t>(state.architecture.l1.size_bytes);
        case MemoryKind::dram:
            return dram_bytes(state, target.node);
        case MemoryKind::host:
            return static_cast<std::uint64_t>(state.architecture.pcie.host_memory_bytes);
    }
    return 0;
}

}  // namespace

TranslatedCoordinate host_tile(const DeviceState& state) {
    const std::optional<PhysicalCoordinate> tile = state.grid.host_tile();
    if (!tile) {
        throw InputError(
            fmt::format("memory of the host: expected a PCIe tile on {}, found none", state.architecture.name));
    }
    return state.grid.translated(*tile);
}

std::uint64_t host_bit(const DeviceState& state) {
    return std::uint64_t{1} << state.architecture.pcie.host_address_bit;
}

unsigned encoding_bit(const DeviceState& state) {
    constexpr unsigned kUpperWordBit = 32;
    return state.architecture.pcie.host_address_bit < kNocAddressBits ? kUpperWordBit : kNocAddressBits;
}

std::uint64_t noc_address_of(TranslatedCoordinate tile, std::uint64_t address) {
    return static_cast<std::uint64_t>(tile.y) << (kNocAddressBits + kNocCoordinateBits) |
           static_cast<std::uint64_t>(tile.x) << kNocAddressBits | address;
}

std::uint64_t noc_address_of(TranslatedCoordinate first, TranslatedCoordinate last, std::uint64_t address) {
    return noc_address_of(first, 0) << (2 * kNocCoordinateBits) | noc_address_of(last, address);
}

TranslatedCoordinate noc_address_coordinates(std::uint64_t noc_address, unsigned bit) {
    return {static_cast<int>(noc_address >> bit & kNocCoordinateMask),
            static_cast<int>(noc_address >> (bit + kNocCoordinateBits) & kNocCoordinateMask)};
}

CommandTarget unicast_target(const DeviceState& state, std::uint64_t noc_address) {
    const auto [x, y] = noc_address_coordinates(noc_address, kNocAddressBits);
    const Grid& grid = state.grid;
    CommandTarget target;
    target.address = noc_address & kNocAddressMask;
    target.place = grid.physical(TranslatedCoordinate{x, y});
    target.node = static_cast<NodeIndex>(grid.node_index(target.place));
    target.memory = state.memory_kind_of_node[target.node];
    if (target.memory == MemoryKind::host) {
        if ((noc_address & host_bit(state)) == 0) {
            throw InputError(
                fmt::format("NoC address of the PCIe tile ({}, {}): expected bit {} set, as NOC_XY_PCIE_ENCODING sets "
                            "it, found 0x{:x}",
                            x, y, state.architecture.pcie.host_address_bit, noc_address));
        }
        target.address &= ~host_bit(state);
    }
    if (target.memory == MemoryKind::l1) {
        try {
            grid.require_live_tensix(target.place);
        } catch (const InputError& error) {
            // Names both coordinates: kernels use translated ones, the grid physical ones.
            const bool same = target.place == PhysicalCoordinate{x, y};
            throw InputError(same ? error.what() : fmt::format("NoC address of tile ({}, {}): {}", x, y, error.what()));
        }
    }
    return target;
}

std::string rectangle_name(const DeviceState& state, int noc, std::uint64_t noc_address) {
    const TranslatedCoordinate last = noc_address_coordinates(noc_address, kNocAddressBits);
    const TranslatedCoordinate first = noc_address_coordinates(noc_address, kNocFirstCornerBit);
    const MulticastRectangle rectangle = rectangle_of(state.grid, noc, noc_address);
    const bool over_edge = rectangle.first.x > rectangle.last.x || rectangle.first.y > rectangle.last.y;
    return fmt::format("rectangle ({}, {}) to ({}, {}) on NoC {}{}", first.x, first.y, last.x, last.y, noc,
                       over_edge ? ", which runs over the edge of the grid" : "");
}

CommandTarget multicast_target(DeviceState& state, NodeIndex source, int noc, std::uint64_t noc_address,
                               bool includes_source, bool linked) {
    const Grid& grid = state.grid;
    const MulticastRectangle rectangle = rectangle_of(grid, noc, noc_address);
    CommandTarget target;
    target.place = grid.physical(noc_address_coordinates(noc_address, kNocAddressBits));
    target.node = static_cast<NodeIndex>(grid.node_index(target.place));
    target.address = noc_address & kNocAddressMask;
    MulticastTrees& trees = state.interfaces[static_cast<std::size_t>(noc)]->multicast_trees();
    target.tree = trees.find(source, rectangle, includes_source);
    target.linked = linked;
    const std::vector<NodeIndex>& receivers = trees[target.tree].receivers;
    target.num_receivers = narrow<std::uint16_t>(receivers.size(), "receivers of a multicast");
    if (receivers.empty() || (receivers.size() == 1 && receivers.front() == source)) {
        throw InputError(fmt::format("{}: expected a tile other than the source to send to, found none",
                                     rectangle_name(state, noc, noc_address)));
    }
    return target;
}

bool reaches(const DeviceState& state, int noc, const CommandTarget& target, NodeIndex node) {
    const MulticastTrees& trees = state.interfaces[static_cast<std::size_t>(noc)]->multicast_trees();
    return std::ranges::binary_search(trees[target.tree].receivers, node);
}

void require_target_range(const DeviceState& state, std::string_view what, const CommandTarget& target,
                          std::uint64_t bytes) {
    const std::uint64_t end = memory_bytes(state, target);
    if (target.address > end || bytes > end - target.address) {
        throw InputError(fmt::format("{}: expected a range within 0x0 to 0x{:x} of {}, found 0x{:x} to 0x{:x}", what,
                                     end, to_string(target.memory), target.address, target.address + bytes));
    }
}

void require_alignment(const DeviceState& state, const NiuCommand& command) {
    const bool is_read = command.kind == TransactionKind::read;
    const MemoryEndpoint& endpoint = state.endpoint(command.target.memory);
    const std::int64_t alignment = is_read ? endpoint.read_alignment_bytes : endpoint.write_alignment_bytes;
    const auto modulus = static_cast<std::uint64_t>(alignment);
    if ((command.own_address ^ command.target.address) % modulus != 0) {
        throw InputError(fmt::format("{} 0x{:x} and {} 0x{:x}: expected the same remainder modulo {}, found {} and {}",
                                     is_read ? "destination" : "source", command.own_address,
                                     is_read ? "source" : "destination", command.target.address, alignment,
                                     command.own_address % modulus, command.target.address % modulus));
    }
}

void require_virtual_channel(const DeviceState& state, const NiuCommand& command) {
    const RouterConstants& router = state.architecture.router;
    const bool is_multicast = command.target.tree != kNoTree;
    const std::int64_t first = is_multicast ? router.first_broadcast_virtual_channel : 0;
    const std::int64_t last =
        (is_multicast ? router.first_response_virtual_channel : router.first_broadcast_virtual_channel) - 1;
    if (command.virtual_channel < first || command.virtual_channel > last) {
        throw InputError(fmt::format("virtual channel of a {}: expected {} to {}, found {}",
                                     is_multicast ? "multicast" : "unicast request", first, last,
                                     command.virtual_channel));
    }
}

void keep_chain(Risc& risc, const NiuCommand& command) {
    const Processor::Identity& identity = risc.identity();
    Initiator& initiator = risc.state().interfaces[static_cast<std::size_t>(command.noc)]->initiator(identity.node);
    const CommandTarget& target = command.target;
    const OpenChain& chain = initiator.open_chain();
    if (chain.tree != kNoTree &&
        (target.tree != chain.tree || command.virtual_channel != chain.software_virtual_channel)) {
        throw InputError(
            fmt::format("a chain of linked multicasts is open on NoC {}: expected its next call, to the same tiles on "
                        "virtual channel {}, found {}",
                        command.noc, chain.software_virtual_channel,
                        target.tree == kNoTree      ? "no multicast"
                        : target.tree != chain.tree ? "other tiles"
                                                    : fmt::format("virtual channel {}", command.virtual_channel)));
    }
    if (target.tree != kNoTree) {
        initiator.set_open_chain(target.linked ? OpenChain{target.tree, command.virtual_channel, identity.index}
                                               : OpenChain{});
    }
}

void submit_command(Risc& risc, const NiuCommand& command) {
    DeviceState& state = risc.state();
    const CommandTarget& target = command.target;
    const TransactionId id = state.transactions.allocate();
    Transaction& transaction = state.transactions[id];
    transaction.kind = command.kind;
    transaction.posted = command.posted;
    transaction.software_virtual_channel = command.virtual_channel;
    transaction.is_dynamic = command.is_dynamic;
    transaction.command_buffer = command.buffer;
    transaction.noc = static_cast<std::uint8_t>(command.noc);
    transaction.requestor = risc.identity().node;
    transaction.issuer = risc.identity().index;
    transaction.issued_from = risc.program_counter();
    transaction.responder = target.node;
    transaction.memory = target.memory;
    transaction.bytes = command.bytes;
    transaction.requestor_address = command.own_address;
    transaction.responder_address = target.address;
    transaction.operand = command.operand;
    transaction.id = command.id;
    transaction.has_inline_data = command.has_inline_data;
    transaction.names_tile = command.names_tile;
    transaction.tree = target.tree;
    transaction.linked = target.linked;
    transaction.num_receivers = target.num_receivers;
    transaction.receivers_missing = target.num_receivers;
    transaction.ejections_missing = target.num_receivers;
    const auto flit_bytes = static_cast<std::uint32_t>(state.architecture.router.flit_bytes);
    transaction.data_flits = narrow<std::uint16_t>((command.bytes + flit_bytes - 1) / flit_bytes, "flits of a packet");
    transaction.request_hops =
        narrow<std::uint16_t>(state.grid.hops(command.noc, risc.identity().physical, target.place), kHops);
    transaction.response_hops =
        narrow<std::uint16_t>(state.grid.hops(command.noc, target.place, risc.identity().physical), kHops);
    risc.count_command(command.bytes);
    if (state.race_check) {
        state.race_check->began(risc, transaction);
    }
    if (state.sync_check) {
        state.sync_check->began(risc, transaction);
    }
    if (state.bounds_check) {
        state.bounds_check->began(risc, transaction);
    }
    state.interfaces[static_cast<std::size_t>(command.noc)]->initiator(transaction.requestor).submit(id, risc.now());
}

}  // namespace nocbench
