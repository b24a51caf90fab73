#pragma once

namespace nocbench::one_from_all {

/// Reads an L1 buffer from one core after the other, from each of them again and again, all into the same buffer, and
/// waits for all data in the end. Arguments as in UnicastPlan; coordinates packed.
void requestor();

}  // namespace nocbench::one_from_all
