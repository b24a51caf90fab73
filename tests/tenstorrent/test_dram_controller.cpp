// Controller of a DRAM channel, one rule at a time: sharing of banks and subchannels, service intervals, and departure
// of data. Rates and sizes are those of the architecture files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/endpoints/dram_controller.h"
#include "tests/support/machine.h"

namespace nocbench {

namespace {

/// Unused controller, with the constants of its chip and memory.
class Channel {
public:
    explicit Channel(const std::string& board) : Channel(test::architecture_of(board), board) {}
    Channel(const Architecture& architecture, const std::string& board)
        : flit_bytes(static_cast<std::uint64_t>(torus_of(architecture).router.flit_bytes)),
          constants(torus_of(architecture).dram),
          memory(torus_of(architecture.board(board)).memory_constants),
          controller(constants, memory, torus_of(architecture).router.flit_bytes) {}

    /// Return the address of the last flit of a bank, and of the last flit of a subchannel.
    [[nodiscard]] std::uint64_t end_of_bank() const {
        return static_cast<std::uint64_t>(memory.bank_interleave_bytes) - flit_bytes;
    }
    [[nodiscard]] std::uint64_t end_of_subchannel() const {
        return static_cast<std::uint64_t>(memory.subchannel_interleave_bytes) - flit_bytes;
    }
    /// Returns the time between the two flits of a read at `address` on an idle controller.
    [[nodiscard]] Tick interval_of_reads(std::uint64_t address) const {
        DramController idle(constants, memory, static_cast<std::int64_t>(flit_bytes));
        return idle.read(address, 2, 0).ticks_per_flit;
    }
    /// Returns the cycle in which the second of two writes that arrive in cycle 0 is served.
    [[nodiscard]] Cycle second_write(std::uint64_t first, std::uint64_t second) const {
        DramController idle(constants, memory, static_cast<std::int64_t>(flit_bytes));
        idle.write(first, 0, kWholeBursts);
        return idle.write(second, 0, kWholeBursts).begin_cycle;
    }

