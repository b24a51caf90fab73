// Surroundings of the NIUs on one NoC: the device, the NoC and its packets.
#pragma once

#include <memory>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/sim/event_queue.h"
#include "device_model/tenstorrent/counting/packet_counts.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/niu/read_busy_times.h"

namespace nocbench {

struct NiuEnvironment {
    NiuEnvironment(DeviceState& state_, int noc_, NetworkClient& client);

    /// Adds an event of `node` at the start of `cycle`.
    void add_event(NodeIndex node, Cycle cycle, EventKind kind, TransactionId id) const;
    /// Sends a packet of `flits` flits; see Network::start_stream.
    void send(NodeIndex node, int stream, Packet packet, int flits, Cycle start, Tick ticks_per_flit);
    /// Lowers the rate at which `node` takes in multicasts by what its RISCs take of L1 at `cycle`, by polling it.
    void slow_multicasts_by_polls(NodeIndex node, Cycle cycle);

    [[nodiscard]] Topology topology() const;
    [[nodiscard]] Transaction& transaction(TransactionId id) const { return state.transactions[id]; }
    [[nodiscard]] const TorusArchitecture& architecture() const { return state.architecture; }

    DeviceState& state;
    int noc;
    PacketPool packets;
    std::unique_ptr<Network> network;
    ReadBusyTimes read_busy_times;
    std::unique_ptr<PacketCounts> packet_counts;  // null: packets are not counted

private:
    void set_rates(NodeIndex node, Tick polled_share) const;

    std::vector<Tick> polled_shares_;  // of each tile's L1, in ticks per cycle
};

}  // namespace nocbench
