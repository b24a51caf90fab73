// What a hart meets outside of its registers and private memory: the contract with the machine that it is part of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "device_model/sim/simulated_time.h"

namespace nocbench::riscv {

class Hart;

/// A range of addresses that answers in its own time.
struct Region {
    std::string name;  // "L1", "registers of NIU 0"
    std::uint32_t begin = 0;
    std::uint32_t bytes = 0;
    Cycle load_cycles = 1;            // until an instruction can use what a load returns
    Cycle sample_cycles = 0;          // of these, until the value is taken
    Cycle store_interval_cycles = 1;  // between stores that follow each other
    bool is_cached = false;           // lines of it may be in the L0 cache
    std::uint32_t checked_begin = 0;  // a part of it that the bus is asked about before each load; see check_load()
    std::uint32_t checked_bytes = 0;

    [[nodiscard]] bool contains(std::uint32_t address) const { return address - begin < bytes; }
    [[nodiscard]] bool is_checked(std::uint32_t address) const { return address - checked_begin < checked_bytes; }
};

/// What a load of a polling loop returned.
struct Watch {
    const Region* region = nullptr;
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    std::uint32_t value = 0;
    std::uint32_t pc = 0;    // of the load
    bool is_beside = false;  // nobody asked for it: it came with a line of the cache
};

/// A loop that does nothing but look: whenever it comes back to its first instruction, all is as it was.
struct PollingLoop {
    std::span<const Watch> watches;  // of one round, in order
    Cycle entered = 0;               // when the hart came to the loop
    Cycle begin = 0;                 // of the round that comes next
    Cycle last_sample = 0;           // when the last value of the round before was taken; that may be after `begin`
    Cycle period = 0;

    /// Begin of the first round that has a load which sees what has changed at `cycle`.
    [[nodiscard]] Cycle round_that_sees(Cycle cycle) const {
        const Cycle later = cycle - last_sample - period;
        return later <= 0 ? begin : begin + (later + period - 1) / period * period;
    }
};

/// How the wait of a polling loop ended.
struct Wake {
    Cycle begin = 0;    // of the round in which it shows
    Cycle changed = 0;  // loads that sample earlier see what they saw before
};

class Bus {
public:
    virtual ~Bus() = default;

    /// All regions; they do not overlap, and stay where they are.
    [[nodiscard]] virtual std::span<const Region> regions() const = 0;

    // Cycles are those of the hart. They never run backwards from one call to the next by more than a load takes; where
    // they do, the bus takes what is there at the later time.

    /// Fills `out` with what is at `address` at `cycle`; returns when it was taken, which may be later.
    virtual Cycle load(const Region& region, std::uint32_t address, std::span<std::byte> out, Cycle cycle) = 0;
    virtual void store(const Region& region, std::uint32_t address, std::span<const std::byte> bytes, Cycle cycle) = 0;
    /// Throws GuestFault if a program must not load what is at `address`, in the part of `region` that is checked. The
    /// program may have it in its cache.
    virtual void check_load(const Region& /*region*/, std::uint32_t /*address*/) const {}
    /// False of what changes by itself, as a clock does: a loop that reads it is never the same again.
    [[nodiscard]] virtual bool can_be_watched(const Region& region, std::uint32_t address) const = 0;

    /// Lets others catch up with a hart that is at `cycle`. Throws if it should have ended by now.
    virtual void meet(Cycle cycle) = 0;
    /// Up to when they have caught up: what is taken is taken no earlier.
    [[nodiscard]] virtual Cycle met_until() const = 0;

    /// Returns when something that `loop` looks at has changed.
    virtual Wake sleep(const Hart& hart, const PollingLoop& loop) = 0;

    /// An `ecall`. Returns the cycles that it takes.
    virtual Cycle environment_call(Hart& hart, Cycle cycle) = 0;
    /// A jump to where there is no code. True: the program has ended; false: the bus has done what was asked for, and
    /// the hart returns to its caller. Throws GuestFault if there is nothing to jump to.
    virtual bool jump_outside(Hart& hart, std::uint32_t address, Cycle cycle) = 0;

protected:
    Bus() = default;
    Bus(const Bus&) = default;
    Bus& operator=(const Bus&) = default;
};

}  // namespace nocbench::riscv
