// Latency follows hops: request and response together traverse whole rings, so a transaction's latency depends only on
// the number of rings, and not on the pair of tiles.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/machine.h"

namespace nocbench {

namespace {

using namespace nocbench::dataflow;
using test::kBuffer;
using test::Machine;

class LatencyOnNoc : public testing::TestWithParam<std::tuple<std::string, int>> {
protected:
    std::string board = std::get<0>(GetParam());
    int noc = std::get<1>(GetParam());
};

INSTANTIATE_TEST_SUITE_P(All, LatencyOnNoc,
                         testing::Combine(testing::ValuesIn(test::all_boards()), testing::Values(0, 1)),
                         [](const auto& test) {
                             return std::get<0>(test.param) + "_noc" + std::to_string(std::get<1>(test.param));
                         });

/// Returns some sources, including the corners of the compute grid.
std::vector<LogicalCoordinate> some_sources(const Grid& grid) {
    std::mt19937 generator(17);  // NOLINT(bugprone-random-generator-seed): repeatable on purpose
    const auto below = [&](int limit) { return static_cast<int>(generator() % static_cast<std::uint32_t>(limit)); };
    std::vector<LogicalCoordinate> sources{
        {0, 0}, {grid.compute_columns() - 1, grid.compute_rows() - 1}, {0, grid.compute_rows() - 1}};
    for (int count = 0; count < 5; ++count) {
        sources.push_back({below(grid.compute_columns()), below(grid.compute_rows())});
    }
    return sources;
}

std::vector<LogicalCoordinate> all_cores(const Grid& grid) {
    std::vector<LogicalCoordinate> cores;
    for (int y = 0; y < grid.compute_rows(); ++y) {
        for (int x = 0; x < grid.compute_columns(); ++x) {
            cores.push_back({x, y});
        }
    }
    return cores;
}

// Removes the cost of code around the calls, which is independent of hops.
const std::vector<Setting> kNothingForNewTargets{{"risc.write_new_target_cycles", "0"},
                                                 {"risc.read_new_target_cycles", "0"}};

/// Returns the latency of one flit between `source` and each core, from the call to the end of the barrier.
std::vector<double> latencies(const std::string& board, int noc, LogicalCoordinate source,
                              const std::vector<LogicalCoordinate>& destinations, bool read) {
    Machine machine(board, kNothingForNewTargets);
    const auto transfer = [&](LogicalCoordinate destination) {
        const std::uint64_t there = get_noc_addr(machine.x(destination), machine.y(destination), kBuffer + 4096);
        DeviceZoneScopedN("transfer");
        if (read) {
            noc_async_read(there, kBuffer, machine.flit_bytes());
            noc_async_read_barrier();
        } else {
            noc_async_write(kBuffer, there, machine.flit_bytes());
            noc_async_write_barrier();
        }
    };
    machine.add_kernel({source, read ? 1 : 0, noc}, [&] {
        // The first calls of a kernel take longer.
        transfer(source);
        transfer(source);
        for (const LogicalCoordinate destination : destinations) {
            transfer(destination);
        }
    });
    machine.run();
    const std::vector<Zone> zones = machine.result().zones;
    std::vector<double> cycles;
    for (std::size_t index = 3; index < zones.size(); ++index) {  // skips the kernel's zone and the first transfers
        cycles.push_back(test::cycles(zones[index]));
    }
    return cycles;
}

/// Returns the tolerance between latencies of equal hops: a barrier ends with a poll, and a kernel's clock has any
/// phase within a network cycle.
double poll_cycles(const TorusArchitecture& architecture) {
    return static_cast<double>(architecture.risc.barrier_poll_ticks + kTicksPerCycle) /
           static_cast<double>(kTicksPerCycle);
}

void expect_latency_follows_hops(const std::string& board, int noc, bool read) {
    const TorusArchitecture& architecture = torus_of(test::architecture_of(board));
    const Grid grid(architecture, torus_of(test::architecture_of(board).board(board)));
    const std::vector<LogicalCoordinate> destinations = all_cores(grid);
    const double tolerance = poll_cycles(architecture);
    for (const LogicalCoordinate source : some_sources(grid)) {
        const double self = latencies(board, noc, source, {source}, read).at(0);
        const std::vector<double> found = latencies(board, noc, source, destinations, read);
        for (std::size_t index = 0; index < destinations.size(); ++index) {
            const PhysicalCoordinate from = grid.physical(source);
            const PhysicalCoordinate to = grid.physical(destinations[index]);
            const int ring_hops = (from.x != to.x ? grid.columns() : 0) + (from.y != to.y ? grid.rows() : 0);
            const auto expected = static_cast<double>(architecture.router.hop_cycles * ring_hops);
            ASSERT_LT(std::abs(found[index] - self - expected), tolerance)
                << to_string(source) << " to " << to_string(destinations[index]) << ": " << found[index] << " cycles, "
                << self << " to itself";
        }
    }
}

TEST_P(LatencyOnNoc, WritesFollowHops) { expect_latency_follows_hops(board, noc, false); }

TEST_P(LatencyOnNoc, ReadsFollowHops) { expect_latency_follows_hops(board, noc, true); }

/// With a poll in every tick, only the phase of a kernel's clock within a network cycle remains.
TEST_P(LatencyOnNoc, WithoutPollsTheLawHoldsToTheCycle) {
    std::vector<Setting> settings = kNothingForNewTargets;
    settings.emplace_back("risc.barrier_poll_cycles", "0.0001");
    Machine machine(board, settings);
    const Grid& grid = machine.device().grid();
    const std::vector<LogicalCoordinate> destinations{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {4, 0}, {0, 5}, {6, 6}};
    const auto transfer = [&](LogicalCoordinate destination) {
        const std::uint64_t there = get_noc_addr(machine.x(destination), machine.y(destination), kBuffer + 4096);
        DeviceZoneScopedN("transfer");
        noc_async_write(kBuffer, there, machine.flit_bytes());
        noc_async_write_barrier();
    };
    machine.add_kernel({{0, 0}, 0, noc}, [&] {
        transfer({0, 0});
        transfer({0, 0});
        for (const LogicalCoordinate destination : destinations) {
            transfer(destination);
        }
    });
    machine.run();
    const std::vector<Zone> zones = machine.result().zones;
    const auto duration = [&](std::size_t index) { return zones.at(3 + index).end - zones.at(3 + index).start; };
    for (std::size_t index = 0; index < destinations.size(); ++index) {
        const int ring_hops =
            (destinations[index].x != 0 ? grid.columns() : 0) + (destinations[index].y != 0 ? grid.rows() : 0);
        const Tick expected = ticks_from_cycles(machine.architecture().router.hop_cycles * ring_hops);
        EXPECT_LT(std::abs(duration(index) - duration(0) - expected), kTicksPerCycle) << to_string(destinations[index]);
    }
}

/// Measures one direction: a posted write sets a flag.
TEST_P(LatencyOnNoc, OneWayLatencyFollowsTheHopsOfTheWay) {
    const TorusArchitecture& architecture = torus_of(test::architecture_of(board));
    const Grid grid(architecture, torus_of(test::architecture_of(board).board(board)));
    const auto arrival = [&](LogicalCoordinate source, LogicalCoordinate destination) {
        Machine machine(board);
        machine.add_kernel(
            {source, 0, noc},
            [&] {
                noc_async_write<true>(kBuffer, get_noc_addr(machine.x(destination), machine.y(destination), kBuffer),
                                      16);
            },
            "sender");
        const std::uint32_t one = 1;
        machine.device().write_l1(source, kBuffer, std::as_bytes(std::span(&one, 1)));
        machine.add_kernel(
            {destination, 1, 1 - noc},
            [&] {
                noc_semaphore_wait(L1Pointer(kBuffer), 1);
                DeviceTimestampedData("arrived", 0);
            },
            "receiver");
        machine.run();
        return machine.result("receiver").timestamped_values.at(0).tick;
    };
    const LogicalCoordinate source{3, 2};
    const auto hops = [&](LogicalCoordinate destination) {
        return grid.hops(noc, grid.physical(source), grid.physical(destination));
    };
    const LogicalCoordinate nearest{4, 2};
    const Tick reference = arrival(source, nearest);
    const Tick poll = architecture.risc.l1_load_ticks + kTicksPerCycle;
    for (const LogicalCoordinate destination :
         {LogicalCoordinate{2, 2}, LogicalCoordinate{3, 1}, LogicalCoordinate{3, 3}, LogicalCoordinate{7, 6},
          LogicalCoordinate{0, 0}}) {
        const Tick expected = ticks_from_cycles(architecture.router.hop_cycles * (hops(destination) - hops(nearest)));
        EXPECT_LT(std::abs(arrival(source, destination) - reference - expected), poll) << to_string(destination);
    }
}

/// Round trips to a DRAM bank traverse whole rings, too.
TEST_P(LatencyOnNoc, DramFollowsHops) {
    Machine machine(board);
    const Grid& grid = machine.device().grid();
    const LogicalCoordinate source{2, 3};
    const auto transfer = [&](std::uint32_t bank) {
        const std::uint64_t there = get_noc_addr_from_bank_id<true>(bank, 0);
        DeviceZoneScopedN("transfer");
        noc_async_read(there, kBuffer, machine.flit_bytes());
        noc_async_read_barrier();
    };
    const auto num_banks = static_cast<std::uint32_t>(grid.dram_banks().size());
    machine.add_kernel({source, 1, noc}, [&] {
        transfer(0);
        transfer(0);
        for (std::uint32_t bank = 0; bank < num_banks; ++bank) {
            transfer(bank);
        }
    });
    machine.run();
    const std::vector<Zone> zones = machine.result().zones;
    const double tolerance = poll_cycles(machine.architecture());
    const auto ring_cycles = [&](std::uint32_t bank) {
        const PhysicalCoordinate from = grid.physical(source);
        const PhysicalCoordinate to = grid.dram_banks()[bank].endpoint[static_cast<std::size_t>(noc)];
        const int ring_hops = (from.x != to.x ? grid.columns() : 0) + (from.y != to.y ? grid.rows() : 0);
        return static_cast<double>(machine.architecture().router.hop_cycles * ring_hops);
    };
    for (std::uint32_t bank = 1; bank < num_banks; ++bank) {
        const double difference = test::cycles(zones.at(3 + bank)) - test::cycles(zones.at(3));
        EXPECT_LT(std::abs(difference - (ring_cycles(bank) - ring_cycles(0))), tolerance) << bank;
    }
}

}  // namespace

}  // namespace nocbench
