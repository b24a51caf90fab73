// Events outside the networks, on each tile in order of simulated time.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// Kinds in their order on the same tick and tile: memory first, then counters, then processors that poll them.
enum class EventKind : std::uint8_t { commit_write, complete_transaction, end_compute_command, resume_processor };

struct Event {
    Tick tick = 0;
    // node * number of NoCs + NoC, a node, or index of a processor: orders simultaneous events
    std::uint32_t place = 0;
    EventKind kind = EventKind::resume_processor;
    std::uint32_t subject = 0;  // a transaction, a processor or a compute thread
    Tick skew = 0;              // lag of its tile behind others; see noc_parameters.h

    /// Returns the handling time: in order on one tile, approximate across tiles.
    [[nodiscard]] Tick due() const { return tick + skew; }

    /// Orders events for handling. Independent of the subject: events of equal kind, place and tick keep their order of
    /// creation, which follows from simulated time.
    [[nodiscard]] bool before(const Event& other) const {
        if (due() != other.due()) {
            return due() < other.due();
        }
        if (kind != other.kind) {
            return kind < other.kind;
        }
        return place < other.place;
    }
};

class EventQueue {
public:
    void push(const Event& event) { events_.push({event, next_sequence_++}); }
    [[nodiscard]] bool empty() const { return events_.empty(); }
    [[nodiscard]] const Event& top() const { return events_.top().event; }
    void pop() { events_.pop(); }

private:
    struct Entry {
        Event event;
        std::uint64_t sequence = 0;
    };
    struct Later {
        bool operator()(const Entry& left, const Entry& right) const {
            if (left.event.before(right.event)) {
                return false;
            }
            return right.event.before(left.event) || left.sequence > right.sequence;
        }
    };

    std::priority_queue<Entry, std::vector<Entry>, Later> events_;
    std::uint64_t next_sequence_ = 0;
};

}  // namespace nocbench
