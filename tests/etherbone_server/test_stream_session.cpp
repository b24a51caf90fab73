// Stream of bytes, split anywhere, and its cost in modeled time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/wishbone/arch/constants.h"
#include "device_model/wishbone/server/served_fpga.h"
#include "device_model/wishbone/server/stream_session.h"

namespace nocbench::etherbone_server {
namespace {

using wishbone::Bytes;
using wishbone::ByteView;
using wishbone::Record;

constexpr wishbone::WireFormat kFormat;

WishboneBoard board_called(const std::string& name) {
    return wishbone_of(load_architecture(find_architecture("etherbone"), name).board(name));
}

Bytes probe() {
    Bytes bytes;
    wishbone::append_probe(bytes, {.is_probe = true, .address_widths = 0xf, .port_widths = 0xf}, 1);
    return bytes;
}

Record read_of(std::uint64_t address, bool ends_cycle, std::size_t count = 1) {
    return {.ends_cycle = ends_cycle,
            .select = 0xf,
            .return_address = 0x8000,
            .read_addresses = std::vector<std::uint64_t>(count, address)};
}

Bytes encoded(const std::vector<Record>& records) {
    Bytes bytes;
    for (const Record& record : records) {
        wishbone::append_record(bytes, record, kFormat);
    }
    return bytes;
}

Bytes joined(const Bytes& first, const Bytes& second) {
    Bytes bytes = first;
    bytes.insert(bytes.end(), second.begin(), second.end());
    return bytes;
}

/// Returns cycles that read the modeled time.
std::vector<Record> cycles() {
    std::vector<Record> records;
    for (std::size_t count = 1; count < 40; ++count) {
        records.push_back(read_of(wishbone::kEventUnitAddress + 0x1c, false, count));
        records.push_back({.select = 0xf, .write_address = 0x100, .writes = {count, 2, 3}});
        records.push_back(read_of(wishbone::kEventUnitAddress + 0x1c, true));
    }
    return records;
}

Bytes conversation() { return joined(probe(), encoded(cycles())); }

/// Returns the end positions of the conversation's cycles.
std::set<std::size_t> ends_of_cycles() {
    std::set<std::size_t> ends;
    std::size_t end = probe().size();
    for (const Record& record : cycles()) {
        end += wishbone::record_bytes(record, kFormat);
        if (record.ends_cycle) {
            ends.insert(end);
        }
    }
    return ends;
}

// A client that queues cycles and sends them at once pays the round trip once. A client that waits for each answer pays
// the round trip for each cycle.
TEST(StreamSession, CyclesThatAreSentAtOnceAreOneMessage) {
    constexpr std::int64_t kCycles = 10;
    const Bytes cycle = encoded({read_of(0x30000, true)});
    ServedFpga waiting_fpga(board_called("scu3_pcie"), {}, TimeSource::modeled);
    ServedFpga queueing_fpga(board_called("scu3_pcie"), {}, TimeSource::modeled);
    StreamSession waiting(waiting_fpga, false);
    StreamSession queueing(queueing_fpga, false);
    Bytes answer;
    ASSERT_TRUE(waiting.take(probe(), answer));
    ASSERT_TRUE(queueing.take(probe(), answer));
    Bytes all;
    for (std::int64_t number = 0; number < kCycles; ++number) {
        ASSERT_TRUE(waiting.take(cycle, answer));
        all = joined(all, cycle);
    }
    ASSERT_TRUE(queueing.take(all, answer));
    // Per cycle: three calls of 600 ns, and 14,235 ns in the driver.
    EXPECT_EQ(waiting_fpga.now_ns() - queueing_fpga.now_ns(), (kCycles - 1) * (1800 + 14'235));
}

// Splits are within cycles, since after a whole cycle a client may be waiting.
TEST(StreamSession, AnswersAndTimesDoNotDependOnCuts) {
    const Bytes bytes = conversation();
    const std::set<std::size_t> ends = ends_of_cycles();
    for (const char* const board : {"scu3_pcie", "exploder_usb", "scu3_gige"}) {
        ServedFpga whole_fpga(board_called(board), {}, TimeSource::modeled);
        StreamSession whole(whole_fpga, true);
        Bytes expected;
        ASSERT_TRUE(whole.take(bytes, expected));
        EXPECT_EQ(expected.size(), bytes.size());
        std::mt19937 draw(5);  // NOLINT(bugprone-random-generator-seed): the same cuts in each run
        for (const std::size_t piece_max : {1U, 3U, 50U, 4000U}) {
            ServedFpga fpga(board_called(board), {}, TimeSource::modeled);
            StreamSession session(fpga, true);
            Bytes answer;
            for (ByteView rest = bytes; !rest.empty();) {
                std::size_t piece = std::min<std::size_t>(rest.size(), 1 + draw() % piece_max);
                if (piece < rest.size() && ends.contains(bytes.size() - rest.size() + piece)) {
                    ++piece;
                }
                ASSERT_TRUE(session.take(rest.first(piece), answer));
                rest = rest.subspan(piece);
            }
            EXPECT_EQ(answer, expected);
            EXPECT_EQ(fpga.now_ns(), whole_fpga.now_ns());
        }
    }
}

TEST(StreamSession, KeepsAnOpenCycleUntilItIsCarriedOut) {
    ServedFpga fpga(board_called("scu3_pcie"), {}, TimeSource::modeled);
    StreamSession session(fpga, false);
    Bytes answer;
    ASSERT_TRUE(session.take(joined(probe(), encoded({read_of(0x30000, false)})), answer));
    EXPECT_EQ(answer.size(), wishbone::kProbeBytes);
    EXPECT_EQ(fpga.now_ns(), 0);
    EXPECT_TRUE(session.has_waiting_records());
    session.carry_out(answer);
    EXPECT_EQ(answer.size(), wishbone::kProbeBytes + 12);
    EXPECT_FALSE(session.has_waiting_records());
    // 1,000 ns and 5 ns in the library, 3 calls of 600 ns, 14,235 ns in the driver, and a read of 2,985 ns.
    EXPECT_EQ(fpga.now_ns(), 20'025);
}

TEST(StreamSession, CarriesEndlessCyclesOutInParts) {
    ServedFpga fpga(board_called("scu3_pcie"), {}, TimeSource::modeled);
    StreamSession session(fpga, false);
    Bytes answer;
    ASSERT_TRUE(session.take(probe(), answer));
    const Bytes record = encoded({read_of(0, false, 255)});
    for (int count = 0; count < 1000; ++count) {
        ASSERT_TRUE(session.take(record, answer));
    }
    EXPECT_GE(answer.size() + StreamSession::kMessageBytesMax, 1000 * record.size());
}

TEST(StreamSession, IsNoneOfEtherbone) {
    ServedFpga fpga(board_called("scu3_pcie"), {}, TimeSource::modeled);
    StreamSession session(fpga, false);
    Bytes answer;
    EXPECT_TRUE(session.take(Bytes(3, std::byte{'G'}), answer));
    EXPECT_FALSE(session.take(Bytes(1, std::byte{'T'}), answer));
    EXPECT_TRUE(answer.empty());
}

TEST(StreamSession, AnswersTheNextClientAlone) {
    const Bytes request = encoded({read_of(0, true)});
    // The previous client disconnects at each position of its data, and its last bytes arrive together with the next
    // client's first.
    const Bytes said = joined(probe(), joined(request, request));
    for (std::size_t num_read = 0; num_read < said.size(); ++num_read) {
        for (std::size_t num_said = std::max(num_read, std::size_t{1}); num_said <= said.size(); ++num_said) {
            ServedFpga fpga(board_called("scu3_pcie"), {}, TimeSource::modeled);
            StreamSession session(fpga, true);
            Bytes answer;
            ASSERT_TRUE(session.take(ByteView(said).first(num_read), answer));
            const Bytes last(said.begin() + static_cast<std::ptrdiff_t>(num_read),
                             said.begin() + static_cast<std::ptrdiff_t>(num_said));
            session.change_clients(joined(last, probe()), true, answer);
            EXPECT_EQ(answer.size(), wishbone::kProbeBytes) << num_read << " " << num_said;
            ASSERT_TRUE(session.take(request, answer));
            EXPECT_EQ(answer.size(), wishbone::kProbeBytes + request.size()) << num_read << " " << num_said;
        }
    }
}

TEST(StreamSession, TheNextClientMayComeAfterOneThatSaidNothing) {
    ServedFpga fpga(board_called("scu3_pcie"), {}, TimeSource::modeled);
    StreamSession session(fpga, true);
    Bytes answer;
    session.change_clients(probe(), true, answer);
    EXPECT_EQ(answer.size(), wishbone::kProbeBytes);
}

TEST(StreamSession, CarriesOutWhatTheLastClientSaidInOneGo) {
    ServedFpga fpga(board_called("scu3_pcie"), {}, TimeSource::modeled);
    StreamSession session(fpga, true);
    Bytes answer;
    // Without a next client, data that looks like a header is still data.
    Record write = read_of(0, true, 0);
    write.writes = {0x4e6f1144, 2};
    session.change_clients(joined(probe(), encoded({write, write})), false, answer);
    EXPECT_TRUE(answer.empty());
    EXPECT_EQ(fpga.statistics().writes, 4);
    session.change_clients(joined(probe(), encoded({write})), false, answer);
    EXPECT_EQ(fpga.statistics().writes, 6);
}

TEST(StreamSession, TakesRandomBytes) {
    std::mt19937 draw(7);  // NOLINT(bugprone-random-generator-seed): the same bytes in each run
    ServedFpga fpga(board_called("scu3_gige"), {}, TimeSource::modeled);
    for (int trial = 0; trial < 5000; ++trial) {
        StreamSession session(fpga, trial % 2 == 0);
        Bytes bytes = draw() % 8 == 0 ? Bytes{} : probe();
        for (std::size_t count = draw() % 300; count > 0; --count) {
            bytes.push_back(static_cast<std::byte>(draw() % 3 == 0 ? draw() : 0));
        }
        Bytes answer;
        if (session.take(bytes, answer)) {
            session.carry_out(answer);
        }
        session.change_clients(bytes, trial % 3 == 0, answer);
        EXPECT_LE(answer.size(), bytes.size() + wishbone::kProbeBytes);
    }
}

}  // namespace
}  // namespace nocbench::etherbone_server
