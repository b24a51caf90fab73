// Many cores read from, or write to, DRAM channels: tests "DRAM Shared Channels".
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "dram_unary/placement.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/finished_point.h"
#include "tests/support/machine.h"
#include "tests/support/primitive_laws.h"

namespace nocbench::dram_unary {

namespace {

using test::FinishedPoint;
using test::first_difference;
using test::Parameters;
using test::told_about;

const std::string kRead = "DRAM Shared Channels Read";
const std::string kWrite = "DRAM Shared Channels Write";

/// Architecture with one board, for tests.
struct Chip {
    explicit Chip(const std::string& name) : Chip(load_architecture(find_architecture(name))) {}
    explicit Chip(const Architecture& loaded)
        : architecture(torus_of(loaded)), grid(architecture, torus_of(loaded.board(""))) {}

    TorusArchitecture architecture;
    Grid grid;
};

FlowsWanted all_banks(const Grid& grid, TransactionKind kind, int noc, std::size_t num_cores) {
    FlowsWanted wanted{.kind = kind, .noc = noc, .banks = {}, .num_cores = num_cores};
    for (std::uint32_t bank = 0; bank < grid.dram_banks().size(); ++bank) {
        wanted.banks.push_back(bank);
    }
    return wanted;
}

/// Returns the number of banks whose data share the busiest link.
std::size_t banks_on_busiest_link(const Grid& grid, const FlowsWanted& wanted, const std::vector<Flow>& flows) {
    const DataWays ways(grid, wanted.kind, wanted.noc);
    std::map<int, std::set<std::uint32_t>> banks;
    for (const Flow& flow : flows) {
        for (const int link : ways.links(flow)) {
            banks[link].insert(flow.bank);
        }
    }
    std::size_t most = 0;
    for (const auto& [_, of_link] : banks) {
        most = std::max(most, of_link.size());
    }
    return most;
}

std::vector<FlowsWanted> tables(const Grid& grid) {
    std::vector<FlowsWanted> wanted;
    for (const TransactionKind kind : {TransactionKind::read, TransactionKind::write}) {
        for (const int noc : {0, 1}) {
            for (const std::size_t num_cores : {std::size_t{12}, std::size_t{48}}) {
                wanted.push_back(all_banks(grid, kind, noc, num_cores));
            }
        }
    }
    return wanted;
}

TEST(DramPlacement, EveryPlacementGivesEachFlowACoreAndATileOfItsChannel) {
    for (const char* const name : {"wormhole_b0", "blackhole"}) {
        const Chip chip(name);
        for (const FlowsWanted& wanted : tables(chip.grid)) {
            for (const std::vector<Flow>& flows :
                 {careful_placement(chip.architecture, chip.grid, wanted), random_placement(chip.grid, wanted, 3)}) {
                std::set<LogicalCoordinate> cores;
                std::map<std::uint32_t, std::size_t> cores_of_bank;
                for (const Flow& flow : flows) {
                    cores.insert(flow.core);
                    ++cores_of_bank[flow.bank];
                    const auto channel = static_cast<std::size_t>(chip.grid.dram_banks()[flow.bank].channel);
                    EXPECT_EQ(std::ranges::count(chip.architecture.dram.channel_tiles[channel], flow.tile), 1);
                }
                EXPECT_EQ(cores.size(), wanted.num_cores);
                for (const auto& [bank, num_cores] : cores_of_bank) {
                    const std::size_t rest = wanted.num_cores % wanted.banks.size();
                    EXPECT_EQ(num_cores, wanted.num_cores / wanted.banks.size() + (bank < rest ? 1 : 0));
                }
            }
        }
    }
}

TEST(DramPlacement, WithCareNoTwoBanksShareALink) {
    const Chip chip("wormhole_b0");
    for (const FlowsWanted& wanted : tables(chip.grid)) {
        EXPECT_EQ(banks_on_busiest_link(chip.grid, wanted, careful_placement(chip.architecture, chip.grid, wanted)), 1U)
            << (wanted.kind == TransactionKind::read ? "reads" : "writes") << " on NoC " << wanted.noc << " by "
            << wanted.num_cores;
        EXPECT_GT(banks_on_busiest_link(chip.grid, wanted, random_placement(chip.grid, wanted, 1)), 1U);
    }
}

TEST(DramPlacement, TheSeedDecides) {
    const Chip chip("wormhole_b0");
    const FlowsWanted wanted = all_banks(chip.grid, TransactionKind::read, 0, 48);
    std::set<std::vector<Flow>> placements;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::vector<Flow> flows = random_placement(chip.grid, wanted, seed);
        EXPECT_EQ(flows, random_placement(chip.grid, wanted, seed));
        placements.insert(flows);
    }
    EXPECT_EQ(placements.size(), 20U);
}

TEST(DramPlacement, DataOfReadsGoToTheCoreAndThoseOfWritesToTheTile) {
    const Chip chip("wormhole_b0");
    // Physical (1, 1) and (0, 1): one hop to the right on NoC 0, or nine hops back; plus one link into or out of the
    // tile.
    const Flow flow{.core = {.x = 0, .y = 0}, .bank = 1, .tile = {.x = 0, .y = 1}};
    EXPECT_EQ(DataWays(chip.grid, TransactionKind::read, 0).links(flow).size(), 2U);
    EXPECT_EQ(DataWays(chip.grid, TransactionKind::write, 0).links(flow).size(), 10U);
    EXPECT_EQ(DataWays(chip.grid, TransactionKind::read, 1).links(flow).size(), 10U);
    EXPECT_EQ(DataWays(chip.grid, TransactionKind::write, 1).links(flow).size(), 2U);
}

class DramSharedChannels : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Directions, DramSharedChannels, testing::Values(kRead, kWrite),
                         [](const auto& test) { return test.param == kRead ? "Read" : "Write"; });

