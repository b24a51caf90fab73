#pragma once

namespace nocbench::one_to_one {

/// Writes one L1 buffer to the same address of another core repeatedly, waits for all acknowledgements, and signals the
/// other core. Arguments as in UnicastPlan, and the semaphore; coordinates in two words.
void sender();

}  // namespace nocbench::one_to_one
