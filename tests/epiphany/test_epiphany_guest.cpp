// Programs on Epiphany cores that poll their memory for others' writes. Results depend neither on how far a hart may
// run ahead nor on the simulation's skipping of polling loops and of single accesses of copies.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "device_model/epiphany/epiphany_guest.h"
#include "device_model/epiphany/epiphany_state.h"
#include "device_model/riscv/guest_fault.h"
#include "device_model/sim/error.h"
#include "tests/epiphany/epiphany_machine.h"
#include "tests/riscv/assembler.h"
#include "tests/support/thinning.h"

namespace nocbench::test {

namespace {

constexpr std::uint32_t kProgram = 0x400;
constexpr std::uint32_t kData = 0x2000;  // shared data: flags, then words
constexpr std::uint32_t kNumWords = 16;
constexpr std::uint32_t kLog = 0x3000;
constexpr std::uint32_t kLogEnd = 0x7000;
constexpr std::uint32_t kBlocks = 0x7000;  // written by copies, and read
constexpr std::uint32_t kBlockBytes = 0x600;
constexpr std::uint32_t kExit = 0xffff8000;  // and above it, routines that copy
constexpr int kNumPes = 4;

constexpr std::uint8_t kStack = 2;
constexpr std::uint8_t kS0 = 8;   // address of kData
constexpr std::uint8_t kS1 = 9;   // end of the log
constexpr std::uint8_t kS2 = 18;  // addresses of kData on the other cores, in s2 to s5
constexpr std::uint8_t kS6 = 22;  // address of kExit
constexpr std::uint8_t kS7 = 23;  // address of kBlocks

struct Ahead {
    Cycle cycles_ahead = 0;  // 0: the default
    bool sleeps = true;
    bool copies_in_one_go = true;
};

struct Outcome {
    std::vector<std::vector<std::byte>> memories;
    std::vector<Tick> ends;
    std::vector<Tick> waits;
    std::vector<std::uint64_t> instructions;
    std::vector<std::vector<Cycle>> cycles_by_place;
    std::vector<std::vector<Tick>> waits_by_place;  // indexed by place and cause
    std::uint64_t rewinds = 0;

    bool operator==(const Outcome& other) const {
        return memories == other.memories && ends == other.ends && waits == other.waits &&
               instructions == other.instructions && cycles_by_place == other.cycles_by_place &&
               waits_by_place == other.waits_by_place;
    }
};

/// Takes some time, and changes a word that the program polls and a word of another core.
void handle_interrupt() {
    constexpr std::uint32_t kWord = kData + 4 * kNumPes;
    epiphany::instructions(40);
    epiphany::store(kWord, epiphany::load<std::uint32_t>(kWord) + 3);
    const int next = (epiphany::core_number() + 1) % kNumPes;
    epiphany::store(epiphany::global_address(next, kWord + 4), static_cast<std::uint32_t>(epiphany::timer()));
}

/// A copy of words, or of a longer block, from or to another core: a routine of the programs.
struct SomeCopy {
    int other = 0;
    bool has_words = false;
    bool puts = false;
    std::uint32_t count = 0;
    epiphany::Address here = 0;
    epiphany::Address there = 0;  // in the memory of the other core

    static SomeCopy of(std::uint32_t number) {
        std::mt19937 random(number);
        const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); };
        SomeCopy copy;
        copy.other = static_cast<int>(below(kNumPes));
        copy.has_words = below(2) == 0;
        const std::uint32_t begin = copy.has_words ? kData + 4 * kNumPes : kBlocks;
        const std::uint32_t words = copy.has_words ? kNumWords : kBlockBytes / 4;
        copy.count = 4 + below(words - 4);
        copy.here = begin + 4 * below(words - copy.count + 1);
        copy.there = begin + 4 * below(words - copy.count + 1);
        copy.puts = below(2) == 0;
        return copy;
    }
    void run() const {
        const epiphany::Address elsewhere = epiphany::global_address(other, there);
        epiphany::copy_elements(puts ? elsewhere : here, puts ? here : elsewhere, count, 4,
                                epiphany::CopyStep::staggered);
    }
};

/// Interrupts the cores of programs at random times.
void interrupt_others(std::uint32_t seed) {
    std::mt19937 random(seed);
    for (int count = 0; count < 60; ++count) {
        epiphany::instructions(static_cast<int>(random() % 400));
        epiphany::interrupt(static_cast<int>(random() % kNumPes));
    }
}

