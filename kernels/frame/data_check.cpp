#include "kernels/frame/data_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "device_model/tenstorrent/device_state.h"

namespace nocbench {

std::string first_difference(std::span<const std::byte> found, std::span<const std::byte> expected) {
    if (std::memcmp(found.data(), expected.data(), found.size()) == 0) {
        return {};
    }
    const auto place = std::ranges::mismatch(found, expected);
    return fmt::format("byte {}: expected 0x{:02x}, found 0x{:02x}", place.in1 - found.begin(),
                       std::to_integer<int>(*place.in2), std::to_integer<int>(*place.in1));
}

MemoryPlace l1_place(const Grid& grid, PhysicalCoordinate tile, std::uint64_t address) {
    return {.tile = static_cast<NodeIndex>(grid.node_index(tile)), .address = address};
}

MemoryPlace l1_place(const Grid& grid, LogicalCoordinate core, std::uint64_t address) {
    return l1_place(grid, grid.physical(core), address);
}

MemoryPlace dram_place(const Grid& grid, std::uint32_t bank, int noc, std::uint64_t address) {
    return dram_place(grid, bank, grid.dram_banks()[bank].endpoint[static_cast<std::size_t>(noc)], address);
}

MemoryPlace dram_place(const Grid& grid, std::uint32_t bank, PhysicalCoordinate tile, std::uint64_t address) {
    return {.tile = static_cast<NodeIndex>(grid.node_index(tile)),
            .address = static_cast<std::uint64_t>(grid.dram_banks()[bank].offset_bytes) + address};
}

DataCheck::DataCheck(const Point& point)
    : device_(point.device()),
      point_(point),
      call_size_bytes_(point.call_size_bytes()),
      max_packet_bytes_(static_cast<std::uint64_t>(device_.architecture().router.flit_bytes *
                                                   device_.architecture().router.max_packet_data_flits)),
      packets_per_call_(static_cast<std::size_t>((call_size_bytes_ + max_packet_bytes_ - 1) / max_packet_bytes_)),
      other_observer_(device_.observers().delivered) {
    device_.observers().delivered = [this](const Delivery& delivery) { see(delivery); };
}

DataCheck::~DataCheck() { device_.observers().delivered = std::move(other_observer_); }

DataCheck::Data DataCheck::fill(MemoryPlace place, NodeIndex pattern_of) {
    auto data = std::make_shared<const std::vector<std::byte>>(point_.pattern(call_size_bytes_, pattern_of));
    device_.state().memory(place.tile).write(place.address, *data);
    return data;
}

DataCheck::Tiles DataCheck::tiles(TransactionKind kind, NodeIndex source, NodeIndex destination) {
    return Tiles{static_cast<std::uint8_t>(kind)} << 32 | Tiles{source} << 16 | Tiles{destination};
}

void DataCheck::expect(Copy copy) {
    const auto [place, is_new] = target_of_place_.try_emplace(copy.destination, targets_.size());
    if (is_new) {
        targets_.push_back({copy.destination, std::vector<const ExpectedCopy*>(packets_per_call_)});
    }
    const Tiles key = tiles(copy.kind, copy.source.tile, copy.destination.tile);
    copies_.push_back(std::make_unique<ExpectedCopy>(
        ExpectedCopy{std::move(copy), place->second, std::vector<std::uint64_t>(packets_per_call_), {}}));
    if (!copy_of_tiles_.try_emplace(key, copies_.back().get()).second) {
        throw std::logic_error("two copies of one kind between the same two tiles cannot be told apart");
    }
}

void DataCheck::see(const Delivery& delivery) {
    if (other_observer_) {
        other_observer_(delivery);
    }
    const auto found = copy_of_tiles_.find(tiles(delivery.kind, delivery.source, delivery.destination));
    if (found == copy_of_tiles_.end()) {
        if (stray_.empty()) {
            stray_ = fmt::format("{} bytes {}: expected none", delivery.bytes.size(),
                                 route(delivery.source, delivery.destination));
        }
        return;
    }
    ExpectedCopy& copy = *found->second;
    if (!copy.fault.empty()) {
        return;
    }
    copy.fault = difference(copy, delivery);
    if (copy.fault.empty()) {
        const auto packet =
            static_cast<std::size_t>((delivery.source_address - copy.source.address) / max_packet_bytes_);
        copy.bytes_arrived[packet] += delivery.bytes.size();
        targets_[copy.target].last_writer[packet] = &copy;
    }
}

std::string DataCheck::difference(const ExpectedCopy& copy, const Delivery& delivery) const {
    // Of addresses below the buffer, the difference is huge.
    const std::uint64_t from = delivery.source_address - copy.source.address;
    const std::uint64_t to = delivery.destination_address - copy.destination.address;
    const std::uint64_t size = delivery.bytes.size();
    if (from >= call_size_bytes_ || size > call_size_bytes_ - from || from != to) {
        return fmt::format("{} bytes from 0x{:x} to 0x{:x} {}: expected the part of a buffer from 0x{:x} to 0x{:x}",
                           size, delivery.source_address, delivery.destination_address,
                           route(delivery.source, delivery.destination), copy.source.address, copy.destination.address);
    }
    const std::span<const std::byte> sent =
        std::span(*copy.data).subspan(static_cast<std::size_t>(from), delivery.bytes.size());
    const std::string wrong = first_difference(delivery.bytes, sent);
    if (wrong.empty()) {
        return {};
    }
    const auto packet = static_cast<std::size_t>(from / max_packet_bytes_);
    return fmt::format("transaction {} of {}, packet {} of {} at 0x{:x} {}: {}",
                       copy.bytes_arrived[packet] / packet_bytes(packet) + 1, point_.num_transactions(), packet + 1,
                       packets_per_call_, delivery.destination_address, route(delivery.source, delivery.destination),
                       wrong);
}

std::uint64_t DataCheck::packet_bytes(std::size_t packet) const {
    return std::min(max_packet_bytes_, call_size_bytes_ - packet * max_packet_bytes_);
}

std::string DataCheck::missing(const ExpectedCopy& copy) const {
    for (std::size_t packet = 0; packet < packets_per_call_; ++packet) {
        const std::uint64_t expected = point_.num_transactions() * packet_bytes(packet);
        if (copy.bytes_arrived[packet] != expected) {
            return fmt::format("packet {} of {} {}: expected {} bytes in all transactions, found {}", packet + 1,
                               packets_per_call_, route(copy.source.tile, copy.destination.tile), expected,
                               copy.bytes_arrived[packet]);
        }
    }
    return {};
}

std::string DataCheck::wrong_contents(const Target& target) const {
    std::vector<std::byte> found(static_cast<std::size_t>(call_size_bytes_));
    device_.state().memory(target.place.tile).read(target.place.address, found);
    for (std::size_t packet = 0; packet < packets_per_call_; ++packet) {
        const auto offset = packet * static_cast<std::size_t>(max_packet_bytes_);
        const auto size = static_cast<std::size_t>(packet_bytes(packet));
        const std::string wrong = first_difference(std::span(found).subspan(offset, size),
                                                   std::span(*target.last_writer[packet]->data).subspan(offset, size));
        if (!wrong.empty()) {
            return fmt::format("memory of {} at 0x{:x} in the end: {}", name(target.place.tile),
                               target.place.address + offset, wrong);
        }
    }
    return {};
}

std::string DataCheck::fault(const std::string& kernel) const {
    if (!stray_.empty()) {
        return stray_;
    }
    for (const auto& copy : copies_) {
        if (copy->kernel == kernel && !copy->fault.empty()) {
            return copy->fault;
        }
    }
    std::vector<bool> is_target(targets_.size());
    for (const auto& copy : copies_) {
        if (copy->kernel == kernel) {
            if (std::string text = missing(*copy); !text.empty()) {
                return text;
            }
            is_target[copy->target] = true;
        }
    }
    for (std::size_t target = 0; target < targets_.size(); ++target) {
        if (is_target[target]) {
            if (std::string text = wrong_contents(targets_[target]); !text.empty()) {
                return text;
            }
        }
    }
    return {};
}

std::string DataCheck::name(NodeIndex tile) const {
    const Grid& grid = device_.grid();
    const PhysicalCoordinate place = grid.place_of_node(tile);
    const std::optional<LogicalCoordinate> core = grid.logical(place);
    return core ? fmt::format("core ({}, {})", core->x, core->y)
                : fmt::format("{} tile at ({}, {})", to_string(grid.tile_kind(place)), place.x, place.y);
}

std::string DataCheck::route(NodeIndex source, NodeIndex destination) const {
    return fmt::format("from {} to {}", name(source), name(destination));
}

}  // namespace nocbench
