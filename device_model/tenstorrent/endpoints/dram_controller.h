// One DRAM channel and its controller, as seen by the NIUs of its tiles.
//
// A channel has one or two subchannels that transfer concurrently, each with banks. Flits are served in order within
// their bank and subchannel. Refresh makes a bank slightly slower than its subchannel, so accesses within one bank are
// slower than accesses over two, and accesses over both subchannels are the fastest. The controller's buffers limit how
// far ahead of the oldest access it serves others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device_model/noc/packet.h"
#include "device_model/sim/machine.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/endpoints/memory_endpoint.h"

namespace nocbench {

class DramController {
public:
    DramController(const DramConstants& constants, const MemoryConstants& memory, std::int64_t flit_bytes);

    /// Books a read of `flits` data flits from `address`, which reached the controller at `arrival`. Data return in
    /// request order.
    ReadService read(std::uint64_t address, int flits, Cycle arrival);

    /// Books one flit of written data. `part`: what a write that ends with this flit covers of its last burst, if that
    /// takes a read-modify-write in DRAM. Writes to the same bytes wait for it; writes to the rest of the burst merge
    /// with it as long as it is in the queue; others proceed.
    WriteService write(std::uint64_t address, Cycle arrival, BurstPart part);

    /// Appends the work of each subchannel and bank that was used so far.
    void append_use(const std::string& name, std::vector<MemoryUse>& use) const;

private:
    struct Bank {
        Tick next = 0;  // when it can take the next flit
        std::uint64_t flits_read = 0;
        std::uint64_t flits_written = 0;
        std::uint64_t bursts_changed = 0;
    };
    struct Subchannel {
        Tick next = 0;  // when it can take the next flit
        std::vector<Bank> banks;
    };

    /// Books one flit, or change of a burst, to be served at `earliest` or later, and counts it. Returns the start of
    /// its service.
    Tick serve(std::uint64_t address, Tick earliest, Tick subchannel_ticks, Tick bank_ticks,
               std::uint64_t Bank::* count);

    const DramConstants& constants_;
    const MemoryConstants& memory_;
    std::uint64_t flit_bytes_;
    std::vector<Subchannel> subchannels_;
    std::vector<Tick> returned_;  // ring of times at which read flits left the controller
    std::size_t returned_next_ = 0;
    Tick last_returned_ = 0;

    /// A burst in read-modify-write.
    struct ChangingBurst {
        std::uint64_t burst = 0;
        Tick end = 0;
    };
    std::vector<ChangingBurst> changing_;
    Tick burst_change_ticks_ = 0;  // time of the subchannel for a read-modify-write

    /// A burst in the write queue that waits for the rest of its bytes.
    struct PartialBurst {
        std::uint64_t burst = 0;
        BurstPart part = kWholeBursts;
    };
    struct Queued {
        bool is_merged = false;                               // with another part of the burst
        std::optional<std::uint64_t> changes = std::nullopt;  // burst that leaves the queue for a read-modify-write
    };
    /// Puts part of a burst into the write queue, to wait for the rest of the burst until its place is needed.
    Queued queue(std::uint64_t burst, BurstPart part);
    std::vector<PartialBurst> queue_;  // oldest first
};

}  // namespace nocbench
