#pragma once

namespace nocbench::one_from_one {

/// Reads one L1 buffer of another core repeatedly and waits for all data. Arguments as in UnicastPlan; coordinates in
/// two words.
void requestor();

}  // namespace nocbench::one_from_one
