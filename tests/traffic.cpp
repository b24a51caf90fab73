#include "tests/traffic.h"

#include <algorithm>
#include <array>

namespace nocbench::test {

namespace {

Topology topology_of(const TrafficPlan& plan) {
    Topology topology = unidirectional_torus(plan.columns, plan.rows, plan.noc);
    if (!plan.has_datelines) {
        for (Topology::Link& link : topology.links) {
            link.is_dateline = false;
        }
    }
    return topology;
}

class Traffic final : public NetworkClient {
public:
    Traffic(const TrafficPlan& plan, bool shortcuts)
        : plan_(plan),
          planned_(with_answers(plan)),
          times_(planned_.size()),
          answer_of_(plan.packets.size(), -1),
          network_(topology_of(plan), plan.parameters, packets_, *this),
          nodes_(static_cast<std::size_t>(plan.columns * plan.rows)) {
        network_.set_shortcuts(shortcuts);
        for (std::size_t node = 0; node < plan.source_ticks.size(); ++node) {
            network_.set_rates(static_cast<NodeIndex>(node), plan.source_ticks[node], plan.sink_ticks[node]);
        }
        for (const NodeIndex node : plan.metered_nodes) {
            network_.meter_data_flits(node);
        }
        for (const PlannedBlocking& blocking : plan.blockings) {
            nodes_[blocking.node].blocking = blocking;
            network_.wake_interface(blocking.node, blocking.begin);
        }
        std::size_t answer = plan.packets.size();
        for (std::size_t index = 0; index < plan.packets.size(); ++index) {
            if (plan.packets[index].answer_flits > 0) {
                answer_of_[index] = static_cast<int>(answer++);
            }
            send(index, plan.packets[index].ready);
        }
    }

    TrafficOutcome run(Cycle cycles_max) {
        TrafficOutcome outcome;
        Cycle block = network_.next_active_block();
        for (; block < cycles_max; block = network_.next_active_block()) {
            network_.step_block(block);
        }
        outcome.ran_out_of_time = block != kNever;
        outcome.packets = times_;
        for (int node = 0; node < plan_.columns * plan_.rows; ++node) {
            for (const int port : {kNiuPort, kXPort, kYPort}) {
                outcome.flits_sent.push_back(network_.flits_sent(static_cast<NodeIndex>(node), port));
            }
        }
        outcome.flit_hops = network_.flit_hops();
        outcome.packets_in_flight = packets_.in_flight();
        return outcome;
    }

    Cycle interface_cycle(NodeIndex node, Cycle cycle) override {
        Node& state = nodes_[node];
        Cycle next = kNever;
        if (state.blocking) {
            network_.block_request_ejection(node, cycle >= state.blocking->begin && cycle < state.blocking->end);
            if (cycle < state.blocking->end) {
                next = cycle < state.blocking->begin ? state.blocking->begin : state.blocking->end;
            }
        }
        for (std::size_t stream = 0; stream < state.waiting.size(); ++stream) {
            std::deque<Waiting>& waiting = state.waiting[stream];
            while (!waiting.empty() && waiting.front().ready <= cycle &&
                   network_.can_start_stream(node, static_cast<int>(stream))) {
                start(waiting.front().packet, static_cast<int>(stream), cycle);
                waiting.pop_front();
            }
            if (!waiting.empty() && waiting.front().ready > cycle) {
                next = std::min(next, waiting.front().ready);
            }
        }
        return next;
    }

    void stream_can_start(NodeIndex node, int /*stream*/, Cycle cycle) override {
        network_.wake_interface(node, cycle + 1);
    }

    void stream_finished(NodeIndex /*node*/, int /*stream*/, PacketId packet, Cycle cycle) override {
        times_[packets_[packet].transaction].finished = cycle;
    }

    void head_ejected(NodeIndex /*node*/, PacketId packet, Cycle cycle) override {
        times_[packets_[packet].transaction].head = cycle;
    }

    void data_flit_ejected(NodeIndex /*node*/, PacketId packet, Cycle /*cycle*/) override {
        ++times_[packets_[packet].transaction].data_flits_metered;
    }

    void packet_ejected(NodeIndex /*node*/, PacketId packet, Cycle cycle) override {
        const std::uint32_t index = packets_[packet].transaction;
        packets_.release(packet);
        times_[index].tail = cycle;
        ++times_[index].times_ejected;
        if (index < answer_of_.size() && answer_of_[index] >= 0) {
            send(static_cast<std::size_t>(answer_of_[index]), cycle + kAnswerCycles);
        }
    }

private:
    static constexpr Cycle kAnswerCycles = 7;

    struct Waiting {
        std::size_t packet = 0;
        Cycle ready = 0;
    };

    struct Node {
        std::array<std::deque<Waiting>, kNumSoftwareVirtualChannels> waiting;  // by stream, in order of `ready`
        std::optional<PlannedBlocking> blocking;
    };

    void send(std::size_t index, Cycle ready) {
        const PlannedPacket& packet = planned_[index];
        std::deque<Waiting>& waiting = nodes_[packet.source].waiting[packet.virtual_channel];
        auto place = waiting.end();
        while (place != waiting.begin() && std::prev(place)->ready > ready) {
            --place;
        }
        waiting.insert(place, {index, ready});
        network_.wake_interface(packet.source, ready);
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
        times_[index].started = cycle;
        network_.start_stream(planned.source, stream, packets_.allocate(packet), cycle, planned.ticks_per_flit);
    }

    const TrafficPlan& plan_;
    std::vector<PlannedPacket> planned_;
    std::vector<PacketTimes> times_;
    std::vector<int> answer_of_;  // by planned packet; -1: none
    PacketPool packets_;
    TorusNetwork network_;
    std::vector<Node> nodes_;
};

}  // namespace

std::vector<PlannedPacket> with_answers(const TrafficPlan& plan) {
    std::vector<PlannedPacket> packets = plan.packets;
    for (const PlannedPacket& packet : plan.packets) {
        if (packet.answer_flits > 0) {
            PlannedPacket answer;
            answer.source = packet.destination;
            answer.destination = packet.source;
            answer.flits = static_cast<std::uint16_t>(packet.answer_flits);
            answer.virtual_channel = kFirstResponseVirtualChannel;
            answer.is_static = false;
            packets.push_back(answer);
        }
    }
    return packets;
}

TrafficOutcome run_traffic(const TrafficPlan& plan, bool shortcuts, Cycle cycles_max) {
    return Traffic(plan, shortcuts).run(cycles_max);
}

std::vector<NodeIndex> way(const TrafficPlan& plan, NodeIndex source, NodeIndex destination) {
    const int step = plan.noc == 0 ? 1 : -1;
    int x = source % plan.columns;
    int y = source / plan.columns;
    const int to_x = destination % plan.columns;
    const int to_y = destination / plan.columns;
    std::vector<NodeIndex> nodes{source};
    const auto visit = [&] { nodes.push_back(static_cast<NodeIndex>(y * plan.columns + x)); };
    const auto go_along_x = [&] {
        while (x != to_x) {
            x = (x + step + plan.columns) % plan.columns;
            visit();
        }
    };
    const auto go_along_y = [&] {
        while (y != to_y) {
            y = (y + step + plan.rows) % plan.rows;
            visit();
        }
    };
    // NoC 0 goes along x first, NoC 1 along y.
    if (plan.noc == 0) {
        go_along_x();
        go_along_y();
    } else {
        go_along_y();
        go_along_x();
    }
    return nodes;
}

}  // namespace nocbench::test