/// Returns the bytes per cycle of all cores combined.
double bandwidth(const FinishedPoint& point) {
    Tick start = INT64_MAX;
    Tick end = 0;
    const std::string& label = point.reports().front().label;
    for (const Zone& zone : point.timed_zones(label)) {
        start = std::min(start, zone.start);
        end = std::max(end, zone.end);
    }
    return static_cast<double>(point.reports().front().transaction_size_bytes) * kTicksPerCycle /
           static_cast<double>(end - start);
}

TEST_P(DramSharedChannels, DataArriveWhereverTheCoresAre) {
    for (const char* const architecture : {"wormhole_b0", "blackhole"}) {
        for (const Parameters& parameters : test::combinations({{"noc", {"0", "1"}},
                                                                {"cores", {"1", "13", "48"}},
                                                                {"bank", {"all", "3"}},
                                                                {"placement", {"careful", "random"}},
                                                                {"dynamic", {"0", "1"}}})) {
            const FinishedPoint point(GetParam(), {architecture, 2, 3008}, parameters);
            EXPECT_EQ(point.data_faults(), "") << testing::PrintToString(parameters);
            EXPECT_EQ(std::to_string(point.timed_zones(point.reports().front().label).size()), parameters.at("cores"));
        }
    }
}

TEST_P(DramSharedChannels, TheBytesThatArriveAreThoseThatWereSent) {
    const std::uint32_t size = 20000;
    FinishedPoint point(GetParam(), {"wormhole_b0", 1, size}, {{"cores", "1"}, {"bank", "5"}, {"placement", "random"}});
    const Chip chip("wormhole_b0");
    FlowsWanted wanted = all_banks(chip.grid, TransactionKind::read, point.reports().front().noc, 1);
    wanted.banks = {5};
    const LogicalCoordinate core = random_placement(chip.grid, wanted, 1).front().core;
    const Device& device = point.device();
    const auto in_dram = static_cast<std::uint32_t>(device.architecture().dram.unreserved_base_bytes);
    EXPECT_EQ(first_difference(device.read_l1(core, kL1BufferAddress, size), point.sent(core)), "");
    EXPECT_EQ(first_difference(device.read_dram(5, in_dram, size), point.sent(core)), "");
}

