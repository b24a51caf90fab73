// Transaction-level network against Network, which moves single flits: every packet arrives, and every source can
// continue, in the same cycle.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "device_model/noc/make_network.h"
#include "device_model/noc/network.h"
#include "device_model/noc/transaction_network.h"
#include "device_model/sim/random_numbers.h"

namespace nocbench {

namespace {

/// Packets of a node, sent in order, none before its time.
struct Sending {
    NodeIndex destination = 0;
    TransactionId transaction = 0;
    Cycle ready = 0;
};

struct Case {
    Topology topology;
    TransactionNetwork::Parameters parameters;
    std::vector<std::vector<Sending>> of_node;
    NodeIndex gate = 0;  // node that is blocked for some time after each packet
    Cycle gate_cycles = 0;
};

struct Arrival {
    NodeIndex node = 0;
    Cycle cycle = 0;
    bool operator==(const Arrival&) const = default;
};

struct Happened {
    std::map<TransactionId, Arrival> arrivals;
    std::vector<std::vector<Cycle>> starts;  // indexed by node
    std::uint64_t hops = 0;
};

/// Traffic given to both kinds of network. `Derived` has the network.
class Traffic {
public:
    explicit Traffic(const Case& traffic) : case_(traffic), sent_(traffic.of_node.size()) {
        happened.starts.resize(traffic.of_node.size());
    }

    /// Returns the next packet that `node` may send in `cycle`, or null; sets `next_cycle` to the time of the next
    /// query.
    const Sending* next(NodeIndex node, Cycle cycle, Cycle& next_cycle) {
        const std::vector<Sending>& sendings = case_.of_node[node];
        if (sent_[node] == sendings.size()) {
            return nullptr;
        }
        const Sending& sending = sendings[sent_[node]];
        if (sending.ready > cycle) {
            next_cycle = std::min(next_cycle, sending.ready);
            return nullptr;
        }
        ++sent_[node];
        happened.starts[node].push_back(cycle);
        return &sending;
    }

    Happened happened;

protected:
    const Case& case_;

private:
    std::vector<std::size_t> sent_;
};

class FlitByFlit final : public NetworkClient, public Traffic {
public:
    explicit FlitByFlit(const Case& traffic)
        : Traffic(traffic), network_(make_network(traffic.topology, parameters(traffic.parameters), packets_, *this)) {
        for (int node = 0; node < traffic.topology.num_nodes; ++node) {
            network_->set_rates(static_cast<NodeIndex>(node), kTicksPerCycle, kTicksPerCycle, kTicksPerCycle);
            network_->wake_interface(static_cast<NodeIndex>(node), 0);
        }
    }

    Happened run() {
        for (Cycle window = network_->next_active_window(); window != kNever; window = network_->next_active_window()) {
            network_->step_window(window);
        }
        happened.hops = network_->flit_hops() / static_cast<std::uint64_t>(case_.parameters.packet_flits);
        return std::move(happened);
    }

    Cycle interface_cycle(NodeIndex node, Cycle cycle) override {
        Cycle next_cycle = kNever;
        if (node == case_.gate && closed_until_ != kNever && closed_until_ <= cycle) {
            network_->block_request_ejection(node, 0);
            closed_until_ = kNever;
        }
        start_next(node, cycle, next_cycle);
        return node == case_.gate ? std::min(next_cycle, closed_until_) : next_cycle;
    }

    void stream_can_start(NodeIndex node, int /*stream*/, Cycle cycle) override {
        Cycle next_cycle = kNever;
        start_next(node, cycle + 1, next_cycle);
        if (next_cycle != kNever) {
            network_->wake_interface(node, next_cycle);
        }
    }

    void packet_ejected(NodeIndex node, PacketId packet, int /*channel*/, Cycle cycle) override {
        happened.arrivals[packets_[packet].transaction] = {node, cycle};
        packets_.release(packet);
        if (node == case_.gate && case_.gate_cycles > 0) {
            network_->block_request_ejection(node, ~std::uint32_t{0});
            closed_until_ = cycle + case_.gate_cycles;
            network_->wake_interface(node, closed_until_);
        }
    }

    void stream_finished(NodeIndex, int, PacketId, const FlitsRead&) override {}
    void head_ejected(NodeIndex, PacketId, int, Cycle) override {}
    void data_flit_ejected(NodeIndex, PacketId, int, Cycle) override {}
    void path_reserved(NodeIndex, PacketId, Cycle, Cycle) override {}

private:
    static NetworkParameters parameters(const TransactionNetwork::Parameters& from) {
        NetworkParameters parameters;
        parameters.hop_cycles = from.hop_cycles;
        parameters.credit_return_cycles = from.credit_return_cycles;
        parameters.injection_cycles = from.injection_cycles;
        parameters.injection_buffer_flits = static_cast<int>(from.injection_cycles) + 1;
        parameters.private_flits_per_virtual_channel = static_cast<int>(from.buffer_flits);
        parameters.window_cycles = std::min(from.hop_cycles, from.credit_return_cycles);
        parameters.software_virtual_channels = 1;
        parameters.first_response_virtual_channel = 1;
        parameters.dynamic_group = 1;
        parameters.dynamic_response_group = 1;
        return parameters;
    }

