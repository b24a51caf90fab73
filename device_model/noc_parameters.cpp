#include "device_model/noc_parameters.h"

#include <algorithm>

namespace nocbench {

Cycle shortest_latency(const Architecture& architecture) {
    return std::min({architecture.router.hop_cycles, architecture.router.credit_return_cycles,
                     architecture.router.reservation_reply_cycles, architecture.niu.ejection_cycles + 1,
                     cycle_containing(architecture.risc.register_return_ticks)});
}

NetworkParameters noc_parameters(const Architecture& architecture) {
    const RouterConstants& router = architecture.router;
    const NiuConstants& niu = architecture.niu;
    NetworkParameters parameters;
    parameters.hop_cycles = router.hop_cycles;
    parameters.credit_return_cycles = router.credit_return_cycles;
    parameters.private_flits_per_virtual_channel = static_cast<int>(router.private_flits_per_virtual_channel);
    parameters.shared_flits_per_input_port = static_cast<int>(router.shared_flits_per_input_port);
    parameters.shared_flits_per_virtual_channel_max = static_cast<int>(router.shared_flits_per_virtual_channel_max);
    parameters.dynamic_group = static_cast<int>(router.dynamic_request_virtual_channels);
    parameters.injection_cycles = niu.injection_cycles;
    parameters.injection_buffer_flits = static_cast<int>(niu.injection_buffer_flits);
    parameters.read_ahead_flits = static_cast<int>(architecture.l1.read_latency_cycles);
    parameters.block_cycles = shortest_latency(architecture);
    parameters.reservation_reply_cycles = router.reservation_reply_cycles;
    parameters.reservation_backoff_cycles = router.reservation_backoff_cycles;
    parameters.reservation_backoff_doublings_max = static_cast<int>(router.reservation_backoff_doublings_max);
    return parameters;
}

}  // namespace nocbench
