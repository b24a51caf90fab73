#pragma once

namespace nocbench::one_to_all {

/// Writes an L1 buffer to one core after the other, to each of them again and again, and waits for all acknowledgements
/// in the end. Arguments as in UnicastPlan; coordinates packed.
void unicast_sender();

/// Multicasts an L1 buffer to a rectangle again and again, and waits for all acknowledgements. Compile-time arguments:
/// number of transactions, bytes per call, source address, destination address, virtual channel, x and y of the first
/// core and of the last one, number of receivers, whether the sender is one of them, whether all calls but the last
/// are linked.
void multicast_sender();

}  // namespace nocbench::one_to_all
