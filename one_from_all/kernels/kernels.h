#pragma once

namespace nocbench::one_from_all {

/// Reads an L1 buffer from one core after another, repeatedly from each, into one local buffer, and waits for all data
/// at the end. Arguments as in UnicastPlan; coordinates packed.
void requestor();

}  // namespace nocbench::one_from_all
