// Packets as long as the model's counters allow.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "device_model/sim/narrow.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/error_message.h"
#include "tests/support/machine.h"

namespace nocbench {
namespace {

using namespace nocbench::dataflow;
using test::error_message;
using test::kBuffer;
using test::Machine;

constexpr std::int64_t kFlitBytes = 16;
constexpr LogicalCoordinate kSender{0, 0};
constexpr LogicalCoordinate kReceiver{1, 1};

std::vector<Setting> longest_packets() {
    return {{"router.flit_bytes", std::to_string(kFlitBytes)},
            {"router.max_packet_data_flits", std::to_string(RouterConstants::kMaxPacketDataFlitsMax)}};
}

/// Moves the longest packet by `call(machine, address of the receiver, bytes)` and waits for it in a barrier.
template <class Call>
void moves_the_longest_packet(bool reads, const Call& call) {
    Machine machine("n150", longest_packets());
    const std::uint32_t bytes = machine.packet_bytes();
    ASSERT_EQ(bytes, kFlitBytes * RouterConstants::kMaxPacketDataFlitsMax);
    const std::vector<std::byte> data = test::random_bytes(bytes, 7);
    machine.device().write_l1(reads ? kReceiver : kSender, kBuffer, data);
    machine.add_kernel({kSender, 0, 0}, [&] {
        DeviceZoneScopedN("transfer");
        call(machine, bytes);
    });
    machine.run();
    EXPECT_EQ(test::first_difference(machine.device().read_l1(reads ? kSender : kReceiver, kBuffer, bytes), data), "");
    const double bytes_per_cycle = bytes / test::cycles(machine.result().zone("transfer"));
    EXPECT_LE(bytes_per_cycle, kFlitBytes);
    EXPECT_GT(bytes_per_cycle, 0.9 * kFlitBytes);
}

TEST(LongPackets, AreWritten) {
    moves_the_longest_packet(false, [](const Machine& machine, std::uint32_t bytes) {
        noc_async_write(kBuffer, get_noc_addr(machine.x(kReceiver), machine.y(kReceiver), kBuffer), bytes);
        noc_async_write_barrier();
    });
}

TEST(LongPackets, AreRead) {
    moves_the_longest_packet(true, [](const Machine& machine, std::uint32_t bytes) {
        noc_async_read(get_noc_addr(machine.x(kReceiver), machine.y(kReceiver), kBuffer), kBuffer, bytes);
        noc_async_read_barrier();
    });
}

/// Multicasts have an additional flit, which reserves the tree.
TEST(LongPackets, AreMulticast) {
    moves_the_longest_packet(false, [](const Machine& machine, std::uint32_t bytes) {
        const LogicalCoordinate last{2, 2};
        noc_async_write_multicast(kBuffer,
                                  get_noc_multicast_addr(machine.x(kReceiver), machine.y(kReceiver), machine.x(last),
                                                         machine.y(last), kBuffer),
                                  bytes, 4);
        noc_async_write_barrier();
    });
}

TEST(LongPackets, LongerOnesAreRefused) {
    EXPECT_EQ(error_message([] { Machine("n150", {{"router.max_packet_data_flits", "65534"}}); }),
              "setting router.max_packet_data_flits=65534: expected a whole number from 1 to 65533, found "
              "65534");
}

TEST(Narrow, TellsWhatDoesNotFit) {
    EXPECT_EQ(narrow<std::uint16_t>(65'535, "flits of a packet"), 65'535);
    EXPECT_EQ(error_message([] { narrow<std::uint16_t>(65'536, "flits of a packet"); }),
              "flits of a packet: expected at most 65535, found 65536");
    EXPECT_EQ(error_message([] { narrow<std::uint16_t>(-1, "hops"); }), "hops: expected at most 65535, found -1");
}

}  // namespace
}  // namespace nocbench
