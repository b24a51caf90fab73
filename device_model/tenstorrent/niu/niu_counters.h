// Counters of a NIU that kernels poll.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "device_model/sim/simulated_time.h"

namespace nocbench {

inline constexpr std::size_t kNumTransactionIds = 16;

/// Source: Tenstorrent ISA documentation, NoC counters.
struct NiuCounters {
    std::uint64_t reads_completed = 0;      // NIU_MST_RD_RESP_RECEIVED
    std::uint64_t writes_sent = 0;          // NIU_MST_NONPOSTED_WR_REQ_SENT
    std::uint64_t writes_acknowledged = 0;  // NIU_MST_WR_ACK_RECEIVED
    std::uint64_t posted_writes_sent = 0;   // NIU_MST_POSTED_WR_REQ_SENT
    std::uint64_t atomics_completed = 0;    // NIU_MST_ATOMIC_RESP_RECEIVED
    std::uint64_t reads_sent = 0;           // NIU_MST_RD_REQ_SENT
    // Indexed by transaction id:
    std::array<std::uint32_t, kNumTransactionIds> outstanding{};      // NIU_MST_REQS_OUTSTANDING_ID
    std::array<std::uint32_t, kNumTransactionIds> writes_outgoing{};  // NIU_MST_WRITE_REQS_OUTGOING_ID
};

/// Indices of the counters' registers. Source: tt-metal, noc_parameters.h of both chips.
struct NiuCounterIndex {
    static constexpr std::uint32_t kAtomicsCompleted = 0;
    static constexpr std::uint32_t kWritesAcknowledged = 1;
    static constexpr std::uint32_t kReadsCompleted = 2;
    static constexpr std::uint32_t kReadsSent = 5;
    static constexpr std::uint32_t kWritesSent = 10;
    static constexpr std::uint32_t kPostedWritesSent = 11;
    static constexpr std::uint32_t kFirstOutstanding = 16;  // by transaction id
    static constexpr std::uint32_t kFirstOutgoing = 32;     // by transaction id
};

/// The last writes that a NIU sent, for kernels, which routers run a few cycles ahead of.
class SentWrites {
public:
    void add(Cycle cycle, bool posted, std::uint8_t id) {
        writes_[next_] = {cycle, posted, id};
        next_ = (next_ + 1) % kWritesKept;
    }

    /// Counts writes sent after `cycle`: posted or non-posted ones, or those of one transaction id.
    [[nodiscard]] std::uint32_t after(Cycle cycle, bool posted) const {
        return count([&](const Write& sent) { return sent.cycle > cycle && sent.posted == posted; });
    }
    [[nodiscard]] std::uint32_t after(Cycle cycle, std::uint8_t id) const {
        return count([&](const Write& sent) { return sent.cycle > cycle && sent.id == id; });
    }

private:
    struct Write {
        Cycle cycle = -1;  // of its last flit
        bool posted = false;
        std::uint8_t id = 0;
    };

    template <class Matches>
    [[nodiscard]] std::uint32_t count(const Matches& matches) const {
        return static_cast<std::uint32_t>(std::ranges::count_if(writes_, matches));
    }

    static constexpr std::size_t kWritesKept = 16;  // at least the writes sent in the cycles that routers run ahead
    std::array<Write, kWritesKept> writes_{};
    std::size_t next_ = 0;
};

}  // namespace nocbench
