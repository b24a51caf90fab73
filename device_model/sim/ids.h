// Identifiers of a device's parts.
#pragma once

#include <cstdint>

namespace nocbench {

/// A tile of a device, numbered row by row.
using NodeIndex = std::uint16_t;

/// Node of a processor that is on no tile: a host, for example.
inline constexpr NodeIndex kOutside = 0xffff;

/// Most virtual channels of a link.
inline constexpr int kVirtualChannelsMax = 16;

/// A transaction during its lifetime: all effects of one command or access.
using TransactionId = std::uint32_t;
inline constexpr TransactionId kNoTransaction = ~TransactionId{0};

enum class TransactionKind : std::uint8_t { read, write, atomic_increment };

}  // namespace nocbench
