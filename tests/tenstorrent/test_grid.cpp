#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/grid.h"

namespace nocbench {

namespace {

struct Product {
    std::string architecture;
    std::string board;
};

Grid grid_of(const Product& product, const std::vector<Setting>& settings = {}) {
    const Architecture architecture =
        load_architecture(find_architecture(product.architecture), product.board, settings);
    return {torus_of(architecture), torus_of(architecture.board(product.board))};
}

std::string input_error(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

class GridOfProduct : public testing::TestWithParam<Product> {
protected:
    Grid grid = grid_of(GetParam());
};

INSTANTIATE_TEST_SUITE_P(All, GridOfProduct,
                         testing::Values(Product{"wormhole_b0", "n150"}, Product{"wormhole_b0", "n300"},
                                         Product{"blackhole", "p100"}, Product{"blackhole", "p150"}),
                         [](const auto& test) { return test.param.board; });

/// Random pairs of tiles, equal in every run and on every machine.
class RandomPlaces {
public:
    explicit RandomPlaces(const Grid& grid) : grid_(grid) {}

    PhysicalCoordinate place() { return grid_.place_of_node(below(grid_.num_nodes())); }
    int below(int limit) { return static_cast<int>(generator_() % static_cast<std::uint32_t>(limit)); }

private:
    const Grid& grid_;
    std::mt19937 generator_{20250707};  // NOLINT(bugprone-random-generator-seed): repeatable on purpose
};

constexpr int kPairs = 2000;

TEST_P(GridOfProduct, NodesNumberPlacesRowByRow) {
    std::set<PhysicalCoordinate> places;
    for (int node = 0; node < grid.num_nodes(); ++node) {
        const PhysicalCoordinate place = grid.place_of_node(node);
        EXPECT_TRUE(grid.contains(place));
        EXPECT_EQ(grid.node_index(place), node);
        EXPECT_EQ(place.y * grid.columns() + place.x, node);
        places.insert(place);
    }
    EXPECT_EQ(places.size(), static_cast<std::size_t>(grid.columns() * grid.rows()));
    EXPECT_FALSE(grid.contains({grid.columns(), 0}));
    EXPECT_FALSE(grid.contains({0, -1}));
}

TEST_P(GridOfProduct, CoreNamesAndBack) {
    std::set<PhysicalCoordinate> places;
    for (int y = 0; y < grid.compute_rows(); ++y) {
        for (int x = 0; x < grid.compute_columns(); ++x) {
            const LogicalCoordinate core{x, y};
            const PhysicalCoordinate place = grid.physical(core);
            EXPECT_EQ(grid.tile_kind(place), TileKind::tensix) << to_string(place);
            EXPECT_EQ(grid.logical(place), core);
            EXPECT_EQ(grid.physical(grid.translated(core)), place);
            EXPECT_NO_THROW(grid.require_live_tensix(place));
            places.insert(place);
        }
    }
    EXPECT_EQ(places.size(), static_cast<std::size_t>(grid.compute_columns() * grid.compute_rows()));
}

TEST_P(GridOfProduct, EveryPlaceHasATranslatedCoordinateOfItsOwn) {
    for (int node = 0; node < grid.num_nodes(); ++node) {
        const PhysicalCoordinate place = grid.place_of_node(node);
        EXPECT_EQ(grid.physical(grid.translated(place)), place);
    }
}

TEST_P(GridOfProduct, TranslatedLiveTensixTilesFollowOneAnotherAsCoresDo) {
    // Neighbours in the compute grid are neighbours in the list of translated columns and rows, with any harvesting.
    for (int x = 1; x < grid.compute_columns(); ++x) {
        const int step = grid.translated(LogicalCoordinate{x, 0}).x - grid.translated(LogicalCoordinate{x - 1, 0}).x;
        EXPECT_GE(step, 1);
    }
    for (int y = 1; y < grid.compute_rows(); ++y) {
        EXPECT_EQ(grid.translated(LogicalCoordinate{0, y}).y, grid.translated(LogicalCoordinate{0, y - 1}).y + 1);
    }
}

TEST_P(GridOfProduct, NocOneCountsFromTheOtherCorner) {
    RandomPlaces random(grid);
    for (int pair = 0; pair < kPairs; ++pair) {
        const PhysicalCoordinate place = random.place();
        EXPECT_EQ(grid.noc_coordinate(0, place), (NocCoordinate{place.x, place.y}));
        EXPECT_EQ(grid.noc_coordinate(1, place),
                  (NocCoordinate{grid.columns() - 1 - place.x, grid.rows() - 1 - place.y}));
        for (int noc = 0; noc < kNumNocs; ++noc) {
            EXPECT_EQ(grid.physical(noc, grid.noc_coordinate(noc, place)), place);
        }
    }
}

/// A request and its response together always traverse whole rings.
TEST_P(GridOfProduct, RoundTripsCloseRings) {
    RandomPlaces random(grid);
    for (int noc = 0; noc < kNumNocs; ++noc) {
        const auto round_trip = [&](PhysicalCoordinate a, PhysicalCoordinate b) {
            return grid.hops(noc, a, b) + grid.hops(noc, b, a);
        };
        for (int pair = 0; pair < kPairs; ++pair) {
            const PhysicalCoordinate here = random.place();
            EXPECT_EQ(round_trip(here, here), 0);

            const int other_x = (here.x + 1 + random.below(grid.columns() - 1)) % grid.columns();
            const int other_y = (here.y + 1 + random.below(grid.rows() - 1)) % grid.rows();
            EXPECT_EQ(round_trip(here, {other_x, here.y}), grid.columns());
            EXPECT_EQ(round_trip(here, {here.x, other_y}), grid.rows());
            EXPECT_EQ(round_trip(here, {other_x, other_y}), grid.columns() + grid.rows());
        }
    }
}

/// Hops equal the steps along the links of each NoC.
TEST_P(GridOfProduct, HopsFollowTheLinks) {
    RandomPlaces random(grid);
    for (int noc = 0; noc < kNumNocs; ++noc) {
        const int direction = noc == 0 ? 1 : -1;
        for (int pair = 0; pair < kPairs; ++pair) {
            const PhysicalCoordinate source = random.place();
            const PhysicalCoordinate destination = random.place();
            PhysicalCoordinate walker = source;
            int steps = 0;
            for (; walker.x != destination.x; ++steps) {
                walker.x = (walker.x + direction + grid.columns()) % grid.columns();
            }
            for (; walker.y != destination.y; ++steps) {
                walker.y = (walker.y + direction + grid.rows()) % grid.rows();
            }
            EXPECT_EQ(grid.hops(noc, source, destination), steps);
        }
    }
}

/// NoC 1 is NoC 0 rotated by 180 degrees.
TEST_P(GridOfProduct, NocsMirrorOneAnother) {
    RandomPlaces random(grid);
    for (int pair = 0; pair < kPairs; ++pair) {
        const PhysicalCoordinate a = random.place();
        const PhysicalCoordinate b = random.place();
        EXPECT_EQ(grid.hops(1, a, b), grid.hops(0, b, a));
    }
}

TEST_P(GridOfProduct, CoresOutsideTheComputeGridAreRefused) {
    for (const LogicalCoordinate core : {LogicalCoordinate{grid.compute_columns(), 0}, LogicalCoordinate{0, -1},
                                         LogicalCoordinate{0, grid.compute_rows()}}) {
        EXPECT_THROW(static_cast<void>(grid.physical(core)), InputError) << to_string(core);
    }
}

struct Layout {
    Product product;
    int columns, rows, live_tensix, compute_columns, compute_rows, harvested_tensix, dram_tiles, banks;
};

class LayoutOfProduct : public testing::TestWithParam<Layout> {};

INSTANTIATE_TEST_SUITE_P(All, LayoutOfProduct,
                         testing::Values(Layout{{"wormhole_b0", "n150"}, 10, 12, 72, 8, 8, 8, 18, 12},
                                         Layout{{"wormhole_b0", "n300"}, 10, 12, 64, 8, 7, 16, 18, 12},
                                         Layout{{"blackhole", "p100"}, 17, 12, 120, 11, 10, 20, 21, 7},
                                         Layout{{"blackhole", "p150"}, 17, 12, 140, 13, 10, 0, 24, 8}),
                         [](const auto& test) { return test.param.product.board; });

TEST_P(LayoutOfProduct, CountsOfTiles) {
    const Layout& layout = GetParam();
    const Grid grid = grid_of(layout.product);
    EXPECT_EQ(grid.columns(), layout.columns);
    EXPECT_EQ(grid.rows(), layout.rows);
    EXPECT_EQ(grid.compute_columns(), layout.compute_columns);
    EXPECT_EQ(grid.compute_rows(), layout.compute_rows);
    EXPECT_EQ(grid.live_tensix().size(), static_cast<std::size_t>(layout.live_tensix));
    EXPECT_EQ(grid.dram_banks().size(), static_cast<std::size_t>(layout.banks));

    const auto count = [&](TileKind kind) {
        int tiles = 0;
        for (int node = 0; node < grid.num_nodes(); ++node) {
            tiles += grid.tile_kind(grid.place_of_node(node)) == kind ? 1 : 0;
        }
        return tiles;
    };
    EXPECT_EQ(count(TileKind::tensix), layout.live_tensix);
    EXPECT_EQ(count(TileKind::dram), layout.dram_tiles);
    const int harvested_dram_tiles = layout.product.board == "p100" ? 3 : 0;
    EXPECT_EQ(count(TileKind::harvested), layout.harvested_tensix + harvested_dram_tiles);
}

TEST(GridTest, KindsOfTilesOfWormhole) {
    const Grid grid = grid_of({"wormhole_b0", "n150"});
    EXPECT_EQ(grid.tile_kind({1, 1}), TileKind::tensix);
    EXPECT_EQ(grid.tile_kind({1, 2}), TileKind::harvested);
    EXPECT_EQ(grid.tile_kind({0, 0}), TileKind::dram);
    EXPECT_EQ(grid.tile_kind({5, 11}), TileKind::dram);
    EXPECT_EQ(grid.tile_kind({9, 6}), TileKind::ethernet);
    EXPECT_EQ(grid.tile_kind({0, 3}), TileKind::pcie);
    EXPECT_EQ(grid.tile_kind({0, 10}), TileKind::arc);
    for (const int y : {2, 4, 8, 9}) {
        EXPECT_EQ(grid.tile_kind({0, y}), TileKind::router_only);
    }
}

TEST(GridTest, KindsOfTilesOfBlackhole) {
    const Grid grid = grid_of({"blackhole", "p100"});
    EXPECT_EQ(grid.tile_kind({1, 2}), TileKind::tensix);
    EXPECT_EQ(grid.tile_kind({7, 11}), TileKind::harvested);
    EXPECT_EQ(grid.tile_kind({9, 11}), TileKind::dram);
    EXPECT_EQ(grid.tile_kind({9, 5}), TileKind::harvested);
    EXPECT_EQ(grid.tile_kind({16, 1}), TileKind::ethernet);
    EXPECT_EQ(grid.tile_kind({11, 0}), TileKind::pcie);
    EXPECT_EQ(grid.tile_kind({8, 0}), TileKind::arc);
    EXPECT_EQ(grid.tile_kind({8, 1}), TileKind::router_only);
}

struct Names {
    Product product;
    LogicalCoordinate core;
    PhysicalCoordinate place;
    TranslatedCoordinate translated;
};

class NamesOfCore : public testing::TestWithParam<Names> {};

INSTANTIATE_TEST_SUITE_P(All, NamesOfCore,
                         testing::Values(Names{{"wormhole_b0", "n150"}, {0, 0}, {1, 1}, {18, 18}},
                                         Names{{"wormhole_b0", "n150"}, {1, 1}, {2, 3}, {19, 19}},
                                         Names{{"wormhole_b0", "n150"}, {4, 3}, {6, 5}, {22, 21}},
                                         Names{{"wormhole_b0", "n150"}, {7, 4}, {9, 7}, {25, 22}},
                                         Names{{"wormhole_b0", "n150"}, {7, 7}, {9, 10}, {25, 25}},
                                         Names{{"wormhole_b0", "n300"}, {0, 0}, {1, 1}, {18, 18}},
                                         Names{{"wormhole_b0", "n300"}, {1, 6}, {2, 9}, {19, 24}},
                                         Names{{"blackhole", "p100"}, {0, 0}, {1, 2}, {1, 2}},
                                         Names{{"blackhole", "p100"}, {1, 1}, {2, 3}, {2, 3}},
                                         Names{{"blackhole", "p100"}, {4, 9}, {5, 11}, {5, 11}},
                                         Names{{"blackhole", "p100"}, {5, 0}, {10, 2}, {6, 2}},
                                         Names{{"blackhole", "p100"}, {7, 0}, {12, 2}, {10, 2}},
                                         Names{{"blackhole", "p100"}, {10, 0}, {15, 2}, {13, 2}},
                                         Names{{"blackhole", "p150"}, {0, 0}, {1, 2}, {1, 2}},
                                         Names{{"blackhole", "p150"}, {12, 9}, {15, 11}, {15, 11}}));

TEST_P(NamesOfCore, AreAsDocumented) {
    const Names& names = GetParam();
    const Grid grid = grid_of(names.product);
    EXPECT_EQ(grid.physical(names.core), names.place);
    EXPECT_EQ(grid.translated(names.core), names.translated);
    EXPECT_EQ(grid.physical(names.translated), names.place);
    EXPECT_EQ(grid.logical(names.place), names.core);
}

TEST(GridTest, HarvestedTilesGetTheLastTranslatedCoordinates) {
    EXPECT_EQ(grid_of({"wormhole_b0", "n150"}).translated(PhysicalCoordinate{1, 2}), (TranslatedCoordinate{18, 27}));
    const Grid p100 = grid_of({"blackhole", "p100"});
    EXPECT_EQ(p100.translated(PhysicalCoordinate{6, 5}), (TranslatedCoordinate{15, 5}));
    EXPECT_EQ(p100.translated(PhysicalCoordinate{7, 5}), (TranslatedCoordinate{16, 5}));
}

TEST(GridTest, OtherTilesAreAddressedByTheirPhysicalCoordinates) {
    EXPECT_EQ(grid_of({"wormhole_b0", "n150"}).physical(TranslatedCoordinate{0, 11}), (PhysicalCoordinate{0, 11}));
    EXPECT_EQ(grid_of({"wormhole_b0", "n150"}).physical(TranslatedCoordinate{1, 1}), (PhysicalCoordinate{1, 1}));
    // Rows 0 and 1 of Blackhole are not translated, for any harvesting of the rows below.
    EXPECT_EQ(grid_of({"blackhole", "p100"}).physical(TranslatedCoordinate{11, 0}), (PhysicalCoordinate{11, 0}));
    EXPECT_EQ(grid_of({"blackhole", "p100"}).translated(PhysicalCoordinate{11, 1}), (TranslatedCoordinate{11, 1}));
}

TEST(GridTest, TilesOutsideTheComputeGridHaveNoLogicalCoordinate) {
    const Grid grid = grid_of({"wormhole_b0", "n150"});
    EXPECT_EQ(grid.logical({1, 2}), std::nullopt);   // harvested
    EXPECT_EQ(grid.logical({1, 11}), std::nullopt);  // live, but reserved for dispatch
    EXPECT_EQ(grid.tile_kind({1, 11}), TileKind::tensix);
    EXPECT_EQ(grid.logical({0, 0}), std::nullopt);
    EXPECT_EQ(grid.logical({-1, 40}), std::nullopt);
}

TEST(GridTest, BanksOfWormhole) {
    const Grid grid = grid_of({"wormhole_b0", "n150"});
    const std::vector<PhysicalCoordinate> tiles{{0, 11}, {0, 1}, {0, 5}, {0, 7}, {5, 1}, {5, 11},
                                                {5, 2},  {5, 9}, {5, 8}, {5, 3}, {5, 5}, {5, 7}};
    ASSERT_EQ(grid.dram_banks().size(), tiles.size());
    for (std::size_t bank = 0; bank < tiles.size(); ++bank) {
        EXPECT_EQ(grid.dram_banks()[bank].endpoint[0], tiles[bank]) << bank;
        EXPECT_EQ(grid.dram_banks()[bank].endpoint[1], tiles[bank]) << bank;
        EXPECT_EQ(grid.dram_banks()[bank].offset_bytes, bank % 2 == 0 ? 0 : 1 << 30) << bank;
    }
}

TEST(GridTest, BanksOfBlackhole) {
    const Grid grid = grid_of({"blackhole", "p150"});
    const std::vector<PhysicalCoordinate> on_noc_0{{0, 11}, {0, 2}, {0, 9}, {0, 5}, {9, 11}, {9, 3}, {9, 8}, {9, 6}};
    const std::vector<PhysicalCoordinate> on_noc_1{{0, 1}, {0, 10}, {0, 4}, {0, 7}, {9, 1}, {9, 10}, {9, 4}, {9, 7}};
    ASSERT_EQ(grid.dram_banks().size(), on_noc_0.size());
    for (std::size_t bank = 0; bank < on_noc_0.size(); ++bank) {
        EXPECT_EQ(grid.dram_banks()[bank].endpoint[0], on_noc_0[bank]) << bank;
        EXPECT_EQ(grid.dram_banks()[bank].endpoint[1], on_noc_1[bank]) << bank;
    }
}

TEST(GridTest, HarvestedDramChannelsLeaveTheOtherBanksInOrder) {
    const Grid grid = grid_of({"blackhole", "p150"}, {{"board.harvested_dram_channels", "2"}});
    ASSERT_EQ(grid.dram_banks().size(), 7U);
    EXPECT_EQ(grid.dram_banks()[1].channel, 1);
    EXPECT_EQ(grid.dram_banks()[2].channel, 3);
    EXPECT_EQ(grid.tile_kind({0, 4}), TileKind::harvested);
    EXPECT_EQ(input_error([&] { grid.require_live_tensix({0, 4}); }),
              "(0, 4) is harvested on board p150 (DRAM channel 2)");
}

TEST(GridTest, SharedDramTilesStayAsLongAsOneChannelDoes) {
    const Grid grid = grid_of({"wormhole_b0", "n150"}, {{"board.harvested_dram_channels", "0"}});
    EXPECT_EQ(grid.tile_kind({0, 11}), TileKind::dram);
    EXPECT_EQ(grid.dram_banks().size(), 11U);
}

TEST(GridTest, MessagesSayWhatStandsThere) {
    const Grid n150 = grid_of({"wormhole_b0", "n150"});
    const Grid p100 = grid_of({"blackhole", "p100"});
    EXPECT_EQ(input_error([&] { n150.require_live_tensix({3, 2}); }), "(3, 2) is harvested on board n150 (row 2)");
    EXPECT_EQ(input_error([&] { p100.require_live_tensix({6, 4}); }), "(6, 4) is harvested on board p100 (column 6)");
    EXPECT_EQ(input_error([&] { n150.require_live_tensix({10, 3}); }),
              "(10, 3) is outside the grid of wormhole_b0 (10 columns, 12 rows)");
    EXPECT_EQ(input_error([&] { n150.require_live_tensix({0, 3}); }),
              "(0, 3) is not a Tensix tile of wormhole_b0 (PCIe)");
    EXPECT_EQ(
        input_error([&] { static_cast<void>(n150.physical(LogicalCoordinate{8, 0})); }),
        "core (8, 0): expected a logical coordinate inside the compute grid of board n150 (x from 0 to 7, y from 0 "
        "to 7), found one outside it");
    EXPECT_EQ(input_error([&] { static_cast<void>(n150.physical(TranslatedCoordinate{30, 30})); }),
              "NoC address: expected the translated coordinate of a tile of board n150, found (30, 30)");
}

}  // namespace

}  // namespace nocbench
