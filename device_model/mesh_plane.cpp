#include "device_model/mesh_plane.h"

#include <algorithm>

namespace nocbench {

namespace {

int flits_of(Plane plane, const MeshConstants& constants) {
    const std::array<std::int64_t, kNumPlanes> cycles{constants.on_chip_write_cycles, constants.off_chip_write_cycles,
                                                      constants.read_request_cycles};
    return static_cast<int>(cycles[static_cast<std::size_t>(plane)] * MeshPlane::kNetworkCyclesPerCycle);
}

Cycle network_cycles(Tick ticks) {
    return std::max<Cycle>(1, (ticks + MeshPlane::kTicksPerNetworkCycle - 1) / MeshPlane::kTicksPerNetworkCycle);
}

}  // namespace

NetworkParameters MeshPlane::parameters(const MeshConstants& constants) {
    NetworkParameters parameters;
    parameters.hop_cycles = network_cycles(constants.hop_ticks);
    parameters.credit_return_cycles = network_cycles(constants.credit_return_ticks);
    parameters.private_flits_per_virtual_channel = static_cast<int>(network_cycles(constants.buffer_ticks));
    parameters.injection_cycles = network_cycles(constants.injection_ticks);
    parameters.injection_buffer_flits = static_cast<int>(parameters.injection_cycles) + 1;
    parameters.block_cycles = block_cycles(constants);
    parameters.software_virtual_channels = 1;
    parameters.first_response_virtual_channel = 1;  // none are set apart
    parameters.dynamic_group = 1;
    parameters.dynamic_response_group = 1;
    return parameters;
}

Cycle MeshPlane::block_cycles(const MeshConstants& constants) {
    return std::min({network_cycles(constants.hop_ticks), network_cycles(constants.credit_return_ticks),
                     network_cycles(constants.ejection_ticks) + 1});
}

MeshPlane::MeshPlane(Plane plane, const MeshConstants& constants, const Topology& topology, MeshClient& client)
    : plane_(plane),
      flits_(flits_of(plane, constants)),
      ejection_cycles_(network_cycles(constants.ejection_ticks)),
      client_(client),
      interfaces_(static_cast<std::size_t>(topology.num_nodes)),
      network_(topology, parameters(constants), packets_, *this) {
    for (int node = 0; node < topology.num_nodes; ++node) {
        network_.set_rates(static_cast<NodeIndex>(node), kTicksPerCycle, kTicksPerCycle, kTicksPerCycle);
    }
}

void MeshPlane::send(NodeIndex node, MeshPort port, NodeIndex destination, TransactionId transaction, Tick ready) {
    const Cycle cycle = cycle_from(ready);
    interfaces_[node].waiting[static_cast<std::size_t>(port)].push_back({destination, transaction, cycle});
    network_.wake_interface(node, cycle);
}

void MeshPlane::call_at(NodeIndex node, Tick tick) {
    Interface& interface = interfaces_[node];
    interface.call = std::min(interface.call, cycle_from(tick));
    network_.wake_interface(node, interface.call);
}

Cycle MeshPlane::start_next(NodeIndex node, Cycle cycle) {
    Interface& interface = interfaces_[node];
    Cycle next = kNever;
    for (std::size_t port = 0; port < kNumMeshPorts; ++port) {
        std::deque<Outgoing>& waiting = interface.waiting[port];
        if (waiting.empty()) {
            continue;
        }
        if (waiting.front().ready > cycle) {
            next = std::min(next, waiting.front().ready);
            continue;
        }
        if (!network_.can_start_stream(node, 0)) {
            return kNever;  // stream_can_start comes
        }
        const Outgoing outgoing = waiting.front();
        waiting.pop_front();
        Packet packet;
        packet.flits = static_cast<std::uint16_t>(flits_);
        packet.source = node;
        packet.destination = outgoing.destination;
        packet.kind = plane_ == Plane::read_request ? PacketKind::read_request : PacketKind::write_request;
        packet.transaction = outgoing.transaction;
        network_.start_stream(node, 0, packets_.allocate(packet), cycle, 0);
        client_.transaction_left(plane_, node, static_cast<MeshPort>(port), outgoing.transaction, tick_of(cycle));
        return start_next(node, cycle);
    }
    return next;
}

Cycle MeshPlane::interface_cycle(NodeIndex node, Cycle cycle) {
    Interface& interface = interfaces_[node];
    if (interface.call <= cycle) {
        interface.call = kNever;
        client_.time_reached(plane_, node, tick_of(cycle));
    }
    return std::min(start_next(node, cycle), interface.call);
}

void MeshPlane::stream_can_start(NodeIndex node, int /*stream*/, Cycle cycle) {
    const Cycle next = start_next(node, cycle + 1);
    if (next != kNever) {
        network_.wake_interface(node, next);
    }
}

void MeshPlane::packet_ejected(NodeIndex node, PacketId packet, Cycle cycle) {
    const TransactionId transaction = packets_[packet].transaction;
    packets_.release(packet);
    client_.transaction_arrived(plane_, node, transaction, tick_of(cycle + 1 + ejection_cycles_));
}

}  // namespace nocbench
