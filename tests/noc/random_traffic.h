// Random traffic: plans with any packets that a network accepts, generated from a seed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

#include "device_model/noc/network.h"
#include "tests/noc/traffic.h"

namespace nocbench::test {

/// Returns latencies and buffers of the modeled routers, or similar ones; no test depends on the exact numbers.
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

    /// Returns a few dozen packets on a small torus.
    TrafficPlan plan();

    /// Returns a few dozen packets on a small torus, with multicasts: single ones and linked chains.
    TrafficPlan plan_with_multicasts();

    /// Returns reads and writes on the grid of a whole chip: between all tiles, or with few tiles as hot spots.
    TrafficPlan reads_and_writes(int columns, int rows);

    /// Returns reads and writes on the grid of a whole chip, with multicasts.
    TrafficPlan reads_and_writes_with_multicasts(int columns, int rows);

    /// Returns a few long packets, unicasts and chains of multicasts, that seldom contend.
    TrafficPlan long_packets();

    /// Returns traffic on a mesh, or on a torus with links in both directions, with any number of virtual channels.
    TrafficPlan two_way();

    /// Returns traffic on a mesh whose packets choose among outputs.
    TrafficPlan adaptive();

    /// Returns traffic on a mesh or torus with links in both directions, with more virtual channels than usual.
    TrafficPlan many_channels();

    /// Returns traffic on a mesh whose routers have 16 virtual channels, with multicasts along x and then y, and with
    /// headers that tiles send more slowly than a flit per cycle.
    TrafficPlan wide_mesh();

    /// Returns a few packets long enough for the flits on links to repeat for hundreds of cycles.
    TrafficPlan streams();

    /// Returns hundreds of packets of one flit, and a few longer ones, between random nodes.
    TrafficPlan singles();

    /// Sets every second router to be simulated behind the others, where possible, with windows as long as this allows.
    void skew_routers(TrafficPlan& plan);

    /// Varies properties of network interfaces (streams of answers, requests held, a separate rate for multicasts) and
    /// of routers (groups of dynamic channels, one flit per input port).
    void vary_interfaces(TrafficPlan& plan);

    /// Returns traffic on a mesh or torus of routers with few virtual channels, small buffers, and minimal latencies.
    TrafficPlan small_routers();

    /// Varies the rules by which outputs are reassigned, and the order of arbitration between input ports.
    void vary_outputs(TrafficPlan& plan);

    /// Moves some of the unicasts to the virtual channels of multicasts.
    void mix_channels(TrafficPlan& plan);

    /// Returns a tree from a random node to random nodes within a rectangle, which may wrap around the edges of the
    /// grid.
    PlannedTree tree(const TrafficPlan& plan);

private:
    NodeIndex node(int num_nodes) { return static_cast<NodeIndex>(between(0, num_nodes - 1)); }
    void add_tiles(TrafficPlan& plan, int num_nodes);
    void add_packets(TrafficPlan& plan, int num_nodes);
    void add_multicasts(TrafficPlan& plan);
    PlannedTree mesh_tree(const TrafficPlan& plan);
    std::vector<int> turns(int num_ports);

    std::mt19937 generator_;
};

}  // namespace nocbench::test
