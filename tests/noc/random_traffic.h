// Traffic that nobody would plan: anything that a network takes, made up from a seed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

#include "device_model/noc/network.h"
#include "tests/noc/traffic.h"

namespace nocbench::test {

/// Latencies and buffers of the modeled routers, or close to them; no test depends on these very numbers.
NetworkParameters usual_parameters();

class RandomPlans {
public:
    explicit RandomPlans(std::uint32_t seed) : generator_(seed) {}

    int between(int least, int most) {
        return least + static_cast<int>(generator_() % static_cast<std::uint32_t>(most - least + 1));
    }

    template <class Value>
    Value one_of(std::initializer_list<Value> values) {
        return values.begin()[between(0, static_cast<int>(values.size()) - 1)];
    }

    NetworkParameters parameters();

    /// A few dozen packets on a small torus.
    TrafficPlan plan();

    /// The same, with multicasts between them: alone and in chains of linked ones.
    TrafficPlan plan_with_multicasts();

    /// Reads and writes on the grid of a whole chip: between all tiles, or with few of them as hot spots.
    TrafficPlan reads_and_writes(int columns, int rows);

    /// The same, with multicasts between them.
    TrafficPlan reads_and_writes_with_multicasts(int columns, int rows);

    /// A few long packets, unicasts and chains of multicasts, that seldom meet.
    TrafficPlan long_packets();

    /// A mesh, or a torus with links in both directions; any number of virtual channels.
    TrafficPlan two_way();

    /// A few packets that are so long that what goes over links repeats for hundreds of cycles.
    TrafficPlan streams();

    /// Hundreds of packets of one flit, and a few longer ones, from anywhere to anywhere.
    TrafficPlan singles();

    /// Has every other router simulated behind the others, if there is a way to, and windows as long as that allows.
    void skew_routers(TrafficPlan& plan);

    /// Changes what network interfaces can do in different ways: streams of answers, requests held, another rate for
    /// multicasts; and what routers can: groups of dynamic channels, a flit of each input port.
    void vary_interfaces(TrafficPlan& plan);

    /// A mesh or a torus of routers with few virtual channels, a few flits of each, and links as short as can be.
    TrafficPlan small_routers();

    /// Changes how outputs change hands, and in which order input ports take turns.
    void vary_outputs(TrafficPlan& plan);

    /// Has a part of the unicasts on the virtual channels of multicasts.
    void mix_channels(TrafficPlan& plan);

    /// A tree from any node to any others within some rectangle, which can run over the edges of the grid.
    PlannedTree tree(const TrafficPlan& plan);

private:
    NodeIndex node(int num_nodes) { return static_cast<NodeIndex>(between(0, num_nodes - 1)); }
    void add_tiles(TrafficPlan& plan, int num_nodes);
    void add_packets(TrafficPlan& plan, int num_nodes);
    void add_multicasts(TrafficPlan& plan);
    std::vector<int> turns(int num_ports);

    std::mt19937 generator_;
};

}  // namespace nocbench::test
