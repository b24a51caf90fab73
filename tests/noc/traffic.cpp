#include "tests/noc/traffic.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "device_model/noc/make_network.h"
#include "device_model/noc/packet_level/packet_level_network.h"

namespace nocbench::test {

Topology topology_of(const TrafficPlan& plan) {
    if (plan.topology) {
        return *plan.topology;
    }
    const Topology torus = unidirectional_torus(plan.columns, plan.rows, plan.noc);
    return plan.has_datelines ? torus : without_datelines(torus);
}

namespace {

std::unique_ptr<Network> make(Mover mover, const Topology& topology, const NetworkParameters& parameters,
                              PacketPool& packets, NetworkClient& client) {
    switch (mover) {
        case Mover::specification:
            return std::make_unique<specification::FlitByFlitNetwork>(topology, parameters, packets, client);
        case Mover::packet_level:
            return std::make_unique<PacketLevelNetwork>(topology, parameters, packets, client);
        case Mover::engine:
        case Mover::engine_without_accelerators:
            break;
    }
    std::unique_ptr<Network> network = make_network(topology, parameters, packets, client);
    set_accelerators(*network, mover == Mover::engine ? kAllAccelerators : kNoAccelerators);
    return network;
}

/// Network interfaces, as far as traffic needs them, for any implementation of the network.
class Traffic final : public NetworkClient {
public:
    Traffic(const TrafficPlan& plan, Mover mover)
        : plan_(plan),
          topology_(topology_of(plan)),
          planned_(with_answers(plan)),
          times_(planned_.size()),
          answer_of_(plan.packets.size(), -1),
          asked_on_channel_(planned_.size()),
          network_(make(mover, topology_, plan.parameters, packets_, *this)),
          nodes_(static_cast<std::size_t>(topology_.num_nodes)) {
        for (std::size_t node = 0; node < plan.source_ticks.size(); ++node) {
            network_->set_rates(
                static_cast<NodeIndex>(node), plan.source_ticks[node], plan.sink_ticks[node],
                plan.multicast_sink_ticks.empty() ? plan.sink_ticks[node] : plan.multicast_sink_ticks[node]);
        }
        for (const NodeIndex node : plan.metered_nodes) {
            network_->meter_data_flits(node);
        }
        for (int number = 0; number < topology_.num_nodes; ++number) {
            const auto node = static_cast<NodeIndex>(number);
            if (counts_data_flits(plan, node)) {
                network_->count_data_flits(node);
            }
        }
        for (const PlannedBlocking& blocking : plan.blockings) {
            nodes_[blocking.node].blocking = blocking;
            network_->wake_interface(blocking.node, blocking.begin);
        }
        for (const PlannedTree& tree : plan.trees) {
            trees_.push_back(network_->add_tree(outputs_of(tree), tree.grant_cycles));
        }
        std::size_t answer = plan.packets.size();
        for (std::size_t index = 0; index < plan.packets.size(); ++index) {
            const PlannedPacket& packet = plan.packets[index];
            const std::size_t num_destinations = destinations_of(packet).size();
            times_[index].further_ejections.resize(num_destinations - 1);
            if (packet.answer_flits > 0) {
                answer_of_[index] = static_cast<int>(answer);
                answer += num_destinations;
            }
            send(index, packet.ready);
        }
    }

    Network& network() { return *network_; }

    TrafficOutcome run(Cycle cycles_max) {
        TrafficOutcome outcome;
        Cycle cycle = network_->next_active_window();
        for (; cycle < cycles_max; cycle = network_->next_active_window()) {
            network_->step_window(cycle);
        }
        outcome.ran_out_of_time = cycle != kNever;
        outcome.packets = times_;
        for (int node = 0; node < topology_.num_nodes; ++node) {
            outcome.flits_injected.push_back(network_->flits_injected(static_cast<NodeIndex>(node)));
            for (int port = 0; port < topology_.num_ports; ++port) {
                outcome.flits_sent.push_back(network_->flits_sent(static_cast<NodeIndex>(node), port));
            }
        }
        outcome.flit_hops = network_->flit_hops();
        outcome.packets_in_flight = packets_.in_use();
        if (outcome.packets_in_flight != 0 && !outcome.ran_out_of_time) {
            outcome.wait_for_cycle = find_wait_for_cycle(*network_);
        }
        return outcome;
    }

