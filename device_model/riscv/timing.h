// Issue and result times of an in-order core that issues one instruction per cycle.
// Source: Tenstorrent ISA documentation, BabyRISCV/README.md of the Tensix tiles; the architecture file has the
// constants, each with its source.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "device_model/riscv/constants.h"
#include "device_model/riscv/isa/instruction.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench::riscv {

/// Times at which registers have their values, and queues of loads and stores.
class Timing {
public:
    explicit Timing(const RiscvConstants& constants) : constants_(constants) {}

    [[nodiscard]] Cycle now() const { return now_; }
    void set_now(Cycle now) { now_ = now; }
    /// Access for the execution loop, which keeps these at hand: times at which registers have their values, and the
    /// time of the last slow load's value.
    [[nodiscard]] Cycle* ready() { return ready_.data(); }
    [[nodiscard]] Cycle slow_load_done() const { return slow_load_done_; }
    /// Delays the next issue to `cycle`.
    void wait_until(Cycle cycle) { now_ = std::max(now_, cycle); }
    void wait_for(std::uint8_t source) { now_ = std::max(now_, ready_[source]); }

    /// Results behind a slow load retire after it and are not forwarded earlier.
    void result_after(std::uint8_t destination, Cycle issue_cycles, Cycle latency_cycles) {
        ready_[destination] = std::max(now_ + latency_cycles, slow_load_done_);
        now_ += issue_cycles;
    }

    /// Issue a load; the queue of slow loads is bounded, which sustains that many loads every (latency - 1) cycles.
    void begin_slow_load() { now_ = std::max(now_, slow_loads_[next_slow_load_] - 1); }
    void end_slow_load(std::uint8_t destination, Cycle latency_cycles) {
        const Cycle done = now_ + latency_cycles;
        slow_loads_[next_slow_load_] = done;
        next_slow_load_ =
            next_slow_load_ + 1 == static_cast<std::size_t>(constants_.loads_in_flight_max) ? 0 : next_slow_load_ + 1;
        slow_load_done_ = std::max(slow_load_done_, done);
        ready_[destination] = done;
        ++now_;
    }
    void fast_load(std::uint8_t destination, Cycle latency_cycles) {
        ready_[destination] = std::max(now_ + latency_cycles, slow_load_done_);
        ++now_;
    }

    /// Waits for older stores to the same start address, which a load does not pass.
    void wait_for_stores_to(std::uint32_t address) {
        for (std::size_t entry = 0; entry < stores_.size(); ++entry) {
            if (stored_to_[entry] == address) {
                now_ = std::max(now_, stores_[entry] + 1);
            }
        }
    }
    /// True if a store issued now must wait for slower ones.
    [[nodiscard]] bool delays_stores() const { return last_store_ + last_interval_ > now_; }

    /// Issues a store to private memory at `now`, which takes the port for a cycle. Returns its issue time. Loads never
    /// wait for stores that were not delayed.
    Cycle private_store(Cycle now) {
        now = std::max(now, stores_[next_store_]);
        last_store_ = std::max(now, last_store_ + last_interval_);
        last_interval_ = 1;
        last_block_ = -1;
        stores_[next_store_] = last_store_;
        next_store_ = next_store_ + 1 == static_cast<std::size_t>(constants_.store_queue_entries) ? 0 : next_store_ + 1;
        return now;
    }
    /// Issues a store that occupies its port for `interval_cycles`. Returns when it takes effect.
    Cycle store(std::uint32_t address, Cycle interval_cycles) {
        now_ = std::max(now_, stores_[next_store_]);
        const bool joins = constants_.coalesced_store_bytes != 0 && interval_cycles > 1 &&
                           address / constants_.coalesced_store_bytes == last_block_ && last_store_ >= now_;
        last_store_ = std::max(now_, last_store_ + (joins ? 0 : last_interval_));
        if (!joins) {
            last_interval_ = interval_cycles;
            last_block_ = interval_cycles > 1 && constants_.coalesced_store_bytes != 0
                              ? address / constants_.coalesced_store_bytes
                              : -1;
        }
        stores_[next_store_] = last_store_;
        stored_to_[next_store_] = address;
        next_store_ = next_store_ + 1 == static_cast<std::size_t>(constants_.store_queue_entries) ? 0 : next_store_ + 1;
        ++now_;
        return last_store_ + 1;
    }

    /// All timing state relative to now: equal states continue equally.
    struct State {
        std::array<Cycle, kNumRegisters> ready{};
        std::array<Cycle, 8> slow_loads{};
        std::array<Cycle, 8> stores{};
        std::array<std::uint32_t, 8> stored_to{};
        Cycle slow_load_done = 0;
        Cycle last_store = 0;
        Cycle last_block = 0;
        bool operator==(const State&) const = default;
    };
    [[nodiscard]] State state() const;

    /// Shifts all times, as if idle in between.
    void shift(Cycle cycles);

private:
    RiscvConstants constants_;
    Cycle now_ = 0;
    std::array<Cycle, kNumRegisters> ready_{};
    Cycle slow_load_done_ = 0;
    std::array<Cycle, 8> slow_loads_{};
    std::size_t next_slow_load_ = 0;
    std::array<Cycle, 8> stores_{};
    std::array<std::uint32_t, 8> stored_to_{};  // start addresses
    std::size_t next_store_ = 0;
    Cycle last_store_ = -1;
    Cycle last_interval_ = 1;
    Cycle last_block_ = -1;
};

}  // namespace nocbench::riscv
