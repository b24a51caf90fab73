// Data leave L1 flit by flit: a byte that is changed after the call and before its flit arrives changed.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "device_model/tenstorrent/risc.h"
#include "kernels/tensix/dataflow_api.h"
#include "kernels/tensix/rectangle.h"
#include "tests/support/machine.h"
#include "tests/support/multicast_geometry.h"
#include "tests/support/thinning.h"

namespace nocbench {

namespace {

using namespace nocbench::dataflow;
using test::kBuffer;
using test::Machine;

constexpr std::uint32_t kTarget = kBuffer + 0x20000;
constexpr std::uint32_t kBytes = 8192;
constexpr std::uint32_t kOld = 0x11111111;
constexpr std::uint32_t kNew = 0x22222222;
constexpr LogicalCoordinate kTaker{3, 2};

void fill_source(Machine& machine) {
    const std::vector<std::uint32_t> words(kBytes / sizeof kOld, kOld);
    machine.device().write_l1({0, 0}, kBuffer, std::as_bytes(std::span(words)));
}

class SourceBytes : public testing::TestWithParam<std::string> {
protected:
    enum class Way : std::uint8_t { write, posted_write, multicast, read };

    /// Returns the word of flit `flit` at the receiver if the sender's other RISC changes it in `cycle`.
    [[nodiscard]] static std::uint32_t arrives(Way way, std::uint32_t flit, Cycle cycle) {
        Machine machine(GetParam());
        fill_source(machine);
        const std::uint32_t offset = flit * machine.flit_bytes();
        const auto far = [&] { return get_noc_addr(machine.x(kTaker), machine.y(kTaker), kTarget); };
        if (way == Way::read) {
            machine.add_kernel({kTaker}, [&] {
                noc_async_read(get_noc_addr(machine.x({0, 0}), machine.y({0, 0}), kBuffer), kTarget, kBytes);
                noc_async_read_barrier();
            });
        } else {
            machine.add_kernel({{0, 0}}, [&] {
                if (way == Way::multicast) {
                    noc_async_write_multicast(kBuffer, test::multicast_address(machine, {{1, 1}, kTaker}, kTarget),
                                              kBytes, 6);
                } else if (way == Way::posted_write) {
                    noc_async_write<true>(kBuffer, far(), kBytes);
                } else {
                    noc_async_write(kBuffer, far(), kBytes);
                }
                noc_async_full_barrier();
            });
        }
        machine.add_kernel({{0, 0}, 1, 1}, [&] {
            Risc::current().advance_to(ticks_from_cycles(cycle));
            store_l1_word(kBuffer + offset, kNew);
        });
        machine.run();
        return test::word_at(machine, kTaker, kTarget + offset);
    }

