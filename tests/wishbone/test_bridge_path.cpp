// Times of messages and their operations, by stage.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/wishbone/arch/constants.h"
#include "device_model/wishbone/bridge_path.h"

namespace nocbench::wishbone {

namespace {

constexpr std::size_t kWord = 4;

WishboneBoard board(const std::string& name) {
    static const Architecture architecture = load_architecture(find_architecture("etherbone"));
    return wishbone_of(architecture.board(name));
}

/// Path to an FPGA without other users, and the results of messages on this path.
class Rig {
public:
    explicit Rig(WishboneBoard board) : board_(std::move(board)), clock_(board_), path_(board_, slave_) {}

    [[nodiscard]] Tick ticks(std::int64_t nanoseconds) const { return clock_.ticks(nanoseconds); }

    /// Sends a message of `reads` consecutive reads behind a one-word header; its operations begin at `begun_ns`.
    Passage carry_out(Tick sent, int reads, Cycle acknowledge_cycles = 1) {
        const std::size_t bytes = kWord * static_cast<std::size_t>(reads + 1);
        arrival_ = path_.send(sent, bytes);
        path_.take_message();
        path_.pass(kWord);
        begun_ns_.clear();
        for (int read = 0; read < reads; ++read) {
            begun_ns_.push_back(path_.begin_operation(true, kWord));
            path_.end_operation(acknowledge_cycles);
        }
        path_.end_cycle();
        return path_.finish_message(bytes);
    }

