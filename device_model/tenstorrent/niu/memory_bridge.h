// The bridge of a tile between one NoC and the controller of the memory behind it: DRAM, or host memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/endpoints/memory_endpoint.h"
#include "device_model/tenstorrent/niu/niu_environment.h"
#include "device_model/tenstorrent/niu/request_spacing.h"

namespace nocbench {

class MemoryBridge {
public:
    MemoryBridge(NiuEnvironment& environment, NodeIndex node);

    /// Lets data go on that waited for time to pass. Returns the next cycle to be called at.
    Cycle run(Cycle cycle);
    /// Tells if the tile's buffer has no room for more requests.
    [[nodiscard]] bool is_full() const { return flits_held_ >= endpoint_.write_buffer_flits; }

    /// Passes on a data flit of a write, or a read request, that reaches the controller at `arrival`.
    void forward_data_flit(const Packet& packet, int channel, Cycle cycle);
    void forward_read(TransactionId id, Cycle arrival);

    // Service by the controller, once no earlier arrival can come.

    ReadService serve_read(const EndpointArrival& arrival);
    /// Returns the cycle in which a write is in memory and is acknowledged, with its last flit.
    std::optional<Cycle> serve_write(const EndpointArrival& arrival);

private:
    [[nodiscard]] EndpointArrival arrival_of(TransactionId id, std::uint64_t address, Cycle cycle) const;
    /// Admits data of one write at a time to the bridge; other writes wait in the routers, and VCs take turns. A write
    /// on another software VC than the last one waits after its first flit until the bridge has switched, which takes
    /// longer after more data. `data_flits`: size of the write at its last flit; 0 before.
    void keep_write_together(int channel, int data_flits, Cycle cycle);
    /// Frees the buffer space of flits that the controller has taken by `cycle`.
    void release_flits(Cycle cycle);
    void wake_at_next_commit();

    NiuEnvironment& environment_;
    NodeIndex node_;
    const MemoryEndpoint& endpoint_;
    std::int64_t flits_held_ = 0;  // written flits still in the tile's buffer
    std::priority_queue<Cycle, std::vector<Cycle>, std::greater<>> commits_;
    RequestSpacing reads_;
    RequestSpacing writes_;
    std::optional<Cycle> write_begin_;             // when the controller sees the begin of the current write
    int write_channel_ = kEveryChannel;            // channel it accepts data from; a single one during a write
    int last_write_virtual_channel_ = kNoChannel;  // of software: the two of a dateline count as one
    Cycle last_write_end_ = -1'000'000;            // long ago
    int last_write_flits_ = 0;                     // data flits
    Cycle writes_resume_ = kNever;                 // after a switch of the virtual channel
};

}  // namespace nocbench
