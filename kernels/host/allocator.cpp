#include "kernels/host/allocator.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace nocbench::host {

namespace {

std::vector<std::pair<std::uint64_t, std::uint64_t>> gaps_of(std::uint64_t begin, std::uint64_t end,
                                                             const std::map<std::uint64_t, std::uint64_t>& taken) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> gaps;
    for (const auto& [from, to] : taken) {
        gaps.emplace_back(begin, from);
        begin = to;
    }
    gaps.emplace_back(begin, end);
    return gaps;
}

}  // namespace

std::optional<std::uint64_t> RangeAllocator::take(std::uint64_t bytes, std::uint64_t alignment, bool is_from_bottom) {
    auto gaps = gaps_of(begin_, end_, taken_);
    if (!is_from_bottom) {
        std::ranges::reverse(gaps);
    }
    for (const auto& [from, to] : gaps) {
        const std::uint64_t lowest = (from + alignment - 1) / alignment * alignment;
        if (lowest + bytes <= to) {
            const std::uint64_t address = is_from_bottom ? lowest : (to - bytes) / alignment * alignment;
            taken_[address] = address + bytes;
            return address;
        }
    }
    return std::nullopt;
}

std::optional<std::uint64_t> RangeAllocator::lowest() const {
    return taken_.empty() ? std::nullopt : std::optional(taken_.begin()->first);
}

std::uint64_t RangeAllocator::largest_gap() const {
    std::uint64_t largest = 0;
    for (const auto& [from, to] : gaps_of(begin_, end_, taken_)) {
        largest = std::max(largest, to - from);
    }
    return largest;
}

}  // namespace nocbench::host