    void start_next(NodeIndex node, Cycle cycle, Cycle& next_cycle) {
        if (!network_->can_start_stream(node, 0)) {
            return;
        }
        if (const Sending* sending = next(node, cycle, next_cycle)) {
            Packet packet;
            packet.flits = static_cast<std::uint16_t>(case_.parameters.packet_flits);
            packet.source = node;
            packet.destination = sending->destination;
            packet.kind = PacketKind::write_request;
            packet.transaction = sending->transaction;
            network_->start_stream(node, 0, packets_.allocate(packet), cycle, 0);
        }
    }

    PacketPool packets_;
    Cycle closed_until_ = kNever;
    std::unique_ptr<Network> network_;
};

class ShortForm final : public TransactionNetworkClient, public Traffic {
public:
    explicit ShortForm(const Case& traffic) : Traffic(traffic), network_(traffic.topology, traffic.parameters, *this) {
        for (int node = 0; node < traffic.topology.num_nodes; ++node) {
            network_.wake_interface(static_cast<NodeIndex>(node), 0);
        }
    }

    Happened run() {
        network_.run_until(kNever);
        happened.hops = network_.packet_hops();
        return std::move(happened);
    }

    Cycle interface_cycle(NodeIndex node, Cycle cycle) override {
        Cycle next_cycle = kNever;
        if (node == case_.gate && closed_until_ != kNever && closed_until_ <= cycle) {
            network_.block_ejection(node, false, cycle);
            closed_until_ = kNever;
        }
        start_next(node, cycle, next_cycle);
        return node == case_.gate ? std::min(next_cycle, closed_until_) : next_cycle;
    }

    void can_start(NodeIndex node, Cycle cycle) override {
        Cycle next_cycle = kNever;
        start_next(node, cycle + 1, next_cycle);
        if (next_cycle != kNever) {
            network_.wake_interface(node, next_cycle);
        }
    }

    void packet_ejected(NodeIndex node, TransactionId transaction, Cycle cycle) override {
        happened.arrivals[transaction] = {node, cycle};
        if (node == case_.gate && case_.gate_cycles > 0) {
            network_.block_ejection(node, true, cycle);
            closed_until_ = cycle + case_.gate_cycles;
            network_.wake_interface(node, closed_until_);
        }
    }

private:
    void start_next(NodeIndex node, Cycle cycle, Cycle& next_cycle) {
        if (!network_.can_start(node)) {
            return;
        }
        if (const Sending* sending = next(node, cycle, next_cycle)) {
            network_.start(node, sending->destination, sending->transaction, cycle);
        }
    }

    Cycle closed_until_ = kNever;
    TransactionNetwork network_;
};

Case random_case(std::uint64_t seed) {
    RandomNumbers random(seed);
    Case traffic;
    const int columns = 1 + static_cast<int>(random.below(5));
    const int rows = 1 + static_cast<int>(random.below(5));
    NodeIndex edge = 0;
    if (random.below(2) == 0) {
        const MeshWithEdgeLink with_edge = mesh_with_edge_link(columns, rows);
        traffic.topology = with_edge.topology;
        edge = with_edge.edge_node;
    } else {
        traffic.topology = mesh(columns, rows);
        edge = static_cast<NodeIndex>(random.below(static_cast<std::uint32_t>(columns * rows)));
    }
    TransactionNetwork::Parameters& parameters = traffic.parameters;
    parameters.hop_cycles = 1 + random.below(5);
    parameters.credit_return_cycles = 1 + random.below(4);
    parameters.injection_cycles = 1 + random.below(2);
    parameters.buffer_flits = 1 + random.below(12);
    parameters.packet_flits = random.below(3) == 0 ? 1 + random.below(2) : 1 + random.below(20);
    traffic.gate = edge;
    traffic.gate_cycles = random.below(2) == 0 ? 0 : 1 + random.below(100);
    const bool all_to_edge = random.below(2) == 0;
    const std::uint32_t span = 1 + random.below(2000);
    const auto nodes = static_cast<std::uint32_t>(columns * rows);
    traffic.of_node.resize(static_cast<std::size_t>(traffic.topology.num_nodes));
    const std::uint32_t packets = 20 + random.below(300);
    for (TransactionId transaction = 0; transaction < packets; ++transaction) {
        const auto source = static_cast<NodeIndex>(random.below(nodes));
        const auto destination = all_to_edge ? edge : static_cast<NodeIndex>(random.below(nodes));
        traffic.of_node[source].push_back({destination, transaction, static_cast<Cycle>(random.below(span))});
    }
    return traffic;
}

class TransactionNetworks : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Group, TransactionNetworks, testing::Range(0, 8));

TEST_P(TransactionNetworks, AgreeWithFlitsToTheCycle) {
    constexpr int kCases = 75;
    for (int number = 0; number < kCases; ++number) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * kCases + static_cast<std::uint64_t>(number);
        const Case traffic = random_case(seed);
        const Happened flits = FlitByFlit(traffic).run();
        const Happened events = ShortForm(traffic).run();
        ASSERT_EQ(events.arrivals.size(), flits.arrivals.size()) << "seed " << seed;
        ASSERT_EQ(events.starts, flits.starts) << "seed " << seed;
        ASSERT_TRUE(events.arrivals == flits.arrivals) << "seed " << seed;
        ASSERT_EQ(events.hops, flits.hops) << "seed " << seed;
    }
}

}  // namespace

}  // namespace nocbench
