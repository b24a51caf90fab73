// Forwarding of buffers under transaction ids: checks that need no compiled kernel.
#include <gtest/gtest.h>

#include <string>

#include "device_model/arch/architecture.h"
#include "tests/support/finished_point.h"

namespace nocbench::transaction_id {

namespace {

const std::string kTest = "Transaction ID - Read After Write";
const std::string kOnePacketTest = "Transaction ID - Write After Read One Packet Stateful";

TEST(TransactionId, CallsOfOnePacketAreNoLonger) {
    for (const auto& [arch, packet_bytes] : {std::pair{"wormhole_b0", 8192}, std::pair{"blackhole", 16384}}) {
        EXPECT_EQ(find_test(kOnePacketTest).sweep_on(arch, Tier::full).call_size_bytes.back(), packet_bytes);
        EXPECT_EQ(find_test(kTest).sweep_on(arch, Tier::full).call_size_bytes.back(), 65536);
    }
}

TEST(TransactionId, BothDirectionsCount) {
    const Architecture architecture = load_architecture(find_architecture("wormhole_b0"));
    const Board& board = architecture.board("");
    const auto peak = [&](const std::string& test) {
        return find_test(test).theoretical_bytes_per_cycle(architecture, board);
    };
    EXPECT_EQ(peak(kTest), 2 * peak("One to One Packet Sizes")) << "writes leave while reads arrive";
}

TEST(TransactionId, BadParametersAreNamed) {
    EXPECT_EQ(test::told_about(kTest, {}, {"wormhole_b0", 31, 64}),
              "parameter num_transactions: expected at most 30, a write and a read for each transaction id, found 31");
    EXPECT_EQ(test::told_about(kTest, {}, {"wormhole_b0", 2, 40}),
              "parameter call_size: expected a multiple of 16 bytes, 1 of which fit 1236992 bytes of L1, found 40");
    EXPECT_EQ(test::told_about(kTest, {}, {"wormhole_b0", 30, 131072}),
              "parameter call_size: expected a multiple of 16 bytes, 15 of which fit 1236992 bytes of L1, found "
              "131072");
    EXPECT_EQ(test::told_about(kTest, {{"read", "0,7"}}),
              "parameters source, written and read: expected three different cores, found (0, 0), (0, 7) and (0, 7)");
    EXPECT_EQ(test::told_about(kTest, {{"written", "0,0"}}),
              "parameters source, written and read: expected three different cores, found (0, 0), (0, 0) and (7, 0)");
}

TEST(TransactionId, CallsOfMoreThanAPacketAreNamed) {
    for (const std::string& test : {kOnePacketTest, kTest + " One Packet", kTest + " One Packet Stateful"}) {
        EXPECT_EQ(test::told_about(test, {}, {"wormhole_b0", 2, 8208}),
                  "parameter call_size: expected a call of at most one packet of 8192 bytes, found 8208 bytes");
    }
}

}  // namespace

}  // namespace nocbench::transaction_id
