// The path between the PCIe tile and host memory, as seen by the NIUs of the tile.
//
// Any number of read requests are in flight. Their data return in request order at the rate of the link. Written data
// leave the tile's buffer at the rate of the other direction and are acknowledged from that buffer: the tile does not
// learn when the host has them. Source: Tenstorrent ISA documentation, WormholeB0/PCIExpressTile/README.md.
//
// The link has its own clock: rates and latencies are given in time and converted to cycles of the tile clock.
#pragma once

#include <cstdint>

#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/endpoints/memory_endpoint.h"

namespace nocbench {

/// Converts a link latency to cycles of the tile clock, rounded up.
[[nodiscard]] Cycle cycles_of_link(std::int64_t nanoseconds, std::int64_t clock_hz);

class HostLink {
public:
    HostLink(const TorusArchitecture& architecture, const TorusBoard& board);

    /// Books a read of `flits` data flits, which reached the tile at `arrival`.
    ReadService read(std::uint64_t address, int flits, Cycle arrival);

    /// Books one flit of written data. Partial bursts cost nothing extra: hosts write any bytes of a cache line.
    WriteService write(std::uint64_t address, Cycle arrival, BurstPart part);

private:
    [[nodiscard]] Tick ticks_per_flit(std::int64_t megabytes_per_second) const;

    std::int64_t flit_bytes_;
    std::int64_t clock_hz_;
    Cycle read_latency_cycles_;
    Tick read_ticks_per_flit_;
    Tick write_ticks_per_flit_;
    Tick data_returned_ = 0;  // when the data of all requests so far are in the tile
    Tick next_write_ = 0;     // when the link can take the next flit
};

}  // namespace nocbench
