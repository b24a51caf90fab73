#include "device_model/epiphany/dma/dma_polls.h"

#include <utility>

namespace nocbench {

void DmaPolls::polled(const EpiphanyCore& core, Tick begin) {
    Node& node = nodes_[core.identity().node];
    node.status_delay = node.status_tick - begin;
}

bool DmaPolls::is_undisturbed(const EpiphanyCore& core) {
    Node& node = nodes_[core.identity().node];
    return std::exchange(node.reads_of_others_before, node.reads_of_others) == node.reads_of_others;
}

void DmaPolls::skip(EpiphanyCore& core, std::string_view call, int channel, Tick poll_begin, Cause cause) {
    Node& node = nodes_[core.identity().node];
    node.channel = channel;
    node.since = core.now();
    node.period = core.now() - poll_begin;
    core.stall({call, "the DMA channel to finish", 0}, cause);
}

void DmaPolls::read_arrived(NodeIndex node, Tick tick) {
    ++nodes_[node].reads_of_others;
    resume(node, tick, 0);
}

void DmaPolls::channel_finished(NodeIndex node, int channel, Tick tick) {
    const Node& state = nodes_[node];
    if (state.channel == channel) {
        // The first poll to read the register after now may already have begun.
        resume(node, tick - state.status_delay, state.period);
    }
}

void DmaPolls::resume(NodeIndex node, Tick tick, Tick after) {
    Node& state = nodes_[node];
    if (std::exchange(state.channel, -1) >= 0) {
        cores_.at(node).release(next_of_period(state.since, state.period, tick) + after);
    }
}

}  // namespace nocbench
