// Writes of Epiphany cores and their DMA channels that have not landed in other memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "device_model/epiphany/cores/epiphany_cores.h"
#include "device_model/epiphany/cores/reservations.h"
#include "device_model/epiphany/epiphany_core.h"
#include "device_model/sim/ids.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

class WritesUnderWay {
public:
    WritesUnderWay(const EpiphanyCores& cores, std::size_t num_nodes)
        : cores_(cores), num_nodes_(num_nodes), counts_(num_nodes * num_nodes), waits_(num_nodes) {}

    void issue(NodeIndex from, NodeIndex to, std::int64_t writes = 1) {
        counts(from, to).issued += static_cast<std::uint64_t>(writes);
    }
    void land(NodeIndex from, NodeIndex to, Tick tick, std::uint64_t writes = 1);
    [[nodiscard]] std::uint64_t issued(NodeIndex from, NodeIndex to) const { return counts(from, to).issued; }
    [[nodiscard]] std::uint64_t landed(NodeIndex from, NodeIndex to) const { return counts(from, to).landed; }

    /// Sets who is told of waiting cores.
    void set_reservation_holder(ReservationHolder* holder) { holder_ = holder; }
    /// Waits until all writes of the core and its DMA channels have landed.
    void wait(EpiphanyCore& core, std::string_view call);

private:
    /// Writes from one node to another. An ordered read waits for those issued before it.
    struct Counts {
        std::uint64_t issued = 0;
        std::uint64_t landed = 0;
    };

    [[nodiscard]] Counts& counts(NodeIndex from, NodeIndex to) { return counts_[from * num_nodes_ + to]; }
    [[nodiscard]] const Counts& counts(NodeIndex from, NodeIndex to) const { return counts_[from * num_nodes_ + to]; }
    [[nodiscard]] bool has_any(NodeIndex from) const;

    const EpiphanyCores& cores_;
    std::size_t num_nodes_;
    ReservationHolder* holder_ = nullptr;
    std::vector<Counts> counts_;  // [from * nodes + to]
    std::vector<bool> waits_;     // by node
};

}  // namespace nocbench
