#include "kernels/frame/data_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "device_model/tenstorrent/device_state.h"
#include "kernels/tensix/program.h"

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

MemoryPlace host_place(const Device& device, std::uint64_t address, std::size_t size) {
    return {.tile = device.require_host_range(address, size), .address = address};
}

DataCheck::DataCheck(const Point& point)
    : device_(point.device()),
      point_(point),
      max_packet_bytes_(static_cast<std::uint64_t>(device_.architecture().router.flit_bytes *
                                                   device_.architecture().router.max_packet_data_flits)),
      other_observer_(device_.observers().delivered) {
    device_.observers().delivered = [this](const Delivery& delivery) { see(delivery); };
}

DataCheck::~DataCheck() { device_.observers().delivered = std::move(other_observer_); }

DataCheck::Data DataCheck::fill(MemoryPlace place, NodeIndex pattern_of) {
    return fill(place, pattern_of, point_.call_size_bytes());
}

DataCheck::Data DataCheck::fill(MemoryPlace place, NodeIndex pattern_of, std::size_t size) {
    auto data = std::make_shared<const std::vector<std::byte>>(point_.pattern(size, pattern_of));
    device_.write(place.tile, place.address, *data);
    return data;
}

DataCheck::Tiles DataCheck::tiles(TransactionKind kind, NodeIndex source, NodeIndex destination) {
    return Tiles{static_cast<std::uint8_t>(kind)} << 32 | Tiles{source} << 16 | Tiles{destination};
}

std::size_t DataCheck::num_packets(std::size_t bytes) const {
    return static_cast<std::size_t>((bytes + max_packet_bytes_ - 1) / max_packet_bytes_);
}

std::uint64_t DataCheck::packet_bytes(std::size_t packet, std::size_t bytes) const {
    return std::min(max_packet_bytes_, bytes - packet * max_packet_bytes_);
}

void DataCheck::expect(const Copy& copy) {
    const std::size_t size = copy.data->size();
    const auto [place, is_new_place] = target_of_place_.try_emplace(copy.destination, targets_.size());
    if (is_new_place) {
        targets_.push_back({copy.destination, {}});
    }
    Target& target = targets_[place->second];
    target.arrivals.resize(std::max(target.arrivals.size(), num_packets(size)));

    auto& at_same_distance = copies_of_tiles_[tiles(copy.kind, copy.source.tile, copy.destination.tile)]
                                             [copy.destination.address - copy.source.address];
    const auto [found, is_new] = at_same_distance.try_emplace(copy.source.address, nullptr);
    if (is_new) {
        copies_.push_back(std::make_unique<ExpectedCopy>(ExpectedCopy{copy, place->second, {}, {}, {}}));
        found->second = copies_.back().get();
    }
    ExpectedCopy& expected = *found->second;
    const bool begins_differently =
        copy.data != expected.data &&
        !std::ranges::equal(std::span(*copy.data).first(std::min(size, expected.data->size())),
                            std::span(*expected.data).first(std::min(size, expected.data->size())));
    if (size > expected.data->size()) {
        expected.data = copy.data;
    }
    const auto next = std::next(found);
    const bool overlaps = (next != at_same_distance.end() && next->first - copy.source.address < size) ||
                          (found != at_same_distance.begin() &&
                           copy.source.address - std::prev(found)->first < std::prev(found)->second->data->size());
    if (expected.kernel != copy.kernel || begins_differently || overlaps) {
        throw std::logic_error("two copies of one kind between the same two tiles cannot be told apart");
    }
    const std::uint64_t times = copy.times == kOncePerTransaction ? point_.num_transactions() : copy.times;
    expected.bytes_expected.resize(num_packets(expected.data->size()));
    expected.bytes_arrived.resize(expected.bytes_expected.size());
    for (std::size_t packet = 0; packet < num_packets(size); ++packet) {
        expected.bytes_expected[packet] += times * packet_bytes(packet, size);
    }
}

DataCheck::ExpectedCopy& DataCheck::copy_of(const CopiesOfTiles& copies, const Delivery& delivery) {
    const auto at_same_distance = copies.find(delivery.destination_address - delivery.source_address);
    const auto& candidates = at_same_distance == copies.end() ? copies.begin()->second : at_same_distance->second;
    const auto next = candidates.upper_bound(delivery.source_address);
    return *(next == candidates.begin() ? next : std::prev(next))->second;
}