    Cycle interface_cycle(NodeIndex node, Cycle cycle) override {
        Node& state = nodes_[node];
        Cycle next = kNever;
        if (state.blocking && cycle < state.blocking->end) {
            next = cycle < state.blocking->begin ? state.blocking->begin : state.blocking->end;
        }
        if (cycle >= state.takes_all_from) {
            network_->take_data_from(node, kEveryChannel);
            state.takes_all_from = kNever;
        }
        next = std::min(next, state.takes_all_from);
        for (std::size_t stream = 0; stream < state.waiting.size(); ++stream) {
            std::deque<Waiting>& waiting = state.waiting[stream];
            while (!waiting.empty() && waiting.front().ready <= cycle &&
                   network_->can_start_stream(node, static_cast<int>(stream))) {
                start(waiting.front().packet, static_cast<int>(stream), cycle);
                waiting.pop_front();
            }
            if (!waiting.empty() && (waiting.front().ready > cycle || plan_.polls)) {
                next = std::min(next, std::max(waiting.front().ready, cycle + 1));
            }
        }
        update_blocking(node, cycle);
        return next;
    }

    void stream_can_start(NodeIndex node, int /*stream*/, Cycle cycle) override {
        if (!plan_.polls) {
            network_->wake_interface(node, cycle + 1);
        }
    }

    void stream_finished(NodeIndex /*node*/, int /*stream*/, PacketId packet, const FlitsRead& read) override {
        PacketTimes& times = times_[packets_[packet].transaction];
        times.finished = read.last;
        times.read_before_last_10 = read.before(read.last - 10);
    }

    void head_ejected(NodeIndex node, PacketId packet, int /*channel*/, Cycle cycle) override {
        ejection(node, packet).head = cycle;
    }

    void data_flit_ejected(NodeIndex node, PacketId packet_id, int channel, Cycle cycle) override {
        const Packet& packet = packets_[packet_id];
        const int data_flits = ++ejection(node, packet_id).data_flits;
        if (!plan_.data_pause_cycles || packet.tree != kNoTree) {
            return;
        }
        const bool is_last = data_flits + 1 == packet.flits;
        const bool pauses = is_last && *plan_.data_pause_cycles > 0;
        network_->take_data_from(node, pauses ? kNoChannel : is_last ? kEveryChannel : channel);
        nodes_[node].takes_all_from = pauses ? cycle + 1 + *plan_.data_pause_cycles : kNever;
        if (pauses) {
            network_->wake_interface(node, nodes_[node].takes_all_from);
        }
    }

    void data_flits_counted(NodeIndex node, PacketId packet, int flits) override {
        ejection(node, packet).data_flits += flits;
    }

    void packet_ejected(NodeIndex node, PacketId packet, int channel, Cycle cycle) override {
        const std::uint32_t index = packets_[packet].transaction;
        const std::size_t place = destination_index(node, packet);
        Ejection& here = ejection(node, packet);
        here.tail = cycle;
        ++here.times_ejected;
        const std::vector<Ejection>& others = times_[index].further_ejections;
        if (times_[index].times_ejected != 0 &&
            std::ranges::all_of(others, [](const Ejection& other) { return other.times_ejected != 0; })) {
            packets_.release(packet);
        }
        if (index < answer_of_.size() && answer_of_[index] >= 0) {
            const std::size_t answer = static_cast<std::size_t>(answer_of_[index]) + place;
            send(answer, cycle + kAnswerCycles);
            asked_on_channel_[answer] = channel;
            ++nodes_[node].requests_held[static_cast<std::size_t>(channel)];
            update_blocking(node, cycle);
        }
    }

