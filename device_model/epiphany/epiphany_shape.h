// Cores of an Epiphany board, and addresses known to all of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device_model/sim/coordinate.h"
#include "device_model/sim/ids.h"

namespace nocbench {

/// Cores of a board, numbered row by row.
struct EpiphanyShape {
    int columns = 0;
    int rows = 0;
    int first_core_row = 0;  // in core ids
    int first_core_column = 0;
    std::int64_t clock_hz = 0;

    [[nodiscard]] int num_cores() const { return columns * rows; }
    [[nodiscard]] LogicalCoordinate core_at(int number) const { return {.x = number % columns, .y = number / columns}; }
    [[nodiscard]] int core_number(LogicalCoordinate core) const { return core.y * columns + core.x; }
    [[nodiscard]] bool has_core(LogicalCoordinate core) const {
        return core.x >= 0 && core.x < columns && core.y >= 0 && core.y < rows;
    }
    /// Throws InputError if the board has no such core.
    void require_core(LogicalCoordinate core) const;
    /// Returns the address by which all cores reach `offset` of a core's memory.
    [[nodiscard]] std::uint32_t global_address(LogicalCoordinate core, std::uint32_t offset) const;
    /// Returns the core that the id in a global address names; the board may have no such core.
    [[nodiscard]] LogicalCoordinate named_core(std::uint64_t global_address) const;
    /// Returns the place on the floor plan. The off-chip link, beyond the cores, is at the right edge.
    [[nodiscard]] PhysicalCoordinate place_of_node(NodeIndex node) const;
};

/// Position of the core id in an address.
inline constexpr unsigned kCoreIdShift = 20;

/// Memory-mapped registers, accessible to the core and to others.
/// Source: Epiphany Architecture Reference, memory-mapped registers.
inline constexpr std::uint64_t kRegisterOffset = 0xf0000;
inline constexpr std::uint64_t kInterruptRegister = 0xf042c;  // ILATST: its bits request interrupts
inline constexpr std::uint64_t kDmaRegisterOffset = 0xf0500;
inline constexpr std::uint64_t kDmaRegisterStride = 0x20;  // from channel 0 to channel 1
inline constexpr std::uint64_t kDmaStatusOffset = 0x1c;    // within a channel's registers
inline constexpr std::uint64_t kDmaIdle = 0;               // status value; bits 0 to 3 hold the state
inline constexpr std::uint64_t kDmaActive = 5;
inline constexpr std::size_t kNumDmaChannels = 2;

/// First address of the external memory window. Source: Parallella; facts of the EBSP authors.
inline constexpr std::uint64_t kExternalMemoryAddress = 0x8e000000;

}  // namespace nocbench
