#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "device_model/tenstorrent/grid.h"
#include "device_model/tenstorrent/tile/niu_command.h"
#include "kernels/tensix/dataflow/caller.h"
#include "kernels/tensix/dataflow_api.h"

namespace nocbench::dataflow {

std::uint64_t get_noc_addr(std::uint32_t noc_x, std::uint32_t noc_y, std::uint32_t address, std::uint8_t noc) {
    const Caller caller("get_noc_addr");
    static_cast<void>(caller.noc(noc));
    if (noc_x > kNocCoordinateMask || noc_y > kNocCoordinateMask) {
        caller.fail(
            fmt::format("expected coordinates of at most {}, found ({}, {})", kNocCoordinateMask, noc_x, noc_y));
    }
    caller.risc.spend(caller.cost().address_ticks);
    return noc_address_of({static_cast<int>(noc_x), static_cast<int>(noc_y)}, address);
}

std::uint64_t get_noc_multicast_addr(std::uint32_t noc_x_start, std::uint32_t noc_y_start, std::uint32_t noc_x_end,
                                     std::uint32_t noc_y_end, std::uint32_t address, std::uint8_t noc) {
    const Caller caller("get_noc_multicast_addr");
    const int number = caller.noc(noc);
    if (std::max({noc_x_start, noc_y_start, noc_x_end, noc_y_end}) > kNocCoordinateMask) {
        caller.fail(fmt::format("expected coordinates of at most {}, found ({}, {}) to ({}, {})", kNocCoordinateMask,
                                noc_x_start, noc_y_start, noc_x_end, noc_y_end));
    }
    caller.risc.spend(caller.cost().address_ticks);
    TranslatedCoordinate first{static_cast<int>(noc_x_start), static_cast<int>(noc_y_start)};
    TranslatedCoordinate last{static_cast<int>(noc_x_end), static_cast<int>(noc_y_end)};
    if (number == 1) {
        std::swap(first, last);
    }
    return noc_address_of(first, last, address);
}

std::uint64_t get_noc_addr(std::uint32_t address, std::uint8_t noc) {
    return get_noc_addr(my_x(noc), my_y(noc), address, noc);
}

template <bool is_dram>
std::uint64_t get_noc_addr_from_bank_id(std::uint32_t bank, std::uint32_t offset, std::uint8_t noc) {
    static_assert(is_dram, "L1 banks need the allocator's map of banks to cores");
    const Caller caller("get_noc_addr_from_bank_id");
    const auto number = static_cast<std::size_t>(caller.noc(noc));
    const std::span<const DramBank> banks = caller.state.grid.dram_banks();
    if (bank >= banks.size()) {
        caller.fail(fmt::format("DRAM bank: expected 0 to {}, found {}", banks.size() - 1, bank));
    }
    caller.risc.spend(caller.cost().address_ticks);
    return noc_address_of(caller.state.grid.translated(banks[bank].endpoint[number]),
                          static_cast<std::uint64_t>(banks[bank].offset_bytes) + offset);
}

template std::uint64_t get_noc_addr_from_bank_id<true>(std::uint32_t, std::uint32_t, std::uint8_t);

std::uint32_t pcie_noc_x() {
    const Caller caller("PCIE_NOC_X");
    return static_cast<std::uint32_t>(caller.checked([&] { return host_tile(caller.state); }).x);
}

std::uint32_t pcie_noc_y() {
    const Caller caller("PCIE_NOC_Y");
    return static_cast<std::uint32_t>(caller.checked([&] { return host_tile(caller.state); }).y);
}

std::uint32_t NOC_XY_PCIE_ENCODING(std::uint32_t noc_x, std::uint32_t noc_y) {
    const Caller caller("NOC_XY_PCIE_ENCODING");
    const unsigned first_bit = encoding_bit(caller.state);
    const TranslatedCoordinate tile{.x = static_cast<int>(noc_x), .y = static_cast<int>(noc_y)};
    return static_cast<std::uint32_t>((noc_address_of(tile, 0) | host_bit(caller.state)) >> first_bit);
}

std::uint64_t get_noc_addr_helper(std::uint32_t noc_xy, std::uint32_t address) {
    const Caller caller("get_noc_addr_helper");
    caller.risc.spend(caller.cost().address_ticks);
    return std::uint64_t{noc_xy} << encoding_bit(caller.state) | address;
}

}  // namespace nocbench::dataflow
