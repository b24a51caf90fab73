// Rounds of a loop without effects. A hart samples its state at the start of some of them and compares later ones with
// that: a loop that comes back to the same state only polls.
#pragma once

#include <algorithm>
#include <cstdint>

#include "device_model/riscv/isa/instruction.h"

namespace nocbench::riscv {

struct LoopRounds {
    /// Iterations before a loop is examined: most loops have an effect sooner.
    static constexpr std::uint32_t kFirstVisits = 2;

    bool is_valid = false;  // has a sample
    std::uint32_t place = 0;
    std::uint64_t effects = 0;   // of the hart, on entering
    std::uint8_t differing = 0;  // a register that differed at the last comparison
    std::uint32_t visits = 0;    // backward branches, up to the next sample
    std::uint32_t visits_max = kFirstVisits;

    /// Begins with the loop at `place_`, entered after `effects_`.
    void begin(std::uint32_t place_, std::uint64_t effects_) {
        place = place_;
        effects = effects_;
        is_valid = false;
        visits = 0;
        visits_max = kFirstVisits;
    }
    /// Plans the next sample: in each of the first rounds, then exponentially more seldom.
    void plan_next_sample() {
        constexpr std::uint32_t kFirstRounds = 8;
        visits_max = visits_max < kFirstRounds ? visits_max + 1 : visits_max * 2;
    }
    /// True if the registers are those of the sample.
    bool has_same(Registers& registers, const Registers& sampled) {
        registers[kDiscard] = sampled[kDiscard];  // never read
        const auto [mine, its] = std::ranges::mismatch(registers, sampled);
        if (mine == registers.end()) {
            return true;
        }
        differing = static_cast<std::uint8_t>(mine - registers.begin());
        return false;
    }
};

}  // namespace nocbench::riscv