    /// Returns the last cycle in which a change of flit `flit` still leaves with it.
    [[nodiscard]] static Cycle last_change(Way way, std::uint32_t flit) {
        Cycle changed = 0;
        Cycle missed = 4000;
        EXPECT_EQ(arrives(way, flit, changed), kNew);
        EXPECT_EQ(arrives(way, flit, missed), kOld);
        while (missed - changed > 1) {
            const Cycle middle = (changed + missed) / 2;
            (arrives(way, flit, middle) == kNew ? changed : missed) = middle;
        }
        return changed;
    }
};

INSTANTIATE_TEST_SUITE_P(All, SourceBytes, testing::Values("n150", "p150"),
                         [](const auto& test) { return test.param; });

TEST_P(SourceBytes, AByteLeavesWithItsFlit) {
    const Machine machine(GetParam());
    const std::uint32_t last = kBytes / machine.flit_bytes() - 1;
    for (const Way way : {Way::write, Way::posted_write, Way::multicast, Way::read}) {
        SCOPED_TRACE(static_cast<int>(way));
        // A multicast that waits for its tree fills the buffer behind the tile first.
        const std::uint32_t first = way == Way::multicast ? last / 2 : 0;
        const Cycle of_first = last_change(way, first);
        const Tick interval = machine.architecture().niu.source_ticks_per_data_flit[0];
        EXPECT_EQ(last_change(way, first + 1) - of_first, 1);
        for (const std::uint32_t flit : {last * 3 / 4, last}) {
            const Cycle later = last_change(way, flit) - of_first;
            EXPECT_LE(std::abs(later - cycle_containing((flit - first) * interval)), 1) << later;
        }
    }
}

TEST_P(SourceBytes, AFlushedSourceMayBeReused) {
    Machine machine(GetParam());
    fill_source(machine);
    machine.run_kernel([&] {
        noc_async_write(kBuffer, get_noc_addr(machine.x(kTaker), machine.y(kTaker), kTarget), kBytes);
        noc_async_writes_flushed();
        store_l1_word(kBuffer + kBytes - sizeof kNew, kNew);
        noc_async_write_barrier();
    });
    EXPECT_EQ(test::word_at(machine, kTaker, kTarget + kBytes - sizeof kNew), kOld);
}

TEST_P(SourceBytes, AQueuedCommandHasReadNothing) {
    Machine machine(GetParam());
    machine.run_kernel([&] {
        const std::uint64_t far = get_noc_addr(machine.x(kTaker), machine.y(kTaker), kTarget);
        store_l1_word(kBuffer, kOld);
        noc_async_write(kBuffer + 0x4000, far + 0x4000, kBytes);
        noc_async_write(kBuffer, far, 4);  // waits for the long one
        store_l1_word(kBuffer, kNew);
        noc_async_write_barrier();
    });
    EXPECT_EQ(test::word_at(machine, kTaker, kTarget), kNew);
}

/// Kernels that change what they and others send, all in the same few places.
std::vector<std::byte> memory_after_races(const std::string& board, std::uint32_t seed, Cycle window_cycles_max) {
    constexpr int kCores = 3;
    constexpr std::uint32_t kShared = 0x1000;
    Machine machine(board, {}, window_cycles_max);
    std::mt19937 numbers(seed);
    const auto number = [&](std::uint32_t most) { return static_cast<std::uint32_t>(numbers() % (most + 1)); };
    const auto place = [&] { return kBuffer + number(kShared / 64 - 1) * 64; };
    for (int core = 0; core < kCores; ++core) {
        for (const int riscv : {0, 1}) {
            std::vector<std::function<void()>> steps;
            for (int step = 0; step < 40; ++step) {
                const std::uint32_t here = place();
                const LogicalCoordinate other{static_cast<int>(number(kCores - 1)), 0};
                const std::uint32_t there = place();
                const std::uint32_t size = 1 + number(kShared / 4);
                const std::uint32_t spent = number(20);
                const auto address = [&machine, other, there] {
                    return get_noc_addr(machine.x(other), machine.y(other), there);
                };
                switch (number(4)) {
                    case 0:
                        steps.emplace_back([=] { noc_async_write(here, address(), size); });
                        break;
                    case 1:
                        steps.emplace_back([=] { noc_async_read(address(), here, size); });
                        break;
                    case 2:
                        steps.emplace_back([=] { noc_semaphore_inc(address(), spent); });
                        break;
                    case 3:
                        steps.emplace_back([=] { Risc::current().spend(ticks_from_cycles(spent)); });
                        break;
                    default:
                        steps.emplace_back([=] { store_l1_word(here + spent / 4 * 4, size); });
                        break;
                }
            }
            machine.add_kernel({{core, 0}, riscv, riscv}, [steps = std::move(steps)] {
                for (const auto& step : steps) {
                    step();
                }
                noc_async_full_barrier();
            });
        }
    }
    machine.run();
    std::vector<std::byte> bytes;
    for (int core = 0; core < kCores; ++core) {
        const std::vector<std::byte> l1 = machine.device().read_l1({core, 0}, kBuffer, std::size_t{2} * kShared);
        bytes.insert(bytes.end(), l1.begin(), l1.end());
    }
    return bytes;
}

TEST_P(SourceBytes, TheLengthOfWindowsChangesNoByte) {
    for (std::uint32_t seed = 0; seed < test::thinned(200U, 20U, 5U); ++seed) {
        SCOPED_TRACE("program " + std::to_string(seed));
        const std::vector<std::byte> usual = memory_after_races(GetParam(), seed, Network::kWindowCyclesMax);
        for (const Cycle window : {1, 5, 7}) {
            SCOPED_TRACE("windows of " + std::to_string(window) + " cycles");
            ASSERT_EQ(test::first_difference(memory_after_races(GetParam(), seed, window), usual), "");
        }
    }
}

}  // namespace

}  // namespace nocbench
