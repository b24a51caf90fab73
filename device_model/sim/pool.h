// Items by index with reuse: memory use follows the number of items in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nocbench {

template <class Item>
class Pool {
public:
    using Index = std::uint32_t;

    /// Returns a released item in its last state, or a new one.
    Index allocate() {
        if (free_.empty()) {
            items_.emplace_back();
            return static_cast<Index>(items_.size() - 1);
        }
        const Index index = free_.back();
        free_.pop_back();
        return index;
    }

    Index allocate(const Item& item) {
        const Index index = allocate();
        items_[index] = item;
        return index;
    }

    void release(Index index) { free_.push_back(index); }

    Item& operator[](Index index) { return items_[index]; }
    const Item& operator[](Index index) const { return items_[index]; }

    /// Calls `act` with the index of each item in use. Slow.
    template <class Act>
    void for_each_in_use(const Act& act) const {
        std::vector<bool> is_free(items_.size());
        for (const Index index : free_) {
            is_free[index] = true;
        }
        for (std::size_t index = 0; index < items_.size(); ++index) {
            if (!is_free[index]) {
                act(items_[index]);
            }
        }
    }

    [[nodiscard]] std::size_t in_use() const { return items_.size() - free_.size(); }

private:
    std::vector<Item> items_;
    std::vector<Index> free_;
};

}  // namespace nocbench
