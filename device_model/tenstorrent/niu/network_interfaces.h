// Network interfaces (NIUs) of all tiles on one NoC: an initiator and a responder each.
#pragma once

#include <memory>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/tenstorrent/niu/initiator.h"
#include "device_model/tenstorrent/niu/multicast_trees.h"
#include "device_model/tenstorrent/niu/niu_environment.h"
#include "device_model/tenstorrent/niu/responder.h"

namespace nocbench {

class NetworkInterfaces final : public NetworkClient {
public:
    NetworkInterfaces(DeviceState& state, int noc);

    [[nodiscard]] Network& network() const { return *environment_.network; }
    [[nodiscard]] MulticastTrees& multicast_trees() { return multicast_trees_; }
    [[nodiscard]] Initiator& initiator(NodeIndex node) { return interfaces_[node].initiator; }

    void count_packets() { environment_.packet_counts = std::make_unique<PacketCounts>(); }
    /// Appends the flits over each link by kind of packet; nothing unless packets are counted.
    void append_packet_use(std::vector<PacketUse>& use) const;

    /// Polls interfaces every cycle instead of waking them. Slower, with the same results, which tests verify.
    void set_polls(bool polls) { polls_ = polls; }

    /// Handles EventKind::commit_write and EventKind::complete_transaction.
    void commit_write(TransactionId id, Tick tick);
    void complete(TransactionId id, Tick tick);

    /// Lets the controller of a memory serve a request or flit that has reached it.
    void serve(const EndpointArrival& arrival) { interfaces_[arrival.node].responder.serve(arrival); }

    Cycle interface_cycle(NodeIndex node, Cycle cycle) override;
    void stream_can_start(NodeIndex node, int stream, Cycle cycle) override;
    void stream_finished(NodeIndex node, int stream, PacketId packet, const FlitsRead& read) override;
    void head_ejected(NodeIndex node, PacketId packet, int channel, Cycle cycle) override;
    void data_flit_ejected(NodeIndex node, PacketId packet, int channel, Cycle cycle) override;
    void packet_ejected(NodeIndex node, PacketId packet, int channel, Cycle cycle) override;
    void path_reserved(NodeIndex node, PacketId packet, Cycle requested, Cycle cycle) override;

private:
    struct NetworkInterface {
        NetworkInterface(NiuEnvironment& environment, NodeIndex node)
            : initiator(environment, node), responder(environment, node) {}
        Initiator initiator;
        Responder responder;
    };

    NiuEnvironment environment_;
    MulticastTrees multicast_trees_;
    std::vector<NetworkInterface> interfaces_;
    bool polls_ = false;
};

}  // namespace nocbench
