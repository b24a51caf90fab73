#include "device_model/noc/stepping_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>

#include "device_model/sim/error.h"

namespace nocbench {

LinkLatencies link_latencies(const NetworkParameters& parameters) {
    // Networks without multicasts have no replies to reservations.
    const Cycle reply = parameters.reservation_reply_cycles;
    return {parameters.hop_cycles,
            reply != 0 ? std::min(parameters.credit_return_cycles, reply) : parameters.credit_return_cycles};
}

Cycle longest_latency(const NetworkParameters& parameters) {
    const std::vector<Cycle>& skews = parameters.skew_cycles;
    return std::max({parameters.hop_cycles, parameters.credit_return_cycles, parameters.injection_cycles}) +
           (skews.empty() ? 0 : std::ranges::max(skews));
}

std::vector<NodeIndex> stepping_order(const Topology& topology, const LinkLatencies& latencies,
                                      std::span<const Cycle> skews, Cycle window_cycles) {
    const auto num_nodes = static_cast<std::size_t>(topology.num_nodes);
    const std::vector<Cycle> none(num_nodes);
    skews = skews.empty() ? none : skews;
    std::vector<std::vector<NodeIndex>> later(num_nodes);
    std::vector<int> num_earlier(num_nodes);
    // Returns false if messages from `from` would arrive in cycles through which `to` has already been stepped in any
    // order.
    const auto send = [&](std::size_t from, std::size_t to, Cycle latency) {
        const Cycle ahead = latency + skews[to] - skews[from];  // in cycles of each router's own windows
        if (ahead < window_cycles) {
            later[from].push_back(static_cast<NodeIndex>(to));
            ++num_earlier[to];
        }
        return ahead >= 0;
    };
    for (std::size_t node = 0; node < num_nodes; ++node) {
        for (int port = 0; port < topology.num_ports; ++port) {
            const Topology::Link& link = topology.link(static_cast<int>(node), port);
            if (link.exists &&
                !(send(node, link.neighbour, latencies.along) && send(link.neighbour, node, latencies.against))) {
                return {};
            }
        }
    }
    std::priority_queue<NodeIndex, std::vector<NodeIndex>, std::greater<>> ready;
    for (std::size_t node = 0; node < num_nodes; ++node) {
        if (num_earlier[node] == 0) {
            ready.push(static_cast<NodeIndex>(node));
        }
    }
    std::vector<NodeIndex> order;
    order.reserve(num_nodes);
    while (!ready.empty()) {
        const NodeIndex node = ready.top();
        ready.pop();
        order.push_back(node);
        for (const NodeIndex next : later[node]) {
            if (--num_earlier[next] == 0) {
                ready.push(next);
            }
        }
    }
    return order.size() == num_nodes ? order : std::vector<NodeIndex>();
}

Cycle longest_window(const Topology& topology, const LinkLatencies& latencies, std::span<const Cycle> skews,
                     Cycle most) {
    while (most > 0 && stepping_order(topology, latencies, skews, most).empty()) {
        --most;
    }
    return most;
}

std::vector<NodeIndex> checked_stepping_order(const Topology& topology, const NetworkParameters& parameters) {
    const std::vector<Cycle>& skews = parameters.skew_cycles;
    if (!skews.empty() && skews.size() != static_cast<std::size_t>(topology.num_nodes)) {
        throw InputError(fmt::format("skews of the routers of a network: expected one for each of {}, found {}",
                                     topology.num_nodes, skews.size()));
    }
    const Cycle longest = longest_latency(parameters);
    const Cycle window = parameters.window_cycles;
    if (window < 1 || window > Network::kWindowCyclesMax || longest / window >= Network::kLatencyWindowsMax) {
        throw InputError(fmt::format(
            "latencies of a network: expected at most {} times the shortest, which is {} cycles, found {} cycles",
            Network::kLatencyWindowsMax, window, longest));
    }
    const LinkLatencies latencies = link_latencies(parameters);
    std::vector<NodeIndex> order = stepping_order(topology, latencies, skews, window);
    if (order.empty()) {
        const Cycle shorter = longest_window(topology, latencies, skews, window);
        throw InputError(
            shorter > 0
                ? fmt::format("windows of a network: expected at most {} cycles, found {} cycles", shorter, window)
                : fmt::format("skews of the routers of a network: expected neighbours that are no further "
                              "apart than {} cycles, the shortest latency between them, found skews of up "
                              "to {} cycles",
                              std::min(latencies.along, latencies.against),
                              skews.empty() ? 0 : std::ranges::max(skews)));
    }
    return order;
}

std::vector<Cycle> checkerboard_skews(const Topology& topology, Cycle skew) {
    std::vector<Cycle> skews;
    for (const bool is_black : topology.checkerboard()) {
        skews.push_back(is_black ? skew : 0);
    }
    return skews;
}

std::vector<Cycle> ring_cut_skews(int columns, int rows, Cycle skew) {
    std::vector<Cycle> skews;
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) {
            skews.push_back((x == 0 ? skew : 0) + (y == 0 ? skew : 0));
        }
    }
    return skews;
}

}  // namespace nocbench
