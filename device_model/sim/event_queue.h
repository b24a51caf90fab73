// What happens outside the networks: on each tile, in order of simulated time.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// Kinds in the order in which they happen when they fall on the same tick of the same tile: memory first, then
/// counters, then whoever looks at them.
enum class EventKind : std::uint8_t { commit_write, complete_transaction, resume_processor };

struct Event {
    Tick tick = 0;
    std::uint32_t place = 0;  // node * number of NoCs + NoC, or index of a processor: decides what comes first of those
                              // that are due at the same time
    EventKind kind = EventKind::resume_processor;
    std::uint32_t subject = 0;  // a transaction or a processor
    Tick skew = 0;              // of the tile that it happens on, behind others; see noc_parameters.h

    /// When it is handled: what happens on one tile, in order; what happens on others, about then.
    [[nodiscard]] Tick due() const { return tick + skew; }

    /// Order of handling. The subject never decides anything: two events of one kind, place and tick keep their order
    /// of creation, which is itself determined by simulated time.
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
