// Reads of a NIU in flight, a limited number.
#pragma once

#include <cstdint>
#include <deque>

#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench {

class ReadWindow {
public:
    explicit ReadWindow(std::int64_t reads_max) : reads_max_(reads_max) {}

    [[nodiscard]] bool is_full() const { return outstanding_ >= reads_max_; }
    /// Returns the next cycle at which a read ends, if known, else kNever.
    [[nodiscard]] Cycle next_end() const { return ending_.empty() ? kNever : ending_.front().cycle; }
    /// Returns the times of the last read that ended while the window was full.
    [[nodiscard]] const TransactionTimes& opener() const { return opener_; }

    void begin_read() { ++outstanding_; }
    /// Ends a read, whose response has arrived, when its data are in memory at `cycle`.
    void end_read_at(Cycle cycle, const TransactionTimes& times) { ending_.push_back({cycle, times}); }
    /// Retires reads whose data are in memory by `cycle`.
    void retire(Cycle cycle) {
        while (!ending_.empty() && ending_.front().cycle <= cycle) {
            if (outstanding_-- == reads_max_) {
                opener_ = ending_.front().times;
            }
            ending_.pop_front();
        }
    }

private:
    struct EndingRead {
        Cycle cycle = 0;
        TransactionTimes times;
    };

    std::int64_t reads_max_;
    std::int64_t outstanding_ = 0;
    std::deque<EndingRead> ending_;  // in order; each is outstanding until its `cycle`
    TransactionTimes opener_;
};

}  // namespace nocbench
