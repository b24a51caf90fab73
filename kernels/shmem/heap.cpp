#include "kernels/shmem/heap.h"

#include <algorithm>

namespace nocbench::shmem {

namespace {

/// Returns a block's size rounded up to Heap::kAlignment.
std::uint64_t room_of(std::uint32_t bytes) {
    return (std::uint64_t{bytes} + Heap::kAlignment - 1) / Heap::kAlignment * Heap::kAlignment;
}

Address end_of(const Block& block) { return block.begin + static_cast<Address>(room_of(block.bytes)); }

}  // namespace

std::optional<Address> Heap::allocate(std::uint32_t bytes, std::uint32_t alignment, Address low, Address high) {
    std::optional<Address> best;
    std::uint64_t best_hole = UINT64_MAX;
    const auto try_hole = [&](Address begin, Address end) {
        const std::uint64_t room = room_of(bytes);
        if (begin >= end || room > end - begin) {
            return;
        }
        const Address place = growth_ == Growth::up ? aligned_up(begin, alignment)
                                                    : (end - static_cast<Address>(room)) / alignment * alignment;
        if (place >= begin && place + room <= end && end - begin < best_hole) {
            best = place;
            best_hole = end - begin;
        }
    };
    // Prefers holes between blocks to the rest of the memory.
    Address begin = low;
    for (const auto& [address, block] : blocks_) {
        if (growth_ == Growth::up || address != blocks_.begin()->first) {
            try_hole(begin, std::min(address, high));
        }
        begin = std::max(begin, end_of(block));
    }
    if (!best || growth_ == Growth::down) {
        try_hole(begin, high);
    }
    if (!best && growth_ == Growth::down && !blocks_.empty()) {
        try_hole(low, std::min(blocks_.begin()->first, high));
    }
    if (best) {
        place(*best, bytes);
    }
    return best;
}

void Heap::place(Address begin, std::uint32_t bytes) {
    blocks_[begin] = {begin, bytes};
    freed_.erase(begin);
}

bool Heap::resize(Address begin, std::uint32_t bytes, Address high) {
    const auto found = blocks_.find(begin);
    const auto next = std::next(found);
    const Address limit = next == blocks_.end() ? high : std::min(next->first, high);
    if (begin > limit || room_of(bytes) > limit - begin) {
        return false;
    }
    found->second.bytes = bytes;
    return true;
}

void Heap::free(Address begin) {
    blocks_.erase(begin);
    freed_.insert(begin);
}

const Block* Heap::block_at(Address address) const {
    const auto found = blocks_.find(address);
    return found == blocks_.end() ? nullptr : &found->second;
}

const Block* Heap::block_around(Address address) const {
    const auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin()) {
        return nullptr;
    }
    const Block& block = std::prev(after)->second;
    return address < end_of(block) ? &block : nullptr;
}

std::optional<Address> Heap::low() const {
    return blocks_.empty() ? std::nullopt : std::optional(blocks_.begin()->first);
}

std::optional<Address> Heap::high() const {
    Address high = 0;
    for (const auto& [address, block] : blocks_) {
        high = std::max(high, end_of(block));
    }
    return blocks_.empty() ? std::nullopt : std::optional(high);
}

}  // namespace nocbench::shmem
