#include "device_model/epiphany/mesh/mesh_plane.h"

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

TransactionNetwork::Parameters MeshPlane::parameters(Plane plane, const MeshConstants& constants) {
    return {.hop_cycles = network_cycles(constants.hop_ticks),
            .credit_return_cycles = network_cycles(constants.credit_return_ticks),
            .injection_cycles = network_cycles(constants.injection_ticks),
            .buffer_flits = network_cycles(constants.buffer_ticks),
            .packet_flits = flits_of(plane, constants)};
}

MeshPlane::MeshPlane(Plane plane, const MeshConstants& constants, const Topology& topology, MeshClient& client)
    : plane_(plane),
      flits_(flits_of(plane, constants)),
      ejection_cycles_(network_cycles(constants.ejection_ticks)),
      client_(client),
      interfaces_(static_cast<std::size_t>(topology.num_nodes)),
      network_(topology, parameters(plane, constants), *this) {}

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
        std::vector<Outgoing>& waiting = interface.waiting[port];
        if (waiting.empty()) {
            continue;
        }
        if (waiting.front().ready > cycle) {
            next = std::min(next, waiting.front().ready);
            continue;
        }
        if (!network_.can_start(node)) {
            return kNever;  // can_start() follows
        }
        const Outgoing outgoing = waiting.front();
        waiting.erase(waiting.begin());  // seldom has others
        network_.start(node, outgoing.destination, outgoing.transaction, cycle);
        client_.transaction_left(plane_, node, static_cast<MeshPort>(port), outgoing.transaction, tick_of(cycle));
        return start_next(node, cycle);
    }
    return next;
}

Cycle MeshPlane::interface_cycle(NodeIndex node, Cycle cycle) {
    now_ = cycle;
    Interface& interface = interfaces_[node];
    if (interface.call <= cycle) {
        interface.call = kNever;
        client_.time_reached(plane_, node, tick_of(cycle));
    }
    return std::min(start_next(node, cycle), interface.call);
}

void MeshPlane::can_start(NodeIndex node, Cycle cycle) {
    now_ = cycle;
    const Cycle next = start_next(node, cycle + 1);
    if (next != kNever) {
        network_.wake_interface(node, next);
    }
}

void MeshPlane::packet_ejected(NodeIndex node, TransactionId transaction, Cycle cycle) {
    now_ = cycle;
    client_.transaction_arrived(plane_, node, transaction, tick_of(cycle + 1 + ejection_cycles_));
}

}  // namespace nocbench
