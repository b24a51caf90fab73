#include "device_model/tenstorrent/niu/network_interfaces.h"

#include <algorithm>
#include <cstddef>

namespace nocbench {

namespace {

bool is_request(PacketKind kind) {
    return kind == PacketKind::read_request || kind == PacketKind::write_request || kind == PacketKind::atomic_request;
}

}  // namespace

NetworkInterfaces::NetworkInterfaces(DeviceState& state, int noc)
    : environment_(state, noc, *this), multicast_trees_(environment_) {
    const auto num_nodes = static_cast<std::size_t>(state.grid.num_nodes());
    interfaces_.reserve(num_nodes);
    for (std::size_t i = 0; i < num_nodes; ++i) {
        const auto node = static_cast<NodeIndex>(i);
        interfaces_.emplace_back(environment_, node);
    }
}

Cycle NetworkInterfaces::interface_cycle(NodeIndex node, Cycle cycle) {
    auto& [initiator, responder] = interfaces_[node];
    const Cycle next_command = initiator.start_commands(cycle);
    const Cycle next = std::min(next_command, responder.run(cycle));
    const bool polls = polls_ && (initiator.has_commands() || responder.has_responses());
    return polls ? std::min(next, cycle + 1) : next;
}

void NetworkInterfaces::stream_can_start(NodeIndex node, int /*stream*/, Cycle cycle) {
    const auto& [initiator, responder] = interfaces_[node];
    const Cycle next = cycle + 1;
    if (initiator.has_commands_at(next) || responder.has_responses_at(next)) {
        network().wake_interface(node, next);
    }
}

void NetworkInterfaces::stream_finished(NodeIndex node, int /*stream*/, PacketId packet_id, const FlitsRead& read) {
    const Packet& packet = environment_.packets[packet_id];
    Transaction& transaction = environment_.transaction(packet.transaction);
    if (transaction.is_leaving && transaction.data_packet.id == packet_id) {
        transaction.data_packet.read = read;
        environment_.state.leaving_data.sent(packet.transaction);
    }
    if (packet.kind == PacketKind::write_request) {
        interfaces_[node].initiator.write_sent(transaction, read.last);
    }
}

void NetworkInterfaces::path_reserved(NodeIndex node, PacketId packet, Cycle requested, Cycle cycle) {
    interfaces_[node].initiator.path_reserved(environment_.packets[packet], requested, cycle);
}

void NetworkInterfaces::head_ejected(NodeIndex node, PacketId packet_id, int channel, Cycle cycle) {
    const Packet& packet = environment_.packets[packet_id];
    if (packet.tree != kNoTree) {
        environment_.slow_multicasts_by_polls(node, cycle);
    }
    auto& [initiator, responder] = interfaces_[node];
    const TransactionId id = packet.tree == kNoTree
                                 ? packet.transaction
                                 : responder.multicast_parts().begin(packet.transaction, multicast_trees_[packet.tree]);
    if (is_request(packet.kind)) {
        responder.request_head_arrived(environment_.transaction(id), channel, cycle);
    } else {
        initiator.response_head_arrived(environment_.transaction(id), cycle);
    }
}

void NetworkInterfaces::data_flit_ejected(NodeIndex node, PacketId packet_id, int channel, Cycle cycle) {
    const Packet& packet = environment_.packets[packet_id];
    if (packet.kind == PacketKind::write_request) {
        interfaces_[node].responder.data_flit_arrived(packet, channel, cycle);
    }
}

void NetworkInterfaces::packet_ejected(NodeIndex node, PacketId packet_id, int channel, Cycle cycle) {
    const Packet packet = environment_.packets[packet_id];
    auto& [initiator, responder] = interfaces_[node];
    TransactionId id = packet.transaction;
    if (packet.tree == kNoTree) {
        environment_.packets.release(packet_id);
    } else {
        if (--environment_.transaction(id).ejections_missing == 0) {
            environment_.packets.release(packet_id);
        }
        id = responder.multicast_parts().end_arrival(id);
    }
    if (is_request(packet.kind)) {
        responder.request_arrived(id, channel, cycle);
    } else {
        initiator.response_arrived(id, cycle);
    }
}

void NetworkInterfaces::commit_write(TransactionId id, Tick tick) {
    const Transaction& transaction = environment_.transaction(id);
    interfaces_[transaction.responder].responder.commit_write(id, tick);
    if (transaction.posted) {
        interfaces_[transaction.requestor].initiator.finish(id);
    }
}

void NetworkInterfaces::complete(TransactionId id, Tick tick) {
    interfaces_[environment_.transaction(id).requestor].initiator.complete(id, tick);
}

void NetworkInterfaces::append_packet_use(std::vector<PacketUse>& use) const {
    if (environment_.packet_counts) {
        environment_.packet_counts->append_use(environment_.state.grid, environment_.noc, environment_.topology(),
                                               network(), multicast_trees_, use);
    }
}

}  // namespace nocbench
