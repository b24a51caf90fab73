#include "kernels/frame/tensix/located_findings.h"

#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/device_state.h"

namespace nocbench {

std::vector<LocatedFinding> located_findings(Device& device) {
    const DeviceState& state = device.state();
    std::vector<LocatedFinding> located;
    for (const Finding& finding : device.findings()) {
        LocatedFinding& one = located.emplace_back();
        one.finding = finding;
        if (finding.first.has_value()) {
            one.first = device.identity(finding.first->risc);
        }
        if (finding.second.has_value()) {
            one.second = device.identity(finding.second->risc);
        }
        one.address = finding.begin;
        const MemoryKind memory = state.memory_kind_of_node[finding.node];
        if (memory == MemoryKind::dram) {
            one.bank = state.controller(finding.node, finding.begin);
            one.address -= static_cast<std::uint64_t>(state.grid.dram_banks()[*one.bank].offset_bytes);
        } else if (memory == MemoryKind::l1) {
            one.core = state.grid.logical(state.grid.place_of_node(finding.node));
        }
    }
    return located;
}

}  // namespace nocbench
