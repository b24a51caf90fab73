// Who last accessed each byte of a memory. Neighbouring bytes with equal accesses share an entry.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

namespace nocbench {

using AccessIndex = std::uint32_t;  // 0: none

class ShadowMemory {
public:
    struct Cell {
        AccessIndex write = 0;           // the last one, which may still be on its way
        AccessIndex visible = 0;         // the last one that has changed the bytes
        std::vector<AccessIndex> reads;  // since that write, at most one of each strand

        bool operator==(const Cell&) const = default;
    };

    /// Calls `act(begin, end, cell)`, which may change the cell, for the parts of a range that differ in their
    /// accesses.
    template <class Act>
    void for_each(std::uint64_t begin, std::uint64_t end, const Act& act) {
        split(begin);
        split(end);
        std::uint64_t at = begin;
        for (auto entry = entries_.lower_bound(begin); at < end; ++entry) {
            if (entry == entries_.end() || entry->first > at) {
                const std::uint64_t next = entry == entries_.end() ? end : std::min(end, entry->first);
                entry = entries_.emplace_hint(entry, at, Entry{next, {}});
            }
            act(at, entry->second.end, entry->second.cell);
            at = entry->second.end;
        }
        join(begin, end);
    }

    /// Calls `act(cell)` for all parts.
    template <class Act>
    void for_each_cell(const Act& act) const {
        for (const auto& [begin, entry] : entries_) {
            act(entry.cell);
        }
    }

private:
    struct Entry {
        std::uint64_t end = 0;
        Cell cell;
    };
    using Entries = std::map<std::uint64_t, Entry>;  // by begin; disjoint

    /// Lets an entry begin at `address`, if that is within one.
    void split(std::uint64_t address) {
        auto entry = entries_.lower_bound(address);
        if (entry == entries_.begin() || (entry != entries_.end() && entry->first == address)) {
            return;
        }
        --entry;
        if (entry->second.end > address) {
            entries_.emplace_hint(std::next(entry), address, Entry{entry->second.end, entry->second.cell});
            entry->second.end = address;
        }
    }

    /// Joins equal neighbours from the one before `begin` to the one at `end`.
    void join(std::uint64_t begin, std::uint64_t end) {
        auto entry = entries_.lower_bound(begin);
        if (entry != entries_.begin()) {
            --entry;
        }
        while (entry != entries_.end()) {
            const auto next = std::next(entry);
            if (next == entries_.end() || next->first > end) {
                return;
            }
            if (entry->second.end == next->first && entry->second.cell == next->second.cell) {
                entry->second.end = next->second.end;
                entries_.erase(next);
            } else {
                entry = next;
            }
        }
    }

    Entries entries_;
};

}  // namespace nocbench