    void path_reserved(NodeIndex /*node*/, PacketId packet, Cycle requested, Cycle cycle) override {
        PacketTimes& times = times_[packets_[packet].transaction];
        times.path_requested = requested;
        times.path_reserved = cycle;
    }

private:
    static constexpr Cycle kAnswerCycles = 7;

    [[nodiscard]] std::vector<std::uint8_t> outputs_of(const PlannedTree& tree) const {
        std::vector<std::uint8_t> outputs(static_cast<std::size_t>(topology_.num_nodes));
        for (const std::vector<NodeIndex>& way : tree.ways) {
            for (std::size_t step = 0; step < way.size(); ++step) {
                outputs[way[step]] =
                    static_cast<std::uint8_t>(outputs[way[step]] | 1U << port_on_way(plan_, way, step));
            }
        }
        return outputs;
    }

    [[nodiscard]] std::size_t destination_index(NodeIndex node, PacketId packet) const {
        const std::vector<NodeIndex> nodes = destinations_of(planned_[packets_[packet].transaction]);
        return static_cast<std::size_t>(std::ranges::find(nodes, node) - nodes.begin());
    }

    Ejection& ejection(NodeIndex node, PacketId packet) {
        PacketTimes& times = times_[packets_[packet].transaction];
        const std::size_t index = destination_index(node, packet);
        return index == 0 ? times : times.further_ejections.at(index - 1);
    }

    [[nodiscard]] std::vector<NodeIndex> destinations_of(const PlannedPacket& packet) const {
        return destinations(plan_, packet);
    }

    struct Waiting {
        std::size_t packet = 0;
        Cycle ready = 0;
    };

    static constexpr std::size_t kStreams = kMeshVirtualChannelsMax;

    struct Node {
        std::array<std::deque<Waiting>, kStreams> waiting;  // by stream, ordered by `ready`
        std::array<bool, kStreams> holds_path{};            // of the last multicast, by stream
        std::optional<PlannedBlocking> blocking;
        std::array<int, kStreams> requests_held{};  // number of requests still to be answered, by virtual channel
        Cycle takes_all_from = kNever;              // end of the pause between packets' data
    };

    void update_blocking(NodeIndex node, Cycle cycle) {
        const Node& state = nodes_[node];
        const bool is_closed = state.blocking && cycle >= state.blocking->begin && cycle < state.blocking->end;
        std::uint32_t channels = 0;
        for (std::size_t channel = 0; channel < kStreams; ++channel) {
            const bool is_full = plan_.requests_held_per_channel_max &&
                                 state.requests_held[channel] >= *plan_.requests_held_per_channel_max;
            channels |= std::uint32_t{is_closed || is_full} << channel;
        }
        network_->block_request_ejection(node, channels);
    }

    void send(std::size_t index, Cycle ready) {
        const PlannedPacket& packet = planned_[index];
        std::deque<Waiting>& waiting =
            nodes_[packet.source].waiting[static_cast<std::size_t>(packet.injection_stream())];
        auto place = waiting.end();
        while (place != waiting.begin() && std::prev(place)->ready > ready) {
            --place;
        }
        waiting.insert(place, {index, ready});
        network_->wake_interface(packet.source, ready);
    }

    void start(std::size_t index, int stream, Cycle cycle) {
        const PlannedPacket& planned = planned_[index];
        Packet packet;
        packet.flits = planned.flits;
        packet.source = planned.source;
        packet.destination = planned.destination;
        packet.software_virtual_channel = planned.virtual_channel;
        packet.is_static = planned.is_static;
        packet.transaction = static_cast<TransactionId>(index);
        if (planned.tree != PlannedPacket::kUnicast) {
            bool& holds_path = nodes_[planned.source].holds_path[planned.virtual_channel];
            packet.tree = trees_[static_cast<std::size_t>(planned.tree)];
            packet.reserves_path = !holds_path;
            packet.keeps_path = planned.linked;
            packet.flits = static_cast<std::uint16_t>(planned.flits + (packet.reserves_path ? 1 : 0));
            holds_path = planned.linked;
        }
        times_[index].started = cycle;
        if (index >= plan_.packets.size()) {
            --nodes_[planned.source].requests_held[static_cast<std::size_t>(asked_on_channel_[index])];
        }
        network_->start_stream(planned.source, stream, packets_.allocate(packet), cycle, planned.ticks_per_flit);
    }

