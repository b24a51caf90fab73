// Reads of DRAM banks by one core: checks that need no compiled kernel.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "device_model/arch/architecture.h"
#include "dram_pages/dram_sharded/bank_cores.h"
#include "kernels/frame/tensix/cores_next_to_banks.h"
#include "tests/support/finished_point.h"

namespace nocbench::dram_sharded {

namespace {

const std::string kTest = "DRAM Sharded Read Bank Numbers 2.0";

TEST(DramSharded, TheSweepHasEveryNumberOfBanks) {
    const Sweep sweep = find_test(kTest).sweep_on("wormhole_b0", Tier::full);
    ASSERT_EQ(sweep.parameters.size(), 1U);
    EXPECT_EQ(sweep.parameters.front().name, "banks");
    EXPECT_EQ(sweep.parameters.front().values.size(), 12U);
    EXPECT_EQ(sweep.parameters.front().values.front(), "1");
    EXPECT_EQ(sweep.parameters.front().values.back(), "12");
}

TEST(DramSharded, BadParametersAreNamed) {
    EXPECT_EQ(test::told_about(kTest, {{"banks", "13"}}),
              "parameter banks: expected a whole number from 1 to 12, found '13'");
    EXPECT_EQ(test::told_about(kTest, {{"tiles", "0"}}),
              "parameter tiles: expected a whole number from 1 to 512, found '0'");
    EXPECT_EQ(test::told_about(kTest, {}, {"wormhole_b0", 1, 8224}),
              "parameter call_size: expected a tile of a multiple of 32 bytes and at most one packet of 8192 bytes, "
              "found 8224 bytes");
    EXPECT_EQ(test::told_about(kTest, {}, {"wormhole_b0", 1, 100}),
              "parameter call_size: expected a tile of a multiple of 32 bytes and at most one packet of 8192 bytes, "
              "found 100 bytes");
    EXPECT_EQ(test::told_about(kTest, {{"tiles", "100"}}, {"wormhole_b0", 1, 2048}),
              "parameter call_size: 2048 bytes at 0x297800 do not fit into L1, which ends at 0x16e000");
}

TEST(DramSharded, NeighboursRefuseBadParameters) {
    const std::string neighbours = "Number of Pages Sweep for DRAM Closest Neighbour";
    EXPECT_EQ(test::told_about(neighbours, {{"cores_per_bank", "0"}}),
              "parameter cores_per_bank: expected a whole number from 1 to 8, found '0'");
    EXPECT_EQ(test::told_about(neighbours, {{"banks", "2"}, {"cores", "7"}}),
              "parameter cores: expected a whole number from 1 to 6, found '7'");
    EXPECT_EQ(test::told_about(neighbours, {}, {"wormhole_b0", 1, 2000}),
              "parameter call_size: expected a multiple of a page of 2048 bytes, found 2000");
    EXPECT_EQ(test::told_about(neighbours, {}, {"wormhole_b0", 1, 1433600}),
              "parameter call_size: 1433600 bytes at 0x40000 do not fit into L1, which ends at 0x16e000");
}

/// Physical places of the cores beside the banks.
std::vector<PhysicalCoordinate> places_next_to_banks(const std::string& arch, const std::string& board) {
    const Architecture architecture = load_architecture(find_architecture(arch), board);
    const Grid grid(torus_of(architecture), torus_of(architecture.board(board)));
    std::vector<PhysicalCoordinate> places;
    for (const LogicalCoordinate core : cores_next_to_banks(grid, 0)) {
        places.push_back(grid.physical(core));
    }
    return places;
}

TEST(BankCores, BanksInRowsWithoutComputeCoresMove) {
    // Row 2 is harvested, and row 11 is outside the compute grid. Rows 10 and 4 have no bank.
    EXPECT_EQ(places_next_to_banks("wormhole_b0", "n150"),
              (std::vector<PhysicalCoordinate>{
                  {4, 10}, {1, 1}, {1, 5}, {1, 7}, {6, 1}, {9, 10}, {8, 4}, {6, 9}, {6, 8}, {6, 3}, {6, 5}, {6, 7}}));
}

TEST(BankCores, BanksOfBlackholeHaveTheCoreOnTheirRight) {
    EXPECT_EQ(places_next_to_banks("blackhole", "p100a"),
              (std::vector<PhysicalCoordinate>{{1, 11}, {1, 9}, {1, 5}, {10, 11}, {10, 3}, {10, 8}, {10, 6}}));
}

/// Left of the first column is the one that is kept for dispatch.
TEST(BankCores, NeighboursOutsideTheComputeGridAreLeftOut) {
    const Architecture architecture = load_architecture(find_architecture("blackhole"));
    const Grid grid(torus_of(architecture), torus_of(architecture.board("p100a")));
    EXPECT_EQ(cores_of_banks(grid, {.side = Side::left, .num_banks = 7, .cores_per_bank = 2}).size(), 7U + 4U);
    EXPECT_EQ(cores_of_banks(grid, {.side = Side::both, .num_banks = 7, .cores_per_bank = 3}).size(), 18U);
}

TEST(BankCores, NeighboursFollowInTurnAndRunOverTheEdge) {
    const Architecture architecture = load_architecture(find_architecture("wormhole_b0"));
    const Grid grid(torus_of(architecture), torus_of(architecture.board("n150")));
    const auto cores = [&](BankCoresWanted wanted) {
        std::vector<std::pair<LogicalCoordinate, std::uint32_t>> found;
        for (const BankCore& core : cores_of_banks(grid, wanted)) {
            found.emplace_back(core.core, core.bank);
        }
        return found;
    };
    using Cores = std::vector<std::pair<LogicalCoordinate, std::uint32_t>>;
    EXPECT_EQ(cores({.side = Side::both, .num_banks = 2, .cores_per_bank = 3}),
              (Cores{{{3, 7}, 0}, {{0, 0}, 1}, {{4, 7}, 0}, {{1, 0}, 1}, {{2, 7}, 0}, {{7, 0}, 1}}));
    EXPECT_EQ(cores({.side = Side::left, .num_banks = 1, .cores_per_bank = 2}), (Cores{{{3, 7}, 0}, {{2, 7}, 0}}));
    EXPECT_EQ(cores({.side = Side::right, .num_banks = 1, .cores_per_bank = 8}).size(), 8U);
}

}  // namespace

}  // namespace nocbench::dram_sharded