Outcome run_programs(const std::vector<std::string>& programs, const Ahead& run, Cycle cycles_max = 10'000'000,
                     std::optional<std::uint32_t> interrupts = std::nullopt) {
    EpiphanyMachine machine;
    EpiphanyDevice& device = machine.device();
    Outcome outcome;
    if (interrupts) {
        machine.add_kernel(device.core_at(kNumPes), [&] { interrupt_others(*interrupts); });
    }
    outcome.instructions.resize(programs.size());
    outcome.cycles_by_place.resize(programs.size());
    outcome.waits_by_place.resize(programs.size());
    std::vector<std::unique_ptr<riscv::Code>> codes;
    for (std::size_t pe = 0; pe < programs.size(); ++pe) {
        const std::vector<std::byte> image = assembled(programs[pe], kProgram);
        device.write_memory(device.core_at(static_cast<int>(pe)), kProgram, image);
        codes.push_back(std::make_unique<riscv::Code>(kProgram, image, kAllExtensions));
        machine.add_kernel(device.core_at(static_cast<int>(pe)), [&, pe] {
            EpiphanyGuest guest({*codes[pe], kProgram, kProgram + codes[pe]->bytes(),
                                 [](std::uint32_t address) { return fmt::format("0x{:x}", address); },
                                 [](EpiphanyGuest&, std::uint32_t address) {
                                     if (address > kExit) {
                                         SomeCopy::of(address - kExit).run();
                                         return false;
                                     }
                                     if (address != kExit) {
                                         throw riscv::GuestFault(fmt::format("jump to 0x{:x}", address));
                                     }
                                     return true;
                                 }});
            riscv::SharedMemoryHart& hart = guest.hart();
            if (run.cycles_ahead != 0) {
                hart.set_cycles_ahead(run.cycles_ahead);
            }
            hart.set_sleeps(run.sleeps);
            guest.core().state().undisturbed.set_enabled(run.copies_in_one_go);
            hart.set_integer(kStack, kLogEnd + 0x800);
            hart.set_integer(kS0, kData);
            hart.set_integer(kS1, kLog);
            for (int other = 0; other < kNumPes; ++other) {
                hart.set_integer(static_cast<std::uint8_t>(kS2 + other),
                                 device.global_address(device.core_at(other), kData));
            }
            hart.set_integer(kS6, kExit);
            hart.set_integer(kS7, kBlocks);
            if (interrupts) {
                epiphany::set_interrupt_handler(handle_interrupt);
            }
            guest.run(kProgram);
            outcome.instructions[pe] = hart.num_instructions();
            outcome.cycles_by_place[pe] = hart.cycles_by_place();
            outcome.waits_by_place[pe].resize(codes[pe]->size() * kNumCauses);
            for (const auto& [at, ledger] : guest.waits()) {
                for (std::size_t cause = 0; cause < kNumCauses; ++cause) {
                    outcome.waits_by_place[pe][at.place * kNumCauses + cause] +=
                        ledger.ticks(Cause{static_cast<std::uint8_t>(cause)});
                }
            }
            outcome.rewinds += hart.num_rewinds();
        });
    }
    machine.run(cycles_max);
    for (std::size_t pe = 0; pe < programs.size(); ++pe) {
        outcome.memories.push_back(machine.bytes(device.core_at(static_cast<int>(pe)), 0, 0x8000));
    }
    for (const KernelResult& result : device.kernel_results()) {
        outcome.ends.push_back(result.zones.front().end);
        outcome.waits.push_back(result.zones.front().ledger.ticks(Cause::semaphore));
    }
    return outcome;
}

/// Random programs that write to each other's memory, and read others' writes, at random times.
class RandomPrograms {
public:
    explicit RandomPrograms(std::uint32_t seed) : random_(seed) {}

    std::vector<std::string> programs() {
        std::vector<std::string> texts;
        const std::uint32_t num_phases = 2 + below(5);
        for (int pe = 0; pe < kNumPes; ++pe) {
            std::string text;
            for (std::uint32_t phase = 1; phase <= num_phases; ++phase) {
                text += something();
                text += tell(pe, phase);
                text += something();
                text += wait(pe, phase);
            }
            texts.push_back(text + something() + "jalr ra, 0(s6)\n");
        }
        return texts;
    }

private:
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
    std::string label() { return fmt::format("l{}", num_labels_++); }
    std::uint32_t word() { return 4 * (kNumPes + below(kNumWords)); }

    static std::string log(const char* value) { return fmt::format("sw {}, 0(s1)\naddi s1, s1, 4\n", value); }

