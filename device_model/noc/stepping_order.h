// In which order the routers of a network can be stepped through a window of cycles, one after the other.
//
// What a router sends has to have been sent before its receiver is stepped through the cycle in which it arrives. In
// windows that are no longer than any latency, any order will do. Longer ones need routers of which some are stepped
// before others, which their messages then reach in the same window; and since links form circles, some routers have to
// skew behind: while others are stepped through the cycles from the beginning of a window on, these are stepped through
// as many cycles from `skew` cycles earlier on.
#pragma once

#include <span>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// Cycles from when something is sent to when it acts on the router at the other end of a link.
struct LinkLatencies {
    Cycle along = 0;    // the shortest of what goes the way that flits go
    Cycle against = 0;  // the shortest of what goes back to their sender
};

/// Of what routers send each other.
[[nodiscard]] LinkLatencies link_latencies(const NetworkParameters& parameters);

/// An order for windows of `window_cycles`; the same for the same arguments. Empty if there is none. `skews` has the
/// cycles by which each node skews behind those that have 0; if it is empty, none does.
std::vector<NodeIndex> stepping_order(const Topology& topology, const LinkLatencies& latencies,
                                      std::span<const Cycle> skews, Cycle window_cycles);

/// The longest windows that there is an order for, of `most` cycles at most; 0 if there is none for any.
Cycle longest_window(const Topology& topology, const LinkLatencies& latencies, std::span<const Cycle> skews,
                     Cycle most);

/// Returns the longest time from when a router sends something to when it is received, in windows of the receiver.
[[nodiscard]] Cycle longest_latency(const NetworkParameters& parameters);

/// Returns the order for a network. Throws InputError if there is none, or its latencies are too long for its windows.
std::vector<NodeIndex> checked_stepping_order(const Topology& topology, const NetworkParameters& parameters);

/// Skews of `skew` for every other node, as on a checkerboard; empty if there is none. Windows can then be as long as
/// the shortest latency and `skew` together.
std::vector<Cycle> checkerboard_skews(const Topology& topology, Cycle skew);

/// Skews of `skew` for the first column of a torus whose links run in one direction only, the same for the first row,
/// and both for the node in the corner. If `skew` makes up for the difference between what goes along links and what
/// goes against them, windows can then be as long as the longer of the two takes: all others are stepped from the end
/// of each ring to its begin, or the other way round, and the shorter one arrives in the same window.
std::vector<Cycle> ring_cut_skews(int columns, int rows, Cycle skew);

}  // namespace nocbench
