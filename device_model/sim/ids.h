// Numbers by which the parts of a device know each other.
#pragma once

#include <cstdint>

namespace nocbench {

/// A tile, among those of a device; row by row.
using NodeIndex = std::uint16_t;

/// The node of a processor that is on no tile: it acts on the machine from outside, as a host does.
inline constexpr NodeIndex kOutside = 0xffff;

/// A transaction, as long as it lasts: all that one command or access causes.
using TransactionId = std::uint32_t;
inline constexpr TransactionId kNoTransaction = ~TransactionId{0};

enum class TransactionKind : std::uint8_t { read, write, atomic_increment };

}  // namespace nocbench