    std::uint64_t flit_bytes;
    DramConstants constants;
    MemoryConstants memory;
    DramController controller;
};

const std::vector<std::string> kChips{"n150", "p100", "p150"};

constexpr BurstPart kFirstHalf = part_of_burst(0, 64, 128);

/// Returns the earliest cycle for the next flit, given the time that a flit occupies a subchannel or bank.
Cycle ready_after(Tick ticks) { return cycle_at_or_after(ticks); }

TEST(DramController, ServesAFlitThatArrivesAtAnIdleBankAtOnce) {
    for (const std::string& chip : kChips) {
        Channel channel(chip);
        EXPECT_EQ(channel.controller.write(0, 100, kWholeBursts).begin_cycle, 100) << chip;
        Channel other(chip);
        const ReadService read = other.controller.read(0, 1, 100);
        EXPECT_EQ(read.first_data_cycle, 100 + other.memory.read_latency_cycles) << chip;
        EXPECT_EQ(read.expected_cycle, read.first_data_cycle) << chip;
    }
}

TEST(DramController, TheSameBankTakesTheNextFlitWhenItIsReady) {
    for (const std::string& chip : kChips) {
        const Channel channel(chip);
        const Tick interval =
            std::max(channel.memory.bank_write_ticks_per_flit, channel.memory.subchannel_write_ticks_per_flit);
        EXPECT_EQ(channel.second_write(0, channel.flit_bytes), ready_after(interval)) << chip;
        EXPECT_EQ(channel.second_write(0, channel.end_of_bank()), ready_after(interval)) << chip;
        EXPECT_EQ(channel.interval_of_reads(0),
                  std::max(channel.memory.bank_read_ticks_per_flit, channel.memory.subchannel_read_ticks_per_flit))
            << chip;
        // The flit is ready in this cycle, not in the previous one.
        const Cycle ready = ready_after(interval);
        for (const Cycle arrival : {ready - 1, ready, ready + 1}) {
            Channel again(chip);
            again.controller.write(0, 0, kWholeBursts);
            EXPECT_EQ(again.controller.write(channel.flit_bytes, arrival, kWholeBursts).begin_cycle,
                      std::max(arrival, ready))
                << chip << ", cycle " << arrival;
        }
    }
}

/// Blackhole's banks are slower than its subchannels, which shows the end of a bank.
TEST(DramController, AnotherBankTakesTheNextFlitAsSoonAsTheSubchannelDoes) {
    const Channel channel("p100");
    ASSERT_LT(channel.memory.subchannel_read_ticks_per_flit, channel.memory.bank_read_ticks_per_flit);
    ASSERT_LT(ready_after(channel.memory.subchannel_write_ticks_per_flit * 100),
              ready_after(channel.memory.bank_write_ticks_per_flit * 100));
    EXPECT_EQ(channel.interval_of_reads(channel.end_of_bank()), channel.memory.subchannel_read_ticks_per_flit);
    EXPECT_EQ(channel.interval_of_reads(channel.end_of_bank() - channel.flit_bytes),
              channel.memory.bank_read_ticks_per_flit)
        << "both are in the first bank";
    const auto bank_bytes = static_cast<std::uint64_t>(channel.memory.bank_interleave_bytes);
    EXPECT_EQ(channel.interval_of_reads(bank_bytes), channel.memory.bank_read_ticks_per_flit)
        << "both are in the second bank";
}

TEST(DramController, ALateBankDoesNotHoldUpItsSubchannel) {
    Channel channel("p100");
    constexpr int kFlits = 100;
    for (int flit = 0; flit < kFlits; ++flit) {
        channel.controller.write(0, 0, kWholeBursts);
    }
    EXPECT_EQ(
        channel.controller.write(static_cast<std::uint64_t>(channel.memory.bank_interleave_bytes), 0, kWholeBursts)
            .begin_cycle,
        ready_after(kFlits * channel.memory.subchannel_write_ticks_per_flit));
    EXPECT_EQ(channel.controller.write(0, 0, kWholeBursts).begin_cycle,
              ready_after(kFlits * channel.memory.bank_write_ticks_per_flit));
}

TEST(DramController, SubchannelsTransferAtTheSameTime) {
    const Channel channel("p100");
    ASSERT_EQ(channel.memory.subchannels, 2);
    const std::uint64_t end = channel.end_of_subchannel();
    EXPECT_EQ(channel.second_write(end, end + channel.flit_bytes), 0) << "the other subchannel is idle";
    EXPECT_EQ(channel.interval_of_reads(end), 0);
    EXPECT_EQ(channel.interval_of_reads(end - channel.flit_bytes), channel.memory.bank_read_ticks_per_flit)
        << "both are in the first subchannel";
    const auto subchannel_bytes = static_cast<std::uint64_t>(channel.memory.subchannel_interleave_bytes);
    EXPECT_EQ(channel.second_write(0, 2 * subchannel_bytes),
              ready_after(channel.memory.subchannel_write_ticks_per_flit))
        << "subchannels take turns";
}

/// With later firmware, the halves of a channel operate together: a page of any size is read at the rate of both.
TEST(DramController, HalvesOfAChannelCanWorkAsOne) {
    const Channel apart("p100");
    const Channel as_one("p100a");
    ASSERT_EQ(as_one.memory.subchannels, 1);
    EXPECT_LT(as_one.interval_of_reads(0), apart.interval_of_reads(0));
    const auto end_of_half = static_cast<std::uint64_t>(apart.memory.subchannel_interleave_bytes) - apart.flit_bytes;
    EXPECT_EQ(apart.second_write(end_of_half, end_of_half + apart.flit_bytes), 0);
    EXPECT_EQ(as_one.second_write(end_of_half, end_of_half + apart.flit_bytes),
              ready_after(as_one.memory.subchannel_write_ticks_per_flit));
}

/// A flit takes the subchannel for 2 cycles, and the read-modify-write of a burst for 4 * (1 + 2). Other writes to a
/// burst that is changed wait for 64 cycles. All writes arrive in cycle 0.
TEST(DramController, PartsOfABurstMergeAsLongAsTheFirstIsInTheWriteQueue) {
    const std::string board = "n150";
    Channel channel(test::architecture_of(board, {{"memory.subchannel_read_cycles_per_flit", "1"},
                                                  {"memory.bank_read_cycles_per_flit", "1"},
                                                  {"memory.subchannel_write_cycles_per_flit", "2"},
                                                  {"memory.bank_write_cycles_per_flit", "2"},
                                                  {"dram.partial_write_cycles", "64"},
                                                  {"dram.write_queue_bursts", "2"}}),
                    board);
    ASSERT_EQ(channel.constants.burst_bytes, 128);
    constexpr BurstPart kSecondHalf = part_of_burst(64, 128, 128);
    const auto write = [&](std::uint64_t address, BurstPart part) {
        const WriteService service = channel.controller.write(address, 0, part);
        return std::pair{service.begin_cycle, service.committed_cycle};
    };
    using Served = std::pair<Cycle, Cycle>;
    EXPECT_EQ(write(0, kFirstHalf), Served(0, 64));
    EXPECT_EQ(write(128, kFirstHalf), Served(2, 66)) << "the first is not changed yet";
    EXPECT_EQ(write(64, kSecondHalf), Served(4, 6)) << "both halves are written as one burst";
    EXPECT_EQ(write(256, kFirstHalf), Served(6, 70)) << "in the place of the whole burst";
    EXPECT_EQ(write(384, kFirstHalf), Served(8, 72)) << "the queue is full: the burst at 128 is changed";
    EXPECT_EQ(write(512, kWholeBursts), Served(22, 24));
    EXPECT_EQ(write(192, kSecondHalf), Served(66, 130)) << "too late; the burst at 256 is changed";
    EXPECT_EQ(write(512, kWholeBursts), Served(38, 40));
    EXPECT_EQ(write(384, kFirstHalf), Served(72, 136)) << "the same half again: what is in the queue is changed";
    EXPECT_EQ(write(512, kWholeBursts), Served(54, 56));
}

TEST(DramController, ThePartOfABurstHasABitForEach64th) {
    EXPECT_EQ(part_of_burst(0, 128, 128), kAllOfBurst);
    EXPECT_EQ(part_of_burst(0, 32, 128), 0xFFFFU);
    EXPECT_EQ(part_of_burst(96, 128, 128), BurstPart{0xFFFF} << 48);
    EXPECT_EQ(part_of_burst(32, 33, 128), 0x10000U) << "a bit is kept in part, too";
}

TEST(DramController, APartialBurstIsKeptForAReadAChangeAndAWrite) {
    const Channel channel("n150");
    ASSERT_GT(channel.constants.partial_write_ticks, channel.memory.bank_write_ticks_per_flit);
    const Cycle ready = ready_after(channel.constants.partial_write_ticks);
    for (const Cycle arrival : {Cycle{0}, ready - 1, ready}) {
        Channel partial("n150");
        EXPECT_EQ(partial.controller.write(0, 0, kFirstHalf).committed_cycle, ready);
        EXPECT_EQ(partial.controller.write(channel.flit_bytes, arrival, kWholeBursts).begin_cycle, ready);
    }
    Channel whole("n150");
    EXPECT_EQ(whole.controller.write(0, 0, kWholeBursts).committed_cycle,
              ready_after(channel.memory.subchannel_write_ticks_per_flit));
}

TEST(DramController, DataLeaveInTheOrderInWhichTheyWereAskedFor) {
    Channel channel("p100");
    constexpr int kFlits = 50;
    channel.controller.read(0, kFlits, 0);
    // The other subchannel serves this flit at once, but earlier flits leave first.
    const ReadService late =
        channel.controller.read(static_cast<std::uint64_t>(channel.memory.subchannel_interleave_bytes), 1, 0);
    EXPECT_EQ(late.first_data_cycle,
              ready_after((kFlits - 1) * channel.memory.bank_read_ticks_per_flit) + channel.memory.read_latency_cycles);
    EXPECT_EQ(late.expected_cycle, channel.memory.read_latency_cycles) << "had the channel been idle";
}

/// With a buffer of two flits, four come from one subchannel and three from the other. The fifth flit needs the third
/// one's entry, which is free after two intervals, and so on: three intervals instead of none.
TEST(DramController, AFlitThatIsReadNeedsAPlaceInTheBuffer) {
    const auto interval_of_further = [](std::int64_t places) {
        Architecture architecture = test::architecture_of("p100");
        torus_of(architecture).dram.read_buffer_bytes = places * torus_of(architecture).router.flit_bytes;
        Channel channel(architecture, "p100");
        channel.controller.read(0, 4, 0);
        return channel.controller.read(static_cast<std::uint64_t>(channel.memory.subchannel_interleave_bytes), 3, 0)
            .ticks_per_flit;
    };
    const Tick bank = Channel("p100").memory.bank_read_ticks_per_flit;
    EXPECT_EQ(interval_of_further(2), bank / 2) << "they leave after three, three and four intervals";
    EXPECT_EQ(interval_of_further(3), 0) << "they are there when the fourth leaves";
}

}  // namespace

}  // namespace nocbench
