#pragma once

namespace nocbench::one_from_one {

/// Reads the same L1 buffer of another core again and again and waits for all data. Compile-time arguments: number of
/// transactions, bytes per call, source address, destination address, virtual channel. Runtime arguments: x and y of
/// the other core.
void requestor();

}  // namespace nocbench::one_from_one
