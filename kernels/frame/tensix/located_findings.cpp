#include "kernels/frame/tensix/located_findings.h"

#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/device_state.h"

namespace nocbench {

KnownAddress known_address(Device& device, NodeIndex node, std::uint64_t address) {
    const DeviceState& state = device.state();
    KnownAddress known;
    known.address = address;
    const MemoryKind memory = state.memory_kind_of_node[node];
    if (memory == MemoryKind::dram) {
        known.bank = state.controller(node, address);
        known.address -= static_cast<std::uint64_t>(state.grid.dram_banks()[*known.bank].offset_bytes);
    } else if (memory == MemoryKind::l1) {
        known.core = state.grid.logical(state.grid.place_of_node(node));
    }
    return known;
}

std::vector<LocatedFinding> located_findings(Device& device) {
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
        one.begin = known_address(device, finding.node, finding.begin);
    }
    return located;
}

}  // namespace nocbench
