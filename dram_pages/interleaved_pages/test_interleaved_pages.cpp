// Reads and writes of interleaved pages: checks that need no compiled kernel.
#include <gtest/gtest.h>

#include <string>

#include "device_model/arch/architecture.h"
#include "device_model/sim/error.h"
#include "kernels/frame/pages/page_buffer.h"
#include "tests/support/finished_point.h"

namespace nocbench::interleaved_pages {

namespace {

const std::string kTest = "DRAM Interleaved Page Numbers";

std::vector<std::int64_t> full_sizes(const std::string& arch) {
    return find_test(kTest).sweep_on(arch, Tier::full).call_size_bytes;
}

TEST(InterleavedPages, TheSweepGoesFromAFlitToALargestPacket) {
    EXPECT_EQ(full_sizes("wormhole_b0"), (std::vector<std::int64_t>{32, 64, 128, 256, 512, 1024, 2048, 4096, 8192}));
    EXPECT_EQ(full_sizes("blackhole"), (std::vector<std::int64_t>{64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}));
}

TEST(InterleavedPages, CoreLocationsAreAllCores) {
    const Sweep sweep = find_test("L1 Interleaved Core Locations").sweep_on("wormhole_b0", Tier::full);
    ASSERT_EQ(sweep.parameters.size(), 1U);
    EXPECT_EQ(sweep.parameters.front().values.size(), 64U);
    EXPECT_EQ(sweep.parameters.front().values.back(), "7,7");
}

TEST(InterleavedPages, BadParametersAreNamed) {
    EXPECT_EQ(test::told_about(kTest, {{"swap_nocs", "2"}}),
              "parameter swap_nocs: expected a whole number from 0 to 1, found '2'");
    EXPECT_EQ(test::told_about(kTest, {}, {"wormhole_b0", 16, 131072}),
              "parameter call_size: 131072 bytes at 0x220000 do not fit into L1, which ends at 0x16e000");
}

TEST(PageBuffer, PagesGoRoundTheBanks) {
    const Architecture architecture = load_architecture(find_architecture("wormhole_b0"));
    const Device device(architecture, "n150");
    const PageBuffer buffer(device, BankMemory::dram, 0x1000, 100, 30);
    EXPECT_EQ(num_banks(device, BankMemory::dram), 12U);
    EXPECT_EQ(buffer.place(5, 0), dram_place(device.grid(), 5, 0, 0x1000));
    EXPECT_EQ(buffer.place(29, 1), dram_place(device.grid(), 5, 1, 0x1000 + 2 * 128)) << "padded to 32 bytes";
    EXPECT_EQ(buffer.end_address(), 0x1000U + 3 * 128);
    EXPECT_EQ(buffer.layout(), std::vector<std::uint32_t>{2});
}

TEST(PageBuffer, BanksOfL1AreTheCoresInTheOrderOfTheAllocator) {
    const Architecture architecture = load_architecture(find_architecture("wormhole_b0"));
    const Device device(architecture, "n150");
    const PageBuffer buffer(device, BankMemory::l1, 0x40000, 100, 70);
    EXPECT_EQ(num_banks(device, BankMemory::l1), 64U);
    EXPECT_EQ(buffer.place(0, 0), l1_place(device.grid(), LogicalCoordinate{1, 4}, 0x40000));
    EXPECT_EQ(buffer.place(65, 0), l1_place(device.grid(), LogicalCoordinate{4, 4}, 0x40000 + 112))
        << "padded to 16 bytes";
    EXPECT_EQ(buffer.layout(), std::vector<std::uint32_t>{0});
}

TEST(PageBuffer, ABufferThatIsTooLargeIsRefused) {
    const Architecture architecture = load_architecture(find_architecture("wormhole_b0"));
    const Device device(architecture, "n150");
    EXPECT_NO_THROW(PageBuffer(device, BankMemory::l1, 0x16d000, 4096, 64));
    EXPECT_THROW(PageBuffer(device, BankMemory::l1, 0x16d000, 4096, 65), InputError);
    EXPECT_THROW(PageBuffer(device, BankMemory::l1, 0x16d010, 4096, 1), InputError);
}

}  // namespace

}  // namespace nocbench::interleaved_pages