TEST_P(DramSharedChannels, TheDataCheckNoticesAWrongByteInAnyPacket) {
    test::expect_tampering_is_noticed(GetParam(), {"wormhole_b0", 1, 20000}, {{"cores", "3"}});
    test::expect_tampering_is_noticed(GetParam(), {"wormhole_b0", 1, 2048}, {{"cores", "3"}, {"bank", "0"}});
}

TEST_P(DramSharedChannels, WithCareAllChannelsAreAsFastAsOne) {
    constexpr std::uint32_t kSize = 256 * 1024;
    const double alone = bandwidth(FinishedPoint(GetParam(), {"wormhole_b0", 1, kSize}, {{"cores", "1"}}));
    for (const char* const noc : {"0", "1"}) {
        for (const char* const cores : {"12", "48"}) {
            const FinishedPoint point(GetParam(), {"wormhole_b0", 1, kSize}, {{"noc", noc}, {"cores", cores}});
            EXPECT_GT(bandwidth(point), 0.98 * 12 * alone) << noc << " " << cores;
        }
    }
}

TEST_P(DramSharedChannels, AChannelIsNoFasterForManyCores) {
    constexpr std::uint32_t kSize = 64 * 1024;
    const double alone = bandwidth(FinishedPoint(GetParam(), {"wormhole_b0", 1, 16 * kSize}, {{"cores", "1"}}));
    const FinishedPoint point(GetParam(), {"wormhole_b0", 1, kSize}, {{"bank", "0"}, {"placement", "random"}});
    EXPECT_NEAR(bandwidth(point) / alone, 1, 0.05);
}

/// Dynamic writes of several cores to one channel fill all virtual channels on the route. The channel accepts data of
/// one write at a time, while the other writes leave hardly any buffer space for it.
TEST(DramSharedChannelWrites, SeveralDynamicWritersOfAChannelAreSlow) {
    constexpr std::uint32_t kSize = 128 * 1024;
    for (const char* const cores : {"12", "48"}) {
        const double fixed = bandwidth(FinishedPoint(kWrite, {"wormhole_b0", 1, kSize}, {{"cores", cores}}));
        const double dynamic =
            bandwidth(FinishedPoint(kWrite, {"wormhole_b0", 1, kSize}, {{"cores", cores}, {"dynamic", "1"}}));
        if (std::string(cores) == "12") {
            EXPECT_NEAR(dynamic / fixed, 1, 0.03);
        } else {
            EXPECT_LT(dynamic, fixed / 2);
        }
    }
}

/// Removes one cause at a time: the time to switch virtual channels, two of four dynamic virtual channels, and small
/// buffers.
TEST(DramSharedChannelWrites, WhatMakesThemSlow) {
    constexpr std::uint32_t kSize = 128 * 1024;
    const auto dynamic_with = [](const std::vector<Setting>& settings) {
        const PointResult result = run_point(find_test(kWrite), "wormhole_b0", "",
                                             test::with_axes({"wormhole_b0", 1, kSize}, {{"dynamic", "1"}}), settings);
        return result.rows.front().bandwidth_bytes_per_cycle;
    };
    const double usual = dynamic_with({});
    EXPECT_GT(dynamic_with({{"dram.write_change_cycles", "0"}}), 1.5 * usual);
    EXPECT_LT(dynamic_with({{"router.dynamic_request_virtual_channels", "4"}}), 0.7 * usual);
}

TEST(DramSharedChannelsParameters, AreCheckedAndNamed) {
    EXPECT_EQ(told_about(kRead, {{"bank", "12"}}), "parameter bank: expected a whole number from 0 to 11, found '12'");
    EXPECT_EQ(told_about(kRead, {{"cores", "65"}}),
              "parameter cores: expected a whole number from 1 to 64, found '65'");
    EXPECT_EQ(told_about(kWrite, {{"placement", "lucky"}}),
              "parameter placement: expected careful or random, found 'lucky'");
    EXPECT_EQ(told_about(kWrite, {{"vc", "4"}}), "parameter vc: expected a whole number from 0 to 3, found '4'");
}

}  // namespace

}  // namespace nocbench::dram_unary
