#pragma once

namespace nocbench::one_to_one {

/// Writes one L1 buffer to the same address of another core again and again, waits for all acknowledgements, and tells
/// the other core. Compile-time arguments: number of transactions, bytes per call, source address, destination address,
/// virtual channel, semaphore. Runtime arguments: x and y of the other core.
void sender();

}  // namespace nocbench::one_to_one