    std::string something() {
        std::string text;
        for (std::uint32_t count = 1 + below(8); count != 0; --count) {
            const std::uint32_t other = 2 + below(kNumPes);
            switch (below(14)) {
                case 0:
                    text += fmt::format("lw a0, {}(s0)\n", word()) + log("a0");
                    break;
                case 1:
                    text +=
                        fmt::format("lw a0, {}(s0)\naddi a0, a0, {}\nsw a0, {}(s0)\n", word(), 1 + below(9), word());
                    break;
                case 2:
                    text += fmt::format("addi a1, a0, {}\nsw a1, {}(s{})\n", below(100), word(), other);
                    break;
                case 3:
                    text += fmt::format("lw a2, {}(s{})\n", word(), other) + log("a2");
                    break;
                case 4: {  // computes
                    const std::string again = label();
                    text += fmt::format("addi t0, zero, {}\n{}: addi t0, t0, -1\nmul t1, t0, t0\nbne t0, zero, {}\n",
                                        1 + below(300), again, again);
                    break;
                }
                case 5: {  // polls for some time, and counts
                    const std::string again = label();
                    const std::string end = label();
                    text += fmt::format(
                        "addi t0, zero, {}\n{}: lw a3, {}(s0)\naddi t0, t0, -1\nbeq t0, zero, {}\nbeq a3, zero, "
                        "{}\n{}: addi t1, zero, 0\n",
                        1 + below(200), again, word(), end, again, end);
                    text += log("t0");
                    break;
                }
                case 6:
                    text += fmt::format("sb a0, {}(s{})\n", word() + below(4), other);
                    break;
                case 7:
                    text += fmt::format("lbu a4, {}(s0)\n", word() + below(4)) + log("a4");
                    break;
                case 8:  // own memory, by its global address
                    text += fmt::format("addi a6, s0, {}\namoadd.w a5, a0, (a6)\n", word()) + log("a5");
                    break;
                case 9:
                    text +=
                        "fcvt.s.w fa0, a0\nfmul.s fa1, fa0, fa0\naddi t3, a0, 1\nfmadd.s fa2, fa1, fa0, fa1\n"
                        "fcvt.w.s a7, fa2\n";
                    break;
                case 10:
                case 11:
                    text += fmt::format("jalr ra, {}(s6)\n", 4 * (1 + below(500)));
                    break;
                case 12:
                    text += fmt::format("lw a0, {}(s7)\nsw a0, {}(s7)\n", 4 * below(kBlockBytes / 4),
                                        4 * below(kBlockBytes / 4)) +
                            log("a0");
                    break;
                default: {  // sums up all words
                    const std::string again = label();
                    text += fmt::format(
                        "addi t0, s0, {}\naddi t2, zero, 0\naddi t3, zero, {}\n{}: lw t1, 0(t0)\nadd t2, t2, t1\naddi "
                        "t0, t0, 4\naddi t3, t3, -1\nbne t3, zero, {}\n",
                        4 * kNumPes, kNumWords, again, again);
                    text += log("t2");
                    break;
                }
            }
        }
        return text;
    }

    static std::string tell(int pe, std::uint32_t phase) {
        std::string text = fmt::format("addi a5, zero, {}\n", phase);
        for (int other = 0; other < kNumPes; ++other) {
            text += fmt::format("sw a5, {}(s{})\n", 4 * pe, 2 + other);
        }
        return text;
    }

    std::string wait(int pe, std::uint32_t phase) {
        std::string text = fmt::format("addi a5, zero, {}\n", phase);
        const bool counts = below(3) == 0;
        for (int step = 1; step < kNumPes; ++step) {
            const int other = (pe + step) % kNumPes;
            const std::string again = label();
            text += fmt::format("{}: lw a0, {}(s0)\n", again, 4 * other);
            text += counts ? "addi t4, t4, 1\n" : "";
            text += below(3) == 0 ? fmt::format("lw a1, {}(s0)\n", word()) : "";
            text += below(3) == 0 ? "addi t0, zero, 3\nmul t1, t0, t0\n" : "";
            text += fmt::format("bltu a0, a5, {}\n", again);
        }
        return text + (counts ? log("t4") : log("a1"));
    }

    std::mt19937 random_;
    int num_labels_ = 0;
};