bool DataCheck::expects(const CopiesOfTiles& copies, const Delivery& delivery) {
    if (!copies.contains(delivery.destination_address - delivery.source_address)) {
        return false;
    }
    const ExpectedCopy& copy = copy_of(copies, delivery);
    // Addresses below the buffer wrap to huge differences.
    return delivery.source_address - copy.source.address < copy.data->size();
}

void DataCheck::see(const Delivery& delivery) {
    if (other_observer_) {
        other_observer_(delivery);
    }
    const auto found = copies_of_tiles_.find(tiles(delivery.kind, delivery.source, delivery.destination));
    if (is_for_semaphore(delivery) && (found == copies_of_tiles_.end() || !expects(found->second, delivery))) {
        return;
    }
    if (found == copies_of_tiles_.end()) {
        if (stray_.empty()) {
            stray_ = fmt::format("{} bytes {}: expected none", delivery.bytes.size(),
                                 route(delivery.source, delivery.destination));
        }
        return;
    }
    ExpectedCopy& copy = copy_of(found->second, delivery);
    if (!copy.fault.empty()) {
        return;
    }
    copy.fault = difference(copy, delivery);
    if (copy.fault.empty()) {
        const auto begin = static_cast<std::size_t>(delivery.source_address - copy.source.address);
        const auto packet = begin / static_cast<std::size_t>(max_packet_bytes_);
        copy.bytes_arrived[packet] += delivery.bytes.size();
        LastArrival& last = targets_[copy.target].arrivals[packet];
        const std::size_t end = begin + delivery.bytes.size();
        // Merges parts of a packet that arrive in sequence.
        last = last.copy != &copy ? LastArrival{&copy, begin, end}
                                  : LastArrival{&copy, std::min(last.begin, begin), std::max(last.end, end)};
    }
}

bool DataCheck::is_for_semaphore(const Delivery& delivery) const {
    const Grid& grid = device_.grid();
    return delivery.destination_address >= semaphore_address(device_.architecture(), 0) &&
           delivery.destination_address < static_cast<std::uint64_t>(device_.architecture().l1.reserved_bytes) &&
           grid.tile_kind(grid.place_of_node(delivery.destination)) == TileKind::tensix;
}

std::string DataCheck::difference(const ExpectedCopy& copy, const Delivery& delivery) const {
    // Addresses below the buffer wrap to huge differences.
    const std::uint64_t from = delivery.source_address - copy.source.address;
    const std::uint64_t to = delivery.destination_address - copy.destination.address;
    const std::uint64_t size = delivery.bytes.size();
    if (from >= copy.data->size() || size > copy.data->size() - from || from != to) {
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
    const std::uint64_t bytes = packet_bytes(packet, copy.data->size());
    return fmt::format("transaction {} of {}, packet {} of {} at 0x{:x} {}: {}", copy.bytes_arrived[packet] / bytes + 1,
                       copy.bytes_expected[packet] / bytes, packet + 1, copy.bytes_expected.size(),
                       delivery.destination_address, route(delivery.source, delivery.destination), wrong);
}

std::string DataCheck::missing(const ExpectedCopy& copy) const {
    for (std::size_t packet = 0; packet < copy.bytes_expected.size(); ++packet) {
        if (copy.bytes_arrived[packet] != copy.bytes_expected[packet]) {
            return fmt::format("packet {} of {} {}: expected {} bytes in all transactions, found {}", packet + 1,
                               copy.bytes_expected.size(), route(copy.source.tile, copy.destination.tile),
                               copy.bytes_expected[packet], copy.bytes_arrived[packet]);
        }
    }
    return {};
}

std::string DataCheck::wrong_contents(const Target& target) const {
    for (const LastArrival& last : target.arrivals) {
        if (last.copy == nullptr) {
            continue;  // part of a longer copy by another kernel, which reports missing data
        }
        std::vector<std::byte> found(last.end - last.begin);
        const std::uint64_t address = target.place.address + last.begin;
        device_.state().memory(target.place.tile).read(address, found);
        const std::string wrong =
            first_difference(found, std::span(*last.copy->data).subspan(last.begin, found.size()));
        if (!wrong.empty()) {
            return fmt::format("memory of {} at 0x{:x} in the end: {}", name(target.place.tile), address, wrong);
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
