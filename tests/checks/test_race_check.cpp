#include <gtest/gtest.h>

#include <optional>
#include <span>

#include "device_model/tenstorrent/checks/race_check.h"
#include "tests/checks/checked_riscs.h"

namespace nocbench {
namespace {

constexpr std::uint64_t kData = 0x20000;
constexpr std::uint64_t kFlag = 0x30000;
constexpr std::uint32_t kValue = 7;

/// Returns an access, or one without a place.
AccessSite access_of(const std::optional<AccessSite>& site) { return site.value_or(AccessSite{}); }

class RaceCheckOfTwoCores : public testing::Test {
protected:
    RaceCheckOfTwoCores() {
        for (std::size_t index = 0; index < test::CheckedRiscs::kNumRiscs; ++index) {
            check_.runs(riscs_.at(index, 1), riscs_.code(), test::CheckedRiscs::where);
            check_.given(riscs_.node(index), kData, 64);
            check_.given(riscs_.node(index), kFlag, 4);
        }
    }

    /// Begins a transaction from core 0 to core 1.
    Transaction begin(TransactionKind kind, std::uint64_t address, std::uint32_t line, std::uint8_t channel = 1) {
        Transaction transaction = riscs_.transaction(kind, 0, 1, kData, address);
        transaction.software_virtual_channel = channel;
        check_.began(riscs_.at(0, line), transaction);
        return transaction;
    }
    void arrive(const Transaction& transaction) { check_.changes_memory(transaction, transaction.responder); }
    void load(std::size_t risc, std::uint64_t address, std::uint32_t line) {
        check_.loaded(riscs_.at(risc, line), address, 4);
    }
    void store(std::size_t risc, std::uint64_t address, std::uint32_t line) {
        check_.stored(riscs_.at(risc, line), address, std::as_bytes(std::span(&kValue, 1)));
        riscs_.state().memory(riscs_.node(risc)).write(address, std::as_bytes(std::span(&kValue, 1)));
    }
    void wait_for(std::uint32_t counter, std::uint32_t value, int noc = 0) {
        check_.loaded_counter(riscs_.at(0, 1), noc, counter, value);
    }

    /// Expects one finding, about two lines.
    Finding the_finding(std::uint32_t first, std::uint32_t second) {
        const std::vector<Finding> findings = check_.findings();
        EXPECT_EQ(findings.size(), 1U);
        if (findings.size() != 1 || !findings[0].first.has_value() || !findings[0].second.has_value()) {
            ADD_FAILURE() << "expected two accesses";
            return {};
        }
        EXPECT_EQ(access_of(findings[0].first).where, std::to_string(first));
        EXPECT_EQ(access_of(findings[0].second).where, std::to_string(second));
        return findings[0];
    }

    test::CheckedRiscs riscs_;
    RaceCheck check_{riscs_.state(), true, true};
};

TEST_F(RaceCheckOfTwoCores, FindsALoadThatNothingOrdersBehindAWrite) {
    arrive(begin(TransactionKind::write, kData, 10));
    load(1, kData, 20);
    const Finding finding = the_finding(10, 20);
    EXPECT_EQ(access_of(finding.first).kind, AccessKind::destination_of_write);
    EXPECT_EQ(access_of(finding.second).kind, AccessKind::load);
    EXPECT_EQ(finding.begin, kData);
    EXPECT_FALSE(finding.happened);
}

TEST_F(RaceCheckOfTwoCores, SaysThatItHappenedIfTheLoadCameFirst) {
    const Transaction write = begin(TransactionKind::write, kData, 10);
    load(1, kData, 20);
    arrive(write);
    EXPECT_TRUE(the_finding(10, 20).happened);
}

TEST_F(RaceCheckOfTwoCores, OrdersALoadBehindASignalThatFollowsABarrier) {
    arrive(begin(TransactionKind::write, kData, 10));
    wait_for(NiuCounterIndex::kWritesAcknowledged, 1);
    arrive(begin(TransactionKind::atomic_increment, kFlag, 12, 2));
    load(1, kFlag, 20);
    load(1, kData, 21);
    EXPECT_TRUE(check_.findings().empty());
}

TEST_F(RaceCheckOfTwoCores, OrdersALoadBehindASignalOnThePathOfItsData) {
    arrive(begin(TransactionKind::write, kData, 10));
    arrive(begin(TransactionKind::atomic_increment, kFlag, 12));
    load(1, kFlag, 20);
    load(1, kData, 21);
    EXPECT_TRUE(check_.findings().empty());
}

TEST_F(RaceCheckOfTwoCores, DoesNotOrderItBehindASignalOnAnotherVirtualChannel) {
    arrive(begin(TransactionKind::write, kData, 10));
    arrive(begin(TransactionKind::atomic_increment, kFlag, 12, 2));
    load(1, kFlag, 20);
    load(1, kData, 21);
    the_finding(10, 21);
}

TEST_F(RaceCheckOfTwoCores, DoesNotOrderItBehindAnIncompleteBarrier) {
    arrive(begin(TransactionKind::write, kData, 10));
    arrive(begin(TransactionKind::write, kData + 16, 11));
    wait_for(NiuCounterIndex::kWritesAcknowledged, 1);
    arrive(begin(TransactionKind::atomic_increment, kFlag, 12, 2));
    load(1, kFlag, 20);
    load(1, kData, 21);
    the_finding(10, 21);
}

TEST_F(RaceCheckOfTwoCores, FindsAStoreToASourceThatMayStillBeLeaving) {
    begin(TransactionKind::write, kData, 10);
    wait_for(NiuCounterIndex::kWritesSent, 1, 1);  // of the other NoC
    wait_for(NiuCounterIndex::kPostedWritesSent, 0);
    store(0, kData, 11);
    EXPECT_EQ(access_of(the_finding(10, 11).first).kind, AccessKind::source_of_write);
}

TEST_F(RaceCheckOfTwoCores, AllowsAStoreToASourceThatHasLeft) {
    begin(TransactionKind::write, kData, 10);
    wait_for(NiuCounterIndex::kWritesSent, 1);
    store(0, kData, 11);
    EXPECT_TRUE(check_.findings().empty());
}

TEST_F(RaceCheckOfTwoCores, AllowsIncrementsInAnyOrder) {
    arrive(begin(TransactionKind::atomic_increment, kFlag, 10));
    Transaction other = riscs_.transaction(TransactionKind::atomic_increment, 2, 1, 0, kFlag);
    check_.began(riscs_.at(2, 30), other);
    arrive(other);
    EXPECT_TRUE(check_.findings().empty());
}

TEST_F(RaceCheckOfTwoCores, FindsAnIncrementThatAStoreMayLose) {
    arrive(begin(TransactionKind::atomic_increment, kFlag, 10));
    store(1, kFlag, 20);
    EXPECT_TRUE(the_finding(10, 20).is_signal);
}

TEST_F(RaceCheckOfTwoCores, FindsBytesThatNobodyHasWritten) {
    load(1, kData + 64, 20);
    load(1, kData, 21);
    const std::vector<Finding> findings = check_.findings();
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].check, Check::initialization);
    EXPECT_EQ(access_of(findings[0].second).where, "20");
    EXPECT_EQ(findings[0].begin, kData + 64);
}

