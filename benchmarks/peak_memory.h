// How much memory the process takes, as Linux counts it.
#pragma once

#include <cstdint>
#include <optional>

namespace nocbench {

/// From now on, peak_memory_bytes() is the most since then. Where the system does not offer that, it stays the most
/// since the process began.
void forget_peak_memory();

/// Nothing where the system does not say.
std::optional<std::uint64_t> peak_memory_bytes();

}  // namespace nocbench
