// Blocks of one heap. What is known of them is kept here and not in the memory of the cores: blocks cost no more there
// than their size, in multiples of 8 bytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "kernels/shmem/guest.h"

namespace nocbench::shmem {

struct Block {
    Address begin = 0;
    std::uint32_t bytes = 0;  // as asked for
};

class Heap {
public:
    /// The least alignment of blocks. Source: 8 bytes is the widest access of a core.
    static constexpr std::uint32_t kAlignment = 8;

    /// From which end of the memory that it has the heap grows.
    enum class Growth : std::uint8_t { up, down };

    explicit Heap(Growth growth) : growth_(growth) {}

    /// Takes the smallest hole in `low` to `high` that the block fits into. Nothing if there is none.
    std::optional<Address> allocate(std::uint32_t bytes, std::uint32_t alignment, Address low, Address high);
    /// Takes a block at `begin`, whatever is there: for a heap that is a pointer only.
    void place(Address begin, std::uint32_t bytes);
    /// Changes the size of a block where it is. Whether there was room, up to `high`.
    bool resize(Address begin, std::uint32_t bytes, Address high);
    void free(Address begin);

    /// The block that begins at `address`, or null.
    [[nodiscard]] const Block* block_at(Address address) const;
    /// The block that `address` is in, or null.
    [[nodiscard]] const Block* block_around(Address address) const;
    [[nodiscard]] bool was_freed(Address address) const { return freed_.contains(address); }
    /// The first address of the first block, and behind the last one; nothing of an empty heap.
    [[nodiscard]] std::optional<Address> low() const;
    [[nodiscard]] std::optional<Address> high() const;
    [[nodiscard]] const std::map<Address, Block>& blocks() const { return blocks_; }

    static constexpr Address aligned_up(Address address, std::uint32_t alignment) {
        return (address + alignment - 1) / alignment * alignment;
    }

private:
    Growth growth_;
    std::map<Address, Block> blocks_;
    std::set<Address> freed_;  // where blocks began that are no more
};

}  // namespace nocbench::shmem
