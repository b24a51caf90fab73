// Placement of buffers in a memory whose banks all have the same ranges taken.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace nocbench::host {

/// First fit from the bottom or from the top, as of tt-metal's allocator while nothing is freed between two buffers.
class RangeAllocator {
public:
    /// Range of addresses to give away: `end` is exclusive.
    RangeAllocator(std::uint64_t begin, std::uint64_t end) : begin_(begin), end_(end) {}

    /// Takes `bytes` and returns their address; nothing if there is no room.
    std::optional<std::uint64_t> take(std::uint64_t bytes, std::uint64_t alignment, bool is_from_bottom);
    void release(std::uint64_t address) { taken_.erase(address); }

    [[nodiscard]] std::uint64_t begin() const { return begin_; }
    [[nodiscard]] std::uint64_t end() const { return end_; }
    /// Returns the lowest address that is taken.
    [[nodiscard]] std::optional<std::uint64_t> lowest() const;
    /// Returns the bytes of the largest gap.
    [[nodiscard]] std::uint64_t largest_gap() const;

private:
    std::uint64_t begin_;
    std::uint64_t end_;
    std::map<std::uint64_t, std::uint64_t> taken_;  // end of each range by its begin
};

}  // namespace nocbench::host