TEST_F(RaceCheckOfTwoCores, FindsAnIncrementOfASemaphoreThatNobodyHasSet) {
    const auto end = static_cast<std::uint64_t>(riscs_.state().architecture.l1.reserved_bytes);
    check_.given(riscs_.node(1), end - 16, 4);
    begin(TransactionKind::atomic_increment, end - 16, 10);
    EXPECT_TRUE(check_.findings().empty());
    begin(TransactionKind::atomic_increment, end - 32, 11);
    const std::vector<Finding> findings = check_.findings();
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(access_of(findings[0].second).where, "11");
}

TEST_F(RaceCheckOfTwoCores, FindsALineOfTheCacheThatAnotherCoreHasChanged) {
    const std::array<std::byte, 4> old{};
    load(1, kData, 20);
    check_.filled_line(riscs_.at(1, 20), kData);
    Transaction write = riscs_.transaction(TransactionKind::write, 1, 1, kData + 32, kData);
    check_.began(riscs_.at(1, 21), write);
    store(1, kData + 8, 22);
    arrive(write);
    riscs_.state().memory(riscs_.node(1)).write(kData, std::as_bytes(std::span(&kValue, 1)));
    check_.loaded_counter(riscs_.at(1, 23), 0, NiuCounterIndex::kWritesAcknowledged, 1);
    check_.loaded_from_cache(riscs_.at(1, 24), kData + 8, std::as_bytes(std::span(&kValue, 1)));  // its own store
    EXPECT_TRUE(check_.findings().empty());
    check_.loaded_from_cache(riscs_.at(1, 25), kData, old);
    const Finding finding = the_finding(21, 25);
    EXPECT_EQ(access_of(finding.second).kind, AccessKind::cached_load);
    EXPECT_TRUE(finding.happened);
}

TEST_F(RaceCheckOfTwoCores, AllowsALineOfTheCacheThatWasFilledSinceTheChange) {
    Transaction write = riscs_.transaction(TransactionKind::write, 1, 1, kData + 32, kData);
    check_.began(riscs_.at(1, 21), write);
    arrive(write);
    check_.loaded_counter(riscs_.at(1, 23), 0, NiuCounterIndex::kWritesAcknowledged, 1);
    load(1, kData, 24);
    check_.filled_line(riscs_.at(1, 24), kData);
    check_.loaded_from_cache(riscs_.at(1, 25), kData, std::array<std::byte, 4>{});
    EXPECT_TRUE(check_.findings().empty());
}

TEST_F(RaceCheckOfTwoCores, FindsAWriteThatMayOutlastTheProgram) {
    arrive(begin(TransactionKind::write, kData, 10));
    for (std::size_t index = 0; index < test::CheckedRiscs::kNumRiscs; ++index) {
        EXPECT_TRUE(check_.findings().empty());
        check_.ends(riscs_.at(index, 1));
    }
    const std::vector<Finding> findings = check_.findings();
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].text,
              "the program may end before this is over: expected noc_async_write_barrier() before the end");
}

TEST_F(RaceCheckOfTwoCores, AllowsAnEndAfterABarrier) {
    arrive(begin(TransactionKind::write, kData, 10));
    wait_for(NiuCounterIndex::kWritesAcknowledged, 1);
    for (std::size_t index = 0; index < test::CheckedRiscs::kNumRiscs; ++index) {
        check_.ends(riscs_.at(index, 1));
    }
    EXPECT_TRUE(check_.findings().empty());
}

}  // namespace
}  // namespace nocbench
