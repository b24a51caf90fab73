#pragma once

namespace nocbench::one_to_one {

/// Writes one L1 buffer to a fixed address of another core repeatedly, waits for all acknowledgements, and then
/// increments a semaphore of that core. Arguments as in UnicastPlan, followed by the semaphore; coordinates in two
/// words.
void sender();

}  // namespace nocbench::one_to_one
