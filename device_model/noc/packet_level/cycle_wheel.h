// Items by the cycle in which they are due and by kind, for the next few hundred cycles.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "device_model/noc/packet_level/queues.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

template <class Kind, std::size_t kKinds>
class CycleWheel {
public:
    static constexpr Cycle kCycles = 256;

    /// Adds an item that is due in `cycle`. `first` is the first cycle whose items of this kind have not been taken. An
    /// item more than kCycles ahead comes early; its receiver must push it again.
    void push(Cycle cycle, Cycle first, Kind kind, std::uint32_t item) {
        const std::size_t number = slot_of(std::min(cycle, first + kCycles - 1));
        Slot& slot = slots_[number];
        queues_.push(slot.items[static_cast<std::size_t>(kind)], item);
        slot.kinds |= 1U << static_cast<unsigned>(kind);
        occupied_[number / 64] |= std::uint64_t{1} << number % 64;
    }

    [[nodiscard]] bool has(Cycle cycle, Kind kind) const {
        return (slots_[slot_of(cycle)].kinds >> static_cast<unsigned>(kind) & 1U) != 0;
    }

    [[nodiscard]] bool has_only(Cycle cycle, Kind kind) const {
        return (slots_[slot_of(cycle)].kinds & ~(1U << static_cast<unsigned>(kind))) == 0;
    }

    /// Calls `act` with each item of a kind that is due in `cycle`, in the order of pushes. Items that `act` pushes for
    /// this cycle and kind are left to a later call.
    template <class Act>
    void take(Cycle cycle, Kind kind, const Act& act) {
        const std::size_t number = slot_of(cycle);
        Slot& slot = slots_[number];
        if ((slot.kinds >> static_cast<unsigned>(kind) & 1U) == 0) {
            return;
        }
        Queues::Queue items = std::exchange(slot.items[static_cast<std::size_t>(kind)], {});
        slot.kinds &= ~(1U << static_cast<unsigned>(kind));
        if (slot.kinds == 0) {
            occupied_[number / 64] &= ~(std::uint64_t{1} << number % 64);
        }
        while (!items.is_empty()) {
            act(queues_.pop(items));
        }
    }

    /// Returns the first cycle from `first` on in which an item is due, or kNever.
    [[nodiscard]] Cycle next(Cycle first) const {
        const std::size_t begin = slot_of(first);
        std::uint64_t word = occupied_[begin / 64] >> begin % 64;
        if (word != 0) {
            return first + std::countr_zero(word);
        }
        const Cycle base = first - static_cast<Cycle>(begin % 64);
        for (std::size_t turn = 1; turn <= kWords; ++turn) {
            word = occupied_[(begin / 64 + turn) % kWords];
            if (word != 0) {
                return base + static_cast<Cycle>(turn * 64) + std::countr_zero(word);
            }
        }
        return kNever;
    }

private:
    struct Slot {
        std::uint32_t kinds = 0;  // bit per kind with items
        std::array<Queues::Queue, kKinds> items;
    };

    static constexpr std::size_t kWords = kCycles / 64;
    static std::size_t slot_of(Cycle cycle) { return static_cast<std::size_t>(cycle) % kCycles; }

    std::array<Slot, kCycles> slots_;
    std::array<std::uint64_t, kWords> occupied_{};
    Queues queues_;
};

}  // namespace nocbench
