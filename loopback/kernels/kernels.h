#pragma once

namespace nocbench::loopback {

/// Writes one L1 buffer to another buffer of the core repeatedly, through the NIU and the router, and waits for all
/// acknowledgements. Compile-time arguments as in UnicastPlan.
void sender();

}  // namespace nocbench::loopback