/// Checks that waits at each place are within its cycles, and that their sum equals the core's.
void expect_waits_to_be_within_cycles(const Outcome& outcome) {
    for (std::size_t pe = 0; pe < outcome.waits_by_place.size(); ++pe) {
        const std::vector<Tick>& waits = outcome.waits_by_place[pe];
        Tick slept = 0;
        for (std::size_t place = 0; place * kNumCauses < waits.size(); ++place) {
            const auto begin = waits.begin() + static_cast<std::ptrdiff_t>(place * kNumCauses);
            EXPECT_LE(std::accumulate(begin, begin + kNumCauses, Tick{0}),
                      ticks_from_cycles(outcome.cycles_by_place[pe][place]))
                << "PE " << pe << ", place " << place;
            slept += begin[static_cast<std::ptrdiff_t>(Cause::semaphore)];
        }
        EXPECT_EQ(slept, outcome.waits[outcome.waits.size() - outcome.waits_by_place.size() + pe]) << "PE " << pe;
    }
}

/// Compares runs in which harts run far ahead with a run in which they never do. Returns the number of rollbacks.
std::uint64_t compare_runs(std::uint32_t seed, std::optional<std::uint32_t> interrupts) {
    constexpr Cycle kCyclesMax = 10'000'000;
    std::uint64_t rewinds = 0;
    const std::vector<std::string> programs = RandomPrograms(seed).programs();
    const Outcome expected =
        run_programs(programs, {.cycles_ahead = 1, .sleeps = false, .copies_in_one_go = false}, kCyclesMax, interrupts);
    const Outcome sleeping = run_programs(programs, {.cycles_ahead = 1, .sleeps = true}, kCyclesMax, interrupts);
    for (const Ahead& ahead :
         {Ahead{.cycles_ahead = 1, .sleeps = true}, Ahead{.cycles_ahead = 7, .sleeps = false},
          Ahead{.cycles_ahead = 40, .sleeps = true}, Ahead{.cycles_ahead = 0, .sleeps = true},
          Ahead{.cycles_ahead = 0, .sleeps = true, .copies_in_one_go = false},
          Ahead{.cycles_ahead = 0, .sleeps = false}, Ahead{.cycles_ahead = 100'000, .sleeps = true}}) {
        const Outcome found = run_programs(programs, ahead, kCyclesMax, interrupts);
        const std::string which = fmt::format("seed {}, ahead {}, sleeps {}", seed, ahead.cycles_ahead, ahead.sleeps);
        rewinds += found.rewinds;
        EXPECT_EQ(found.memories, expected.memories) << which;
        EXPECT_EQ(found.ends, expected.ends) << which;
        EXPECT_EQ(found.instructions, expected.instructions) << which;
        for (std::size_t pe = 0; pe < programs.size(); ++pe) {
            // Time asleep is attributed to one instruction of the loop.
            const auto total = [&](const Outcome& outcome) {
                return std::accumulate(outcome.cycles_by_place[pe].begin(), outcome.cycles_by_place[pe].end(),
                                       Cycle{0});
            };
            EXPECT_EQ(total(found), total(expected)) << which;
        }
        const Outcome& alike = ahead.sleeps ? sleeping : expected;
        EXPECT_EQ(found.cycles_by_place, alike.cycles_by_place) << which;
        EXPECT_EQ(found.waits, alike.waits) << which;
        EXPECT_EQ(found.waits_by_place, alike.waits_by_place) << which;
        expect_waits_to_be_within_cycles(found);
    }
    return rewinds;
}

TEST(EpiphanyGuest, HowFarAHartRunsAheadChangesNothing) {
    std::uint64_t rewinds = 0;
    for (std::uint32_t seed = 0; seed < thinned(400U, 40U, 4U) && !HasFailure(); ++seed) {
        rewinds += compare_runs(seed, std::nullopt);
    }
    EXPECT_GT(rewinds, 0U);
}

TEST(EpiphanyGuest, AnAtomicInstructionChangesWhatACopyReadsLater) {
    std::uint32_t number = 4;  // of a long get from PE 1
    for (SomeCopy copy = SomeCopy::of(number); copy.other != 1 || copy.puts || copy.count < 100;
         copy = SomeCopy::of(number)) {
        number += 4;
    }
    ASSERT_LT(number, 2048U);
    const SomeCopy copy = SomeCopy::of(number);
    const std::vector<std::string> programs{
        fmt::format("jalr ra, {}(s6)\njalr ra, 0(s6)\n", number),
        fmt::format("addi t0, zero, 100\nagain: addi t0, t0, -1\nbne t0, zero, again\naddi a0, zero, 77\n"
                    "addi a6, s7, {}\namoadd.w a5, a0, (a6)\n"
                    "addi t0, zero, 2000\nrest: addi t0, t0, -1\nbne t0, zero, rest\njalr ra, 0(s6)\n",
                    copy.there - kBlocks + 4 * (copy.count - 1))};
    const Outcome found = run_programs(programs, {});
    EXPECT_EQ(found, run_programs(programs, {.copies_in_one_go = false}));
    EXPECT_EQ(found.memories[0][copy.here + 4 * (copy.count - 1)], std::byte{77});
}

TEST(EpiphanyGuest, NorDoesItWhenTheyAreInterrupted) {
    std::uint64_t rewinds = 0;
    for (std::uint32_t seed = 0; seed < thinned(400U, 40U, 4U) && !HasFailure(); ++seed) {
        rewinds += compare_runs(seed, seed * 7);
    }
    const std::vector<std::string> programs = RandomPrograms(0).programs();
    EXPECT_NE(run_programs(programs, {}, 1'000'000, 0).ends, run_programs(programs, {}, 1'000'000).ends);
    EXPECT_GT(rewinds, 0U);
}

struct Wrong {
    std::string program;
    std::string complaint;
};

TEST(EpiphanyGuest, WhatItMustNotDoIsNamed) {
    const std::vector<Wrong> cases{
        {"lw a0, 0(zero)", "0x400: load of 4 bytes at 0x0: a null pointer? Memory begins at 0x400"},
        {"sw a0, 16(zero)", "0x400: store of 4 bytes at 0x10: a null pointer? Memory begins at 0x400"},
        {"lw a0, 2(s0)", "0x400: load of 4 bytes at 0x2002: expected a multiple of 4"},
        {"sh a0, 1(s0)", "0x400: store of 2 bytes at 0x2001: expected a multiple of 2"},
        {"addi a1, zero, 1024\nsb a0, 2(a1)",
         "0x404: store of 1 bytes at 0x402: it would change the program's own code"},
        {"lui a1, 0x8\nlw a0, 0(a1)",
         "load: expected 4 bytes within the core's memory, 0x0 to 0x7fff, found them at 0x8000; it is at 0x404"},
        {"lui a1, 0x12345\nlw a0, 0(a1)", "load: address 0x12345000 belongs to no core and to no external memory"},
        {"amoadd.w a0, a1, (zero)", "0x400: atomic access of 4 bytes at 0x0: a null pointer?"},
        {".word 0x00000000", "0x400: illegal instruction 0x0000"},
        {"ebreak", "0x400: ebreak: the program stops itself"},
        {"ecall", "0x400: ecall: there is no operating system"},
        {"csrrs a0, 0x300, zero", "0x400: csrrs: this core does not execute it"},
        {"addi a0, zero, 8\njalr ra, 0(a0)", "0x404: jump to 0x8"},
        {"loop: jal zero, loop", "in a loop that looks at nothing that others could change, for ever, at 0x400"},
        {"addi a0, zero, 1", "0x404: it runs over the end of its code"},
        {"loop: lw a0, 64(s0)\nbeq a0, zero, loop\njalr ra, 0(s6)",
         "waits since cycle 12 in a loop at 0x00002040, for another core to write there, at 0x400"},
    };
    for (const Wrong& wrong : cases) {
        try {
            static_cast<void>(run_programs({wrong.program + "\n"}, {}));
            ADD_FAILURE() << wrong.program;
        } catch (const KernelError& error) {
            EXPECT_NE(std::string(error.what()).find(wrong.complaint), std::string::npos)
                << wrong.program << ": " << error.what();
        }
    }
}

TEST(EpiphanyGuest, APlainLoopIsAsFastAsTheCore) {
    // Per iteration: a load, a stall, the dependent addition, a store, two more additions, and a taken branch.
    const Outcome outcome = run_programs({R"(
        addi t0, zero, 100
        loop: lw a0, 64(s0)
        addi a0, a0, 1
        sw a0, 64(s0)
        addi t1, t1, 4
        addi t0, t0, -1
        bne t0, zero, loop
        jalr ra, 0(s6)
    )"},
                                         {});
    constexpr Cycle kRound = 1 + 1 + 1 + 1 + 1 + 1 + (1 + 3);
    EXPECT_EQ(outcome.ends.front(), ticks_from_cycles(1 + 100 * kRound - 3 + (1 + 3)));
}

}  // namespace

}  // namespace nocbench::test
