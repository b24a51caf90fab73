// One core reads from a DRAM bank, and then writes to it: test "DRAM Interleaved Packet Sizes".
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/finished_point.h"
#include "tests/support/machine.h"
#include "tests/support/primitive_laws.h"

namespace nocbench::dram_unary {

namespace {

using test::FinishedPoint;
using test::first_difference;
using test::random_bytes;
using test::SweepPoint;
using test::told_about;

const std::string kTest = "DRAM Interleaved Packet Sizes";
constexpr LogicalCoordinate kCore{0, 0};

class DramUnary : public testing::TestWithParam<SweepPoint> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, DramUnary, testing::ValuesIn(test::points_of(kTest)), &test::name_of);

/// Returns the address of the primitive's two contiguous buffers.
std::uint32_t dram_buffers(const Device& device) {
    return static_cast<std::uint32_t>(device.architecture().dram.unreserved_base_bytes);
}

TEST_P(DramUnary, DataArriveAndNothingElseDoes) {
    const std::uint32_t size = GetParam().call_size_bytes;
    const std::vector<std::byte> margin = random_bytes(256, 1);
    std::vector<std::byte> before;  // contents of the bank, from its start
    std::unique_ptr<test::Surroundings> surroundings;
    FinishedPoint point(kTest, GetParam(), {}, [&](Device& device) {
        surroundings = std::make_unique<test::Surroundings>(device, kCore, kL1BufferAddress, kL1BufferAddress + size);
        before = random_bytes(dram_buffers(device), 2);
        device.write_dram(0, 0, before);
        device.write_dram(0, dram_buffers(device) + 2 * size, margin);
        device.write_dram(1, dram_buffers(device), margin);
    });
    const Device& device = point.device();
    const std::uint32_t input = dram_buffers(device);
    EXPECT_EQ(first_difference(device.read_dram(0, input, size), point.sent_from_dram(0, 1)), "");
    EXPECT_EQ(first_difference(device.read_l1(kCore, kL1BufferAddress, size), point.sent_from_dram(0, 1)), "");
    EXPECT_EQ(first_difference(device.read_dram(0, input + size, size), point.sent_from_dram(0, 1)), "");
    EXPECT_EQ(first_difference(device.read_dram(0, 0, input), before), "");
    EXPECT_EQ(first_difference(device.read_dram(0, input + 2 * size, margin.size()), margin), "");
    EXPECT_EQ(first_difference(device.read_dram(1, input, margin.size()), margin), "");
    surroundings->expect_untouched(device);
    test::expect_sound(kTest, GetParam(), point);
}

TEST_P(DramUnary, TheWriterBeginsWhenTheReaderHasFinished) {
    const FinishedPoint point(kTest, GetParam());
    EXPECT_GE(point.timed_zone("Sender").start, point.timed_zone("Receiver").end);
}

TEST_P(DramUnary, LatencyRespectsPhysics) {
    FinishedPoint point(kTest, GetParam());
    const Grid& grid = point.device().grid();
    const TorusArchitecture& architecture = point.device().architecture();
    test::expect_not_faster_than_physics(point, "Receiver", architecture, grid.columns() + grid.rows(),
                                         architecture.risc.read_call_ticks);
    test::expect_not_faster_than_physics(point, "Sender", architecture, grid.columns() + grid.rows(),
                                         architecture.risc.write_call_ticks);
}

/// DRAM is farther away than another core's L1 and has no higher bandwidth.
TEST_P(DramUnary, IsSlowerThanL1) {
    const FinishedPoint dram(kTest, GetParam());
    EXPECT_GT(dram.latency_cycles("Receiver"),
              FinishedPoint("One from One Packet Sizes", GetParam()).latency_cycles("Receiver"));
    EXPECT_GT(dram.latency_cycles("Sender"),
              FinishedPoint("One to One Packet Sizes", GetParam()).latency_cycles("Sender"));
}

TEST_P(DramUnary, LimiterIsWhatTheHardwareIsLimitedBy) {
    const FinishedPoint point(kTest, GetParam());
    for (const char* kernel : {"Receiver", "Sender"}) {
        if (GetParam().num_transactions >= 64 && GetParam().call_size_bytes >= 1024) {
            EXPECT_EQ(to_string(point.limiter(kernel)), "dram") << kernel;
        } else if (GetParam().num_transactions == 1 && GetParam().call_size_bytes < 1024) {
            EXPECT_EQ(to_string(point.limiter(kernel)), "round_trip") << kernel;
        }
    }
}

class DramUnaryLaws : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, DramUnaryLaws, testing::Values("wormhole_b0", "blackhole"),
                         [](const auto& test) { return test.param; });

TEST_P(DramUnaryLaws, LatencyGrowsWithTransactions) { test::expect_latency_grows_with_transactions(kTest, GetParam()); }

