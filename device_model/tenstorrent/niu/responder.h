// The responder of a NIU: requests that have reached its tile, their service by its memory, and the responses.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "device_model/noc/packet.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/niu/memory_bridge.h"
#include "device_model/tenstorrent/niu/multicast_parts.h"
#include "device_model/tenstorrent/niu/niu_environment.h"
#include "device_model/tenstorrent/niu/request_channels.h"
#include "device_model/tenstorrent/niu/request_spacing.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench {

class Responder {
public:
    Responder(NiuEnvironment& environment, NodeIndex node);

    // For the network.

    /// Starts responses, and runs the bridge. Returns the next cycle to be called at.
    Cycle run(Cycle cycle);
    [[nodiscard]] bool has_responses() const { return !responses_.empty(); }
    /// Tells if a response waits for nothing but a stream at `cycle`.
    [[nodiscard]] bool has_responses_at(Cycle cycle) const;
    [[nodiscard]] MulticastParts& multicast_parts() { return multicast_parts_; }
    void request_head_arrived(Transaction& transaction, int channel, Cycle cycle);
    /// Takes a data flit of a write to a memory with a controller.
    void data_flit_arrived(const Packet& packet, int channel, Cycle cycle);
    void request_arrived(TransactionId id, int channel, Cycle cycle);

    /// Lets the controller serve a request or flit that has reached it.
    void serve(const EndpointArrival& arrival);
    /// Handles EventKind::commit_write.
    void commit_write(TransactionId id, Tick tick);

private:
    struct PendingResponse {
        Cycle ready = 0;
        TransactionId transaction = kNoTransaction;
        Tick ticks_per_flit = 0;
        bool holds_request = false;       // blocks the next request of its virtual channel
        Cycle request_released = kNever;  // when it unblocks, unless something else delays the response
    };

    /// Last arrival of perturbed packets on the path of a transaction.
    Cycle& last_arrival(TransactionId id);
    /// Completes a write: bytes visible in memory at `visible`, acknowledgement sent at `acknowledged`.
    void finish_write(TransactionId id, Cycle visible, Cycle acknowledged);
    void add_response(PendingResponse response);
    Cycle start_responses(Cycle cycle);
    void start_response(int stream, Cycle cycle);
    void release_request(PendingResponse& response, Cycle cycle);
    /// Returns a stream on which a response can start now, if any.
    [[nodiscard]] std::optional<int> free_stream() const;

    NiuEnvironment& environment_;
    NodeIndex node_;
    RequestChannels request_channels_;
    std::unique_ptr<MemoryBridge> bridge_;  // null: memory is L1
    RequestSpacing atomics_;
    std::deque<PendingResponse> responses_;  // in order of `ready`
    MulticastParts multicast_parts_;
    std::map<std::pair<NodeIndex, int>, Cycle> last_arrivals_;  // by requestor and virtual channel
};

}  // namespace nocbench
