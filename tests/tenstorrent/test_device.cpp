// The device as seen by a host: memory, kernels, time, results and links.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/noc/topology.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/error_message.h"
#include "tests/support/machine.h"

namespace nocbench {

namespace {

using namespace nocbench::dataflow;
using test::error_message;
using test::first_difference;
using test::kBuffer;
using test::Machine;
using test::random_bytes;

class DeviceOfBoard : public testing::TestWithParam<std::string> {
protected:
    Device device{test::architecture_of(GetParam()), GetParam()};
};

INSTANTIATE_TEST_SUITE_P(All, DeviceOfBoard, testing::ValuesIn(test::all_boards()),
                         [](const auto& test) { return test.param; });

TEST_P(DeviceOfBoard, MemoryIsZeroUntilWritten) {
    EXPECT_EQ(first_difference(device.read_l1({0, 0}, 0, 100), std::vector<std::byte>(100)), "");
    EXPECT_EQ(first_difference(device.read_dram(0, 12345, 100), std::vector<std::byte>(100)), "");
}

TEST_P(DeviceOfBoard, EveryCoreHasItsOwnL1) {
    const auto l1_bytes = static_cast<std::uint64_t>(device.architecture().l1.size_bytes);
    std::uint32_t seed = 0;
    for (int y = 0; y < device.grid().compute_rows(); ++y) {
        for (int x = 0; x < device.grid().compute_columns(); ++x) {
            device.write_l1({x, y}, kBuffer, random_bytes(16, ++seed));
            device.write_l1({x, y}, l1_bytes - 16, random_bytes(16, ++seed));
        }
    }
    seed = 0;
    for (int y = 0; y < device.grid().compute_rows(); ++y) {
        for (int x = 0; x < device.grid().compute_columns(); ++x) {
            EXPECT_EQ(first_difference(device.read_l1({x, y}, kBuffer, 16), random_bytes(16, ++seed)), "");
            EXPECT_EQ(first_difference(device.read_l1({x, y}, l1_bytes - 16, 16), random_bytes(16, ++seed)), "");
        }
    }
}

TEST_P(DeviceOfBoard, EveryBankHasItsOwnDram) {
    const auto bank_bytes = static_cast<std::uint64_t>(device.architecture().dram.bank_size_bytes);
    const std::size_t num_banks = device.grid().dram_banks().size();
    for (std::size_t bank = 0; bank < num_banks; ++bank) {
        device.write_dram(bank, 0, random_bytes(16, static_cast<std::uint32_t>(2 * bank)));
        device.write_dram(bank, bank_bytes - 16, random_bytes(16, static_cast<std::uint32_t>(2 * bank + 1)));
    }
    for (std::size_t bank = 0; bank < num_banks; ++bank) {
        EXPECT_EQ(
            first_difference(device.read_dram(bank, 0, 16), random_bytes(16, static_cast<std::uint32_t>(2 * bank))),
            "");
        EXPECT_EQ(first_difference(device.read_dram(bank, bank_bytes - 16, 16),
                                   random_bytes(16, static_cast<std::uint32_t>(2 * bank + 1))),
                  "");
    }
}

TEST_P(DeviceOfBoard, RangesOfAnyLengthAreReadBack) {
    // Longer than a chunk of the host's memory, and starting at an odd address.
    const std::vector<std::byte> bytes = random_bytes(200'001, 1);
    device.write_l1({1, 1}, 65'535, bytes);
    EXPECT_EQ(first_difference(device.read_l1({1, 1}, 65'535, bytes.size()), bytes), "");
    EXPECT_EQ(first_difference(device.read_l1({1, 1}, 65'534, 1), std::vector<std::byte>(1)), "");
    EXPECT_EQ(first_difference(device.read_l1({1, 1}, 65'535 + bytes.size(), 1), std::vector<std::byte>(1)), "");
    EXPECT_EQ(first_difference(device.read_l1({1, 1}, 0, 0), std::vector<std::byte>()), "");
}

TEST(DeviceErrors, RangesOutsideOfMemory) {
    Device device(test::architecture_of("n150"), "n150");
    EXPECT_EQ(error_message([&] { device.write_l1({1, 2}, 0x16dfff, random_bytes(2, 1)); }),
              "L1 of core (1, 2): expected a range within 0x0 to 0x16e000, found 0x16dfff to 0x16e001");
    EXPECT_EQ(error_message([&] { static_cast<void>(device.read_l1({1, 2}, 0x200000, 1)); }),
              "L1 of core (1, 2): expected a range within 0x0 to 0x16e000, found 0x200000 to 0x200001");
    EXPECT_EQ(error_message([&] { device.write_dram(12, 0, random_bytes(1, 1)); }),
              "DRAM bank: expected 0 to 11, found 12");
    EXPECT_EQ(error_message([&] { static_cast<void>(device.read_dram(3, 0x40000000, 1)); }),
              "DRAM bank 3: expected a range within 0x0 to 0x40000000, found 0x40000000 to 0x40000001");
    EXPECT_EQ(
        error_message([&] { static_cast<void>(device.read_l1({0, 8}, 0, 1)); }),
        "core (0, 8): expected a logical coordinate inside the compute grid of board n150 (x from 0 to 7, y from 0 "
        "to 7), found one outside it");
}

TEST(DeviceErrors, BoardThatDoesNotExist) {
    EXPECT_EQ(
        error_message([] { const Device device(test::architecture_of("n150"), "p150"); }),
        "board: expected one of n150, n150_row_5, n300 for architecture wormhole_b0, found p150 (did you mean n150?)");
}

TEST(DeviceTest, KernelsStartWhenTheyAreToldTo) {
    Device device(test::architecture_of("n150"));
    const Tick start = ticks_from_cycles(1000) + 5;
    device.add_kernel({0, 0}, 0, "early", [] {});
    device.add_kernel({1, 0}, 0, "late", [] { DeviceTimestampedData("now", 0); }, start);
    device.run();
    const std::vector<KernelResult> results = device.kernel_results();
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(results[0].identity.kernel, "early");
    EXPECT_EQ(results[0].zones.at(0).start, 0);
    EXPECT_EQ(results[1].identity.kernel, "late");
    EXPECT_EQ(results[1].identity.core, (LogicalCoordinate{1, 0}));
    EXPECT_EQ(results[1].identity.physical, device.grid().physical(LogicalCoordinate{1, 0}));
    EXPECT_EQ(results[1].zones.at(0).start, start);
    EXPECT_EQ(results[1].timestamped_values.at(0).tick, start);
    EXPECT_GE(device.elapsed_cycles(), 1000);
}

TEST(DeviceTest, KernelsOnRiscv0LagBehindThoseOnRiscv1) {
    const auto begun = [](int riscv, bool with_other) {
        Device device(test::architecture_of("n150", {{"risc.launch_lag_cycles", "70"}}));
        device.add_kernel({0, 0}, riscv, "one", [] { DeviceTimestampedData("now", 0); });
        if (with_other) {
            device.add_kernel({1, 0}, 1 - riscv, "other", [] {});
        }
        device.run();
        return device.kernel_results()[0].timestamped_values.at(0).tick;
    };
    EXPECT_EQ(begun(0, false), 0);
    EXPECT_EQ(begun(0, true), ticks_from_cycles(70));
    EXPECT_EQ(begun(1, true), 0);
}

TEST(DeviceTest, WithoutKernelsNothingHappens) {
    Device device(test::architecture_of("n150"));
    device.run();
    EXPECT_EQ(device.elapsed_cycles(), 0);
    EXPECT_EQ(device.flit_hops(), 0U);
    EXPECT_TRUE(device.link_use().empty());
    EXPECT_TRUE(device.kernel_results().empty());
}

TEST(DeviceTest, ZonesAreFoundByName) {
    Machine machine("n150");
    machine.run_kernel([] {
        for (int visit = 0; visit < 2; ++visit) {
            DeviceZoneScopedN("twice");
            static_cast<void>(load_l1_word(kBuffer));
        }
    });
    const KernelResult result = machine.result();
    EXPECT_EQ(result.zone("twice").start, result.zones.at(1).start);
    EXPECT_EQ(error_message([&] { static_cast<void>(result.zone("thrice")); }),
              "kernel 'kernel' on core (0, 0) riscv_0: no zone is called 'thrice'");
}

TEST(DeviceErrors, KernelsThatCannotBe) {
    Device device(test::architecture_of("n150"));
    device.add_kernel({0, 0}, 1, "first", [] {});
    EXPECT_EQ(error_message([&] { device.add_kernel({0, 0}, 1, "second", [] {}); }),
              "kernel 'second': riscv_1 of core (0, 0) already runs kernel 'first'");
    EXPECT_EQ(error_message([&] { device.add_kernel({0, 0}, -1, "second", [] {}); }),
              "kernel 'second': expected riscv 0 or 1, found -1");
    EXPECT_EQ(
        error_message([&] { device.add_kernel({0, 9}, 0, "second", [] {}); }),
        "kernel 'second': core (0, 9): expected a logical coordinate inside the compute grid of board n150 (x from "
        "0 to 7, y from 0 to 7), found one outside it");
}

TEST(DeviceTest, ARunOfExactlyTheAllowedCyclesIsFine) {
    const auto elapsed = [](Cycle cycles_max) {
        Machine machine("n150");
        machine.add_kernel({{0, 0}, 0, 0}, [] {
            for (int load = 0; load < 100; ++load) {
                static_cast<void>(load_l1_word(kBuffer));
            }
        });
        machine.run(cycles_max);
        return machine.device().elapsed_cycles();
    };
    const Cycle needed = elapsed(Machine::kCyclesMax);
    EXPECT_EQ(elapsed(needed), needed);
    EXPECT_THROW(elapsed(needed / 2), KernelError);
}

using LinkKey = std::tuple<int, PhysicalCoordinate, Direction>;  // NoC and router

/// Returns the flits for `bytes` of data, including the header.
std::uint64_t flits_of(const Machine& machine, std::uint32_t bytes) {
    return 1 + (bytes + machine.flit_bytes() - 1) / machine.flit_bytes();
}

/// Adds a packet's flits to every link of its documented route: right, then down on NoC 0; up, then left on NoC 1.
void add_way(std::map<LinkKey, std::uint64_t>& links, const Grid& grid, int noc, PhysicalCoordinate from,
             PhysicalCoordinate to, std::uint64_t flits) {
    const int step = noc == 0 ? 1 : -1;
    const auto go_along_x = [&] {
        for (; from.x != to.x; from.x = (from.x + step + grid.columns()) % grid.columns()) {
            links[{noc, from, noc == 0 ? Direction::east : Direction::west}] += flits;
        }
    };
    const auto go_along_y = [&] {
        for (; from.y != to.y; from.y = (from.y + step + grid.rows()) % grid.rows()) {
            links[{noc, from, noc == 0 ? Direction::south : Direction::north}] += flits;
        }
    };
    if (noc == 0) {
        go_along_x();
        go_along_y();
    } else {
        go_along_y();
        go_along_x();
    }
    links[{noc, to, Direction::to_tile}] += flits;
}

TEST_P(DeviceOfBoard, LinksCountTheFlitsOfRequestsAndResponses) {
    Machine machine(GetParam());
    const Grid& grid = machine.device().grid();
    const LogicalCoordinate here{5, 4};
    const std::vector<LogicalCoordinate> others{{0, 0}, {5, 1}, {2, 4}, {7, 6}, here};
    constexpr std::uint32_t kSize = 1000;
    std::map<LinkKey, std::uint64_t> expected;
    for (const int noc : {0, 1}) {
        machine.add_kernel({here, noc, noc}, [&] {
            for (const LogicalCoordinate other : others) {
                noc_async_write(kBuffer, get_noc_addr(machine.x(other), machine.y(other), kBuffer + 4096), kSize);
                noc_async_write<true>(kBuffer, get_noc_addr(machine.x(other), machine.y(other), kBuffer + 4096), kSize);
                noc_async_read(get_noc_addr(machine.x(other), machine.y(other), kBuffer), kBuffer + 4096, kSize);
            }
            noc_async_full_barrier();
        });
        for (const LogicalCoordinate other : others) {
            const PhysicalCoordinate from = grid.physical(here);
            const PhysicalCoordinate to = grid.physical(other);
            add_way(expected, grid, noc, from, to, 2 * flits_of(machine, kSize) + 1);  // two writes and a read request
            add_way(expected, grid, noc, to, from, flits_of(machine, kSize) + 1);      // read response, acknowledgement
        }
    }
    machine.run();
    std::map<LinkKey, std::uint64_t> found;
    std::uint64_t flit_hops = 0;
    for (const LinkUse& use : machine.device().link_use()) {
        found[{use.noc, use.router, use.direction}] = use.flits;
        flit_hops += use.flits;
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(machine.device().flit_hops(), flit_hops);
}

}  // namespace

}  // namespace nocbench