    const TrafficPlan& plan_;
    const Topology topology_;
    std::vector<PlannedPacket> planned_;
    std::vector<PacketTimes> times_;
    std::vector<int> answer_of_;         // by planned packet: index of the first destination's answer; -1: none
    std::vector<int> asked_on_channel_;  // by answer: virtual channel of its request
    std::vector<TreeIndex> trees_;
    PacketPool packets_;
    std::unique_ptr<Network> network_;
    std::vector<Node> nodes_;
};

}  // namespace

Cycle PlannedTree::depth() const {
    std::size_t nodes = 1;
    for (const std::vector<NodeIndex>& way : ways) {
        nodes = std::max(nodes, way.size());
    }
    return static_cast<Cycle>(nodes) - 1;
}

const Ejection& PacketTimes::at(std::size_t index) const {
    return index == 0 ? *this : further_ejections.at(index - 1);
}

bool counts_data_flits(const TrafficPlan& plan, NodeIndex node) {
    return node % 2 != 0 && !plan.data_pause_cycles && std::ranges::count(plan.metered_nodes, node) == 0;
}

std::vector<NodeIndex> destinations(const TrafficPlan& plan, const PlannedPacket& packet) {
    if (packet.tree == PlannedPacket::kUnicast) {
        return {packet.destination};
    }
    return plan.trees[static_cast<std::size_t>(packet.tree)].receivers;
}

void PrintTo(const TrafficOutcome& outcome, std::ostream* stream) {
    const auto time = [](Cycle cycle) { return cycle == kNever ? "never" : std::to_string(cycle); };
    *stream << outcome.packets_in_flight << " in flight, " << outcome.flit_hops << " flit hops";
    for (std::size_t index = 0; index < outcome.packets.size(); ++index) {
        const PacketTimes& times = outcome.packets[index];
        *stream << "\n  packet " << index << ": started " << time(times.started) << ", finished "
                << time(times.finished);
        if (times.path_requested != kNever) {
            *stream << ", path " << time(times.path_requested) << " to " << time(times.path_reserved);
        }
        *stream << ", ejected";
        for (std::size_t number = 0; number <= times.further_ejections.size(); ++number) {
            *stream << ' ' << time(times.at(number).head) << '-' << time(times.at(number).tail);
        }
    }
}

std::vector<PlannedPacket> with_answers(const TrafficPlan& plan) {
    std::vector<PlannedPacket> packets = plan.packets;
    // Without virtual channels for responses, answers share those of requests.
    const int channel =
        std::min(plan.parameters.first_response_virtual_channel, plan.parameters.software_virtual_channels - 1);
    for (const PlannedPacket& packet : plan.packets) {
        if (packet.answer_flits == 0) {
            continue;
        }
        for (const NodeIndex destination : destinations(plan, packet)) {
            PlannedPacket answer;
            answer.source = destination;
            answer.destination = packet.source;
            answer.flits = static_cast<std::uint16_t>(packet.answer_flits);
            answer.virtual_channel = static_cast<std::uint8_t>(channel);
            answer.is_static = false;
            answer.stream = channel + static_cast<int>(packets.size()) % plan.answer_streams;
            packets.push_back(answer);
        }
    }
    return packets;
}

TrafficOutcome run_traffic(const TrafficPlan& plan, Mover mover, Cycle cycles_max) {
    return Traffic(plan, mover).run(cycles_max);
}

TrafficOutcome run_traffic(const TrafficPlan& plan, AcceleratorSet accelerators, AcceleratorUses* uses) {
    Traffic traffic(plan, Mover::engine);
    auto& engine = dynamic_cast<AcceleratedNetwork&>(traffic.network());
    engine.set_accelerators(accelerators);
    TrafficOutcome outcome = traffic.run(2'000'000);
    for (int index = 0; uses != nullptr && index < kNumAccelerators; ++index) {
        (*uses)[static_cast<std::size_t>(index)] = engine.accelerator_use(static_cast<Accelerator>(index));
    }
    return outcome;
}

TrafficOutcome run_traffic(const TrafficPlan& plan, specification::FlitObserver& observer) {
    Traffic traffic(plan, Mover::specification);
    dynamic_cast<specification::FlitByFlitNetwork&>(traffic.network()).observe(observer);
    return traffic.run(2'000'000);
}

namespace {

/// Route under construction, in link direction.
class Walk {
public:
    Walk(const TrafficPlan& plan, NodeIndex start)
        : plan_(plan), x_(start % plan.columns), y_(start / plan.columns), nodes_{start} {}

