// A hart that sleeps in polling loops has equal results to a hart that executes every iteration.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/riscv/hart_machine.h"
#include "tests/riscv/random_loops.h"
#include "tests/support/thinning.h"

namespace nocbench::test {

namespace {

/// Observable results of a run.
struct Seen {
    std::string fault;
    Cycle end = 0;
    std::uint64_t num_instructions = 0;
    Cycle sum_by_place = 0;
    std::vector<std::uint32_t> registers;
    std::vector<std::byte> private_memory;
    std::vector<TestBus::Store> stores;
    bool operator==(const Seen&) const = default;
};

struct SleepOutcome {
    Seen seen;
    int num_sleeps = 0;
};

SleepOutcome run(const std::string& program, const std::string& arch, const std::vector<OutsideStore>& timetable,
                 bool sleeps) {
    HartMachine machine(program, riscv_constants(arch), timetable);
    riscv::Hart& hart = machine.hart();
    hart.set_sleeps(sleeps);
    SleepOutcome run;
    run.seen.fault = machine.fault();
    run.seen.end = hart.now();
    run.seen.num_instructions = hart.num_instructions();
    for (const Cycle cycles : hart.cycles_by_place()) {
        run.seen.sum_by_place += cycles;
    }
    for (std::uint8_t number = 0; number < 32; ++number) {
        run.seen.registers.push_back(hart.integer(number));
    }
    const auto memory = hart.private_memory();
    run.seen.private_memory.assign(memory.begin(), memory.end());
    run.seen.stores = machine.bus().stores();
    run.num_sleeps = machine.bus().num_sleeps();
    return run;
}

struct RandomCase {
    std::string program;
    std::vector<OutsideStore> timetable;
};

RandomCase random_case(std::uint32_t seed) {
    RandomLoops random(seed);
    std::vector<PolledWord> words;
    std::vector<std::uint32_t> addresses;
    for (const std::uint32_t offset : {0U, 4U, 12U, 16U, 32U}) {
        words.push_back({fmt::format("{}(s0)", offset), true});
        addresses.push_back(TestBus::kMemoryBegin + offset);
    }
    for (const std::uint32_t offset : {0U, 4U, 8U}) {
        words.push_back({fmt::format("{}(s1)", offset), false});
        addresses.push_back(TestBus::kRegistersBegin + offset);
    }
    if (random.one_in(3)) {
        words.resize(5);
    } else if (random.one_in(3)) {
        words.erase(words.begin(), words.begin() + 5);
    }
    RandomCase made;
    const std::uint32_t num_loops = 1 + random.below(5);
    for (std::uint32_t number = 0; number < num_loops; ++number) {
        made.program += random.filler() + random.loop(words, number + 1);
        made.program += "csrrs t0, cycle, zero\n csrrs t1, instret, zero\n";
        for (const std::string_view value : {"a0", "a1", "a2", "a3", "t0", "t1"}) {
            made.program +=
                fmt::format("sw {}, {}({})\n", value, 64 + 4 * random.below(8), random.one_in(2) ? "s0" : "s1");
        }
    }
    made.program += "jalr zero, 0(ra)\n";
    // Words change in many small steps and a few large ones, sometimes only for a cycle or two. In the end, all have
    // reached every target.
    Cycle cycle = 0;
    for (std::uint32_t value = 1; value <= num_loops; ++value) {
        for (const std::uint32_t address : addresses) {
            cycle += random.one_in(4) ? random.below(3) : random.below(random.one_in(5) ? 3000 : 60);
            made.timetable.push_back({cycle, address, value});
            if (random.one_in(4)) {
                made.timetable.push_back({cycle + random.below(4), address, 0});
                made.timetable.push_back({cycle + 5 + random.below(50), address, value});
            }
        }
    }
    for (const std::uint32_t address : addresses) {
        made.timetable.push_back({cycle + 100, address, num_loops});
    }
    return made;
}

TEST(HartSleep, ChangesNothing) {
    int num_sleeps = 0;
    constexpr std::uint32_t kFirstSeed = 1;
    for (std::uint32_t seed = kFirstSeed; seed < kFirstSeed + thinned(4000U, 40U); ++seed) {
        const RandomCase made = random_case(seed);
        for (const std::string& arch :
             std::vector<std::string>{"wormhole_b0", "blackhole", std::string(kCachedBlackhole)}) {
            SCOPED_TRACE(fmt::format("seed {} on {}", seed, arch));
            const SleepOutcome sleeping = run(made.program, arch, made.timetable, true);
            const SleepOutcome waking = run(made.program, arch, made.timetable, false);
            ASSERT_EQ(waking.seen.fault, "") << made.program;
            ASSERT_EQ(waking.num_sleeps, 0);
            ASSERT_TRUE(sleeping.seen == waking.seen)
                << made.program
                << fmt::format("\nfault '{}'; end {} instead of {}, {} instructions instead of {}", sleeping.seen.fault,
                               sleeping.seen.end, waking.seen.end, sleeping.seen.num_instructions,
                               waking.seen.num_instructions);
            ASSERT_EQ(sleeping.seen.sum_by_place, sleeping.seen.end);
            num_sleeps += sleeping.num_sleeps;
        }
    }
    EXPECT_GT(num_sleeps, thinned(4000, 40));
}

TEST(HartSleep, LoopsThatWatchNothingAreNamedAtOnce) {
    const std::string_view never_ends =
        "a loop that never ends: it changes nothing and looks at nothing that others could change";
    const std::string nested =
        "loop: sw a0, 0(sp)\n lw a1, 0(sp)\n addi a2, zero, 3\n inner: addi a2, a2, -1\n bne a2, zero, inner\n"
        "jal zero, loop";
    for (const std::string_view program :
         {std::string_view("loop: jal zero, loop"),
          std::string_view("lw a0, 0(s1)\n loop: addi a1, zero, 1\n beq a0, zero, loop"), std::string_view(nested),
          std::string_view("auipc a0, 0x0\n loop: jalr a1, 4(a0)"),
          std::string_view("loop: mul a0, a1, a1\n divu a0, a0, a1\n jal zero, loop")}) {
        for (const std::string arch : {"wormhole_b0", "blackhole"}) {
            for (const bool sleeps : {true, false}) {
                const SleepOutcome found = run(std::string(program), arch, {}, sleeps);
                EXPECT_EQ(found.seen.fault, never_ends) << program;
                EXPECT_LT(found.seen.num_instructions, 300U) << program;
            }
        }
    }
}

TEST(HartSleep, LoopsThatPollALineOfTheCacheAreNamed) {
    const auto polling = [](const std::string& arch, bool sleeps) {
        return run("loop: lw a0, 0(s0)\n beq a0, zero, loop\n jalr zero, 0(ra)", arch,
                   {{1000, TestBus::kMemoryBegin, 1}}, sleeps);
    };
    EXPECT_EQ(polling(std::string(kCachedBlackhole), true).seen.fault,
              "a loop that never ends: its load at 0x10000 polls a line of the L0 data cache, which nobody updates; "
              "invalidate_l1_cache() belongs into it");
    for (const std::string arch : {"wormhole_b0", "blackhole"}) {
        const SleepOutcome ends = polling(arch, true);
        EXPECT_EQ(ends.seen.fault, "") << arch;
        EXPECT_EQ(ends.num_sleeps, 1) << arch;
        EXPECT_TRUE(ends.seen == polling(arch, false).seen) << arch;
    }
}

/// A loop that reads a clock never repeats a state, and a counting loop may take long to. Both must yield to the rest
/// of the machine, which ends them.
TEST(HartSleep, LoopsThatAreNeverTheSameMeetTheMachine) {
    for (const std::string_view program :
         {"lui a1, 0x9\n loop: lw a0, 0(a1)\n jal zero, loop", "loop: addi a0, a0, 1\n jal zero, loop",
          "loop: addi a0, a0, 1\n sw a0, 0(sp)\n jal zero, loop", "loop: csrrs a0, cycle, zero\n jal zero, loop"}) {
        EXPECT_EQ(run(std::string(program), "blackhole", {}, true).seen.fault, "it does not end") << program;
    }
}

}  // namespace

}  // namespace nocbench::test
