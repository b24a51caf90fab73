// Rules of a router that are the same cycle by cycle and in whole windows of cycles: pacing, and idle cycles of links.
// Each stands here once, and space downstream in buffer_space.h; docs/engine_rules.md has them in words.
#pragma once

#include <algorithm>
#include <cstdint>

#include "device_model/noc/buffer_space.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// A limit of one flit every so many ticks. Fractions of a cycle are kept, so that rates do not drift.
struct Pacer {
    Tick next_tick = 0;

    /// Whether a flit may go in the cycle that begins at `tick`.
    [[nodiscard]] bool allows(Tick tick) const { return next_tick < tick + kTicksPerCycle; }

    /// A flit goes in that cycle, and the next one `ticks` later.
    void take(Tick tick, Tick ticks) { next_tick = std::max(next_tick, tick) + ticks; }
};

/// Flits that a link has passed in consecutive cycles. After so many of them, it idles for a cycle.
class ConsecutiveFlits {
public:
    /// Their number when `cycle` begins.
    [[nodiscard]] int until(Cycle cycle) const {
        return flits_and_end_ >> kFlitBits == static_cast<std::uint64_t>(cycle)
                   ? static_cast<int>(flits_and_end_ & ((1U << kFlitBits) - 1))
                   : 0;
    }

    /// `flits` have passed in the cycles just before `cycle`.
    void set(Cycle cycle, int flits) {
        flits_and_end_ = static_cast<std::uint64_t>(cycle) << kFlitBits | static_cast<unsigned>(flits);
    }

    /// One passes in `cycle`.
    void add(Cycle cycle) { set(cycle + 1, until(cycle) + 1); }

private:
    static constexpr int kFlitBits = 16;

    std::uint64_t flits_and_end_ = 0;  // 2^16 times the cycle after the last of them, and their number
};

/// The same within a window that begins `cycles_until_idle` cycles before the link would idle: whether it does in a
/// cycle of the window, before which `num_sent()` flits of the window have gone. They are counted only if that matters.
template <class Count>
constexpr bool idles_in_window(int cycle, int cycles_until_idle, const Count& num_sent) {
    return cycle == cycles_until_idle && num_sent() == cycle;
}

}  // namespace nocbench
