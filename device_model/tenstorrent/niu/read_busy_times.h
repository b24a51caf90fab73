// Times for which tiles would be busy with the data of reads, for the ledger: they tell waits for a port of a tile from
// waits for other packets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench {

class ReadBusyTimes {
public:
    /// `source_ticks`, `sink_ticks`: a tile's time to send and to take a data flit.
    ReadBusyTimes(std::size_t num_nodes, Tick source_ticks, Tick sink_ticks)
        : source_ticks_(source_ticks), sink_ticks_(sink_ticks), responding_(num_nodes), receiving_(num_nodes) {}

    // Times of a read for which its two tiles are busy with others while its request travels.

    void request_started(Transaction& read, Cycle cycle) const {
        read.responder_busy_ticks = -responding_[read.responder].before(cycle);
        read.requestor_busy_ticks = -receiving_[read.requestor].before(cycle);
    }
    void request_arrived(Transaction& read, Cycle cycle) const {
        read.responder_busy_ticks += responding_[read.responder].before(cycle);
        read.requestor_busy_ticks += receiving_[read.requestor].before(cycle);
    }

    // Work of the two tiles.

    void response_started(const Transaction& read, Cycle cycle) {
        // Short responses are served at the rate at which requests are accepted.
        responding_[read.responder].add(cycle,
                                        std::max(ticks_from_cycles(1) + read.data_flits * source_ticks_,
                                                 ticks_from_cycles(read.service_expected - read.request_arrived)));
    }
    void response_arrived(const Transaction& read, Cycle cycle) {
        receiving_[read.requestor].add(cycle, ticks_from_cycles(1) + read.data_flits * sink_ticks_);
    }

private:
    /// Time for which a port would be busy with responses, served one at a time and otherwise undelayed.
    class BusyTime {
    public:
        /// Adds work from `cycle`, or from the end of earlier work.
        void add(Cycle cycle, Tick ticks) {
            until_ = std::max(until_, ticks_from_cycles(cycle)) + ticks;
            ticks_ += ticks;
        }
        [[nodiscard]] Tick before(Cycle cycle) const {
            return ticks_ - std::max<Tick>(0, until_ - ticks_from_cycles(cycle));
        }

    private:
        Tick until_ = 0;
        Tick ticks_ = 0;
    };

    Tick source_ticks_;
    Tick sink_ticks_;
    std::vector<BusyTime> responding_;  // by node: to other tiles
    std::vector<BusyTime> receiving_;   // by node: from other tiles
};

}  // namespace nocbench
