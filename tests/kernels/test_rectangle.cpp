// Rectangles of cores, and the tiles that multicasts to them reach.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/tensix/rectangle.h"
#include "tests/support/machine.h"

namespace nocbench::test {

namespace {

TEST(Rectangle, CoresComeColumnByColumn) {
    EXPECT_EQ(cores_of({.first = {1, 2}, .last = {2, 4}}),
              (std::vector<LogicalCoordinate>{{1, 2}, {1, 3}, {1, 4}, {2, 2}, {2, 3}, {2, 4}}));
    EXPECT_EQ(cores_of({.first = {3, 3}, .last = {3, 3}}), (std::vector<LogicalCoordinate>{{3, 3}}));
}

class RectangleOnBoards : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Boards, RectangleOnBoards, testing::ValuesIn(all_boards()),
                         [](const auto& one) { return one.param; });

TEST_P(RectangleOnBoards, TilesOfAPlainRectangleAreThoseOfItsCores) {
    const Machine machine(GetParam());
    const Grid& grid = machine.device().grid();
    for (const LogicalRectangle& rectangle :
         {LogicalRectangle{{0, 0}, {1, 1}}, LogicalRectangle{{2, 1}, {6, 5}}, LogicalRectangle{{3, 3}, {3, 3}},
          LogicalRectangle{{0, 0}, {grid.compute_columns() - 1, grid.compute_rows() - 1}}}) {
        std::vector<PhysicalCoordinate> expected;
        for (const LogicalCoordinate core : cores_of(rectangle)) {
            expected.push_back(grid.physical(core));
        }
        EXPECT_EQ(tensix_tiles_of(grid, rectangle), expected);
    }
}

/// Tiles of the last row (or column) run no kernels, but multicasts over the edge reach them.
TEST_P(RectangleOnBoards, TilesOverTheEdgeBelongToAWrappedRectangle) {
    const Machine machine(GetParam());
    const Grid& grid = machine.device().grid();
    const int last_x = grid.compute_columns() - 1;
    const int last_y = grid.compute_rows() - 1;
    const bool has_spare_row = GetParam().starts_with('n');
    const LogicalRectangle over_both{{last_x, last_y}, {0, 0}};
    EXPECT_TRUE(over_both.runs_over_the_edge());
    const std::vector<PhysicalCoordinate> tiles = tensix_tiles_of(grid, over_both);
    EXPECT_EQ(tiles.size(), 6U);  // two columns of three tiles, or three columns of two
    EXPECT_EQ(tiles.front(), grid.physical(LogicalCoordinate{last_x, last_y}));
    EXPECT_EQ(tiles.back(), grid.physical(LogicalCoordinate{0, 0}));
    EXPECT_EQ(std::ranges::count_if(tiles, [&](PhysicalCoordinate tile) { return !grid.logical(tile).has_value(); }),
              2);

    const LogicalRectangle over_one =
        has_spare_row ? LogicalRectangle{{last_x, 1}, {0, 2}} : LogicalRectangle{{1, last_y}, {2, 0}};
    for (const PhysicalCoordinate tile : tensix_tiles_of(grid, over_one)) {
        EXPECT_TRUE(grid.logical(tile).has_value());
    }
    EXPECT_EQ(tensix_tiles_of(grid, over_one).size(), 4U);
}

}  // namespace

}  // namespace nocbench::test
