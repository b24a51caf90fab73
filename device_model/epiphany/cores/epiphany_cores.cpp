#include "device_model/epiphany/cores/epiphany_cores.h"

#include <fmt/format.h>

namespace nocbench {

void EpiphanyCores::add(EpiphanyCore& core) {
    by_node_[core.identity().node] = &core;
    all_.push_back(&core);
}

std::string EpiphanyCores::caller(NodeIndex node, std::string_view call) const {
    const EpiphanyCore* const core = find(node);
    return fmt::format("{}: {}", core != nullptr ? core->name() : "a core", call);
}

}  // namespace nocbench
