// Order of events: by time, then by kind, then by place, then by insertion.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/sim/event_queue.h"

namespace nocbench {

namespace {

/// Returns the subjects in the order in which events are handled.
std::vector<std::uint32_t> order_of(const std::vector<Event>& events) {
    EventQueue queue;
    for (const Event& event : events) {
        queue.push(event);
    }
    std::vector<std::uint32_t> subjects;
    while (!queue.empty()) {
        subjects.push_back(queue.top().subject);
        queue.pop();
    }
    return subjects;
}

using Subjects = std::vector<std::uint32_t>;

constexpr EventKind kCommit = EventKind::commit_write;
constexpr EventKind kComplete = EventKind::complete_transaction;
constexpr EventKind kResume = EventKind::resume_processor;

TEST(EventQueueTest, EarlierEventsComeFirstWhateverTheyAre) {
    EXPECT_EQ(order_of({{30, 0, kCommit, 3}, {10, 9, kResume, 1}, {20, 5, kComplete, 2}}), (Subjects{1, 2, 3}));
}

TEST(EventQueueTest, MemoryComesBeforeCountersAndTheseBeforeWhoLooks) {
    EXPECT_EQ(order_of({{10, 0, kResume, 3}, {10, 1, kComplete, 2}, {10, 2, kCommit, 1}}), (Subjects{1, 2, 3}));
}

TEST(EventQueueTest, LowerPlacesComeFirstAtTheSameTime) {
    EXPECT_EQ(order_of({{10, 7, kResume, 3}, {10, 4, kResume, 2}, {10, 1, kResume, 1}}), (Subjects{1, 2, 3}));
}

TEST(EventQueueTest, WhatNothingTellsApartKeepsItsOrder) {
    std::vector<Event> events;
    Subjects expected;
    for (std::uint32_t subject = 0; subject < 100; ++subject) {
        // Descending subjects, which do not affect the order.
        events.push_back({10, 3, kComplete, 100 - subject});
        expected.push_back(100 - subject);
    }
    EXPECT_EQ(order_of(events), expected);
}

TEST(EventQueueTest, EventsOfATileThatSkewsBehindAreDueLater) {
    const Event late{10, 0, kCommit, 2, 5};
    EXPECT_EQ(late.due(), 15);
    EXPECT_EQ(order_of({late, {14, 0, kResume, 1, 0}, {16, 0, kCommit, 3, 0}}), (Subjects{1, 2, 3}));
}

}  // namespace

}  // namespace nocbench