    [[nodiscard]] const std::vector<NodeIndex>& nodes() const { return nodes_; }

    void go_to_column(int x) {
        while (x_ != x) {
            x_ = (x_ + step() + plan_.columns) % plan_.columns;
            visit();
        }
    }

    void go_to_row(int y) {
        while (y_ != y) {
            y_ = (y_ + step() + plan_.rows) % plan_.rows;
            visit();
        }
    }

private:
    [[nodiscard]] int step() const { return plan_.noc == 0 ? 1 : -1; }
    void visit() { nodes_.push_back(static_cast<NodeIndex>(y_ * plan_.columns + x_)); }

    const TrafficPlan& plan_;
    int x_;
    int y_;
    std::vector<NodeIndex> nodes_;
};

}  // namespace

std::vector<NodeIndex> way(const TrafficPlan& plan, NodeIndex source, NodeIndex destination) {
    if (plan.topology) {
        std::vector<NodeIndex> nodes{source};
        while (nodes.back() != destination) {
            const int node = nodes.back();
            nodes.push_back(plan.topology->link(node, plan.topology->route(node, destination)).neighbour);
        }
        return nodes;
    }
    Walk walk(plan, source);
    // NoC 0 routes along x first, NoC 1 along y first.
    if (plan.noc == 0) {
        walk.go_to_column(destination % plan.columns);
        walk.go_to_row(destination / plan.columns);
    } else {
        walk.go_to_row(destination / plan.columns);
        walk.go_to_column(destination % plan.columns);
    }
    return walk.nodes();
}

std::vector<std::vector<NodeIndex>> ways(const TrafficPlan& plan, const PlannedPacket& packet) {
    if (packet.tree == PlannedPacket::kUnicast) {
        return {way(plan, packet.source, packet.destination)};
    }
    return plan.trees[static_cast<std::size_t>(packet.tree)].ways;
}

int port_on_way(const TrafficPlan& plan, const std::vector<NodeIndex>& way, std::size_t step) {
    if (step + 1 == way.size()) {
        return kNiuPort;
    }
    if (plan.topology) {
        return plan.topology->route(way[step], way.back());
    }
    const bool is_same_row = way[step] / plan.columns == way[step + 1] / plan.columns;
    return is_same_row ? kXPort : kYPort;
}

PlannedTree plan_tree(const TrafficPlan& plan, NodeIndex source, const std::vector<NodeIndex>& receivers,
                      const ColumnSpan& columns) {
    const int step = plan.noc == 0 ? 1 : -1;
    bool is_inside = false;
    for (int column = 0; column < columns.count; ++column) {
        const int x = (columns.first + step * column + 2 * plan.columns) % plan.columns;
        is_inside = is_inside || x == source % plan.columns;
    }
    PlannedTree tree;
    tree.source = source;
    tree.receivers = receivers;
    for (const NodeIndex receiver : receivers) {
        Walk walk(plan, source);
        if (!is_inside) {
            walk.go_to_column(columns.first);
        }
        walk.go_to_row(receiver / plan.columns);
        walk.go_to_column(receiver % plan.columns);
        tree.ways.push_back(walk.nodes());
    }
    return tree;
}

}  // namespace nocbench::test
