// Peak memory of the process, as counted by Linux.
#pragma once

#include <cstdint>
#include <optional>

namespace nocbench {

/// Resets peak_memory_bytes() to the current memory, if the system supports that.
void forget_peak_memory();

/// Returns the peak memory, or nothing if the system does not report it.
std::optional<std::uint64_t> peak_memory_bytes();

}  // namespace nocbench
