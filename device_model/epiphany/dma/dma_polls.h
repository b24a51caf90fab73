// Epiphany cores that wait for a DMA channel by reading its status register over the mesh, again and again. Polls that
// would meet no traffic and find the channel active are skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "device_model/epiphany/cores/epiphany_cores.h"
#include "device_model/epiphany/epiphany_core.h"
#include "device_model/sim/ids.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

class DmaPolls {
public:
    DmaPolls(const EpiphanyCores& cores, std::size_t num_nodes) : cores_(cores), nodes_(num_nodes) {}

    /// Notes that a core has made a poll, begun at `begin`.
    void polled(const EpiphanyCore& core, Tick begin);
    /// True if no other read requests have reached the core's node since the last call.
    [[nodiscard]] bool is_undisturbed(const EpiphanyCore& core);
    /// Stalls a core that polls `channel`, after a poll begun at `poll_begin`, until its next poll may differ.
    void skip(EpiphanyCore& core, std::string_view call, int channel, Tick poll_begin, Cause cause);

    // From the mesh and the DMA engine.

    /// Notes that a read request arrived at `node`, other than its own polls.
    void read_arrived(NodeIndex node, Tick tick);
    /// Notes when something at `node` was read for a reply.
    void was_read(NodeIndex node, Tick tick) { nodes_[node].status_tick = tick; }
    void channel_finished(NodeIndex node, int channel, Tick tick);

private:
    struct Node {
        int channel = -1;  // polled in the skipped polls; -1: none
        Tick since = 0;
        Tick period = 0;
        Tick status_delay = 0;  // from the start of a poll to the read of the register
        Tick status_tick = 0;
        std::uint64_t reads_of_others = 0;  // read requests at this node, other than its own polls
        std::uint64_t reads_of_others_before = 0;
    };

    /// Resumes a core that skips polls, `after` the start of its first poll at `tick` or later.
    void resume(NodeIndex node, Tick tick, Tick after);

    const EpiphanyCores& cores_;
    std::vector<Node> nodes_;
};

}  // namespace nocbench
