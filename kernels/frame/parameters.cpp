#include "kernels/frame/parameters.h"

#include <fmt/format.h>

#include "device_model/noc/packet.h"
#include "kernels/frame/meeting.h"

namespace nocbench {

std::vector<ParameterDefinition> joined(std::initializer_list<std::vector<ParameterDefinition>> lists) {
    std::vector<ParameterDefinition> all;
    for (const std::vector<ParameterDefinition>& list : lists) {
        all.insert(all.end(), list.begin(), list.end());
    }
    return all;
}

ParameterDefinition core_parameter(const std::string& name, const std::string& default_core,
                                   const std::string& meaning) {
    return {name, default_core, meaning, true};
}

ParameterDefinition noc_parameter(const std::string& default_noc, const std::string& meaning, bool is_swept) {
    return {"noc", default_noc, meaning, false, is_swept, ParameterRole::noc};
}

ParameterDefinition channel_parameter(const std::string& packets) {
    return {"vc", "1", "virtual channel of the " + packets, false, false, ParameterRole::unicast_channel};
}

ParameterDefinition multicast_channel_parameter() {
    return {"vc",
            std::to_string(kFirstBroadcastVirtualChannel),
            "virtual channel of the multicasts",
            false,
            false,
            ParameterRole::multicast_channel};
}

std::vector<ParameterDefinition> area_parameters(const std::string& default_grid,
                                                 const std::string& default_rectangle) {
    return {
        {"grid", default_grid, "cores that take part: columns x rows from core (0, 0) on, such as 2x2, or all"},
        {"rectangle", default_rectangle,
         "the same by the first and the last core, such as 1,1-4,4; counts instead of `grid` where it is given", true}};
}

std::vector<ParameterDefinition> processor_parameters(TransactionKind kind) {
    const bool is_read = kind == TransactionKind::read;
    return {{"riscv", is_read ? "1" : "0", fmt::format("RISC that {}", is_read ? "reads" : "writes")},
            noc_parameter(is_read ? "1" : "0", "NoC that it uses")};
}

std::vector<ParameterDefinition> issuer_parameters(TransactionKind kind) {
    return joined(
        {processor_parameters(kind), {channel_parameter(kind == TransactionKind::read ? "read requests" : "writes")}});
}

std::vector<ParameterDefinition> alternating_channels_parameters(TransactionKind kind, bool is_swept) {
    const bool is_read = kind == TransactionKind::read;
    return {{"riscv", is_read ? "1" : "0", fmt::format("RISC that {}", is_read ? "reads" : "writes")},
            noc_parameter(is_read ? "1" : "0", "NoC that it uses", is_swept),
            {"vcs", "1",
             fmt::format("virtual channels that its calls take one after the other, 1 to {}",
                         kFirstBroadcastVirtualChannel),
             false, is_swept}};
}

std::vector<ParameterDefinition> unicast_parameters(TransactionKind kind) {
    return joined({issuer_parameters(kind),
                   {{"stateful", "0",
                     "1: what calls have in common is set up once per destination, and calls are cut into packets by "
                     "the kernel"}}});
}

std::vector<ParameterDefinition> all_with_all_parameters() {
    return {{"loopback", "1", "1: a core is one of its own partners; 0: it is left out"}, start_parameter("skewed")};
}

std::vector<ParameterDefinition> master_parameters(const std::string& master_grid, const std::string& subordinate_grid,
                                                   bool is_swept) {
    const std::string form = ": columns x rows from core (0, 0) on, such as 2x2, or all";
    return {{"master_grid", master_grid, "cores that run the kernel" + form, false, is_swept},
            {"subordinate_grid", subordinate_grid,
             "cores that they turn to" + form + "; those that run the kernel where it is not given"},
            start_parameter("together")};
}

std::vector<ParameterDefinition> multicast_parameters() {
    return {{"riscv", "0", "RISC that writes"}, noc_parameter("0", "NoC that it uses"), multicast_channel_parameter()};
}

}  // namespace nocbench
