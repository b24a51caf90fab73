// Simulated memory: bytes by address, initially zero.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device_model/sim/error.h"
#include "device_model/sim/memory.h"
#include "tests/support/error_message.h"
#include "tests/support/machine.h"

namespace nocbench {

namespace {

constexpr std::byte kOld{0xaa};

std::vector<std::byte> contents(const Memory& memory, std::uint64_t address, std::size_t size) {
    std::vector<std::byte> bytes(size, kOld);  // previous contents do not matter
    memory.read(address, bytes);
    return bytes;
}

TEST(MemoryTest, IsZeroUntilItIsWritten) {
    Memory memory;
    EXPECT_EQ(contents(memory, 0, 100), std::vector<std::byte>(100));
    memory.write(50, std::vector{std::byte{1}});
    std::vector<std::byte> expected(100);
    expected[50] = std::byte{1};
    EXPECT_EQ(contents(memory, 0, 100), expected);
    EXPECT_EQ(contents(memory, 1U << 30, 20'000), std::vector<std::byte>(20'000));
}

/// Longer than any internal unit, starting within a unit.
TEST(MemoryTest, HoldsWhatWasWrittenAcrossAnyBoundary) {
    const std::vector<std::byte> written = test::random_bytes(70'000, 3);
    for (const std::uint64_t address :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{8191}, std::uint64_t{8192}, std::uint64_t{5'000'000'001}}) {
        Memory memory;
        memory.write(address, written);
        EXPECT_EQ(contents(memory, address, written.size()), written) << address;
        EXPECT_EQ(contents(memory, address + written.size(), 9000), std::vector<std::byte>(9000)) << address;
        const std::size_t middle = written.size() / 2;
        memory.write(address + middle, std::vector{kOld});
        std::vector<std::byte> changed = written;
        changed[middle] = kOld;
        EXPECT_EQ(contents(memory, address, written.size()), changed) << address;
    }
}

TEST(MemoryTest, RangesEndWithinIt) {
    require_within("L1", 100, 0, 100);
    require_within("L1", 100, 99, 1);
    require_within("L1", 100, 100, 0);
    EXPECT_EQ(test::error_message([] { require_within("L1", 100, 99, 2); }),
              "L1: expected a range within 0x0 to 0x64, found 0x63 to 0x65");
    EXPECT_EQ(test::error_message([] { require_within("L1", 100, 0, 101); }),
              "L1: expected a range within 0x0 to 0x64, found 0x0 to 0x65");
    EXPECT_EQ(test::error_message([] { require_within("L1", 100, 101, 0); }),
              "L1: expected a range within 0x0 to 0x64, found 0x65 to 0x65");
    EXPECT_THROW(require_within("L1", 100, UINT64_MAX, 2), InputError) << "the end is beyond what 64 bits hold";
}

}  // namespace

}  // namespace nocbench
