#pragma once

namespace nocbench::all_from_all {

/// Reads an L1 buffer from one core after the other, repeatedly from each, all into the same buffer, and waits for all
/// data at the end. Arguments as in UnicastPlan; coordinates in two words.
void requestor();

}  // namespace nocbench::all_from_all
