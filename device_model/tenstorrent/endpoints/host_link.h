// The way from the PCIe tile to the memory of the host and back, as the network interfaces of the tile see it.
//
// Any number of read requests are under way. Their data come back in the order of the requests, one flit after the
// other, at the rate of the link. Written data leave the buffer of the tile at the rate of the other direction, and are
// acknowledged from that buffer: the tile does not know when the host has them. Source: Tenstorrent ISA documentation,
// WormholeB0/PCIExpressTile/README.md.
//
// The link has a clock of its own: its rates and latencies are in time, and their cycles follow from the clock of the
// tiles.
#pragma once

#include <cstdint>

#include "device_model/arch/architecture.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/endpoints/memory_endpoint.h"

namespace nocbench {

/// Cycles of the tile clock that a latency of the link takes, rounded up.
[[nodiscard]] Cycle cycles_of_link(std::int64_t nanoseconds, std::int64_t clock_hz);

class HostLink {
public:
    HostLink(const Architecture& architecture, const Board& board);

    /// Books a read of `flits` data flits, which reached the tile at `arrival`.
    ReadService read(std::uint64_t address, int flits, Cycle arrival);

    /// Books one flit of written data. Hosts write any bytes of a line, so part of a burst costs nothing more.
    WriteService write(std::uint64_t address, Cycle arrival, bool is_partial_burst);

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
