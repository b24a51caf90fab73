#include "device_model/riscv/timing.h"

namespace nocbench::riscv {

Timing::State Timing::state() const {
    const auto from_now = [&](Cycle cycle) { return std::max<Cycle>(cycle - now_, 0); };
    State state;
    std::ranges::transform(ready_, state.ready.begin(), from_now);
    state.ready[kDiscard] = 0;  // never read
    // Reads ring buffers from their oldest entries on.
    for (std::size_t i = 0; i < static_cast<std::size_t>(constants_.loads_in_flight_max); ++i) {
        const std::size_t entry = (next_slow_load_ + i) % static_cast<std::size_t>(constants_.loads_in_flight_max);
        state.slow_loads[i] = from_now(slow_loads_[entry] - 1);
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(constants_.store_queue_entries); ++i) {
        const std::size_t entry = (next_store_ + i) % static_cast<std::size_t>(constants_.store_queue_entries);
        state.stores[i] = from_now(stores_[entry]);
        state.stored_to[i] = stores_[entry] < now_ ? 0 : stored_to_[entry];
    }
    state.slow_load_done = from_now(slow_load_done_);
    state.last_store = from_now(last_store_ + last_interval_);
    state.last_block = last_store_ >= now_ ? last_block_ : -1;
    return state;
}

void Timing::shift(Cycle cycles) {
    for (Cycle& cycle : ready_) {
        cycle += cycles;
    }
    for (Cycle& cycle : slow_loads_) {
        cycle += cycles;
    }
    for (Cycle& cycle : stores_) {
        cycle += cycles;
    }
    now_ += cycles;
    slow_load_done_ += cycles;
    last_store_ += cycles;
}

}  // namespace nocbench::riscv
