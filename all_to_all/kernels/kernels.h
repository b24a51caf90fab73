#pragma once

namespace nocbench::all_to_all {

/// Writes an L1 buffer to one core after the other, to each of them again and again, and waits for all acknowledgements
/// in the end. Arguments as in UnicastPlan; coordinates in two words.
void sender();

}  // namespace nocbench::all_to_all
