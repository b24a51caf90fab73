// One DRAM channel and its controller, as the network interfaces of its tiles see it.
//
// A channel is one subchannel or two that transfer at the same time, each with banks. Flits are served in order of
// their addresses' banks and subchannels: what one bank can take is a little less than what its subchannel can (a bank
// is away for refresh now and then), so that accesses that stay in one bank are slower than those that spread over two,
// and those that spread over both subchannels are faster still. How far ahead of the oldest access others are served is
// limited by the controller's buffers.
#pragma once

#include <cstdint>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/noc/packet.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/endpoints/memory_endpoint.h"

namespace nocbench {

class DramController {
public:
    DramController(const DramConstants& constants, const MemoryConstants& memory, std::int64_t flit_bytes);

    /// Books a read of `flits` data flits from `address` on, which reached the controller at `arrival`. Data are
    /// returned in the order in which they were asked for.
    ReadService read(std::uint64_t address, int flits, Cycle arrival);

    /// Books one flit of written data. `is_partial_burst`: the flit ends a write that covers its last burst in part, so
    /// that DRAM has to be read, changed and written. Writes to other bursts go on meanwhile; those to the same one
    /// wait.
    WriteService write(std::uint64_t address, Cycle arrival, bool is_partial_burst);

private:
    struct Subchannel {
        Tick next = 0;                // when it can take the next flit
        std::vector<Tick> bank_next;  // when each bank can
    };

    /// Books one flit that may be served from `earliest` on, and returns when its service begins.
    Tick serve(std::uint64_t address, Tick earliest, Tick subchannel_ticks, Tick bank_ticks);

    const DramConstants& constants_;
    const MemoryConstants& memory_;
    std::uint64_t flit_bytes_;
    std::vector<Subchannel> subchannels_;
    std::vector<Tick> returned_;  // when the last flits that were read left the controller, in a ring
    std::size_t returned_next_ = 0;
    Tick last_returned_ = 0;

    /// A burst that is being read, changed and written.
    struct ChangingBurst {
        std::uint64_t burst = 0;
        Tick end = 0;
    };
    std::vector<ChangingBurst> changing_;
    Tick burst_change_ticks_ = 0;  // of the subchannel: it reads the burst and writes it
};

}  // namespace nocbench
