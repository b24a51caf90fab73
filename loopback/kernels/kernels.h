#pragma once

namespace nocbench::loopback {

/// Writes one L1 buffer to another one of the same core again and again, through the NIU and the router, and waits for
/// all acknowledgements. Compile-time arguments: number of transactions, bytes per call, source address, destination
/// address, virtual channel.
void sender();

}  // namespace nocbench::loopback
