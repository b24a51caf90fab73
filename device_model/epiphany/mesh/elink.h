// Off-chip link of an Epiphany machine and the FPGA behind it: one server for writes and one for reads, each with a
// small in-order buffer.
//
// A write takes a frame of its own (address and data), unless it continues a burst: its address follows that of the
// previous write, which is still in the buffer. A burst of a core that fills the buffer is interrupted: the link
// accepts nothing until it is set up again, which causes the jumps in the curves of long bursts. A DMA engine's burst
// is accepted at the rate of service.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

class Elink {
public:
    /// Outcome of a transaction that the link accepts.
    struct Service {
        Tick done = 0;                     // a write is in external memory; read data are back on the chip
        std::optional<Tick> closed_until;  // earliest time to accept another; none: at once
    };

    /// `core_clock_hz`: the clock whose cycles ticks divide.
    Elink(const ElinkConstants& constants, std::int64_t core_clock_hz);

    Service write(std::uint64_t address, std::size_t size, bool is_dma, Tick arrival);
    /// Books a read. `engine`: index of the reading DMA engine; none for a core.
    Service read(std::optional<std::size_t> engine, Tick arrival);

private:
    /// Transactions in order of service.
    struct Queue {
        std::deque<Tick> ends;  // ends of service of buffered transactions
        Tick last_end = 0;

        void forget_until(Tick tick);
    };

    [[nodiscard]] Tick in_core_ticks(Tick link_ticks) const;

    const ElinkConstants& constants_;
    std::int64_t core_clock_hz_;
    Queue writes_;
    Queue reads_;
    std::vector<Tick> last_data_;     // [engine]
    std::uint64_t next_address_ = 0;  // address that continues the burst
    bool burst_is_open_ = false;
};

}  // namespace nocbench
