// Cycles of short programs, computed by hand from the documented times of instructions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/riscv/timing.h"
#include "tests/riscv/hart_machine.h"

namespace nocbench::test {

namespace {

constexpr std::string_view kWormhole = "wormhole_b0";
constexpr std::string_view kBlackhole = "blackhole";
constexpr std::string_view kBoth[] = {kWormhole, kBlackhole};  // NOLINT(*-avoid-c-arrays)

/// Returns the cycles of a program without its final jump, and checks that each cycle is attributed to an instruction.
Cycle cycles_of(std::string_view program, std::string_view arch, std::uint32_t a0 = 0, std::uint32_t a1 = 0) {
    HartMachine machine(std::string(program) + "\njalr zero, 0(ra)", riscv_constants(std::string(arch)));
    machine.hart().set_integer(10, a0);
    machine.hart().set_integer(11, a1);
    machine.run();
    Cycle sum = 0;
    for (const Cycle cycles : machine.hart().cycles_by_place()) {
        sum += cycles;
    }
    EXPECT_EQ(sum, machine.hart().now());
    return machine.hart().now() - 1;
}

std::string times(int count, std::string_view line) {
    std::string lines;
    for (int i = 0; i < count; ++i) {
        lines += fmt::format("{}\n", line);
    }
    return lines;
}

/// Returns the cycles from a load to the first instruction that can use its value.
Cycle latency_of(std::string_view load, std::string_view arch) {
    return cycles_of(fmt::format("{}\n addi a1, a0, 1", load), arch) - 1;
}

TEST(HartTiming, PlainInstructionsTakeACycle) {
    for (const std::string_view arch : kBoth) {
        EXPECT_EQ(
            cycles_of("addi a0, a0, 1\n add a1, a0, a0\n slli a2, a1, 3\n lui a3, 0x1\n sltu a4, a3, a2\n fence", arch),
            6);
    }
    EXPECT_EQ(
        cycles_of("sh1add a0, a0, a1\n clz a1, a0\n rev8 a2, a1\n csrrw a3, fcsr, a2\n add a4, a3, a3", kBlackhole), 5);
}

TEST(HartTiming, LatencyOfLoadsByRegion) {
    for (const std::string_view arch : kBoth) {
        EXPECT_EQ(latency_of("lw a0, 0(sp)", arch), 2);
        EXPECT_EQ(latency_of("lbu a0, 3(sp)", arch), 2);
        EXPECT_EQ(latency_of("lw a0, 0(s1)", arch), 7);
        EXPECT_EQ(latency_of("lh a0, 2(s0)", arch), 8);
    }
}

TEST(HartTiming, IndependentInstructionsHideALatency) {
    for (const std::string_view arch : kBoth) {
        for (const auto& [load, latency] : {std::pair{"lw a0, 0(sp)", 2}, {"lw a0, 0(s1)", 7}, {"lw a0, 0(s0)", 8}}) {
            for (int between = 0; between < 10; ++between) {
                EXPECT_EQ(
                    cycles_of(fmt::format("{}\n {} addi a1, a0, 1", load, times(between, "addi a2, zero, 1")), arch),
                    1 + std::max(between, latency - 1) + 1)
                    << load << " " << between;
            }
        }
    }
}

TEST(HartTiming, AddressesAndStoredValuesAreWaitedFor) {
    for (const std::string_view arch : kBoth) {
        EXPECT_EQ(cycles_of("lw a0, 0(s1)\n sw a0, 0(sp)", arch), 8);
        EXPECT_EQ(cycles_of("lw a0, 0(s1)\n add a0, a0, sp\n lw a1, 0(a0)\n add a1, a1, a1", arch), 7 + 1 + 2 + 1);
        EXPECT_EQ(cycles_of("lw a0, 0(s1)\n bne a0, zero, 0x10000", arch), 7 + (arch == kWormhole ? 3 : 5));
        // The hart does not wait for unused results.
        EXPECT_EQ(cycles_of("lw zero, 0(s1)\n add a0, zero, zero", arch), 2);
    }
}

/// Results issued after a slow load leave the result queue after it.
TEST(HartTiming, ResultsBehindASlowLoadCannotBeForwarded) {
    for (const std::string_view arch : kBoth) {
        EXPECT_EQ(cycles_of("lw a0, 0(s1)\n addi a1, zero, 1\n addi a2, a1, 1", arch), 8);
        EXPECT_EQ(cycles_of("lw a0, 0(s1)\n lw a1, 0(sp)\n addi a2, a1, 1", arch), 8);
        EXPECT_EQ(cycles_of("addi a1, zero, 1\n lw a0, 0(s1)\n addi a2, a1, 1", arch), 3);
    }
}

/// Cases with separate paths in the model: cache hits, and private-memory loads while a store is delayed.
TEST(HartTiming, FastLoadsBehindASlowOneHaveTheirValuesAfterIt) {
    const std::string_view fills_a_line = "lw a0, 0(s0)\n add a5, a0, a0\n";
    EXPECT_EQ(cycles_of(fmt::format("{} lw a1, 0(s1)\n lw a2, 4(s0)\n addi a3, a2, 1", fills_a_line), kCachedBlackhole),
              9 + 7 + 1);
    EXPECT_EQ(cycles_of(fmt::format("{} lw a2, 4(s0)\n lw a1, 0(s1)\n addi a3, a2, 1", fills_a_line), kCachedBlackhole),
              9 + 2 + 1);
    for (const std::string_view arch : kBoth) {
        const std::string_view delays_stores = "sw a0, 0(s0)\n sw a0, 16(s0)\n";
        EXPECT_EQ(cycles_of(fmt::format("{} lw a1, 0(s1)\n lw a2, 0(sp)\n addi a3, a2, 1", delays_stores), arch),
                  2 + 7 + 1);
        EXPECT_EQ(cycles_of(fmt::format("{} lw a2, 0(sp)\n addi a3, a2, 1", delays_stores), arch), 2 + 2 + 1);
    }
    // A shorter slow load does not hide a longer one before it.
    EXPECT_EQ(cycles_of("amoadd.w a0, a1, (s0)\n lw a2, 0(s1)\n addi a3, zero, 1\n add a4, a3, a3", kBlackhole),
              12 + 1);
}

TEST(HartTiming, FourSlowLoadsEveryLatencyButOne) {
    for (const std::string_view arch : kBoth) {
        for (const auto& [step, latency] : {std::pair{"s1", 7}, {"s0", 8}}) {
            std::string loads;
            for (int count = 1; count <= 16; ++count) {
                // Different cache lines make each load slow.
                loads += fmt::format("lw a{}, {}({})\n", count % 6, (count * 16) % 256, step);
                const int groups = (count - 1) / 4;
                EXPECT_EQ(cycles_of(loads, arch), groups * (latency - 1) + (count - 1) % 4 + 1) << count;
            }
        }
        // Loads from private memory are fast.
        EXPECT_EQ(cycles_of(times(16, "lw a0, 0(sp)"), arch), 16);
    }
}

std::vector<Cycle> store_cycles(std::string_view program, std::string_view arch) {
    HartMachine machine(std::string(program) + "\njalr zero, 0(ra)", riscv_constants(std::string(arch)));
    machine.run();
    std::vector<Cycle> cycles;
    for (const TestBus::Store& store : machine.bus().stores()) {
        cycles.push_back(store.cycle);
    }
    return cycles;
}

TEST(HartTiming, Stores) {
    for (const std::string_view arch : kBoth) {
        EXPECT_EQ(cycles_of(times(12, "sw a0, 0(sp)"), arch), 12);
        EXPECT_EQ(cycles_of(times(12, "sw a0, 0(s1)"), arch), 12);
        EXPECT_EQ(store_cycles(times(3, "sw a0, 0(s1)"), arch), (std::vector<Cycle>{1, 2, 3}));
    }
}

TEST(HartTiming, LoadsDoNotPassStoresToTheSameStartAddress) {
    for (const std::string_view arch : kBoth) {
        // The second store completes in cycle 5, after the first.
        for (const auto& [where, beside] : {std::pair{"32(s0)", "33(s0)"}, {"4(s1)", "5(s1)"}, {"8(sp)", "9(sp)"}}) {
            const auto behind = [&](const std::string& load) {
                return cycles_of(fmt::format("sw a0, 0(s0)\n sw a0, {}\n {}", where, load), arch);
            };
            EXPECT_EQ(behind(fmt::format("lw a1, {}", where)), 7) << where;
            EXPECT_EQ(behind(fmt::format("lbu a1, {}", where)), 7) << where;
            EXPECT_EQ(behind(fmt::format("addi a2, zero, 1\n lw a1, {}", where)), 7) << where;
            EXPECT_EQ(behind(fmt::format("{} lw a1, {}", times(8, "addi a2, zero, 1"), where)), 2 + 8 + 1) << where;
            EXPECT_EQ(behind("lw a1, 64(s0)"), 3) << where;
            EXPECT_EQ(behind("lw a1, 8(s1)"), 3) << where;
            EXPECT_EQ(behind("lw a1, 16(sp)"), 3) << where;
            // A different start address in one word.
            EXPECT_EQ(behind(fmt::format("lbu a1, {}", beside)), 3) << where;
        }
        // No store precedes this load.
        EXPECT_EQ(cycles_of("sw a0, 0(s1)\n lw a1, 0(s1)", arch), 2);
        EXPECT_EQ(cycles_of("sw a0, 0(sp)\n lw a1, 0(sp)\n lw a2, 0(sp)", arch), 3);
    }
}

/// One store completes every five cycles; four wait in the queue, in addition to the one in memory.
TEST(HartTiming, StoresToSlowMemoryFillTheQueue) {
    std::string stores;
    for (int count = 1; count <= 12; ++count) {
        stores += fmt::format("sw a0, {}(s0)\n", 16 * count);
        for (const std::string_view arch : kBoth) {
            const Cycle last_issue = count <= 5 ? count - 1 : 5 * (count - 5);
            EXPECT_EQ(cycles_of(stores, arch), last_issue + 1) << count;
            EXPECT_EQ(store_cycles(stores, arch).back(), 5 * (count - 1) + 1);
        }
    }
    // Other stores wait behind them, and delay each other by at most one cycle.
    EXPECT_EQ(store_cycles("sw a0, 0(s0)\n sw a0, 0(s1)\n sw a0, 4(s1)\n sw a0, 16(s0)", kWormhole),
              (std::vector<Cycle>{1, 6, 7, 8}));
}

TEST(HartTiming, StoresToOneBlockJoinOnBlackhole) {
    const std::string_view stores =
        "sw a0, 0(s0)\n sw a0, 4(s0)\n sw a0, 8(s0)\n sw a0, 12(s0)\n sw a0, 16(s0)\n sb a0, 20(s0)\n sh a0, 24(s0)";
    EXPECT_EQ(store_cycles(stores, kBlackhole), (std::vector<Cycle>{1, 6, 6, 6, 11, 11, 11}));
    EXPECT_EQ(store_cycles(stores, kWormhole), (std::vector<Cycle>{1, 6, 11, 16, 21, 26, 31}));
}

/// A store merges with queued stores to its block until they have been sent to memory.
TEST(HartTiming, AStoreJoinsUntilTheCycleInWhichItsBlockIsWritten) {
    for (const auto& [between, last] : {std::pair{0, 6}, {2, 6}, {3, 6}, {4, 11}, {9, 12}}) {
        EXPECT_EQ(store_cycles(
                      fmt::format("sw a0, 0(s0)\n sw a0, 4(s0)\n {} sw a0, 8(s0)", times(between, "addi a2, zero, 1")),
                      kBlackhole),
                  (std::vector<Cycle>{1, 6, last}))
            << between;
    }
    // The queue is empty before the first store, which goes to memory at once.
    EXPECT_EQ(store_cycles("sw a0, 0(s0)\n sw a0, 0(s0)", kBlackhole), (std::vector<Cycle>{1, 6}));
    // A merged store also occupies a queue entry.
    EXPECT_EQ(store_cycles(times(7, "sw a0, 4(s0)"), kBlackhole), (std::vector<Cycle>{1, 6, 6, 6, 6, 6, 11}));
}

TEST(HartTiming, WhatEndsABlock) {
    const auto behind = [](std::string_view between) {
        return store_cycles(fmt::format("sw a0, 0(s0)\n sw a0, 4(s0)\n {}\n sw a0, 8(s0)", between), kBlackhole);
    };
    EXPECT_EQ(behind("addi a2, zero, 1"), (std::vector<Cycle>{1, 6, 6}));
    EXPECT_EQ(behind("lw a2, 0(s1)"), (std::vector<Cycle>{1, 6, 6}));
    EXPECT_EQ(behind("sw a0, 16(s0)"), (std::vector<Cycle>{1, 6, 11, 16})) << "a store to another block";
    EXPECT_EQ(behind("sw a0, 0(s1)"), (std::vector<Cycle>{1, 6, 11, 12})) << "a store to a register";
    EXPECT_EQ(behind("sw a0, 0(sp)"), (std::vector<Cycle>{1, 6, 12})) << "a store to private memory";
    // Stores to registers do not merge.
    EXPECT_EQ(store_cycles("sw a0, 0(s0)\n sw a0, 16(s0)\n sw a0, 0(s1)\n sw a0, 4(s1)", kBlackhole),
              (std::vector<Cycle>{1, 6, 11, 12}));
}

TEST(HartTiming, Multiplications) {
    EXPECT_EQ(cycles_of("mul a0, a1, a2\n addi a3, a0, 1", kWormhole), 3);
    EXPECT_EQ(cycles_of("mul a0, a1, a2\n addi a3, zero, 1", kWormhole), 3);
    EXPECT_EQ(cycles_of("mulhu a0, a1, a2\n mulh a3, a1, a2", kWormhole), 4);
    EXPECT_EQ(cycles_of("mul a0, a1, a2\n addi a3, a0, 1", kBlackhole), 3);
    EXPECT_EQ(cycles_of("mul a0, a1, a2\n addi a3, zero, 1", kBlackhole), 2);
    EXPECT_EQ(cycles_of("mulhu a0, a1, a2\n mulhsu a3, a1, a2", kBlackhole), 2);
}

TEST(HartTiming, DivisionsBySizeOfTheDividend) {
    struct Case {
        std::uint32_t dividend;
        std::uint32_t divisor;
        Cycle as_unsigned;
        Cycle as_signed;
    };
    for (const Case& asked : std::vector<Case>{{0, 3, 6, 6},
                                               {31, 3, 6, 6},
                                               {32, 3, 7, 7},
                                               {0xffff, 3, 17, 17},
                                               {0x7fffffff, 3, 32, 32},
                                               {0x80000000, 3, 33, 33},
                                               {0xffffffff, 3, 33, 6},
                                               {0xffffff80, 3, 33, 9},
                                               {0xffffffff, 0, 2, 2},
                                               {0xffffffff, 1, 2, 2},
                                               {0x80000000, 0xffffffff, 33, 33}}) {
        for (const std::string_view arch : kBoth) {
            SCOPED_TRACE(fmt::format("0x{:x} / 0x{:x}", asked.dividend, asked.divisor));
            for (const std::string_view after : {"addi a3, a2, 1", "addi a3, zero, 1"}) {
                const auto cycles = [&](std::string_view name) {
                    return cycles_of(fmt::format("{} a2, a0, a1\n {}", name, after), arch, asked.dividend,
                                     asked.divisor) -
                           1;
                };
                EXPECT_EQ(cycles("divu"), asked.as_unsigned);
                EXPECT_EQ(cycles("remu"), asked.as_unsigned);
                EXPECT_EQ(cycles("div"), asked.as_signed);
                EXPECT_EQ(cycles("rem"), asked.as_signed);
            }
        }
    }
}

TEST(HartTiming, Branches) {
    for (const std::string_view arch : kBoth) {
        const Cycle wrong = arch == kWormhole ? 3 : 5;
        // Branches without history are predicted taken if backward.
        EXPECT_EQ(cycles_of("bne zero, zero, over\n over: addi a0, a0, 1", arch), 2);
        EXPECT_EQ(cycles_of("beq zero, zero, over\n over: addi a0, a0, 1", arch), wrong + 1);
        EXPECT_EQ(cycles_of("back: addi a0, a0, 1\n bne zero, zero, back", arch), 1 + wrong);
        EXPECT_EQ(
            cycles_of("jal zero, over\n back: jal zero, end\n over: beq zero, zero, back\n end: addi a0, a0, 1", arch),
            4);
        EXPECT_EQ(cycles_of("addi a0, zero, 5\n loop: addi a0, a0, -1\n bne a0, zero, loop", arch),
                  1 + 5 * 1 + 4 + wrong);
        // The inner loop's last branch is mispredicted each time, its first is not: a single exception does not change
        // the prediction.
        EXPECT_EQ(
            cycles_of("addi a1, zero, 4\n outer: addi a0, zero, 3\n inner: addi a0, a0, -1\n bne a0, zero, inner\n"
                      "addi a1, a1, -1\n bne a1, zero, outer",
                      arch),
            1 + 4 * (1 + 3 + 2 + wrong + 1) + 3 + wrong);
    }
}

TEST(HartTiming, Jumps) {
    for (const std::string_view arch : kBoth) {
        const Cycle wrong = arch == kWormhole ? 3 : 5;
        EXPECT_EQ(cycles_of("jal a0, over\n addi zero, zero, 0\n over: add a1, a0, a0", arch), 2);
        // An indirect jump is predicted to go to its last target. The link is available at once.
        const std::string_view calls =
            "addi a5, ra, 0\n jal ra, f\n jal ra, f\n jal zero, end\n f: jalr a4, 0(ra)\n end: addi ra, a5, 0";
        EXPECT_EQ(cycles_of(calls, arch), 1 + 2 + (1 + wrong) + 1 + 1);
    }
}

TEST(HartTiming, DataCacheOfBlackhole) {
    const std::string_view use = "\n add a5, a0, a0\n";
    const auto loads = [&](const std::vector<std::string_view>& lines) {
        std::string program;
        for (const std::string_view line : lines) {
            program += line;
            program += use;
        }
        return program;
    };
    EXPECT_EQ(cycles_of(loads({"lw a0, 0(s0)", "lw a0, 12(s0)"}), kCachedBlackhole), 9 + 3);
    for (const std::string_view arch : kBoth) {
        EXPECT_EQ(cycles_of(loads({"lw a0, 0(s0)", "lw a0, 12(s0)"}), arch), 9 + 9);
    }
    EXPECT_EQ(cycles_of(loads({"lw a0, 0(s0)", "lw a0, 16(s0)"}), kCachedBlackhole), 9 + 9);
    EXPECT_EQ(cycles_of(loads({"lw a0, 0(s0)", "fence", "lw a0, 0(s0)"}), kCachedBlackhole), 9 + 2 + 9);
    EXPECT_EQ(cycles_of(loads({"lw a0, 0(s0)", "amoor.w a0, zero, (s0)", "lw a0, 0(s0)"}), kCachedBlackhole),
              9 + 13 + 9);
    // Four lines, replaced oldest first.
    EXPECT_EQ(cycles_of(loads({"lw a0, 0(s0)", "lw a0, 16(s0)", "lw a0, 32(s0)", "lw a0, 48(s0)", "lw a0, 0(s0)"}),
                        kCachedBlackhole),
              4 * 9 + 3);
    EXPECT_EQ(cycles_of(loads({"lw a0, 0(s0)", "lw a0, 16(s0)", "lw a0, 32(s0)", "lw a0, 48(s0)", "lw a0, 64(s0)",
                               "lw a0, 0(s0)"}),
                        kCachedBlackhole),
              6 * 9);
    // The program's own switch: set and clear, and empty after it was off.
    const std::string_view off = "csrrsi zero, 0x7c0, 8";
    const std::string_view on = "csrrci zero, 0x7c0, 8";
    EXPECT_EQ(cycles_of(loads({on, "lw a0, 0(s0)", "lw a0, 12(s0)"}), kBlackhole), 2 + 9 + 3);
    EXPECT_EQ(cycles_of(loads({off, "lw a0, 0(s0)", "lw a0, 12(s0)"}), kCachedBlackhole), 2 + 9 + 9);
    EXPECT_EQ(cycles_of(loads({"lw a0, 0(s0)", off, on, "lw a0, 12(s0)"}), kCachedBlackhole), 9 + 2 + 2 + 9);
    EXPECT_EQ(cycles_of(loads({"csrrsi zero, 0x7c0, 2", "lw a0, 0(s0)", "lw a0, 12(s0)"}), kCachedBlackhole),
              2 + 9 + 3);
    // Registers are not cached.
    EXPECT_EQ(cycles_of(loads({"lw a0, 0(s1)", "lw a0, 0(s1)"}), kCachedBlackhole), 8 + 8);
}

TEST(HartTiming, DataCacheIsNotCoherent) {
    const std::string_view program =
        "lw a0, 4(s0)\n lw a1, 0(s0)\n addi a5, zero, 20\n wait: addi a5, a5, -1\n bne a5, zero, wait\n"
        "lw a2, 0(s0)\n fence\n lw a3, 0(s0)\n sw s1, 0(s0)\n lw a4, 0(s0)\n jalr zero, 0(ra)";
    for (const std::string_view arch : {kWormhole, kBlackhole, kCachedBlackhole}) {
        HartMachine machine(program, riscv_constants(std::string(arch)), {{20, TestBus::kMemoryBegin, 7}});
        machine.run();
        EXPECT_EQ(machine.hart().integer(11), 0U);
        EXPECT_EQ(machine.hart().integer(12), arch == kCachedBlackhole ? 0U : 7U);
        EXPECT_EQ(machine.hart().integer(13), 7U);
        EXPECT_EQ(machine.hart().integer(14), TestBus::kRegistersBegin);  // visible to the storing hart
    }
}

/// A load samples memory some cycles before its value is ready, and sees changes of the sampling cycle.
TEST(HartTiming, WhenLoadsTakeTheirValues) {
    for (const std::string_view arch : kBoth) {
        for (const auto& [load, address, sample] :
             {std::tuple{"lw a0, 0(s1)", TestBus::kRegistersBegin, 1}, {"lw a0, 0(s0)", TestBus::kMemoryBegin, 2}}) {
            for (const Cycle changed : {sample - 1, sample, sample + 1}) {
                HartMachine machine(fmt::format("{}\n jalr zero, 0(ra)", load), riscv_constants(std::string(arch)),
                                    {{changed, address, 7}});
                machine.run();
                EXPECT_EQ(machine.hart().integer(10), changed <= sample ? 7U : 0U) << load << " " << changed;
            }
        }
    }
}

TEST(HartTiming, AtomicsAndFloats) {
    EXPECT_EQ(cycles_of("amoadd.w a0, a1, (s0)\n add a2, a0, a0", kBlackhole), 13);
    EXPECT_EQ(cycles_of("amoadd.w a0, a1, (sp)\n add a2, a0, a0", kBlackhole), 3);
    EXPECT_EQ(cycles_of("fadd.s fa0, fa1, fa2\n fadd.s fa3, fa0, fa0", kBlackhole), 3);
    EXPECT_EQ(cycles_of("fadd.s fa0, fa1, fa2\n fadd.s fa3, fa1, fa1", kBlackhole), 2);
    EXPECT_EQ(cycles_of("fmadd.s fa0, fa1, fa2, fa3\n fmadd.s fa4, fa1, fa2, fa0", kBlackhole), 3);
    EXPECT_EQ(cycles_of("fmv.w.x fa0, a0\n fmv.x.w a1, fa0\n add a2, a1, a1", kBlackhole), 5);
    EXPECT_EQ(cycles_of("fdiv.s fa0, fa1, fa2\n addi a0, a0, 1", kBlackhole), 21);
    EXPECT_EQ(cycles_of("flw fa0, 0(s1)\n fadd.s fa1, fa0, fa0", kBlackhole), 8);
}

// State of instruction timing relative to the current cycle, which determines the next iteration's timing.

using riscv::Timing;

constexpr std::uint8_t kOneRegister = 10;
constexpr std::uint8_t kOtherRegister = 11;
constexpr std::uint32_t kBlock = 0x1000;
constexpr Cycle kSlowStore = 5;
constexpr Cycle kSlowLoad = 8;

using Act = std::function<void(Timing&)>;

Timing after(Cycle now, const std::vector<Act>& acts) {
    Timing timing(riscv_constants("blackhole"));
    timing.set_now(now);
    for (const Act& act : acts) {
        act(timing);
    }
    return timing;
}

Act store(std::uint32_t address, Cycle interval_cycles = kSlowStore) {
    return [=](Timing& timing) { timing.store(address, interval_cycles); };
}

Act result(std::uint8_t destination, Cycle latency_cycles) {
    return [=](Timing& timing) { timing.result_after(destination, 1, latency_cycles); };
}

Act slow_load(std::uint8_t destination, Cycle latency_cycles = kSlowLoad) {
    return [=](Timing& timing) {
        timing.begin_slow_load();
        timing.end_slow_load(destination, latency_cycles);
    };
}

/// The states of each pair differ in one property that affects when a later instruction is issued or takes effect.
TEST(TimingState, TellsMomentsApartThatGoOnOtherwise) {
    struct Pair {
        const char* differing;
        std::vector<Act> one;
        std::vector<Act> other;
    };
    for (const Pair& pair : std::vector<Pair>{
             {"when a register has its value", {result(kOneRegister, 3)}, {result(kOneRegister, 4)}},
             {"which register waits", {result(kOneRegister, 4)}, {result(kOtherRegister, 4)}},
             {"loads in flight", {result(kOneRegister, kSlowLoad)}, {slow_load(kOneRegister)}},
             {"how many loads are in flight",
              {slow_load(kOneRegister), slow_load(kOneRegister), slow_load(kOneRegister)},
              {slow_load(riscv::kDiscard), result(kOtherRegister, 1), slow_load(kOneRegister)}},
             {"where stores go", {store(kBlock), store(kBlock)}, {store(kBlock), store(kBlock + 4)}},
             {"the order of stores",
              {store(kBlock), store(kBlock + 16), store(kBlock + 32)},
              {store(kBlock), store(kBlock + 32), store(kBlock + 16)}},
             {"how long the port is busy", {store(kBlock, kSlowStore)}, {store(kBlock, 1)}},
         }) {
        const Timing one = after(100, pair.one);
        const Timing other = after(100, pair.other);
        ASSERT_EQ(one.now(), other.now()) << pair.differing;
        EXPECT_FALSE(one.state() == other.state()) << pair.differing;
    }
}

TEST(TimingState, IsRelativeToNow) {
    const std::vector<Act> acts{store(kBlock),           store(kBlock + 4),
                                slow_load(kOneRegister), result(kOtherRegister, 3),
                                store(kBlock + 16, 1),   slow_load(kOtherRegister)};
    EXPECT_TRUE(after(100, acts).state() == after(777, acts).state());
}

/// Completed operations have no effect on later timing, whatever their number.
TEST(TimingState, ForgetsWhatIsOver) {
    std::vector<Act> acts;
    for (int number = 0; number < 3; ++number) {
        acts.push_back(store(kBlock + 16 * static_cast<std::uint32_t>(number)));
        acts.push_back(slow_load(kOneRegister));
    }
    Timing timing = after(100, acts);
    EXPECT_FALSE(timing.state() == after(0, {}).state());
    timing.wait_until(1000);
    EXPECT_TRUE(timing.state() == after(1000, {}).state());
    EXPECT_TRUE(timing.state() == after(0, {}).state());
}

TEST(TimingState, DoesNotHoldRegistersThatNobodyReads) {
    EXPECT_TRUE(after(100, {result(riscv::kDiscard, 9)}).state() == after(100, {result(riscv::kDiscard, 1)}).state());
}

/// A hart that has slept continues with the queues, ports and registers of a hart that has not.
TEST(TimingState, ShiftsAsAWhole) {
    const std::vector<Act> acts{store(kBlock), store(kBlock + 16), slow_load(kOneRegister), slow_load(kOtherRegister),
                                result(kOtherRegister, 2)};
    Timing shifted = after(100, acts);
    shifted.shift(5000);
    Timing timing = after(5100, acts);
    EXPECT_EQ(shifted.now(), timing.now());
    EXPECT_TRUE(shifted.state() == timing.state());
    // The store merges with the last one.
    EXPECT_EQ(shifted.store(kBlock + 20, kSlowStore), timing.store(kBlock + 20, kSlowStore));
    shifted.wait_for_stores_to(kBlock + 16);
    timing.wait_for_stores_to(kBlock + 16);
    EXPECT_EQ(shifted.now(), timing.now());
    shifted.wait_for(kOtherRegister);
    timing.wait_for(kOtherRegister);
    EXPECT_EQ(shifted.now(), timing.now());
    EXPECT_EQ(shifted.slow_load_done(), timing.slow_load_done());
}

}  // namespace

}  // namespace nocbench::test
