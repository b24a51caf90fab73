// Contract between a hart and the machine around it: everything outside its registers and private memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "device_model/sim/simulated_time.h"

namespace nocbench::riscv {

class Hart;

/// An address range with its own access times.
struct Region {
    std::string name;  // "L1", "registers of NIU 0"
    std::uint32_t begin = 0;
    std::uint32_t bytes = 0;
    Cycle load_cycles = 1;            // from a load to the first instruction that can use its value
    Cycle sample_cycles = 0;          // of these, until the value is sampled
    Cycle store_interval_cycles = 1;  // minimum spacing of stores
    bool is_cached = false;           // may be held in the L0 cache
    bool reports_hits = false;        // its loads that hit the cache are told to the bus
    std::uint32_t checked_begin = 0;  // first address that needs check_load() before each load
    std::uint32_t checked_bytes = 0;

    [[nodiscard]] bool contains(std::uint32_t address) const { return address - begin < bytes; }
    [[nodiscard]] bool is_checked(std::uint32_t address) const { return address - checked_begin < checked_bytes; }
};

/// Value loaded within a polling loop.
struct Watch {
    const Region* region = nullptr;
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    std::uint32_t value = 0;
    std::uint32_t pc = 0;    // of the load
    bool is_beside = false;  // filled with the cache line, not loaded itself
};

/// A loop without effects: each return to its first instruction finds the same state.
struct PollingLoop {
    std::span<const Watch> watches;  // of one round, in order
    Cycle entered = 0;               // when the hart entered the loop
    Cycle begin = 0;                 // of the next round
    Cycle last_sample = 0;           // last sample of the previous round; may be after `begin`
    Cycle period = 0;

    /// Returns the start of the first round with a load that sees a change at `cycle`.
    [[nodiscard]] Cycle round_that_sees(Cycle cycle) const {
        const Cycle later = cycle - last_sample - period;
        return later <= 0 ? begin : begin + (later + period - 1) / period * period;
    }
};

/// End of a polling loop's wait.
struct Wake {
    Cycle begin = 0;    // of the round that sees the change
    Cycle changed = 0;  // earlier samples see the old value
};

class Bus {
public:
    virtual ~Bus() = default;

    /// Returns all regions: disjoint, at stable addresses.
    [[nodiscard]] virtual std::span<const Region> regions() const = 0;

    // Cycles are those of the hart. Successive calls run backwards by at most the duration of a load; the bus then
    // samples at the later time.

    /// Reads `address` at `cycle` into `out`. Returns the sample time, which may be later.
    virtual Cycle load(const Region& region, std::uint32_t address, std::span<std::byte> out, Cycle cycle) = 0;
    virtual void store(const Region& region, std::uint32_t address, std::span<const std::byte> bytes, Cycle cycle) = 0;
    /// Throws GuestFault if the program must not load from `address`, in the checked part of `region`. Called on cache
    /// hits, too.
    virtual void check_load(const Region& /*region*/, std::uint32_t /*address*/) const {}
    /// Notes that a load at `cycle` found `value` in the cache. Changes no time.
    virtual void hit_cache(const Region& /*region*/, std::uint32_t /*address*/, std::span<const std::byte> /*value*/,
                           Cycle /*cycle*/) {}
    /// False for state that changes by itself, such as a clock: a loop that reads it never repeats a state.
    [[nodiscard]] virtual bool can_be_watched(const Region& region, std::uint32_t address) const = 0;

    /// Lets the rest of the machine catch up with a hart at `cycle`. Throws if the hart exceeds its time limit.
    virtual void meet(Cycle cycle) = 0;
    /// Returns the time up to which the rest has caught up, the earliest time for samples.
    [[nodiscard]] virtual Cycle met_until() const = 0;

    /// Sleeps until a value that `loop` polls has changed.
    virtual Wake sleep(const Hart& hart, const PollingLoop& loop) = 0;

    /// Executes an `ecall`. Returns its cycles.
    virtual Cycle environment_call(Hart& hart, Cycle cycle) = 0;
    /// Handles a jump outside the code. Returns true if the program has ended; false if the bus has handled the call
    /// and the hart returns to the caller. Throws GuestFault for any other target.
    virtual bool jump_outside(Hart& hart, std::uint32_t address, Cycle cycle) = 0;

protected:
    Bus() = default;
    Bus(const Bus&) = default;
    Bus& operator=(const Bus&) = default;
};

}  // namespace nocbench::riscv
