// Rows are copied within a core: tests "Narrow Row" and "Strided Tiles".
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/finished_point.h"
#include "tests/support/primitive_laws.h"

namespace nocbench::row_copies {

namespace {

using test::FinishedPoint;
using test::told_about;

class RowCopies : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, RowCopies, testing::Values("Narrow Row", "Strided Tiles"),
                         [](const auto& test) { return test.param.substr(0, test.param.find(' ')); });

TEST_P(RowCopies, EveryRowArrivesAtItsPlace) {
    for (const auto& [rows, bytes] : {std::pair(1U, 16U), std::pair(32U, 48U), std::pair(7U, 2048U)}) {
        const FinishedPoint point(GetParam(), {"quasar", rows, bytes});
        EXPECT_EQ(point.report("Receiver").data_fault, "") << rows << " rows of " << bytes;
    }
}

TEST_P(RowCopies, TheDataCheckNoticesAWrongByteInAnyPacket) {
    test::expect_tampering_is_noticed(GetParam(), {"quasar", 5, 64});
}

/// The L1 of the core answers a read of its own at a fixed interval, so that the padding saves nothing.
TEST(NarrowRow, TakesAsLongAsAWholeTileRow) {
    const auto cycles = [](std::uint32_t bytes) {
        return FinishedPoint("Narrow Row", {"quasar", 32, bytes}).latency_cycles("Receiver");
    };
    EXPECT_EQ(cycles(16), cycles(64));
    EXPECT_LT(cycles(64), cycles(496));
}

TEST(RowCopiesParameters, AreCheckedAndNamed) {
    EXPECT_EQ(told_about("Narrow Row", {{"source_stride", "16"}}, {"quasar", 4, 64}),
              "parameter source_stride: expected at least a row of 64 bytes, found 16");
    EXPECT_EQ(told_about("Narrow Row", {}, {"quasar", 4, 24}),
              "parameter call_size: expected a row of a multiple of 16 bytes and at most one packet of 65536 bytes, "
              "found 24 bytes");
    EXPECT_EQ(told_about("Strided Tiles", {{"source_stride", "1048576"}}, {"quasar", 4, 64}),
              "parameters num_transactions and call_size: expected rows that end within the 4194304 bytes of L1, found "
              "an end at 4472832");
}

}  // namespace

}  // namespace nocbench::row_copies
