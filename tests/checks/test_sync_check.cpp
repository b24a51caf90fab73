#include <gtest/gtest.h>

#include <span>

#include "device_model/tenstorrent/checks/sync_check.h"
#include "device_model/tenstorrent/tile/tile_bus.h"
#include "tests/checks/checked_riscs.h"

namespace nocbench {
namespace {

constexpr std::uint64_t kWord = 0x20000;

std::vector<std::string> texts_of(SyncCheck& check) {
    std::vector<std::string> texts;
    for (const Finding& finding : check.findings()) {
        texts.push_back(finding.text);
    }
    return texts;
}

void run(SyncCheck& check, const Risc& risc, std::uint32_t expected_answers = 0) {
    check.runs(risc, test::CheckedRiscs::where, [=](TransactionKind kind, int noc) -> std::optional<std::uint32_t> {
        return kind == TransactionKind::write && noc == 0 ? expected_answers : 0;
    });
}

/// Returns what is found of a kernel that counts on some acknowledgements of a multicast to three cores and a write.
std::vector<std::string> found_of_receivers(std::uint32_t expected_answers) {
    test::CheckedRiscs riscs;
    SyncCheck check(riscs.state(), {});
    run(check, riscs.at(0, 1), expected_answers);
    Transaction write = riscs.transaction(TransactionKind::write, 0, 1, kWord, kWord);
    check.began(riscs.at(0, 2), write);
    write.tree = 0;
    write.num_receivers = 3;
    check.began(riscs.at(0, 3), write);
    check.ends(riscs.at(0, 4));
    return texts_of(check);
}

TEST(SyncCheck, FindsAWrongNumberOfReceivers) {
    EXPECT_TRUE(found_of_receivers(4).empty());
    EXPECT_EQ(found_of_receivers(5),
              std::vector<std::string>{"the kernel counts on 5 acknowledgements of writes on NoC 0, and 4 come: a "
                                       "multicast was given a wrong number of receivers"});
}

TEST(SyncCheck, FindsPagesThatABufferHolds) {
    constexpr std::uint32_t kPagesReceived = 0x28;
    constexpr std::uint32_t kPages = 2;
    test::CheckedRiscs riscs;
    SyncCheck check(riscs.state(), {});
    run(check, riscs.at(1, 1));
    tile_registers(riscs.state(), riscs.node(1))
        .streams.write(0x3000 + kPagesReceived, std::as_bytes(std::span(&kPages, 1)));
    EXPECT_TRUE(texts_of(check).empty()) << "it still runs";
    check.ends(riscs.at(1, 2));
    const std::vector<std::string> texts = texts_of(check);
    ASSERT_EQ(texts.size(), 1U);
    EXPECT_EQ(texts[0].find("circular buffer 3 still holds 2 pages"), 0U);
}

/// Returns what is found if a kernel leaves a word, which is to be kept, with a value.
std::vector<std::string> found_of_kept_word(std::uint32_t at_end) {
    constexpr std::uint32_t kAtBegin = 5;
    test::CheckedRiscs riscs;
    SyncCheck check(riscs.state(), {{"semaphore ready", kWord, kWord + 4}});
    riscs.device().write_l1({1, 0}, kWord, std::as_bytes(std::span(&kAtBegin, 1)));
    run(check, riscs.at(0, 1));
    const std::uint32_t between = 99;
    riscs.device().write_l1({1, 0}, kWord, std::as_bytes(std::span(&between, 1)));
    run(check, riscs.at(1, 1));
    riscs.device().write_l1({1, 0}, kWord, std::as_bytes(std::span(&at_end, 1)));
    check.ends(riscs.at(0, 2));
    check.ends(riscs.at(1, 2));
    return texts_of(check);
}

TEST(SyncCheck, FindsAWordThatEndsWithAnotherValue) {
    EXPECT_TRUE(found_of_kept_word(5).empty());
    EXPECT_EQ(found_of_kept_word(6),
              std::vector<std::string>{"semaphore ready is 6 at the end of the program and was 5 at its beginning, and "
                                       "the next launch begins with it: expected it to be set back"});
}

/// Returns how many findings there are if a kernel uses endpoints of a bank of DRAM through virtual channels.
std::size_t found_of_channels(const std::string& board, const std::vector<std::pair<std::size_t, std::uint8_t>>& uses) {
    test::CheckedRiscs riscs(board);
    SyncCheck check(riscs.state(), {});
    run(check, riscs.at(0, 1));
    const std::vector<PhysicalCoordinate>& tiles = riscs.state().architecture.dram.channel_tiles.front();
    for (const auto& [tile, channel] : uses) {
        Transaction read = riscs.transaction(TransactionKind::read, 0, 1, kWord, kWord);
        read.memory = MemoryKind::dram;
        read.responder = static_cast<NodeIndex>(riscs.state().grid.node_index(tiles.at(tile)));
        read.software_virtual_channel = channel;
        check.began(riscs.at(0, 2), read);
    }
    check.ends(riscs.at(0, 3));
    return check.findings().size();
}

TEST(SyncCheck, FindsABankThatIsUsedThroughEndpointsAndChannels) {
    EXPECT_EQ(found_of_channels("p150", {{0, 1}, {1, 2}, {1, 1}}), 1U);
    EXPECT_EQ(found_of_channels("n150", {{0, 1}, {1, 2}, {1, 1}}), 0U) << "its GDDR does not hang";
}

TEST(SyncCheck, AllowsABankThatIsUsedThroughOneOfEachOrAFixedChannelOfEachEndpoint) {
    EXPECT_EQ(found_of_channels("p150", {{0, 1}, {0, 1}}), 0U);
    EXPECT_EQ(found_of_channels("p150", {{0, 1}, {0, 2}}), 0U);
    EXPECT_EQ(found_of_channels("p150", {{0, 1}, {1, 2}, {0, 1}, {1, 2}}), 0U);
    EXPECT_EQ(found_of_channels("p150", {{0, 1}, {1, 1}}), 0U);
}

}  // namespace
}  // namespace nocbench
