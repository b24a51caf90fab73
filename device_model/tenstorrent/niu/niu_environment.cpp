#include "device_model/tenstorrent/niu/niu_environment.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "device_model/noc/make_network.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/narrow.h"
#include "device_model/tenstorrent/noc_parameters.h"

namespace nocbench {

namespace {

Topology topology_of(const DeviceState& state, int noc) {
    const Topology topology = noc_topology(state.grid, noc);
    return state.architecture.router.datelines != 0 ? topology : without_datelines(topology);
}

}  // namespace

NiuEnvironment::NiuEnvironment(DeviceState& state_, int noc_, NetworkClient& client)
    : state(state_),
      noc(noc_),
      network(make_network(state.architecture.accuracy, topology_of(state, noc),
                           noc_parameters(state.architecture, state.schedule), packets, client)),
      read_busy_times(static_cast<std::size_t>(state.grid.num_nodes()),
                      state.architecture.niu.source_ticks_per_data_flit[static_cast<std::size_t>(noc)],
                      state.architecture.niu.sink_ticks_per_data_flit[static_cast<std::size_t>(noc)]),
      polled_shares_(static_cast<std::size_t>(state.grid.num_nodes())) {
    for (int node = 0; node < state.grid.num_nodes(); ++node) {
        set_rates(static_cast<NodeIndex>(node), 0);
    }
}

Topology NiuEnvironment::topology() const { return topology_of(state, noc); }

void NiuEnvironment::slow_multicasts_by_polls(NodeIndex node, Cycle cycle) {
    const Tick share = state.polled_share(node, ticks_from_cycles(cycle));
    if (std::exchange(polled_shares_[node], share) != share) {
        set_rates(node, share);
    }
}

void NiuEnvironment::set_rates(NodeIndex node, Tick polled_share) const {
    const NiuConstants& niu = architecture().niu;
    const auto index = static_cast<std::size_t>(noc);
    const Tick multicast_sink = niu.multicast_sink_ticks_per_data_flit[index];
    network->set_rates(node, niu.source_ticks_per_data_flit[index], niu.sink_ticks_per_data_flit[index],
                       multicast_sink + multicast_sink * polled_share / kTicksPerCycle);
}

void NiuEnvironment::add_event(NodeIndex node, Cycle cycle, EventKind kind, TransactionId id) const {
    const auto place = static_cast<std::uint32_t>(node * kNumNocs + noc);
    state.events.push({ticks_from_cycles(cycle), place, kind, id, state.skew_of_tile[node]});
}

void NiuEnvironment::send(NodeIndex node, int stream, Packet packet, int flits, Cycle start, Tick ticks_per_flit) {
    packet.source = node;
    packet.flits = narrow<std::uint16_t>(flits, "flits of a packet");
    const PacketId id = packets.allocate(packet);
    if (packet_counts) {
        packet_counts->add(packet);
    }
    if (Transaction& sender = transaction(packet.transaction); sender.is_leaving) {
        sender.data_packet = {
            id, static_cast<std::uint8_t>(stream), static_cast<std::uint8_t>(flits - sender.data_flits), {}};
    }
    network->start_stream(node, stream, id, start, ticks_per_flit);
}

}  // namespace nocbench
