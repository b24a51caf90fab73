// One DRAM channel and its controller, as the network interfaces of its tiles see it.
//
// Requests and data arrive with the cycle at which they came; they are put in order and served at the start of the next
// block of cycles, so that interfaces that share a channel do not depend on the order in which they are simulated. The
// controller's own latency is longer than a block.
#pragma once

#include <cstdint>
#include <vector>

#include "device_model/architecture.h"
#include "device_model/packet.h"
#include "device_model/simulated_time.h"

namespace nocbench {

class DramController {
public:
    /// When a read's data leave the controller.
    struct ReadService {
        Cycle expected_cycle = 0;  // first data, had the channel been idle
        Cycle first_data_cycle = 0;
        Tick ticks_per_flit = 0;
    };

    DramController(const DramConstants& constants, std::int64_t flit_bytes);

    /// Books a read of `flits` data flits that begins at `address` and reached the controller at `arrival`. A read is
    /// served whole by the subchannel in which it begins, in order of arrival.
    ReadService read(std::uint64_t address, int flits, Cycle arrival);

    /// When a flit of written data goes into DRAM.
    struct WriteService {
        Cycle begin_cycle = 0;
        Cycle committed_cycle = 0;
    };

    /// Books one flit of written data. `is_partial_burst`: the flit ends a write that covers its last burst in part, so that
    /// DRAM has to be read, changed and written.
    WriteService write(std::uint64_t address, Cycle arrival, bool is_partial_burst);

private:
    [[nodiscard]] std::size_t subchannel(std::uint64_t address) const;

    const DramConstants& constants_;
    std::int64_t flit_bytes_;
    std::vector<Tick> subchannel_free_;
    Tick write_token_ = 0;
};

}  // namespace nocbench
