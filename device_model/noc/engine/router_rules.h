// Rules shared by router cycles and whole windows of cycles: pacing, and idle cycles of links (in words:
// docs/engine_rules.md). The rule of space downstream is in buffer_space.h.
#pragma once

#include <algorithm>
#include <cstdint>

#include "device_model/noc/buffer_space.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// Rate limit of one flit per interval of ticks. Fractions of a cycle are kept, so that rates do not drift.
struct Pacer {
    Tick next_tick = 0;

    /// Returns whether a flit may go in the cycle that begins at `tick`.
    [[nodiscard]] bool allows(Tick tick) const { return next_tick < tick + kTicksPerCycle; }

    /// Notes a flit in the cycle that begins at `tick`. The next one may go `ticks` later.
    void take(Tick tick, Tick ticks) { next_tick = std::max(next_tick, tick) + ticks; }
};

/// Flits that a link has passed in consecutive cycles. The link idles for a cycle after a maximum of them.
class ConsecutiveFlits {
public:
    /// Returns the number of consecutive flits when `cycle` begins.
    [[nodiscard]] int until(Cycle cycle) const {
        return flits_and_end_ >> kFlitBits == static_cast<std::uint64_t>(cycle)
                   ? static_cast<int>(flits_and_end_ & ((1U << kFlitBits) - 1))
                   : 0;
    }

    /// Notes that `flits` flits have passed in the cycles just before `cycle`.
    void set(Cycle cycle, int flits) {
        flits_and_end_ = static_cast<std::uint64_t>(cycle) << kFlitBits | static_cast<unsigned>(flits);
    }

    /// Notes a flit in `cycle`.
    void add(Cycle cycle) { set(cycle + 1, until(cycle) + 1); }

private:
    static constexpr int kFlitBits = 16;

    std::uint64_t flits_and_end_ = 0;  // 2^16 times the cycle after the last flit, plus the number of flits
};

/// Returns whether a link idles in a cycle of a window that begins `cycles_until_idle` cycles before the link would
/// idle. `num_sent()` counts the flits sent in the window before that cycle; it is called only if needed.
template <class Count>
constexpr bool idles_in_window(int cycle, int cycles_until_idle, const Count& num_sent) {
    return cycle == cycles_until_idle && num_sent() == cycle;
}

}  // namespace nocbench
