#include "device_model/noc/transaction_network.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "device_model/noc/bits.h"

namespace nocbench {

using network_detail::at;
using network_detail::next_round_robin;

TransactionNetwork::TransactionNetwork(const Topology& topology, const Parameters& parameters,
                                       TransactionNetworkClient& client)
    : topology_(topology),
      packet_flits_(parameters.packet_flits),
      // A tile reads ahead just enough to keep its link to the router busy.
      injection_{parameters.injection_cycles, 1, parameters.injection_cycles + 1},
      hop_{parameters.hop_cycles, parameters.credit_return_cycles, parameters.buffer_flits},
      client_(client),
      credits_kept_(std::bit_ceil(at(std::max(hop_.buffer_flits, injection_.buffer_flits) + packet_flits_))),
      credits_(at(topology.num_nodes) * kOutputs * credits_kept_),
      outputs_(at(topology.num_nodes) * kOutputs),
      inputs_(at(topology.num_nodes) * kPorts),
      ejection_blocked_(at(topology.num_nodes)),
      interface_wake_(at(topology.num_nodes), kNever) {}

void TransactionNetwork::push(Cycle cycle, Kind kind, NodeIndex node, int port, PacketIndex packet) {
    events_->push({static_cast<std::uint64_t>(cycle) << kCycleShift | static_cast<std::uint64_t>(kind) << kKindShift |
                       std::uint64_t{node} << kNodeShift | static_cast<std::uint64_t>(port),
                   packet});
}

void TransactionNetwork::start(NodeIndex node, NodeIndex destination, TransactionId transaction, Cycle start) {
    const PacketIndex index = packets_.allocate();
    Packet& packet = packets_[index];
    packet.transaction = transaction;
    packet.arrived = 0;
    packet.way.clear();
    Output& source = outputs_[stream(node)];
    source.owner = index;
    source.owner_station = 0;
    packet.way.push_back({node, 0, kStream, start, 0, source.granted++});
    topology_.follow_route(node, destination, [&](int router, int input_port, int output_port) {
        packet.way.push_back({static_cast<NodeIndex>(router), static_cast<std::uint8_t>(input_port),
                              static_cast<std::uint8_t>(output_port), kNever, 0, 0});
    });
    packet.leaves.resize(packet.way.size() * at(packet_flits_));
    extend(index, 0);
}

void TransactionNetwork::count_passages(NodeIndex node, NodeIndex destination, std::uint64_t packets) {
    outputs_[stream(node)].unsimulated += packets;
    topology_.follow_route(node, destination, [&](int router, int input_port, int output_port) {
        Output& output = outputs_[place(static_cast<NodeIndex>(router), output_port)];
        output.unsimulated += packets;
        output.last_input = static_cast<std::uint8_t>(input_port);
        packet_hops_ += packets;
    });
}

/// Computes the cycles in which further flits of a packet leave a station, and the consequences for other stations.
void TransactionNetwork::extend(PacketIndex index, std::size_t number) {
    Packet& packet = packets_[index];
    Station& station = packet.way[number];
    const std::size_t here = place(station);
    Output& output = outputs_[here];
    const bool is_last = number + 1 == packet.way.size();
    const Link& onward = link_from(number);
    Cycle* const leaves = &packet.leaves[number * at(packet_flits_)];
    const Cycle known_before = station.known;

    Cycle earliest = known_before == 0 ? station.granted : leaves[known_before - 1] + 1;
    Cycle arrived = packet_flits_;
    const Cycle* arrives = nullptr;
    Cycle on_the_way = 0;
    if (number > 0) {
        arrived = packet.way[number - 1].known;
        arrives = &packet.leaves[(number - 1) * at(packet_flits_)];
        on_the_way = link_from(number - 1).latency_cycles;
    }
    const Cycle first_room = static_cast<Cycle>(station.number) * packet_flits_ - onward.buffer_flits;
    Cycle flit = known_before;
    output.waits_for_credit = false;
    for (; flit < arrived; ++flit) {
        if (arrives != nullptr) {
            earliest = std::max(earliest, arrives[flit] + on_the_way);
        }
        if (const Cycle room = first_room + flit; !is_last && room >= 0) {
            if (room >= output.credits_known) {
                output.waits_for_credit = true;
                break;
            }
            earliest = std::max(earliest, credit(here, room));
        }
        leaves[flit] = earliest++;
    }
    if (flit == known_before) {
        return;
    }
    station.known = flit;

    if (known_before == 0 && !is_last) {
        const Station& next = packet.way[number + 1];
        push(leaves[0] + onward.latency_cycles, Kind::head_arrives, next.node, next.input_port, index);
    }
    if (flit == packet_flits_) {
        const Cycle last = leaves[flit - 1];
        if (number == 0) {
            push(last, Kind::stream_is_free, station.node, kStream, index);
        } else {
            push(last + 1, Kind::release, station.node, station.output_port, index);
            ++packet_hops_;
        }
        if (is_last) {
            push(last, Kind::ejected, station.node, kNiuPort, index);
        }
    }
    if (number > 0) {
        const Station& before = packet.way[number - 1];
        const std::size_t link = place(before);
        const Cycle first = static_cast<Cycle>(before.number) * packet_flits_;
        for (Cycle made_known = known_before; made_known < flit; ++made_known) {
            credit(link, first + made_known) = leaves[made_known] + link_from(number - 1).credit_return_cycles;
        }
        outputs_[link].credits_known = first + flit;
        if (outputs_[link].waits_for_credit) {
            extend(outputs_[link].owner, outputs_[link].owner_station);
        }
    }
    if (!is_last && packet.way[number + 1].granted != kNever) {
        extend(index, number + 1);
    }
}

void TransactionNetwork::head_arrives(PacketIndex index, Cycle cycle) {
    Packet& packet = packets_[index];
    const Station& here = packet.way[++packet.arrived];
    std::vector<PacketIndex>& packets = inputs_[input(here.node, here.input_port)];
    packets.push_back(index);
    if (packets.size() == 1) {
        request(here.node, here.input_port, cycle);
    }
}

/// Requests the output that the first packet of an input needs.
void TransactionNetwork::request(NodeIndex node, int input_port, Cycle cycle) {
    const Packet& packet = packets_[inputs_[input(node, input_port)].front()];
    const int port = packet.way[packet.arrived].output_port;
    Output& wanted = outputs_[place(node, port)];
    wanted.waiting |= 1U << static_cast<unsigned>(input_port);
    if (wanted.owner == kNoPacket) {
        push(cycle, Kind::grant, node, port, kNoPacket);
    }
}

void TransactionNetwork::grant(NodeIndex node, int port, Cycle cycle) {
    Output& output = outputs_[place(node, port)];
    if (output.owner != kNoPacket || output.waiting == 0) {
        return;
    }
    const int input_port = next_round_robin(output.waiting, output.last_input);
    output.waiting &= ~(1U << static_cast<unsigned>(input_port));
    output.last_input = static_cast<std::uint8_t>(input_port);
    output.owner = inputs_[input(node, input_port)].front();
    Packet& packet = packets_[output.owner];
    output.owner_station = static_cast<std::uint32_t>(packet.arrived);
    packet.way[packet.arrived].number = output.granted++;
    output.is_stalled = port == kNiuPort && ejection_blocked_[node];
    if (!output.is_stalled) {
        packet.way[packet.arrived].granted = cycle;
        extend(output.owner, packet.arrived);
    }
}

/// Frees an output that the tail of its owner has left.
void TransactionNetwork::release(NodeIndex node, int port, Cycle cycle) {
    Output& released = outputs_[place(node, port)];
    const int input_port = released.last_input;
    released.owner = kNoPacket;
    if (released.waiting != 0) {
        push(cycle, Kind::grant, node, port, kNoPacket);
    }
    std::vector<PacketIndex>& packets = inputs_[input(node, input_port)];
    packets.erase(packets.begin());
    if (!packets.empty()) {
        request(node, input_port, cycle);
    }
}

void TransactionNetwork::block_ejection(NodeIndex node, bool blocked, Cycle cycle) {
    ejection_blocked_[node] = blocked;
    Output& output = outputs_[place(node, kNiuPort)];
    if (!blocked && output.is_stalled) {
        output.is_stalled = false;
        packets_[output.owner].way.back().granted = cycle;
        extend(output.owner, output.owner_station);
    }
}

void TransactionNetwork::wake_interface(NodeIndex node, Cycle cycle) {
    if (cycle < interface_wake_[node]) {
        interface_wake_[node] = cycle;
        push(cycle, Kind::interface, node, 0, kNoPacket);
    }
}

void TransactionNetwork::handle(const Event& event) {
    const Cycle cycle = event.cycle();
    const NodeIndex node = event.node();
    switch (event.kind()) {
        case Kind::release:
            release(node, event.port(), cycle);
            if (event.port() == kNiuPort) {
                packets_.release(event.packet);  // the tail has left the last router
            }
            break;
        case Kind::head_arrives:
            head_arrives(event.packet, cycle);
            break;
        case Kind::interface:
            if (interface_wake_[node] == cycle) {
                interface_wake_[node] = kNever;
                if (const Cycle next = client_.interface_cycle(node, cycle); next != kNever) {
                    wake_interface(node, next);
                }
            }
            break;
        case Kind::stream_is_free:
            outputs_[stream(node)].owner = kNoPacket;
            client_.can_start(node, cycle);
            break;
        case Kind::grant:
            grant(node, event.port(), cycle);
            break;
        case Kind::ejected:
            client_.packet_ejected(node, packets_[event.packet].transaction, cycle);
            break;
    }
}

void TransactionNetwork::run_until(Cycle end) {
    for (Cycle cycle = events_->next_cycle(); cycle < end; cycle = events_->next_cycle()) {
        handle(events_->pop(cycle));
    }
}

}  // namespace nocbench
