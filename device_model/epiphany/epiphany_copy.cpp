// What routines that copy blocks need of a core, beyond single loads and stores.
#include <algorithm>
#include <ranges>

#include "device_model/epiphany/epiphany_state.h"

namespace nocbench {

bool EpiphanyState::has_writes_under_way(NodeIndex from) {
    return std::ranges::any_of(std::views::iota(NodeIndex{0}, static_cast<NodeIndex>(nodes_.size())),
                               [&](NodeIndex to) {
                                   const Writes& each = writes(from, to);
                                   return each.landed != each.issued;
                               });
}

void EpiphanyState::wait_for_writes(EpiphanyCore& core, std::string_view call) {
    core.synchronize();
    const NodeIndex index = core.identity().node;
    if (has_writes_under_way(index)) {
        nodes_[index].awaits_landing = true;
        core.stall({call, "what the core has written to arrive", 0}, Cause::contention);
    }
}

void EpiphanyState::note_landing(NodeIndex from, Tick tick) {
    Node& node = nodes_[from];
    if (node.awaits_landing && !has_writes_under_way(from)) {
        node.awaits_landing = false;
        core_of(node).release(tick);
    }
}

}  // namespace nocbench
