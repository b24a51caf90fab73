// Blocks of one heap. Bookkeeping is in the simulator instead of the memory of the cores: blocks take only their size
// there, in multiples of 8 bytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "kernels/shmem/guest.h"

namespace nocbench::shmem {

struct Block {
    Address begin = 0;
    std::uint32_t bytes = 0;  // as requested
};

class Heap {
public:
    /// Minimum alignment of blocks. Source: 8 bytes is the widest access of a core.
    static constexpr std::uint32_t kAlignment = 8;

    /// Direction of the heap's growth in its memory.
    enum class Growth : std::uint8_t { up, down };

    explicit Heap(Growth growth) : growth_(growth) {}

    /// Allocates a block in the smallest sufficient hole from `low` to `high`. Returns nothing if there is none.
    std::optional<Address> allocate(std::uint32_t bytes, std::uint32_t alignment, Address low, Address high);
    /// Places a block at `begin` without checks, for a heap that is only a pointer.
    void place(Address begin, std::uint32_t bytes);
    /// Resizes a block in place. Returns false if there is no space up to `high`.
    bool resize(Address begin, std::uint32_t bytes, Address high);
    void free(Address begin);

    /// Returns the block that begins at `address`, or null.
    [[nodiscard]] const Block* block_at(Address address) const;
    /// Returns the block that contains `address`, or null.
    [[nodiscard]] const Block* block_around(Address address) const;
    [[nodiscard]] bool was_freed(Address address) const { return freed_.contains(address); }
    /// Return the first address of the first block, and the end of the last; nothing for an empty heap.
    [[nodiscard]] std::optional<Address> low() const;
    [[nodiscard]] std::optional<Address> high() const;
    [[nodiscard]] const std::map<Address, Block>& blocks() const { return blocks_; }

    static constexpr Address aligned_up(Address address, std::uint32_t alignment) {
        return (address + alignment - 1) / alignment * alignment;
    }

private:
    Growth growth_;
    std::map<Address, Block> blocks_;
    std::set<Address> freed_;  // former begins of freed blocks
};

}  // namespace nocbench::shmem
