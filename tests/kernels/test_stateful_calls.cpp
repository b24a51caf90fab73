// Stateful reads and writes of one packet each, after a common set-up.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/tensix/dataflow_api.h"
#include "kernels/tensix/stateful_transfers.h"
#include "tests/support/error_message.h"
#include "tests/support/machine.h"

namespace nocbench::test {

namespace {

using namespace nocbench::dataflow;

constexpr LogicalCoordinate kOther{3, 2};

class StatefulCalls : public testing::TestWithParam<std::string> {
protected:
    std::uint64_t there(std::uint32_t address) { return get_noc_addr(machine_.x(kOther), machine_.y(kOther), address); }
    std::string complaint(std::function<void()> kernel) {
        return error_message([&] { machine_.run_kernel(std::move(kernel)); });
    }

    Machine machine_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Boards, StatefulCalls, testing::ValuesIn(all_boards()),
                         [](const auto& one) { return one.param; });

TEST_P(StatefulCalls, WritesGoToTheAddressesThatTheyName) {
    const std::vector<std::byte> data = random_bytes(4096, 1);
    machine_.device().write_l1({0, 0}, kBuffer, data);
    machine_.run_kernel([&] {
        noc_async_write_one_packet_set_state(there(0x1234), 1024);
        for (std::uint32_t packet = 0; packet < 4; ++packet) {
            noc_async_write_one_packet_with_state(kBuffer + packet * 1024, kBuffer + (3 - packet) * 1024);
        }
        noc_async_write_barrier();
    });
    for (std::uint32_t packet = 0; packet < 4; ++packet) {
        const auto begin = data.begin() + std::ptrdiff_t{1024} * packet;
        EXPECT_EQ(first_difference(machine_.device().read_l1(kOther, kBuffer + (3 - packet) * 1024, 1024),
                                   {begin, begin + 1024}),
                  "");
    }
}

TEST_P(StatefulCalls, PostedWritesArriveToo) {
    const std::vector<std::byte> data = random_bytes(512, 2);
    machine_.device().write_l1({0, 0}, kBuffer, data);
    machine_.run_kernel([&] {
        noc_async_write_one_packet_set_state<true>(there(0), 512);
        noc_async_write_one_packet_with_state<true>(kBuffer, kBuffer);
        noc_async_posted_writes_flushed();
    });
    EXPECT_EQ(first_difference(machine_.device().read_l1(kOther, kBuffer, 512), data), "");
}

TEST_P(StatefulCalls, ReadsComeFromTheAddressesThatTheyName) {
    const std::vector<std::byte> data = random_bytes(4096, 3);
    machine_.device().write_l1(kOther, kBuffer, data);
    machine_.run_kernel([&] {
        noc_async_read_one_packet_set_state(there(0x40), 2048);
        noc_async_read_one_packet_with_state(kBuffer, kBuffer + 2048);
        noc_async_read_one_packet_with_state(kBuffer + 2048, kBuffer);
        noc_async_read_barrier();
    });
    EXPECT_EQ(
        first_difference(machine_.device().read_l1({0, 0}, kBuffer + 2048, 2048), {data.begin(), data.begin() + 2048}),
        "");
    EXPECT_EQ(first_difference(machine_.device().read_l1({0, 0}, kBuffer, 2048), {data.begin() + 2048, data.end()}),
              "");
}

/// Reads and writes have separate states.
TEST_P(StatefulCalls, ReadsAndWritesDoNotDisturbEachOther) {
    const std::vector<std::byte> here = random_bytes(64, 4);
    const std::vector<std::byte> other = random_bytes(64, 5);
    machine_.device().write_l1({0, 0}, kBuffer, here);
    machine_.device().write_l1(kOther, kBuffer, other);
    machine_.run_kernel([&] {
        noc_async_write_one_packet_set_state(there(0), 64);
        noc_async_read_one_packet_set_state(there(0), 64);
        noc_async_write_one_packet_with_state(kBuffer, kBuffer + 64);
        noc_async_read_one_packet_with_state(kBuffer, kBuffer + 64);
        noc_async_write_barrier();
        noc_async_read_barrier();
    });
    EXPECT_EQ(first_difference(machine_.device().read_l1(kOther, kBuffer + 64, 64), here), "");
    EXPECT_EQ(first_difference(machine_.device().read_l1({0, 0}, kBuffer + 64, 64), other), "");
}

TEST_P(StatefulCalls, TransfersOfAnyLengthAreCutIntoPackets) {
    for (const std::uint32_t size : {1U, 100U, machine_.packet_bytes(), machine_.packet_bytes() + 1, 50000U}) {
        Machine machine(GetParam());
        const std::vector<std::byte> data = random_bytes(size, size);
        machine.device().write_l1({0, 0}, kBuffer, data);
        machine.run_kernel([&] {
            const std::uint64_t other = get_noc_addr(machine.x(kOther), machine.y(kOther), kBuffer);
            write_statefully(kBuffer, other, size, 3);
            noc_async_write_barrier();
            read_statefully(other, kBuffer + 0x10000, size, 2);
            noc_async_read_barrier();
        });
        EXPECT_EQ(first_difference(machine.device().read_l1(kOther, kBuffer, size), data), "");
        EXPECT_EQ(first_difference(machine.device().read_l1({0, 0}, kBuffer + 0x10000, size), data), "");
    }
}

TEST_P(StatefulCalls, NeedAState) {
    EXPECT_EQ(complaint([] { noc_async_write_one_packet_with_state(kBuffer, kBuffer); }),
              "kernel 'kernel' on core (0, 0) riscv_0: noc_async_write_one_packet_with_state: expected "
              "noc_async_write_one_packet_set_state before it, with no other such call since, found none");
}

TEST_P(StatefulCalls, LoseTheirStateToOtherCalls) {
    EXPECT_EQ(complaint([&] {
                  noc_async_write_one_packet_set_state(there(0), 64);
                  noc_async_write(kBuffer, there(kBuffer), 64);
                  noc_async_write_one_packet_with_state(kBuffer, kBuffer);
              }),
              "kernel 'kernel' on core (0, 0) riscv_0: noc_async_write_one_packet_with_state: expected "
              "noc_async_write_one_packet_set_state before it, with no other such call since, found none");
}

TEST_P(StatefulCalls, OfReadsLoseTheirStateToOtherReads) {
    EXPECT_EQ(complaint([&] {
                  noc_async_read_one_packet_set_state(there(0), 64);
                  noc_async_read_one_packet_with_state(kBuffer, kBuffer);
                  noc_async_read(there(kBuffer), kBuffer, 64);
                  noc_async_read_one_packet_with_state(kBuffer, kBuffer);
              }),
              "kernel 'kernel' on core (0, 0) riscv_0: noc_async_read_one_packet_with_state: expected "
              "noc_async_read_one_packet_set_state before it, with no other such call since, found none");
}

TEST_P(StatefulCalls, TakeOnePacketAtMost) {
    const std::uint32_t size = machine_.packet_bytes() + 1;
    EXPECT_EQ(complaint([&] { noc_async_read_one_packet_set_state(there(0), size); }),
              "kernel 'kernel' on core (0, 0) riscv_0: noc_async_read_one_packet_set_state: size: expected at most one "
              "packet of " +
                  std::to_string(size - 1) + " bytes, found " + std::to_string(size));
}

TEST_P(StatefulCalls, ArePostedOrNotAsSetUp) {
    EXPECT_EQ(
        complaint([&] {
            noc_async_write_one_packet_set_state(there(0), 64);
            noc_async_write_one_packet_with_state<true>(kBuffer, kBuffer);
        }),
        "kernel 'kernel' on core (0, 0) riscv_0: noc_async_write_one_packet_with_state: expected non-posted writes, "
        "as they were set up, found posted ones");
}

TEST_P(StatefulCalls, AreCheckedLikeOthers) {
    EXPECT_EQ(complaint([&] {
                  noc_async_write_one_packet_set_state(there(0), 64);
                  noc_async_write_one_packet_with_state(kBuffer, kBuffer + 1);
              }),
              "kernel 'kernel' on core (0, 0) riscv_0: noc_async_write_one_packet_with_state: source 0x40000 and "
              "destination 0x40001: expected the same remainder modulo 16, found 0 and 1");
}

/// Expects the measured times of a single call and of each further call.
TEST_P(StatefulCalls, CostASetUpAndThenLess) {
    const auto latency = [&](int writes) {
        Machine machine(GetParam());
        machine.run_kernel([&] {
            const std::uint64_t other = get_noc_addr(machine.x(kOther), machine.y(kOther), kBuffer);
            const ScopedZone zone("zone");
            write_statefully(kBuffer, other, 64, static_cast<std::uint32_t>(writes));
        });
        return cycles(machine.result().zone("zone"));
    };
    const RiscConstants& cost = machine_.architecture().risc;
    EXPECT_EQ(latency(40) - latency(20), 20.0 * static_cast<double>(cost.stateful_write_call_ticks) / kTicksPerCycle);
    EXPECT_EQ(latency(1), static_cast<double>(cost.zone_ticks + cost.set_state_ticks + cost.stateful_write_call_ticks) /
                              kTicksPerCycle);
}

}  // namespace

}  // namespace nocbench::test
