#include "device_model/epiphany/cores/writes_under_way.h"

#include <algorithm>
#include <span>

namespace nocbench {

bool WritesUnderWay::has_any(NodeIndex from) const {
    return std::ranges::any_of(std::span(counts_).subspan(from * num_nodes_, num_nodes_),
                               [](const Counts& each) { return each.landed != each.issued; });
}

void WritesUnderWay::wait(EpiphanyCore& core, std::string_view call) {
    core.synchronize();
    const NodeIndex node = core.identity().node;
    if (holder_ != nullptr) {
        holder_->disturb(node);
    }
    if (has_any(node)) {
        waits_[node] = true;
        core.stall({call, "what the core has written to arrive", 0}, Cause::contention);
    }
}

void WritesUnderWay::land(NodeIndex from, NodeIndex to, Tick tick, std::uint64_t writes) {
    counts(from, to).landed += writes;
    if (waits_[from] && !has_any(from)) {
        waits_[from] = false;
        cores_.at(from).release(tick);
    }
}

}  // namespace nocbench
