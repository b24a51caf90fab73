// Numbers by which the parts of a device know each other.
#pragma once

#include <cstdint>

namespace nocbench {

/// A tile, among those of a device; row by row.
using NodeIndex = std::uint16_t;

/// Of what acts on a machine from outside, as a host does: it is on no tile.
inline constexpr NodeIndex kOutside = 0xffff;

/// What one command or access causes, as long as it lasts.
using TransactionId = std::uint32_t;
inline constexpr TransactionId kNoTransaction = ~TransactionId{0};

enum class TransactionKind : std::uint8_t { read, write, atomic_increment };

}  // namespace nocbench
