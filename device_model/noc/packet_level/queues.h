// Queues of numbers that share a pool of entries: many queues are empty, and few are long.
#pragma once

#include <cstdint>

#include "device_model/sim/pool.h"

namespace nocbench {

class Queues {
public:
    struct Queue {
        [[nodiscard]] bool is_empty() const { return first == kNoEntry; }
        std::uint32_t first = kNoEntry;
        std::uint32_t last = kNoEntry;
    };

    void push(Queue& queue, std::uint32_t item) {
        const std::uint32_t entry = entries_.allocate({item, kNoEntry});
        (queue.is_empty() ? queue.first : entries_[queue.last].next) = entry;
        queue.last = entry;
    }

    /// Returns the first item. The queue must not be empty.
    [[nodiscard]] std::uint32_t front(const Queue& queue) const { return entries_[queue.first].item; }

    /// Removes and returns the first item. The queue must not be empty.
    std::uint32_t pop(Queue& queue) {
        const Entry entry = entries_[queue.first];
        entries_.release(queue.first);
        queue.first = entry.next;
        return entry.item;
    }

    /// Calls `act` with each item, in order.
    template <class Act>
    void for_each(const Queue& queue, const Act& act) const {
        for (std::uint32_t entry = queue.first; entry != kNoEntry; entry = entries_[entry].next) {
            act(entries_[entry].item);
        }
    }

private:
    static constexpr std::uint32_t kNoEntry = ~std::uint32_t{0};
    struct Entry {
        std::uint32_t item = 0;
        std::uint32_t next = kNoEntry;
    };

    Pool<Entry> entries_;
};

}  // namespace nocbench
