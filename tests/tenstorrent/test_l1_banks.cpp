// Order of the banks of interleaved buffers in L1.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/tenstorrent/l1_banks.h"

namespace nocbench {

namespace {

std::vector<LogicalCoordinate> cores_on(const std::string& arch, const std::string& board) {
    const Architecture architecture = load_architecture(find_architecture(arch), board);
    return cores_of_l1_banks(Grid(torus_of(architecture), torus_of(architecture.board(board))));
}

TEST(L1Banks, AreShuffledCores) {
    const auto first_cores = [](const std::string& arch, const std::string& board) {
        std::vector<LogicalCoordinate> cores = cores_on(arch, board);
        cores.resize(4);
        return cores;
    };
    using Cores = std::vector<LogicalCoordinate>;
    EXPECT_EQ(first_cores("wormhole_b0", "n150"), (Cores{{1, 4}, {4, 4}, {4, 1}, {2, 2}}));
    EXPECT_EQ(first_cores("wormhole_b0", "n300"), (Cores{{1, 4}, {4, 4}, {4, 1}, {2, 2}}));
    EXPECT_EQ(first_cores("blackhole", "p100"), (Cores{{0, 3}, {8, 7}, {1, 6}, {7, 1}}));
    EXPECT_EQ(first_cores("blackhole", "p150"), (Cores{{7, 2}, {7, 6}, {8, 9}, {6, 8}}));
}

#ifdef __GLIBCXX__
TEST(L1Banks, FollowTheShuffleOfLibstdcxx) {
    for (const auto& [arch, board, columns, rows] :
         {std::tuple{"wormhole_b0", "n150", 8, 8}, std::tuple{"wormhole_b0", "n300", 8, 7},
          std::tuple{"blackhole", "p100", 11, 10}, std::tuple{"blackhole", "p150", 13, 10}}) {
        std::vector<std::size_t> bank_of_core(static_cast<std::size_t>(columns * rows));
        std::iota(bank_of_core.begin(), bank_of_core.end(), 0);
        // NOLINTNEXTLINE(bugprone-random-generator-seed): the seed of tt-metal
        std::shuffle(bank_of_core.begin(), bank_of_core.end(), std::default_random_engine(0));
        const std::vector<LogicalCoordinate> cores = cores_on(arch, board);
        ASSERT_EQ(cores.size(), bank_of_core.size());
        for (int core = 0; core < columns * rows; ++core) {
            EXPECT_EQ(cores[bank_of_core[static_cast<std::size_t>(core)]],
                      (LogicalCoordinate{core % columns, core / columns}));
        }
    }
}
#endif

}  // namespace

}  // namespace nocbench
