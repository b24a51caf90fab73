#include "device_model/tenstorrent/niu/niu_environment.h"

#include <cstddef>
#include <cstdint>

#include "device_model/noc/make_network.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/narrow.h"
#include "device_model/tenstorrent/noc_parameters.h"

namespace nocbench {

namespace {

Topology topology_of(const DeviceState& state, int noc) {
    const Topology torus = unidirectional_torus(state.grid.columns(), state.grid.rows(), noc);
    return state.architecture.router.datelines != 0 ? torus : without_datelines(torus);
}

}  // namespace

NiuEnvironment::NiuEnvironment(DeviceState& state_, int noc_, NetworkClient& client)
    : state(state_),
      noc(noc_),
      network(make_network(state.architecture.accuracy, topology_of(state, noc),
                           noc_parameters(state.architecture, state.schedule), packets, client)),
      read_busy_times(static_cast<std::size_t>(state.grid.num_nodes()),
                      state.architecture.niu.source_ticks_per_data_flit[static_cast<std::size_t>(noc)],
                      state.architecture.niu.sink_ticks_per_data_flit[static_cast<std::size_t>(noc)]) {}

void NiuEnvironment::add_event(NodeIndex node, Cycle cycle, EventKind kind, TransactionId id) const {
    const auto place = static_cast<std::uint32_t>(node * kNumNocs + noc);
    state.events.push({ticks_from_cycles(cycle), place, kind, id, state.skew_of_tile[node]});
}

void NiuEnvironment::send(NodeIndex node, int stream, Packet packet, int flits, Cycle start, Tick ticks_per_flit) {
    packet.source = node;
    packet.flits = narrow<std::uint16_t>(flits, "flits of a packet");
    network->start_stream(node, stream, packets.allocate(packet), start, ticks_per_flit);
}

}  // namespace nocbench
