// Order in which the routers of a network can be stepped, one after the other, through a window of cycles.
//
// A message must have been sent before its receiver is stepped through the cycle of its arrival. If windows are no
// longer than any latency, every order is valid. With longer windows, messages can arrive in the window in which they
// are sent, and their senders must be stepped first. Since links form cycles, some routers must be skewed: while others
// are stepped through a window, a router with skew is stepped through the same number of cycles, beginning `skew`
// cycles earlier.
#pragma once

#include <span>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// Minimum latencies in cycles of messages between neighbouring routers.
struct LinkLatencies {
    Cycle along = 0;    // in the direction of flits
    Cycle against = 0;  // against the direction of flits
};

/// Returns the latencies of messages between routers.
[[nodiscard]] LinkLatencies link_latencies(const NetworkParameters& parameters);

/// Returns an order for windows of `window_cycles`, or nothing if none exists. The result is deterministic. `skews`
/// holds the cycles by which each node lags behind nodes with 0; empty: no skews.
std::vector<NodeIndex> stepping_order(const Topology& topology, const LinkLatencies& latencies,
                                      std::span<const Cycle> skews, Cycle window_cycles);

/// Returns the longest windows, at most `most` cycles, that have an order; 0 if none has.
Cycle longest_window(const Topology& topology, const LinkLatencies& latencies, std::span<const Cycle> skews,
                     Cycle most);

/// Returns the maximum latency from sending to receiving, in cycles of the receiver's windows.
[[nodiscard]] Cycle longest_latency(const NetworkParameters& parameters);

/// Returns the order for a network. Throws InputError if there is none, or if latencies are too long for the windows.
std::vector<NodeIndex> checked_stepping_order(const Topology& topology, const NetworkParameters& parameters);

/// Returns skews of `skew` for every other node, as on a checkerboard; empty if links do not allow that. Windows can
/// then be as long as the shortest latency plus `skew`.
std::vector<Cycle> checkerboard_skews(const Topology& topology, Cycle skew);

/// Returns skews of `skew` for the first column of a torus with unidirectional links, and likewise for the first row;
/// the corner has both. If `skew` makes up for the difference between latencies along and against links, windows can be
/// as long as the larger of the two. Other nodes are stepped along each ring, or against it, so that messages of the
/// shorter latency arrive in the same window.
std::vector<Cycle> ring_cut_skews(int columns, int rows, Cycle skew);

}  // namespace nocbench
