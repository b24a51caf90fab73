#pragma once

namespace nocbench::one_to_all {

/// Writes an L1 buffer to one core after the other, to each of them again and again, and waits for all acknowledgements
/// in the end. Arguments as in UnicastPlan; coordinates packed.
void unicast_sender();

/// Multicasts an L1 buffer to a rectangle again and again, and waits for all acknowledgements. Arguments as in
/// MulticastPlan.
void multicast_sender();

}  // namespace nocbench::one_to_all
