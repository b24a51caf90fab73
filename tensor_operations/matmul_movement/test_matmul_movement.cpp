// Movement of a matrix product's operands: checks that need no compiled kernel.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/finished_point.h"

namespace nocbench::matmul_movement {

namespace {

TEST(MatmulMovement, BadParametersAreNamed) {
    EXPECT_EQ(test::told_about("Matmul 1D Operand Movement", {{"grid", "1x1"}}),
              "parameter grid or rectangle: expected more than one core, found one");
    EXPECT_EQ(test::told_about("Matmul 2D Operand Movement", {{"grid", "1x4"}}),
              "parameter grid or rectangle: expected two columns and two rows at least, found fewer");
    EXPECT_EQ(test::told_about("Matmul 2D Operand Movement", {}, {"wormhole_b0", 4, 262144}),
              "parameter call_size: 262144 bytes at 0x200000 do not fit into L1, which ends at 0x16e000");
}

TEST(MatmulMovement, EachOperandHasRowsOfItsOwn) {
    EXPECT_EQ(find_test("Matmul 1D Operand Movement").kernels,
              (std::vector<std::string>{"In0 Sender", "In0 Receiver", "In1 Reader"}));
    EXPECT_EQ(find_test("Matmul 2D Operand Movement").kernels,
              (std::vector<std::string>{"In0 Sender", "In0 Receiver", "In1 Sender", "In1 Receiver"}));
}

}  // namespace

}  // namespace nocbench::matmul_movement
