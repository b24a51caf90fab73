#pragma once

namespace nocbench::one_to_all {

/// Writes an L1 buffer to one core after another, repeatedly to each, and waits for all acknowledgements at the end.
/// Arguments as in UnicastPlan; coordinates packed.
void unicast_sender();

/// Multicasts an L1 buffer to a rectangle repeatedly, and waits for all acknowledgements. Arguments as in
/// MulticastPlan.
void multicast_sender();

}  // namespace nocbench::one_to_all
