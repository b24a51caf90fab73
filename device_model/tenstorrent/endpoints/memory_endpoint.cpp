#include "device_model/tenstorrent/endpoints/memory_endpoint.h"

#include "device_model/tenstorrent/endpoints/host_link.h"

namespace nocbench {

std::string_view to_string(MemoryKind kind) {
    switch (kind) {
        case MemoryKind::l1:
            return "L1";
        case MemoryKind::dram:
            return "DRAM";
        case MemoryKind::host:
            return "host memory";
    }
    return "";
}

MemoryEndpoint memory_endpoint(MemoryKind kind, const TorusArchitecture& architecture, const TorusBoard& board) {
    MemoryEndpoint endpoint;
    switch (kind) {
        case MemoryKind::l1: {
            endpoint.read_alignment_bytes = architecture.l1.alignment_bytes;
            endpoint.write_alignment_bytes = architecture.l1.alignment_bytes;
            endpoint.read_requests_per_virtual_channel_max = architecture.niu.read_requests_per_virtual_channel_max;
            break;
        }
        case MemoryKind::dram: {
            const DramConstants& dram = architecture.dram;
            endpoint.has_controller = true;
            endpoint.cause = Cause::dram;
            endpoint.read_alignment_bytes = dram.read_alignment_bytes;
            endpoint.write_alignment_bytes = dram.write_alignment_bytes;
            endpoint.read_requests_per_virtual_channel_max = dram.read_requests_per_virtual_channel_max;
            endpoint.read_request_interval_ticks = dram.read_request_interval_ticks;
            endpoint.same_responder_read_gap_ticks = dram.same_responder_read_gap_ticks;
            endpoint.read_latency_cycles = board.memory_constants.read_latency_cycles;
            endpoint.write_latency_cycles = board.memory_constants.write_latency_cycles;
            endpoint.write_buffer_flits = dram.write_buffer_bytes / architecture.router.flit_bytes;
            endpoint.write_change_cycles = dram.write_change_cycles;
            endpoint.acknowledges_from_buffer = dram.acknowledges_from_buffer != 0;
            endpoint.burst_bytes = static_cast<std::uint64_t>(dram.burst_bytes);
            break;
        }
        case MemoryKind::host: {
            const PcieConstants& pcie = architecture.pcie;
            const HostLinkConstants& link = board.host_link_constants;
            endpoint.has_controller = true;
            endpoint.cause = Cause::host;
            endpoint.read_alignment_bytes = pcie.read_alignment_bytes;
            endpoint.write_alignment_bytes = pcie.write_alignment_bytes;
            endpoint.read_requests_per_virtual_channel_max = pcie.read_requests_per_virtual_channel_max;
            endpoint.read_request_interval_ticks = pcie.read_request_interval_ticks;
            endpoint.write_request_interval_ticks = pcie.write_request_interval_ticks;
            endpoint.read_latency_cycles = cycles_of_link(link.read_latency_ns, board.clock_hz);
            endpoint.write_latency_cycles = cycles_of_link(link.write_latency_ns, board.clock_hz);
            endpoint.write_buffer_flits = pcie.write_buffer_bytes / architecture.router.flit_bytes;
            break;
        }
    }
    return endpoint;
}

}  // namespace nocbench
