#include "device_model/tenstorrent/noc_parameters.h"

#include <algorithm>
#include <ranges>

#include "device_model/noc/stepping_order.h"
#include "device_model/tenstorrent/endpoints/memory_endpoint.h"

namespace nocbench {

namespace {

/// Returns the minimum cycles from an event on a tile to its first effect on a router: a kernel resumes, gets a free
/// command buffer, and issues a command.
Cycle command_latency(const TorusArchitecture& architecture) {
    // Native kernels spend the rest of their call first; compiled ones may write the register at once, with effect in
    // the next cycle.
    constexpr Cycle kStoreCycles = 1;
    return kStoreCycles + architecture.niu.command_accept_cycles;
}

/// True if skews of up to `tile_lag` cycles for tiles and `event_lag` for events leave the results unchanged. Without
/// any skew, no window exceeds the latency from a router into its tile.
bool is_exact(const TorusArchitecture& architecture, const TorusBoard& board, Cycle window, Cycle tile_lag,
              Cycle event_lag) {
    const RiscConstants& risc = architecture.risc;
    // A kernel's load misses changes that come after the register is read.
    const Cycle register_read = cycle_containing(risc.register_load_ticks - risc.register_return_ticks);
    const auto is_in_time = [&](MemoryKind kind) {
        const MemoryEndpoint endpoint = memory_endpoint(kind, architecture, board);
        const Cycle service = architecture.niu.ejection_cycles +
                              std::min(endpoint.read_latency_cycles,
                                       architecture.l1.write_latency_cycles + endpoint.write_latency_cycles);
        return window + tile_lag <= service && window + tile_lag < endpoint.write_buffer_flits;
    };
    return (event_lag == 0 && tile_lag == 0) ||
           (event_lag <= register_read + 1 && event_lag <= command_latency(architecture) &&
            is_in_time(MemoryKind::dram) && is_in_time(MemoryKind::host));
}

}  // namespace

WindowSchedule window_schedule(const TorusArchitecture& architecture, const TorusBoard& board, const Grid& grid,
                               Cycle most) {
    const NiuConstants& niu = architecture.niu;
    const LinkLatencies latencies = link_latencies(noc_parameters(architecture, {}));
    // From a router to a counter or memory of its tile, or to a kernel waiting for it.
    const Cycle to_tile = std::min(niu.ejection_cycles + 1, cycle_containing(architecture.risc.register_return_ticks));
    WindowSchedule schedule;
    for (Cycle window = most; schedule.window_cycles == 0; --window) {
        // The packet-level network needs no skew: it simulates all tiles in time order.
        const bool is_flit_by_flit = architecture.accuracy == Accuracy::exact;
        const Cycle skew =
            is_flit_by_flit ? std::max<Cycle>(0, window - std::min(latencies.along, latencies.against)) : 0;
        const std::vector<Cycle> skews = grid.is_mesh() ? checkerboard_skews(noc_topology(grid, 0), skew)
                                                        : ring_cut_skews(grid.columns(), grid.rows(), skew);
        const Cycle event_lag = std::max<Cycle>(0, window - to_tile);
        const bool has_orders =
            !is_flit_by_flit || std::ranges::all_of(std::views::iota(0, architecture.num_nocs()), [&](int noc) {
                return !stepping_order(noc_topology(grid, noc), latencies, skews, window).empty();
            });
        const Cycle tile_lag = std::ranges::max(skews);
        if (window == 1 || (has_orders && is_exact(architecture, board, window, tile_lag, event_lag))) {
            schedule = {window, skews, event_lag, tile_lag - niu.ejection_cycles};
        }
    }
    return schedule;
}

Topology noc_topology(const Grid& grid, int noc) {
    return grid.is_mesh() ? mesh(grid.columns(), grid.rows()) : unidirectional_torus(grid.columns(), grid.rows(), noc);
}

std::vector<NocLink> noc_links(const Grid& grid, int noc) {
    if (grid.is_mesh()) {
        return {{kRightPort, Direction::east},
                {kLeftPort, Direction::west},
                {kDownPort, Direction::south},
                {kUpPort, Direction::north}};
    }
    return {{kXPort, noc == 0 ? Direction::east : Direction::west},
            {kYPort, noc == 0 ? Direction::south : Direction::north}};
}

NetworkParameters noc_parameters(const TorusArchitecture& architecture, const WindowSchedule& schedule) {
    const RouterConstants& router = architecture.router;
    const NiuConstants& niu = architecture.niu;
    NetworkParameters parameters;
    parameters.hop_cycles = router.hop_cycles;
    parameters.credit_return_cycles = router.credit_return_cycles;
    parameters.private_flits_per_virtual_channel = static_cast<int>(router.private_flits_per_virtual_channel);
    parameters.shared_flits_per_input_port = static_cast<int>(router.shared_flits_per_input_port);
    parameters.shared_flits_per_virtual_channel_max = static_cast<int>(router.shared_flits_per_virtual_channel_max);
    static_assert(RouterConstants::kNeverIdles == NetworkParameters::kNeverIdles);
    parameters.link_flits_on_end_max = static_cast<int>(router.link_flits_on_end_max);
    parameters.software_virtual_channels = static_cast<int>(router.virtual_channels);
    parameters.first_response_virtual_channel = static_cast<int>(router.first_response_virtual_channel);
    parameters.dynamic_group = static_cast<int>(router.dynamic_request_virtual_channels);
    parameters.injection_cycles = niu.injection_cycles;
    parameters.source_ticks_per_header = niu.source_ticks_per_header;
    parameters.injection_buffer_flits = static_cast<int>(niu.injection_buffer_flits);
    parameters.read_ahead_flits = static_cast<int>(architecture.l1.read_latency_cycles);
    parameters.window_cycles = schedule.window_cycles;
    parameters.skew_cycles = schedule.skew_cycles;
    parameters.reservation_reply_cycles = router.reservation_reply_cycles;
    parameters.reservation_backoff_cycles = router.reservation_backoff_cycles;
    parameters.reservation_backoff_doublings_max = static_cast<int>(router.reservation_backoff_doublings_max);
    return parameters;
}

}  // namespace nocbench
