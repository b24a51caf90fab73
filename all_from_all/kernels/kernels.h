#pragma once

namespace nocbench::all_from_all {

/// Reads an L1 buffer from one core after another, repeatedly from each, into one local buffer, and waits for all data
/// at the end. Arguments as in UnicastPlan; coordinates in two words.
void requestor();

}  // namespace nocbench::all_from_all