    [[nodiscard]] BridgePath& path() { return path_; }
    [[nodiscard]] Tick arrival() const { return arrival_; }
    [[nodiscard]] const std::vector<std::int64_t>& begun_ns() const { return begun_ns_; }
    [[nodiscard]] SlaveOccupation& slave() { return slave_; }

private:
    WishboneBoard board_;
    BoardClock clock_;
    SlaveOccupation slave_;
    BridgePath path_;
    Tick arrival_ = 0;
    std::vector<std::int64_t> begun_ns_;
};

TEST(BridgePath, ClockIsExactForYears) {
    const BoardClock clock(board("scu3_pcie"));
    constexpr std::int64_t kDecadeNs = 315'576'000'000'000'000;
    for (const std::int64_t nanoseconds : {std::int64_t{0}, std::int64_t{8}, std::int64_t{999'999'999}}) {
        EXPECT_EQ(clock.nanoseconds(clock.ticks(nanoseconds)), nanoseconds);
    }
    EXPECT_EQ(clock.ticks(8), kTicksPerCycle);
    // The product of a decade's nanoseconds and the clock exceeds 64 bits, so conversion proceeds by seconds.
    EXPECT_EQ(clock.nanoseconds(clock.ticks(kDecadeNs / 1000)), kDecadeNs / 1000);
}

TEST(BridgePath, FramesFollowEachOtherOnTheWire) {
    const WishboneBoard gige = board("exploder_gige");
    const BridgeConstants& bridge = gige.wishbone.bridge;
    Rig rig(gige);
    const Tick first = rig.path().send(0, 100);
    EXPECT_EQ(rig.path().send(0, 4) - first,
              rig.ticks((bridge.frame_head_bytes + 100 + bridge.frame_tail_bytes) * bridge.byte_ns));
    // A short frame is padded.
    const Tick third = rig.path().send(0, 4);
    EXPECT_EQ(rig.path().send(0, 4) - third,
              rig.ticks((bridge.frame_head_bytes + bridge.frame_payload_bytes_min + bridge.frame_tail_bytes) *
                        bridge.byte_ns));
    // Switches and fibre add a constant delay.
    WishboneBoard far = gige;
    far.switches += 2;
    far.fibre_metres += 1000;
    Rig far_rig(far);
    EXPECT_EQ(far_rig.path().send(0, 100) - first,
              rig.ticks(2 * bridge.switch_ns + bridge.fibre_picoseconds_per_metre));
}

TEST(BridgePath, OperationsComeAtTheRateOfTheWire) {
    const WishboneBoard gige = board("exploder_gige");
    Rig rig(gige);
    rig.carry_out(0, 40);
    for (std::size_t read = 1; read < rig.begun_ns().size(); ++read) {
        EXPECT_EQ(rig.begun_ns()[read] - rig.begun_ns()[read - 1], 32) << read;
    }
    WishboneBoard fast = gige;
    fast.wishbone.bridge.byte_ns = 1;
    Rig fast_rig(fast);
    fast_rig.carry_out(0, 40);
    // The slave takes at least one clock cycle per word.
    EXPECT_EQ(fast_rig.begun_ns()[9] - fast_rig.begun_ns()[8], 8 * gige.wishbone.fpga.slave_word_cycles);
}

TEST(BridgePath, SlaveHasSoManyOperationsInFlight) {
    const WishboneBoard gige = board("exploder_gige");
    constexpr Cycle kAcknowledgeCycles = 1000;
    Rig rig(gige);
    rig.carry_out(0, 40, kAcknowledgeCycles);
    const auto in_flight = static_cast<std::size_t>(gige.wishbone.fpga.operations_in_flight_max);
    EXPECT_EQ(rig.begun_ns()[in_flight - 1] - rig.begun_ns()[0], 32 * (static_cast<std::int64_t>(in_flight) - 1));
    // The next operation waits until the first one's acknowledgement has returned through the crossbar.
    EXPECT_EQ(rig.begun_ns()[in_flight] - rig.begun_ns()[0],
              8 * (kAcknowledgeCycles + 2 * gige.wishbone.fpga.crossbar_cycles));
}

TEST(BridgePath, NextCycleWaitsForTheLastAcknowledgement) {
    const WishboneBoard gige = board("exploder_gige");
    constexpr Cycle kAcknowledgeCycles = 1000;
    Rig rig(gige);
    rig.carry_out(0, 1, kAcknowledgeCycles);
    const std::int64_t first = rig.begun_ns()[0];
    rig.carry_out(0, 1);
    EXPECT_GE(rig.begun_ns()[0] - first, 8 * kAcknowledgeCycles);
}

TEST(BridgePath, AnswerLeavesWhileTheRequestComesIn) {
    const WishboneBoard gige = board("exploder_gige");
    Rig rig(gige);
    const Passage few = rig.carry_out(0, 10);
    const Passage many = rig.carry_out(few.answered, 110);
    const Tick more = (many.answered - few.answered) - (few.answered - 0);
    EXPECT_EQ(more, rig.ticks(100 * 32));  // one word time per operation, not two
}

TEST(BridgePath, DriverReadsTheBusForEachRead) {
    const WishboneBoard pcie = board("scu3_pcie");
    Rig rig(pcie);
    const Passage two = rig.carry_out(0, 2);
    const Passage five = rig.carry_out(two.answered, 5);
    EXPECT_EQ((five.answered - two.answered) - two.answered, rig.ticks(3 * pcie.wishbone.host.word_read_ns));
    EXPECT_EQ(two.written, two.answered);
    // Writes are posted.
    rig.path().send(0, 8);
    rig.path().take_message();
    const std::int64_t first = rig.path().begin_operation(false, kWord);
    rig.path().end_operation(1);
    EXPECT_EQ(rig.path().begin_operation(false, kWord), first);
}

TEST(BridgePath, UsbCompletesByInterrupts) {
    const WishboneBoard usb = board("t5810_usb");
    const Tick interval = BoardClock(usb).ticks(usb.wishbone.host.interrupt_interval_ns);
    Rig rig(usb);
    Tick before = rig.carry_out(0, 3).answered;
    for (const int reads : {1, 8, 20}) {
        const Tick answered = rig.carry_out(before, reads).answered;
        EXPECT_EQ(answered - before, 2 * interval) << reads;
        before = answered;
    }
}

/// A slow device's time is booked to the bus, including both crossbar traversals; the remaining time is the wire's.
TEST(BridgePath, StagesHaveTheirCauses) {
    const WishboneBoard gige = board("exploder_gige");
    const BridgeConstants& bridge = gige.wishbone.bridge;
    constexpr Cycle kAcknowledgeCycles = 1000;
    Rig rig(gige);
    const Passage passage = rig.carry_out(0, 3, kAcknowledgeCycles);
    std::vector<std::pair<Cause, Tick>> stages;
    Tick begin = 0;
    for (const Stage& stage : passage.stages) {
        stages.emplace_back(stage.cause, stage.end - begin);
        begin = stage.end;
    }
    const Tick software = rig.ticks(gige.wishbone.host.network_ns) / 2;
    const Tick latency = rig.ticks(bridge.latency_ns + gige.switches * bridge.switch_ns +
                                   gige.fibre_metres * bridge.fibre_picoseconds_per_metre / 1000);
    const auto wire = [&](std::int64_t bytes) { return rig.ticks(bytes * bridge.byte_ns); };
    ASSERT_EQ(stages.size(), 8U);
    EXPECT_EQ(stages[0], std::pair(Cause::driver, software));
    EXPECT_EQ(stages[1], std::pair(Cause::link, Tick{0})) << "the wire is free";
    EXPECT_EQ(stages[2], std::pair(Cause::round_trip, latency + wire(bridge.frame_head_bytes + 4)));
    EXPECT_EQ(stages[3], std::pair(Cause::link, wire(3 * 4))) << "three more words";
    EXPECT_EQ(stages[4],
              std::pair(Cause::bus, ticks_from_cycles(kAcknowledgeCycles + 2 * gige.wishbone.fpga.crossbar_cycles)));
    EXPECT_EQ(stages[5].first, Cause::link) << "the rest of the answer";
    EXPECT_EQ(stages[6], std::pair(Cause::round_trip, latency));
    EXPECT_EQ(stages[7], std::pair(Cause::driver, software));
}

TEST(BridgePath, AnswersFollowEachOtherOnTheWire) {
    const WishboneBoard gige = board("exploder_gige");
    const BridgeConstants& bridge = gige.wishbone.bridge;
    Rig rig(gige);
    const auto answer_sent = [](const Passage& passage) { return passage.stages[5].end; };
    // The slave is still busy with the first message when the second arrives.
    const Passage first = rig.carry_out(0, 1, 1000);
    const Passage second = rig.carry_out(0, 1);
    ASSERT_LT(second.stages[2].end, first.stages[4].end) << "the second one comes too late";
    EXPECT_EQ(answer_sent(second) - answer_sent(first),
              rig.ticks((bridge.frame_head_bytes + bridge.frame_payload_bytes_min + bridge.frame_tail_bytes) *
                        bridge.byte_ns));
}

TEST(BridgePath, StagesFollowEachOther) {
    for (const char* const name : {"scu3_pcie", "scu3_gige", "exploder_usb", "rio4_vme"}) {
        Rig rig(board(name));
        const Passage passage = rig.carry_out(rig.ticks(1000), 5);
        EXPECT_TRUE(std::ranges::is_sorted(passage.stages, {}, &Stage::end)) << name;
        EXPECT_EQ(passage.stages.back().end, passage.answered) << name;
        EXPECT_GE(passage.departure(), rig.ticks(1000)) << name;
        EXPECT_LE(passage.arrival(), passage.answered) << name;
    }
}

// Answers that the FPGA writes to memory need no driver reads; otherwise the driver reads each word.
TEST(BridgePath, AnswersReadWordByWord) {
    WishboneBoard board_with_fifo = board("scu3_pcie");
    board_with_fifo.wishbone.bridge.executes_in_driver = 0;
    WishboneBoard board_with_word_reads = board_with_fifo;
    board_with_word_reads.wishbone.bridge.driver_reads_answers = 1;
    const auto more_for_ten_words = [](const WishboneBoard& board) {
        Rig rig(board);
        const Tick few = rig.carry_out(0, 10).answered;
        const Tick many = rig.carry_out(few, 20).answered - few;
        return BoardClock(board).nanoseconds(many - few);
    };
    EXPECT_NEAR(static_cast<double>(more_for_ten_words(board_with_word_reads)),
                static_cast<double>(10 * board_with_fifo.wishbone.host.word_read_ns), 100);
    EXPECT_LT(more_for_ten_words(board_with_fifo), 1000);
}

}  // namespace

}  // namespace nocbench::wishbone
