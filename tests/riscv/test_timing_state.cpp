// What decides how a loop goes on: the state of instruction timing, relative to now.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "device_model/riscv/timing.h"
#include "tests/riscv/hart_machine.h"

namespace nocbench::test {

namespace {

using riscv::Timing;

constexpr std::uint8_t kFirstArgument = 10;
constexpr std::uint8_t kSecondArgument = 11;
constexpr std::uint32_t kBlock = 0x1000;
constexpr Cycle kSlowStore = 5;
constexpr Cycle kSlowLoad = 8;

using Act = std::function<void(Timing&)>;

Timing after(Cycle now, const std::vector<Act>& acts) {
    Timing timing(riscv_constants("blackhole"));
    timing.set_now(now);
    for (const Act& act : acts) {
        act(timing);
    }
    return timing;
}

Act store(std::uint32_t address, Cycle interval_cycles = kSlowStore) {
    return [=](Timing& timing) { timing.store(address, interval_cycles); };
}

Act result(std::uint8_t destination, Cycle latency_cycles) {
    return [=](Timing& timing) { timing.result_after(destination, 1, latency_cycles); };
}

Act slow_load(std::uint8_t destination, Cycle latency_cycles = kSlowLoad) {
    return [=](Timing& timing) {
        timing.begin_slow_load();
        timing.end_slow_load(destination, latency_cycles);
    };
}

/// Each pair differs in one thing that decides when a later instruction is issued, or when its effect comes.
TEST(TimingState, TellsMomentsApartThatGoOnOtherwise) {
    struct Pair {
        const char* differing;
        std::vector<Act> one;
        std::vector<Act> other;
    };
    for (const Pair& pair : std::vector<Pair>{
             {"when a register has its value", {result(kFirstArgument, 3)}, {result(kFirstArgument, 4)}},
             {"which register waits", {result(kFirstArgument, 4)}, {result(kSecondArgument, 4)}},
             {"loads in flight", {result(kFirstArgument, kSlowLoad)}, {slow_load(kFirstArgument)}},
             {"how many loads are in flight",
              {slow_load(kFirstArgument), slow_load(kFirstArgument), slow_load(kFirstArgument)},
              {slow_load(riscv::kDiscard), result(kSecondArgument, 1), slow_load(kFirstArgument)}},
             {"where stores go", {store(kBlock), store(kBlock)}, {store(kBlock), store(kBlock + 4)}},
             {"the order of stores",
              {store(kBlock), store(kBlock + 16), store(kBlock + 32)},
              {store(kBlock), store(kBlock + 32), store(kBlock + 16)}},
             {"how long the port is busy", {store(kBlock, kSlowStore)}, {store(kBlock, 1)}},
         }) {
        const Timing one = after(100, pair.one);
        const Timing other = after(100, pair.other);
        ASSERT_EQ(one.now(), other.now()) << pair.differing;
        EXPECT_FALSE(one.state() == other.state()) << pair.differing;
    }
}

TEST(TimingState, IsRelativeToNow) {
    const std::vector<Act> acts{
        store(kBlock),         store(kBlock + 4),         slow_load(kFirstArgument), result(kSecondArgument, 3),
        store(kBlock + 16, 1), slow_load(kSecondArgument)};
    EXPECT_TRUE(after(100, acts).state() == after(777, acts).state());
}

/// Nobody waits for what is over, however much of it there was.
TEST(TimingState, ForgetsWhatIsOver) {
    std::vector<Act> acts;
    for (int number = 0; number < 3; ++number) {
        acts.push_back(store(kBlock + 16 * static_cast<std::uint32_t>(number)));
        acts.push_back(slow_load(kFirstArgument));
    }
    Timing timing = after(100, acts);
    EXPECT_FALSE(timing.state() == after(0, {}).state());
    timing.wait_until(1000);
    EXPECT_TRUE(timing.state() == after(1000, {}).state());
    EXPECT_TRUE(timing.state() == after(0, {}).state());
}

TEST(TimingState, DoesNotHoldRegistersThatNobodyReads) {
    EXPECT_TRUE(after(100, {result(riscv::kDiscard, 9)}).state() == after(100, {result(riscv::kDiscard, 1)}).state());
}

/// A hart that has slept goes on as one that has not: with the same queues, ports and registers.
TEST(TimingState, ShiftsAsAWhole) {
    const std::vector<Act> acts{store(kBlock), store(kBlock + 16), slow_load(kFirstArgument),
                                slow_load(kSecondArgument), result(kSecondArgument, 2)};
    Timing shifted = after(100, acts);
    shifted.shift(5000);
    Timing timing = after(5100, acts);
    EXPECT_EQ(shifted.now(), timing.now());
    EXPECT_TRUE(shifted.state() == timing.state());
    // It joins the last store.
    EXPECT_EQ(shifted.store(kBlock + 20, kSlowStore), timing.store(kBlock + 20, kSlowStore));
    shifted.wait_for_stores_to(kBlock + 16);
    timing.wait_for_stores_to(kBlock + 16);
    EXPECT_EQ(shifted.now(), timing.now());
    shifted.wait_for(kSecondArgument);
    timing.wait_for(kSecondArgument);
    EXPECT_EQ(shifted.now(), timing.now());
    EXPECT_EQ(shifted.slow_load_done(), timing.slow_load_done());
}

}  // namespace

}  // namespace nocbench::test
