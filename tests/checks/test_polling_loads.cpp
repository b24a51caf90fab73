#include <gtest/gtest.h>

#include <string_view>

#include "device_model/tenstorrent/checks/polling_loads.h"
#include "tests/riscv/assembler.h"

namespace nocbench {
namespace {

/// Tells for the instruction at `index` of a program, each of 4 bytes, if it is a load that waits.
bool waits(std::string_view text, std::uint32_t index) {
    const std::vector<std::byte> bytes = test::assembled(text);
    const riscv::Code code(test::kCodeBegin, bytes, test::kAllExtensions);
    return PollingLoads(code).has(test::kCodeBegin + 4 * index);
}

TEST(PollingLoads, FindsALoadThatALoopRepeats) { EXPECT_TRUE(waits("again: lw a5, 0(a4); bne a5, a3, again", 0)); }

TEST(PollingLoads, FindsItBehindAJumpBack) {
    EXPECT_TRUE(waits("again: lw a5, 0(a4); bgeu a5, a3, out; jal zero, again; out: addi a0, a0, 0", 0));
}

TEST(PollingLoads, FindsItIfItsAddressIsMadeInEachRound) {
    EXPECT_TRUE(waits("again: lui a4, 0x12; lw a5, 8(a4); bne a5, a3, again", 1));
}

TEST(PollingLoads, LeavesALoadWhoseAddressGoesOn) {
    EXPECT_FALSE(waits("again: lw a5, 0(a4); addi a4, a4, 4; bne a4, a3, again", 0));
}

TEST(PollingLoads, LeavesALoadInALoopWithAStore) {
    EXPECT_FALSE(waits("again: lw a5, 0(a4); sw a5, 0(a2); bne a5, a3, again", 0));
}

TEST(PollingLoads, LeavesALoadOutsideOfLoops) {
    EXPECT_FALSE(waits("lw a5, 0(a4); again: lw a6, 4(a4); bne a6, a3, again", 0));
}

}  // namespace
}  // namespace nocbench
