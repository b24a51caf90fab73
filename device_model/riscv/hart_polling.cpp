// Recognition of polling loops, and sleeping in them.
#include <fmt/format.h>

#include <algorithm>

#include "device_model/riscv/guest_fault.h"
#include "device_model/riscv/hart.h"

namespace nocbench::riscv {

void Hart::goes_back(std::uint32_t target) {
    if (timing_.now() >= next_meeting_) {
        bus_.meet(timing_.now());
        next_meeting_ = timing_.now() + kMeetingCycles;
    }
    if (snapshot_.effects != effects_) {
        begin_looking_at(target, timing_.now());
        return;
    }
    if (snapshot_.is_valid && target == snapshot_.place &&
        registers_[snapshot_.differing] == snapshot_.registers[snapshot_.differing]) {
        compare_with_snapshot();
    }
    if (++snapshot_.visits >= snapshot_.visits_max) {
        take_snapshot(target);
    }
}

void Hart::take_snapshot(std::uint32_t target) {
    snapshot_.plan_next_sample();
    if (snapshot_.place != target) {
        snapshot_.entered = timing_.now();
    }
    snapshot_.is_valid = true;
    snapshot_.place = target;
    snapshot_.predictions = predictions_;
    snapshot_.registers = registers_;
    snapshot_.cycle = timing_.now();
    snapshot_.num_instructions = num_instructions_;
    snapshot_.met_ahead = met_ahead();
    snapshot_.timing = timing_;
    snapshot_.cache = cache_;
    watches_.clear();
    samples_.clear();
    is_watched_ = true;
    cached_pc_ = 0;
}

void Hart::compare_with_snapshot() {
    if (!snapshot_.has_same(registers_, snapshot_.registers) || snapshot_.predictions != predictions_ ||
        snapshot_.met_ahead != met_ahead() || snapshot_.cache != cache_ ||
        snapshot_.timing.state() != timing_.state()) {
        return;
    }
    if (watches_.empty() && is_watched_) {
        throw GuestFault(cached_pc_ != 0
                             ? fmt::format("a loop that never ends: its load at 0x{:x} polls a line of the L0 data "
                                           "cache, which nobody updates; invalidate_l1_cache() belongs into it",
                                           cached_pc_)
                             : std::string("a loop that never ends: it changes nothing and looks at nothing that "
                                           "others could change"));
    }
    if (is_watched_ && sleeps_) {
        sleep(timing_.now() - snapshot_.cycle);
    }
}

void Hart::sleep(Cycle period) {
    const Wake wake = bus_.sleep(*this, {watches_, snapshot_.entered, timing_.now(), last_sample_, period});
    const Cycle slept = wake.begin - timing_.now();
    timing_.shift(slept);
    num_instructions_ += static_cast<std::uint64_t>(slept / period) * (num_instructions_ - snapshot_.num_instructions);
    uses_[code_.place(watches_.back().pc)].further_cycles += slept;
    replayed_ = samples_;
    next_replayed_ = 0;
    replayed_until_ = wake.changed;
    replayed_meeting_ = timing_.now() + snapshot_.met_ahead;
    next_meeting_ = timing_.now() + kMeetingCycles;
    snapshot_.begin(snapshot_.place, snapshot_.effects);
}

}  // namespace nocbench::riscv
