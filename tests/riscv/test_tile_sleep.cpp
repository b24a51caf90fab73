// Two harts of a tile that poll each other's stores, arrivals over the NoCs, and NIU registers. Results depend neither
// on sleeping in polling loops nor on the length of the chip's simulation blocks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "device_model/tenstorrent/risc.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/riscv/random_loops.h"
#include "tests/riscv/tile_harts.h"
#include "tests/support/thinning.h"

namespace nocbench::test {

namespace {

constexpr LogicalCoordinate kTile{0, 0};
constexpr std::uint32_t kWords = 0x20000;  // polled words, in L1
constexpr std::uint32_t kLogs = 0x21000;   // logs of the harts, contiguous
constexpr std::uint32_t kLogBytes = 0x800;
constexpr std::uint32_t kData = 0x30000;  // data of commands
constexpr std::uint32_t kStreams = 0xFFB40008;
constexpr std::uint32_t kNiu = 0xFFB20000;
constexpr std::uint32_t kClock = 0xFFB121F0;

// Registers of the programs, besides those of RandomLoops.
constexpr std::uint8_t kS0 = 8;    // address of kWords
constexpr std::uint8_t kS1 = 9;    // address of kStreams
constexpr std::uint8_t kS6 = 22;   // address of the command buffer
constexpr std::uint8_t kS7 = 23;   // address of the counters
constexpr std::uint8_t kS8 = 24;   // end of the log
constexpr std::uint8_t kS9 = 25;   // address of kClock
constexpr std::uint8_t kS10 = 26;  // coordinates of the other tile, in register format
constexpr std::uint8_t kS11 = 27;  // address of kData

/// A p150 whose firmware has switched the data cache on.
constexpr std::string_view kCachedBoard = "p150_cached";

struct Case {
    std::array<std::string, 2> programs;
    std::uint32_t num_phases = 0;  // 0: both harts use NoC 0, without other activity
    std::uint32_t seed = 0;
};

struct Layout {
    std::uint32_t stride;
    std::string coordinates;  // target coordinates; the return coordinates are 12 bytes behind
    std::string returned;
    std::string go;
};

Layout layout_of(const std::string& board) {
    const bool is_blackhole = board.front() == 'p';
    return is_blackhole ? Layout{0x800, "8", "20", "64"} : Layout{0x400, "4", "16", "40"};
}

/// Returns a command of 64 to 512 bytes, to or from the other tile. The first hart reads, the second writes.
std::string command(RandomLoops& random, int hart, const Layout& layout) {
    const std::uint32_t bytes = 64 * (1 + random.below(8));
    std::string text =
        fmt::format("free{0}: lw t0, {1}(s6)\nbne t0, zero, free{0}\n", random.below(1'000'000'000), layout.go);
    if (hart == 0) {
        text += fmt::format("sw s11, 0(s6)\nsw s10, {}(s6)\nsw s11, 12(s6)\n", layout.coordinates);
    } else {
        text += fmt::format("li t1, 0x2092\nsw t1, 28(s6)\nsw s11, 0(s6)\nsw s11, 12(s6)\nsw s10, {}(s6)\n",
                            layout.returned);
    }
    return text + fmt::format("addi t1, zero, {}\nsw t1, 32(s6)\naddi t1, zero, 1\nsw t1, {}(s6)\n", bytes, layout.go);
}

Case random_case(std::uint32_t seed, const std::string& board) {
    RandomLoops random(seed);
    Case made;
    made.seed = seed;
    made.num_phases = 1 + random.below(4);
    // Words incremented by other tiles, and words that the harts store for each other.
    const std::vector<PolledWord> incremented{{"0(s0)", true}, {"4(s0)", true}, {"16(s0)", true}};
    const std::array<PolledWord, 2> own_words{
        random.one_in(2) ? PolledWord{"32(s0)", true} : PolledWord{"0(s1)", false},
        random.one_in(2) ? PolledWord{"8(s0)", true} : PolledWord{"4(s1)", false}};
    const std::array<std::vector<PolledWord>, 2> counters{
        std::vector<PolledWord>{{"8(s7)", false}, {"20(s7)", false}},   // completed and sent reads
        std::vector<PolledWord>{{"4(s7)", false}, {"40(s7)", false}}};  // acknowledged and sent writes
    for (std::uint32_t phase = 1; phase <= made.num_phases; ++phase) {
        for (int hart = 0; hart < 2; ++hart) {
            std::string& program = made.programs[static_cast<std::size_t>(hart)];
            const auto poll = [&](const std::vector<PolledWord>& words, std::uint32_t target) {
                program += random.filler() + random.loop(words, target);
                program += "lw t0, 0(s9)\nsw t0, 0(s8)\nsw a0, 4(s8)\nsw a1, 8(s8)\naddi s8, s8, 12\n";
            };
            program += command(random, hart, layout_of(board));
            std::vector<PolledWord> words = random.one_in(3) ? std::vector<PolledWord>{} : incremented;
            if (words.empty() || random.one_in(2)) {
                words.insert(words.end(), counters[static_cast<std::size_t>(hart)].begin(),
                             counters[static_cast<std::size_t>(hart)].end());
            }
            if (hart == 1) {
                words.push_back(own_words[0]);
            }
            poll(words, phase);
            // Data must stay unchanged while a command may read them, and a kernel must not end before its commands.
            poll({counters[static_cast<std::size_t>(hart)][0]}, phase);
            program +=
                fmt::format("addi t1, zero, {}\nsw t1, {}\n", phase, own_words[static_cast<std::size_t>(hart)].operand);
            if (hart == 0 && phase < made.num_phases && random.one_in(2)) {
                program += "addi a0, zero, 0\n";
            }
            if (hart == 0 && phase > 1) {
                poll({own_words[1]}, phase - 1);
            }
        }
    }
    for (std::string& program : made.programs) {
        program += "jalr zero, 0(ra)\n";
    }
    return made;
}

struct SeenByTile {
    std::vector<std::int64_t> numbers;
    std::array<HartEnd, 2> ends;
    std::vector<std::byte> memory;
    bool operator==(const SeenByTile&) const = default;
};

SeenByTile run(const Case& asked, const std::string& board, bool sleeps, Cycle block_cycles_max,
               std::vector<Setting> settings = {}) {
    if (board == kCachedBoard) {
        settings.emplace_back("riscv.cache_is_on", "1");
    }
    Machine machine(board.substr(0, board.find('_')), settings, block_cycles_max);
    const LogicalCoordinate other{1, 0};
    const bool is_blackhole = board.front() == 'p';
    const Layout layout = layout_of(board);
    const std::uint32_t coordinates = (machine.y(other) << 6 | machine.x(other)) << (is_blackhole ? 0 : 4);
    SeenByTile seen;
    for (int hart = 0; hart < 2; ++hart) {
        const bool shares = asked.num_phases == 0;
        const std::uint32_t niu = kNiu + (shares ? 0 : 0x10000 * static_cast<std::uint32_t>(hart));
        const InitialRegisters registers{{kS0, kWords},
                                         {kS1, kStreams},
                                         {kS6, niu + (hart == 0 && !shares ? layout.stride : 0)},
                                         {kS7, niu + 0x200},
                                         {kS8, kLogs + kLogBytes * static_cast<std::uint32_t>(hart)},
                                         {kS9, kClock},
                                         {kS10, coordinates},
                                         {kS11, kData + 0x1000 * static_cast<std::uint32_t>(hart)}};
        machine.add_kernel(
            {kTile, hart, hart},
            [&asked, &seen, hart, registers, sleeps] {
                const auto index = static_cast<std::size_t>(hart);
                seen.ends[index] = run_hart(assembled(asked.programs[index]), registers, sleeps);
            },
            "hart");
    }
    // Other tiles increment words, and write to neighbouring addresses.
    for (int number = 0; number < 3; ++number) {
        machine.add_kernel(
            {{2 + number, 2 - number}, 0, number % 2},
            [&, number] {
                using namespace dataflow;
                RandomLoops random(asked.seed * 3 + static_cast<std::uint32_t>(number));
                for (std::uint32_t phase = 0; phase < asked.num_phases; ++phase) {
                    Risc::current().spend(ticks_from_cycles(random.below(random.one_in(4) ? 4000 : 300)));
                    const std::uint32_t word =
                        kWords + std::array<std::uint32_t, 3>{0, 4, 16}[static_cast<std::size_t>(number)];
                    noc_semaphore_inc(get_noc_addr(machine.x(kTile), machine.y(kTile), word), 1);
                    if (random.one_in(2)) {
                        noc_async_write(kWords + 0x100, get_noc_addr(machine.x(kTile), machine.y(kTile), kWords + 48),
                                        16);
                    }
                    if (random.one_in(2)) {
                        noc_async_write(kData, get_noc_addr(machine.x(kTile), machine.y(kTile), kData + 0x4000),
                                        64 * (1 + random.below(64)));
                    }
                }
                noc_async_write_barrier();
                noc_async_atomic_barrier();
            },
            "other");
    }
    machine.run();
    const Device& device = machine.device();
    seen.numbers = {device.elapsed_cycles(), static_cast<std::int64_t>(device.flit_hops())};
    for (const KernelResult& result : device.kernel_results()) {
        for (const Zone& zone : result.zones) {
            Tick total = 0;
            for (std::size_t cause = 0; cause < kNumCauses; ++cause) {
                total += zone.ledger.ticks(static_cast<Cause>(cause));
            }
            EXPECT_EQ(total, zone.end - zone.start) << result.identity.name();
            seen.numbers.insert(seen.numbers.end(), {zone.start, zone.end, total});
        }
    }
    seen.memory = device.read_l1(kTile, kWords, 0x2000);
    return seen;
}

std::string difference(const SeenByTile& one, const SeenByTile& other) {
    std::string text = fmt::format("numbers {} and {}\n", fmt::join(one.numbers, " "), fmt::join(other.numbers, " "));
    for (std::size_t hart = 0; hart < 2; ++hart) {
        text +=
            fmt::format("hart {}: {} and {} cycles, {} and {} instructions\n", hart, one.ends[hart].cycles,
                        other.ends[hart].cycles, one.ends[hart].num_instructions, other.ends[hart].num_instructions);
    }
    for (std::size_t i = 0; i < one.memory.size(); ++i) {
        if (one.memory[i] != other.memory[i]) {
            text += fmt::format("memory 0x{:x}: 0x{:x} and 0x{:x}\n", kWords + i, static_cast<int>(one.memory[i]),
                                static_cast<int>(other.memory[i]));
            break;
        }
    }
    return text;
}

class TileSleep : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, TileSleep, testing::Values("n150", "p150", std::string(kCachedBoard)),
                         [](const auto& test) { return test.param; });

TEST_P(TileSleep, ChangesNothing) {
    for (std::uint32_t seed = 1; seed <= thinned(300U, 20U); ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        const Case asked = random_case(seed, GetParam());
        // Only harts that sleep are known to poll.
        const std::vector<Setting> free_polls{{"l1.poll_cycles", "0"}};
        const SeenByTile sleeping = run(asked, GetParam(), true, Network::kWindowCyclesMax, free_polls);
        const SeenByTile waking = run(asked, GetParam(), false, Network::kWindowCyclesMax, free_polls);
        ASSERT_TRUE(sleeping == waking) << difference(sleeping, waking) << asked.programs[0] << "\n---\n"
                                        << asked.programs[1];
        ASSERT_EQ(sleeping.ends[0].sum_by_place, sleeping.ends[0].cycles);
    }
}

TEST_P(TileSleep, TheLengthOfBlocksChangesNothing) {
    for (std::uint32_t seed = 1001; seed <= 1000 + thinned(100U, 20U); ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        const Case asked = random_case(seed, GetParam());
        const SeenByTile usual = run(asked, GetParam(), true, Network::kWindowCyclesMax);
        for (const Cycle block : {1, 5, 7}) {
            const SeenByTile other = run(asked, GetParam(), true, block);
            ASSERT_TRUE(usual == other) << block << "\n" << difference(usual, other);
        }
    }
}

/// Both harts use NoC 0. One writes through a command buffer; the other repeatedly waits for that buffer, and reads
/// through a second one.
Case case_of_one_buffer(std::uint32_t seed, const std::string& board) {
    RandomLoops random(seed);
    const Layout layout = layout_of(board);
    const std::string log = "lw t0, 0(s9)\nsw t0, 0(s8)\naddi s8, s8, 4\n";
    Case made;
    made.seed = seed;
    int label = 0;
    const auto wait_for_buffer = [&](const char* buffer) {
        ++label;
        return fmt::format("free{0}: lw t0, {1}({2})\nbne t0, zero, free{0}\n", label, layout.go, buffer);
    };
    constexpr std::uint32_t kCalls = 6;
    for (std::uint32_t call = 1; call <= kCalls; ++call) {
        std::string& writer = made.programs[0];
        writer += random.filler() + wait_for_buffer("s6") + log;
        writer += fmt::format("li t1, 0x2092\nsw t1, 28(s6)\nsw s11, 0(s6)\nsw s11, 12(s6)\nsw s10, {}(s6)\n",
                              layout.returned);
        writer += fmt::format("li t1, {}\nsw t1, 32(s6)\naddi t1, zero, 1\nsw t1, {}(s6)\n",
                              64 * (1 + random.below(128)), layout.go);
    }
    made.programs[0] += fmt::format("addi t1, zero, {}\nend: lw t0, 4(s7)\nbne t0, t1, end\n", kCalls) + log;
    std::string& other = made.programs[1];
    const bool reads = random.one_in(2);
    for (std::uint32_t look = 1; look <= 2 * kCalls; ++look) {
        other += wait_for_buffer("s6") + random.filler() + log;
        if (reads && look == kCalls) {
            other += fmt::format("li t2, {}\nadd t2, t2, s6\n", layout.stride) + wait_for_buffer("t2");
            other += fmt::format("sw s11, 0(t2)\nsw s10, {}(t2)\nsw s11, 12(t2)\naddi t1, zero, 512\nsw t1, 32(t2)\n",
                                 layout.coordinates);
            other += fmt::format("addi t1, zero, 1\nsw t1, {}(t2)\n", layout.go);
        }
        other += fmt::format("addi t6, zero, {1}\ndelay{0}: addi t6, t6, -1\nbne t6, zero, delay{0}\n", look,
                             1 + random.below(200));
    }
    other += fmt::format("addi t1, zero, {}\nend: lw t0, 8(s7)\nbne t0, t1, end\n", reads ? 1 : 0) + log;
    for (std::string& program : made.programs) {
        program += "jalr zero, 0(ra)\n";
    }
    return made;
}

TEST_P(TileSleep, BothHartsWaitForOneCommandBuffer) {
    int num_waits = 0;
    for (std::uint32_t seed = 1; seed <= thinned(200U, 40U); ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        const Case asked = case_of_one_buffer(seed, GetParam());
        const SeenByTile sleeping = run(asked, GetParam(), true, Network::kWindowCyclesMax);
        const SeenByTile waking = run(asked, GetParam(), false, Network::kWindowCyclesMax);
        ASSERT_TRUE(sleeping == waking) << difference(sleeping, waking) << asked.programs[0] << "\n---\n"
                                        << asked.programs[1];
        num_waits += sleeping.ends[1].cycles > 1000 ? 1 : 0;
    }
    EXPECT_GT(num_waits, 0);  // the buffer was sometimes busy
}

}  // namespace

}  // namespace nocbench::test