TEST_P(DramUnaryLaws, CallsOfAnySizeWork) { test::expect_calls_of_any_size_work(kTest, GetParam()); }

TEST_P(DramUnaryLaws, OtherCoresBanksNocsAndVirtualChannelsWork) {
    for (const char* const core : {"0,0", "5,3"}) {
        for (const char* const bank : {"0", "1", "6"}) {
            for (const char* const read_noc : {"0", "1"}) {
                const FinishedPoint point(kTest, {GetParam(), 5, 3008},
                                          {{"source", core}, {"bank", bank}, {"read_noc", read_noc}, {"vc", "2"}});
                for (const KernelReport& report : point.reports()) {
                    EXPECT_EQ(report.data_fault, "") << report.label << " " << core << " " << bank << " " << read_noc;
                }
                EXPECT_EQ(std::to_string(point.report("Receiver").noc), read_noc);
                EXPECT_EQ(point.report("Sender").noc, 1 - point.report("Receiver").noc);
            }
        }
    }
}

TEST_P(DramUnaryLaws, TheDataCheckNoticesAWrongByteInAnyPacket) {
    for (const std::uint32_t size : {64U, 2048U, 20000U}) {
        test::expect_tampering_is_noticed(kTest, {GetParam(), 5, size});
    }
}

/// Faults of packets from DRAM are attributed to the reader, and those of packets to DRAM to the writer.
TEST_P(DramUnaryLaws, TheDataCheckNamesTheKernelWhosePacketIsWrong) {
    for (const TransactionKind kind : {TransactionKind::read, TransactionKind::write}) {
        int seen = 0;
        const FinishedPoint point(kTest, {GetParam(), 3, 2048}, {}, [&](Device& device) {
            device.observers().tamper = [&, kind](const Delivery& delivery, std::span<std::byte> bytes) {
                if (delivery.kind == kind && seen++ == 1) {
                    bytes.front() = ~bytes.front();
                }
            };
        });
        EXPECT_EQ(!point.report("Receiver").data_fault.empty(), kind == TransactionKind::read);
        EXPECT_EQ(!point.report("Sender").data_fault.empty(), kind == TransactionKind::write);
    }
}

void overwrite_dram() {
    using namespace dataflow;
    const std::uint32_t address = get_compile_time_arg_val(0);
    for (int load = 0; load < 5000; ++load) {  // long enough for all other activity to end
        static_cast<void>(load_l1_word(kL1BufferAddress));
    }
    noc_async_write(kL1BufferAddress + address % 64, get_noc_addr_from_bank_id<true>(0, address), 1);
    noc_async_write_barrier();
}

TEST_P(DramUnaryLaws, TheDataCheckNoticesSomebodyElsesPacket) {
    constexpr std::uint32_t kSize = 2048;
    std::optional<Program> program;
    const FinishedPoint point(kTest, {GetParam(), 2, kSize}, {}, [&](Device& device) {
        program.emplace(device);
        program->add_kernel({{3, 3}}, {"saboteur", &overwrite_dram, 0, 0, {dram_buffers(device) + kSize}});
        device.write_l1({3, 3}, kL1BufferAddress, random_bytes(64, 3));
    });
    EXPECT_EQ(point.report("Sender").data_fault, "1 bytes from core (3, 3) to DRAM tile at (0, 11): expected none");
}

TEST(DramUnaryParameters, AreCheckedAndNamed) {
    EXPECT_EQ(told_about(kTest, {{"bank", "12"}}), "parameter bank: expected a whole number from 0 to 11, found '12'");
    EXPECT_EQ(told_about(kTest, {{"bank", "7"}}, {"blackhole", 1, 64}),
              "parameter bank: expected a whole number from 0 to 6, found '7'");
    EXPECT_EQ(told_about(kTest, {{"read_noc", "2"}}),
              "parameter read_noc: expected a whole number from 0 to 1, found '2'");
    EXPECT_EQ(told_about(kTest, {{"vc", "4"}}), "parameter vc: expected a whole number from 0 to 3, found '4'");
    EXPECT_EQ(
        told_about(kTest, {{"source", "9,9"}}),
        "parameter source: core (9, 9): expected a logical coordinate inside the compute grid of board n150 (x from "
        "0 to 7, y from 0 to 7), found one outside it");
    EXPECT_EQ(
        told_about(kTest, {{"noc", "0"}}),
        "parameter noc: this test has no such parameter; it has num_transactions, call_size, source, bank, read_noc, "
        "vc");
    EXPECT_EQ(told_about(kTest, {}, {"wormhole_b0", 1, 0x12e001}),
              "parameter call_size: 1236993 bytes at 0x40000 do not fit into L1, which ends at 0x16e000");
}

}  // namespace

}  // namespace nocbench::dram_unary
