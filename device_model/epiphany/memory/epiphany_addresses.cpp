#include "device_model/epiphany/memory/epiphany_addresses.h"

#include <fmt/format.h>

#include "device_model/sim/error.h"
#include "device_model/sim/memory.h"

namespace nocbench {

namespace {

constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kCoreIdShift) - 1;

bool is_size(std::size_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

}  // namespace

EpiphanyPlace EpiphanyAddresses::place_of(NodeIndex node, std::uint64_t address, std::size_t size,
                                          std::string_view call) const {
    if (!is_size(size)) {
        throw KernelError(fmt::format("{}: expected 1, 2, 4 or 8 bytes, found {}", cores_.caller(node, call), size));
    }
    if (address % size != 0) {
        throw KernelError(
            fmt::format("{}: expected an address that is a multiple of the {} bytes accessed, found 0x{:08x}",
                        cores_.caller(node, call), size, address));
    }
    const auto external_bytes = static_cast<std::uint64_t>(constants_.elink.external_memory_bytes);
    if (address >= kExternalMemoryAddress && address - kExternalMemoryAddress < external_bytes) {
        return {true, edge_node_, address - kExternalMemoryAddress};
    }
    NodeIndex owner = node;
    if (address >> kCoreIdShift != 0) {
        const LogicalCoordinate core = shape_.named_core(address);
        if (!shape_.has_core(core)) {
            throw KernelError(fmt::format(
                "{}: address 0x{:08x} belongs to no core and to no external memory: expected a core of rows {} to {} "
                "and columns {} to {}, or 0x{:08x} to 0x{:08x}, found row {} and column {}",
                cores_.caller(node, call), address, shape_.first_core_row, shape_.first_core_row + shape_.rows - 1,
                shape_.first_core_column, shape_.first_core_column + shape_.columns - 1, kExternalMemoryAddress,
                kExternalMemoryAddress + external_bytes - 1, core.y + shape_.first_core_row,
                core.x + shape_.first_core_column));
        }
        owner = static_cast<NodeIndex>(shape_.core_number(core));
    }
    const std::uint64_t offset = address & kOffsetMask;
    const auto memory_bytes = static_cast<std::uint64_t>(constants_.core.memory_bytes);
    if (offset + size > memory_bytes && offset < kRegisterOffset) {
        throw KernelError(
            fmt::format("{}: expected {} bytes within the core's memory, 0x0 to 0x{:x}, found them at 0x{:x}",
                        cores_.caller(node, call), size, memory_bytes - 1, offset));
    }
    return {false, owner, offset};
}

EpiphanyPlace EpiphanyAddresses::writable_place_of(NodeIndex node, std::uint64_t address, std::size_t size,
                                                   std::string_view call) const {
    const EpiphanyPlace place = place_of(node, address, size, call);
    if (place.is_register() && place.offset != kInterruptRegister) {
        throw KernelError(
            fmt::format("{}: expected a writable register, found 0x{:05x}", cores_.caller(node, call), place.offset));
    }
    return place;
}

EpiphanyPlace EpiphanyAddresses::core_memory_at(NodeIndex node, std::uint64_t address, std::size_t bytes) const {
    const EpiphanyPlace place = place_of(node, address, 1, "memory");
    const auto memory_bytes = static_cast<std::uint64_t>(constants_.core.memory_bytes);
    if (place.is_external || place.offset > memory_bytes || memory_bytes - place.offset < bytes) {
        throw KernelError(fmt::format("expected {} bytes in the memory of a core, found 0x{:x}", bytes, address));
    }
    return place;
}

EpiphanyPlace EpiphanyAddresses::place_of(const HostTarget& target, std::size_t bytes) const {
    if (!target.core) {
        require_within("external memory", constants_.elink.external_memory_bytes, target.offset, bytes);
        return {true, edge_node_, target.offset};
    }
    const LogicalCoordinate core = *target.core;
    shape_.require_core(core);
    require_within(fmt::format("memory of core ({}, {})", core.x, core.y), constants_.core.memory_bytes, target.offset,
                   bytes);
    return {false, static_cast<NodeIndex>(shape_.core_number(core)), target.offset};
}

}  // namespace nocbench
