// One core reads from host memory, or writes to host memory: tests "PCIe Read Bandwidth Sweep" and the like.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/error_message.h"
#include "tests/support/finished_point.h"
#include "tests/support/machine.h"
#include "tests/support/primitive_laws.h"

namespace nocbench::pcie_transfer {

namespace {

using test::FinishedPoint;
using test::first_difference;
using test::random_bytes;
using test::SweepPoint;
using test::told_about;

const std::string kRead = "PCIe Read Bandwidth Sweep";
const std::string kWrite = "PCIe Write Bandwidth Sweep";
constexpr LogicalCoordinate kCore{0, 0};
constexpr std::uint64_t kHostAddress = 50 * 1024 * 1024;

class PcieTransfer : public testing::TestWithParam<SweepPoint> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, PcieTransfer, testing::ValuesIn(test::quick_points_of(kRead)), &test::name_of);

TEST_P(PcieTransfer, DataArriveAndNothingElseDoes) {
    const std::uint32_t size = GetParam().call_size_bytes;
    const std::vector<std::byte> margin = random_bytes(256, 1);
    for (const bool reads : {true, false}) {
        std::unique_ptr<test::Surroundings> surroundings;
        FinishedPoint point(reads ? kRead : kWrite, GetParam(), {}, [&](Device& device) {
            surroundings =
                std::make_unique<test::Surroundings>(device, kCore, kL1BufferAddress, kL1BufferAddress + size);
            device.write_host(kHostAddress - margin.size(), margin);
            device.write_host(kHostAddress + size, margin);
        });
        const Device& device = point.device();
        const std::vector<std::byte> on_host = device.read_host(kHostAddress, size);
        EXPECT_NE(on_host, std::vector<std::byte>(size)) << "there is a pattern";
        EXPECT_EQ(first_difference(device.read_l1(kCore, kL1BufferAddress, size), on_host), "");
        EXPECT_EQ(first_difference(device.read_host(kHostAddress - margin.size(), margin.size()), margin), "");
        EXPECT_EQ(first_difference(device.read_host(kHostAddress + size, margin.size()), margin), "");
        surroundings->expect_untouched(device);
        test::expect_sound(reads ? kRead : kWrite, GetParam(), point);
    }
}

TEST_P(PcieTransfer, LatencyRespectsPhysics) {
    FinishedPoint read(kRead, GetParam());
    const Grid& grid = read.device().grid();
    const TorusArchitecture& architecture = read.device().architecture();
    test::expect_not_faster_than_physics(read, "Receiver", architecture, grid.columns() + grid.rows(),
                                         architecture.risc.read_call_ticks);
    test::expect_not_faster_than_physics(FinishedPoint(kWrite, GetParam()), "Sender", architecture,
                                         grid.columns() + grid.rows(), architecture.risc.write_call_ticks);
}

/// The path to the host is longer than the path to DRAM.
TEST_P(PcieTransfer, OneReadTakesLongerThanFromDram) {
    if (GetParam().num_transactions != 1) {
        return;
    }
    const FinishedPoint dram("DRAM Interleaved Packet Sizes", GetParam());
    EXPECT_GT(FinishedPoint(kRead, GetParam()).latency_cycles("Receiver"), dram.latency_cycles("Receiver"));
}

class PcieTransferLaws : public testing::TestWithParam<std::string> {
protected:
    /// Returns the mean cycles per call of a long series.
    [[nodiscard]] static double cycles_per_call(const std::string& test, std::uint32_t call_size_bytes,
                                                const std::vector<Setting>& settings = {}) {
        constexpr int kCalls = 300;
        const PointResult result = run_point(
            find_test(test), GetParam(), "",
            {{"num_transactions", std::to_string(kCalls)}, {"call_size", std::to_string(call_size_bytes)}}, settings);
        EXPECT_TRUE(result.rows.front().data_ok) << result.rows.front().data_fault;
        return result.rows.front().latency_cycles / kCalls;
    }
    [[nodiscard]] static double gigabytes_per_second(const std::string& test,
                                                     const std::vector<Setting>& settings = {}) {
        const Architecture architecture = load_architecture(find_architecture(GetParam()));
        const auto packet_bytes = static_cast<std::uint32_t>(torus_of(architecture).router.max_packet_data_flits *
                                                             torus_of(architecture).router.flit_bytes);
        return packet_bytes / cycles_per_call(test, packet_bytes, settings) *
               static_cast<double>(architecture.board("").clock_hz) / 1e9;
    }
};

INSTANTIATE_TEST_SUITE_P(PacketSizes, PcieTransferLaws, testing::Values("wormhole_b0", "blackhole"),
                         [](const auto& test) { return test.param; });

TEST_P(PcieTransferLaws, LatencyGrowsWithTransactions) {
    test::expect_latency_grows_with_transactions(kRead, GetParam());
    test::expect_latency_grows_with_transactions(kWrite, GetParam());
}

TEST_P(PcieTransferLaws, CallsOfAnySizeWork) {
    test::expect_calls_of_any_size_work(kRead, GetParam());
    test::expect_calls_of_any_size_work(kWrite, GetParam());
}

TEST_P(PcieTransferLaws, OtherCoresNocsAndVirtualChannelsWork) {
    for (const std::string& test : {kRead, kWrite}) {
        test::expect_data_arrive(test, {GetParam(), 5, 3001},
                                 test::combinations({{"source", {"0,3", "6,6"}},
                                                     {"noc", {"0", "1"}},
                                                     {"riscv", {"0", "1"}},
                                                     {"vc", {"0", "3"}},
                                                     {"host_address", {"0", "1073733632"}}}));
    }
}

TEST_P(PcieTransferLaws, TheDataCheckNoticesAWrongByteInAnyPacket) {
    for (const std::uint32_t size : {64U, 2048U, 20000U}) {
        test::expect_tampering_is_noticed(kRead, {GetParam(), 5, size});
        test::expect_tampering_is_noticed(kWrite, {GetParam(), 5, size});
    }
}

/// The request intervals of the PCIe tile determine the spacing of small reads and writes of any size. A buffer of one
/// write keeps writes from being acknowledged ahead.
TEST_P(PcieTransferLaws, SmallCallsComeAtTheRateOfRequests) {
    for (const char* const interval : {"150", "400"}) {
        for (const std::uint32_t size : {64U, 1024U}) {
            const std::vector<Setting> settings{{"pcie.read_request_interval_cycles", interval},
                                                {"pcie.write_request_interval_cycles", interval},
                                                {"pcie.write_buffer_bytes", std::to_string(size)}};
            EXPECT_NEAR(cycles_per_call(kRead, size, settings), std::stod(interval), 5) << size;
            EXPECT_NEAR(cycles_per_call(kWrite, size, settings), std::stod(interval), 5) << size;
        }
    }
}

TEST_P(PcieTransferLaws, LongCallsComeAtTheRateOfTheLink) {
    EXPECT_NEAR(gigabytes_per_second(kRead), 24.5, 0.5);
    EXPECT_NEAR(gigabytes_per_second(kWrite), GetParam() == "wormhole_b0" ? 26.4 : 16.6, 0.5);
    EXPECT_NEAR(gigabytes_per_second(kRead, {{"host_link.read_megabytes_per_second", "12000"}}), 12, 0.3);
    EXPECT_NEAR(gigabytes_per_second(kWrite, {{"host_link.write_megabytes_per_second", "12000"}}), 12, 0.3);
}

/// The link has its own clock, so its bytes per second do not depend on the clock of the tiles.
TEST_P(PcieTransferLaws, TheClockOfTheTilesDoesNotChangeTheLink) {
    const Architecture architecture = load_architecture(find_architecture(GetParam()));
    const std::string half_clock = std::to_string(architecture.board("").clock_hz / 2);
    constexpr std::uint32_t kSize = 8192;
    // A link slow enough to be the bottleneck with either clock.
    std::vector<Setting> settings{{"host_link.read_megabytes_per_second", "12000"}};
    const double cycles = cycles_per_call(kRead, kSize, settings);
    settings.emplace_back("board.clock_hz", half_clock);
    EXPECT_NEAR(cycles_per_call(kRead, kSize, settings), cycles / 2, cycles / 50);
}

TEST_P(PcieTransferLaws, ReadsWaitForTheHost) {
    const FinishedPoint small(kRead, {GetParam(), 300, 64});
    EXPECT_EQ(to_string(small.limiter("Receiver")), "host");
    const FinishedPoint large(kRead, {GetParam(), 64, 8192});
    EXPECT_EQ(to_string(large.limiter("Receiver")), "host");
    const FinishedPoint written(kWrite, {GetParam(), 64, 8192});
    EXPECT_EQ(to_string(written.limiter("Sender")), "host");
}

TEST_P(PcieTransferLaws, SeveralCoresShareTheLink) {
    Device device(load_architecture(find_architecture(GetParam())));
    Program program(device);
    constexpr std::uint32_t kCalls = 64;
    constexpr std::uint32_t kSize = 8192;
    const auto read_all = [] {
        using namespace dataflow;
        const std::uint64_t source = get_noc_addr_helper(NOC_XY_PCIE_ENCODING(PCIE_NOC_X, PCIE_NOC_Y), 0);
        for (std::uint32_t call = 0; call < kCalls; ++call) {
            noc_async_read(source, kL1BufferAddress, kSize);
        }
        noc_async_read_barrier();
    };
    const std::vector<std::byte> data = random_bytes(kSize, 7);
    device.write_host(0, data);
    constexpr int kCores = 4;
    for (int x = 0; x < kCores; ++x) {
        program.add_kernel({.x = x, .y = 2}, "reader", 0, 0, read_all);
    }
    program.run();
    for (int x = 0; x < kCores; ++x) {
        EXPECT_EQ(first_difference(device.read_l1({.x = x, .y = 2}, kL1BufferAddress, kSize), data), "");
    }
    const double seconds = static_cast<double>(device.elapsed_cycles()) / static_cast<double>(device.board().clock_hz);
    EXPECT_NEAR(kCores * kCalls * kSize / seconds / 1e9, 24.5, 0.8);
}

/// On Blackhole, the published bound assumes a wider link than the published table.
TEST(PcieBounds, AreMet) {
    const auto bytes_per_cycle = [](const std::string& arch, const std::vector<Setting>& settings) {
        const Sweep sweep = find_test("PCIe Read Bandwidth").sweep_on(arch, Tier::quick);
        return run_point(find_test("PCIe Read Bandwidth"), arch, "",
                         {{"num_transactions", std::to_string(sweep.num_transactions.front())},
                          {"call_size", std::to_string(sweep.call_size_bytes.front())}},
                         settings)
            .rows.front()
            .bandwidth_bytes_per_cycle;
    };
    constexpr double kToleranceOfBounds = 0.95;
    EXPECT_GE(bytes_per_cycle("wormhole_b0", {}), kToleranceOfBounds * 20.1);
    EXPECT_GE(bytes_per_cycle("blackhole", {{"board.host_link", "pcie_5_0_x16"}}), kToleranceOfBounds * 42.5);
    EXPECT_LT(bytes_per_cycle("blackhole", {}), 24.5 / 1.35 + 0.1) << "the link of the table";
}

/// Source: Tenstorrent ISA documentation, WormholeB0/PCIExpressTile/README.md.
TEST(PcieLatency, IsThatOfTheDocumentation) {
    const auto cycles = [](const std::string& test, const std::string& label, const char* source) {
        return FinishedPoint(test, {"wormhole_b0", 1, 32}, {{"source", source}}).latency_cycles(label);
    };
    EXPECT_NEAR(cycles(kRead, "Receiver", "0,1"), 690, 5) << "in the row of the PCIe tile";
    EXPECT_NEAR(cycles(kRead, "Receiver", "0,0"), 800, 10);
    EXPECT_NEAR(cycles(kWrite, "Sender", "0,1"), 260, 5) << "in the row of the PCIe tile";
    EXPECT_NEAR(cycles(kWrite, "Sender", "0,0"), 370, 10);
}

TEST(PcieParameters, AreCheckedAndNamed) {
    EXPECT_EQ(told_about(kRead, {{"host_address", "1073739777"}}),
              "memory of the host: expected a range within 0x0 to 0x40000000, found 0x3ffff801 to 0x40000001");
    EXPECT_EQ(told_about(kWrite, {{"host_address", "-1"}}),
              "parameter host_address: expected a whole number from 0 to 4294967295, found '-1'");
    EXPECT_NE(told_about(kRead, {{"host_address", "8"}}).find("expected the same remainder modulo 32, found 0 and 8"),
              std::string::npos);
}

/// Returns the error for a kernel that calls `access` with an address of the PCIe tile.
std::string told_about_access(const std::string& arch, const std::function<void()>& access) {
    Device device(load_architecture(find_architecture(arch)));
    Program program(device);
    program.add_kernel(kCore, "kernel", 0, 0, access);
    return test::error_message([&] { program.run(); });
}

TEST_P(PcieTransferLaws, KernelsMustMeanTheHost) {
    using namespace dataflow;
    const bool is_wormhole = GetParam() == "wormhole_b0";
    EXPECT_NE(told_about_access(GetParam(),
                                [] { noc_async_read(get_noc_addr(PCIE_NOC_X, PCIE_NOC_Y, 0), kL1BufferAddress, 64); })
                  .find(is_wormhole ? "expected bit 35 set" : "expected bit 60 set"),
              std::string::npos);
    EXPECT_NE(told_about_access(
                  GetParam(),
                  [] { noc_semaphore_inc(get_noc_addr_helper(NOC_XY_PCIE_ENCODING(PCIE_NOC_X, PCIE_NOC_Y), 0), 1); })
                  .find("is a PCIe tile; only L1 takes atomics"),
              std::string::npos);
}

TEST(PcieTile, OnlyTheWiredOneReachesTheHost) {
    using namespace dataflow;
    const std::string told = told_about_access(
        "blackhole", [] { noc_async_read(get_noc_addr_helper(NOC_XY_PCIE_ENCODING(11, 0), 0), kL1BufferAddress, 64); });
    EXPECT_NE(told.find("(11, 0) is not a Tensix tile of blackhole (PCIe)"), std::string::npos) << told;
}

TEST(PcieTile, AChipMayHaveNone) {
    Device device(load_architecture(find_architecture("wormhole_b0"), "", {{"grid.pcie_tiles", "[]"}}));
    EXPECT_EQ(test::error_message([&] { static_cast<void>(device.read_host(0, 1)); }),
              "memory of the host: expected a PCIe tile on wormhole_b0, found none");
}

}  // namespace

}  // namespace nocbench::pcie_transfer
