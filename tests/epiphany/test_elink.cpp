// Off-chip link of an Epiphany machine, one rule at a time: service times, start and end of bursts, and back pressure.
// Times are those of the architecture file.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/mesh/elink.h"
#include "tests/epiphany/epiphany_machine.h"

namespace nocbench {

namespace {

constexpr std::size_t kDword = 8;

class ElinkTest : public testing::Test {
protected:
    [[nodiscard]] Tick in_core_ticks(Tick link_ticks) const { return link_ticks * clock_hz / constants.clock_hz; }

    /// Returns the completion times of dword writes to `addresses`, sent by a core or a DMA engine in tick 0.
    [[nodiscard]] std::vector<Tick> done(const std::vector<std::uint64_t>& addresses, bool is_dma = false) {
        Elink link(constants, clock_hz);
        std::vector<Tick> ends;
        ends.reserve(addresses.size());
        for (const std::uint64_t address : addresses) {
            ends.push_back(link.write(address, kDword, is_dma, 0).done);
        }
        return ends;
    }

    const Architecture& architecture = test::epiphany();
    const ElinkConstants& constants = epiphany_of(architecture).elink;
    const std::int64_t clock_hz = architecture.board("").clock_hz;
    const Tick single = in_core_ticks(constants.single_write_ticks);
    const Tick in_burst = in_core_ticks(constants.burst_write_ticks);
};

TEST_F(ElinkTest, ServesOneWriteAfterTheOther) {
    // Descending addresses form no bursts.
    EXPECT_EQ(done({800, 400, 0}), (std::vector<Tick>{single, 2 * single, 3 * single}));
    const Tick of_engine = in_core_ticks(constants.dma_single_write_ticks);
    EXPECT_EQ(done({800, 400}, true), (std::vector<Tick>{of_engine, 2 * of_engine}));
    Elink link(constants, clock_hz);
    link.write(0, kDword, false, 0);
    EXPECT_EQ(link.write(800, kDword, false, 10 * single).done, 11 * single) << "an idle link begins at once";
}

TEST_F(ElinkTest, AWriteToTheNextAddressContinuesABurst) {
    ASSERT_LT(in_burst, single);
    EXPECT_EQ(done({0, 8, 16}), (std::vector<Tick>{single, single + in_burst, single + 2 * in_burst}));
    EXPECT_EQ(done({0, 16}), (std::vector<Tick>{single, 2 * single})) << "a dword is left out";
    EXPECT_EQ(done({8, 0}), (std::vector<Tick>{single, 2 * single})) << "backwards";
    EXPECT_EQ(done({8, 8}), (std::vector<Tick>{single, 2 * single})) << "the same one again";
    EXPECT_EQ(done({0, 8, 24, 32}),
              (std::vector<Tick>{single, single + in_burst, 2 * single + in_burst, 2 * single + 2 * in_burst}));
    const Tick of_engine = in_core_ticks(constants.dma_single_write_ticks);
    const Tick burst_of_engine = in_core_ticks(constants.dma_burst_write_ticks);
    EXPECT_EQ(done({0, 8}, true), (std::vector<Tick>{of_engine, of_engine + burst_of_engine}));
}

TEST_F(ElinkTest, OnlyDwordsMakeBursts) {
    Elink link(constants, clock_hz);
    link.write(0, 4, false, 0);
    EXPECT_EQ(link.write(4, 4, false, 0).done, 2 * single);
    EXPECT_EQ(link.write(8, kDword, false, 0).done, 3 * single) << "behind a word";
    EXPECT_EQ(link.write(16, 4, false, 0).done, 4 * single) << "a word behind a dword";
}

TEST_F(ElinkTest, ABurstGoesOnWhileTheWriteBeforeIsThere) {
    for (const Tick late : {Tick{0}, Tick{1}}) {
        Elink link(constants, clock_hz);
        link.write(0, kDword, false, 0);
        const Tick arrival = single + late;
        EXPECT_EQ(link.write(8, kDword, false, arrival).done, arrival + (late == 0 ? in_burst : single)) << late;
    }
}

TEST_F(ElinkTest, ABurstThatFillsTheBufferIsInterrupted) {
    Elink link(constants, clock_hz);
    std::uint64_t address = 0;
    for (std::int64_t count = 1; count < constants.burst_buffer_transactions; ++count) {
        EXPECT_EQ(link.write(address, kDword, false, 0).closed_until, std::nullopt) << count;
        address += kDword;
    }
    const Elink::Service last = link.write(address, kDword, false, 0);
    EXPECT_EQ(last.done, single + (constants.burst_buffer_transactions - 1) * in_burst);
    EXPECT_EQ(last.closed_until, in_core_ticks(constants.burst_restart_ticks));
    // A new burst begins although the address is consecutive and the previous write is still in the buffer.
    const Tick again = in_core_ticks(constants.burst_restart_ticks);
    ASSERT_LE(again, last.done);
    EXPECT_EQ(link.write(address + kDword, kDword, false, again).done, last.done + single);
}

TEST_F(ElinkTest, SingleWritesFillTheBuffer) {
    Elink link(constants, clock_hz);
    const auto room = static_cast<std::size_t>(constants.write_buffer_transactions);
    std::vector<std::optional<Tick>> closed;
    closed.reserve(room + 2);
    for (std::int64_t count = 0; count < constants.write_buffer_transactions + 2; ++count) {
        closed.push_back(link.write(1000 - 16 * static_cast<std::uint64_t>(count), kDword, false, 0).closed_until);
    }
    for (std::size_t count = 0; count + 1 < room; ++count) {
        EXPECT_EQ(closed[count], std::nullopt) << count;
    }
    EXPECT_EQ(closed[room - 1], single) << "until the first of them is done";
    EXPECT_EQ(closed[room], 2 * single);
    EXPECT_EQ(closed[room + 1], 3 * single);
}

TEST_F(ElinkTest, BurstsOfAnEngineAreTakenInAsTheyAreServed) {
    const Tick of_engine = in_core_ticks(constants.dma_single_write_ticks);
    Elink link(constants, clock_hz);
    EXPECT_EQ(constants.dma_burst_buffer_transactions, 2);
    EXPECT_EQ(link.write(0, kDword, true, 0).closed_until, std::nullopt);
    EXPECT_EQ(link.write(8, kDword, true, 0).closed_until, of_engine) << "until the first one is done";
}

TEST_F(ElinkTest, ReadsComeBackInTurnAndThoseOfAnEngineApart) {
    const Tick latency = in_core_ticks(constants.read_latency_ticks);
    const Tick of_core = in_core_ticks(constants.read_ticks);
    Elink link(constants, clock_hz);
    EXPECT_EQ(link.read(std::nullopt, 0).done, of_core + latency);
    EXPECT_EQ(link.read(std::nullopt, 0).done, 2 * of_core + latency);
    const Tick of_engine = in_core_ticks(constants.dma_read_ticks);
    const Tick interval = in_core_ticks(constants.same_engine_read_interval_ticks);
    ASSERT_LT(2 * of_engine, 2 * interval);
    Elink engines(constants, clock_hz);
    EXPECT_EQ(engines.read(0, 0).done, of_engine + latency);
    EXPECT_EQ(engines.read(0, 0).done, of_engine + latency + interval) << "the same engine";
    EXPECT_EQ(engines.read(0, 0).done, of_engine + latency + 2 * interval);
    EXPECT_EQ(engines.read(3, 0).done, 4 * of_engine + latency) << "another engine, in its turn";
}

TEST_F(ElinkTest, ReadsFillABufferOfTheirOwn) {
    const Tick of_core = in_core_ticks(constants.read_ticks);
    Elink link(constants, clock_hz);
    link.write(0, kDword, false, 0);
    for (std::int64_t count = 1; count < constants.read_buffer_transactions; ++count) {
        ASSERT_EQ(link.read(std::nullopt, 0).closed_until, std::nullopt) << count;
    }
    EXPECT_EQ(link.read(std::nullopt, 0).closed_until, of_core) << "until the first of them has been served";
    EXPECT_EQ(link.read(std::nullopt, 0).closed_until, 2 * of_core);
}

}  // namespace

}  // namespace nocbench
