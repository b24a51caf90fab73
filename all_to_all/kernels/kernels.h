#pragma once

namespace nocbench::all_to_all {

/// Writes an L1 buffer to one core after another, repeatedly to each, and waits for all acknowledgements at the end.
/// Arguments as in UnicastPlan; coordinates in two words.
void sender();

}  // namespace nocbench::all_to_all
