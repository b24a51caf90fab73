// The off-chip link of an Epiphany machine and the FPGA behind it, as the mesh sees it: a server of writes and one of
// reads, each with a small buffer, in whose order they are served.
//
// A write takes a frame of its own (address and data), unless it continues a burst: its address follows that of the
// write before, which is still in the buffer. A burst of a core that fills the buffer is interrupted: nothing is taken
// in until the link has set it up anew. That is where the jumps in the curves of long bursts come from. A burst of a
// DMA engine is taken in as it is served.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "device_model/arch/epiphany_constants.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

class Elink {
public:
    /// What becomes of a transaction that the link takes in.
    struct Service {
        Tick done = 0;                     // a write is in external memory; a read's data are back at the chip
        std::optional<Tick> closed_until;  // nothing more is taken in before; none: the next one is welcome
    };

    /// `core_clock_hz` is the clock whose cycles ticks are fractions of.
    Elink(const ElinkConstants& constants, std::int64_t core_clock_hz);

    Service write(std::uint64_t address, std::size_t size, bool is_dma, Tick arrival);
    /// `engine`: the DMA engine that reads, by a number of its own; none: a core does.
    Service read(std::optional<std::size_t> engine, Tick arrival);

private:
    /// Transactions in the order in which they are served.
    struct Queue {
        std::deque<Tick> ends;  // of the service of those in the buffer
        Tick last_end = 0;

        void forget_until(Tick tick);
    };

    [[nodiscard]] Tick in_core_ticks(Tick link_ticks) const;

    const ElinkConstants& constants_;
    std::int64_t core_clock_hz_;
    Queue writes_;
    Queue reads_;
    std::vector<Tick> last_data_;     // [engine]
    std::uint64_t next_address_ = 0;  // that a write must have to continue the burst
    bool burst_is_open_ = false;
};

}  // namespace nocbench
