// Multicasts with overlapping trees: for any start times and places, all complete, in an order that is equal in every
// run, and leave nothing reserved.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/tensix/dataflow_api.h"
#include "tests/support/machine.h"
#include "tests/support/multicast_geometry.h"

namespace nocbench {

namespace {

using namespace nocbench::dataflow;
using test::kBuffer;
using test::Machine;
using test::multicast_address;
using test::MulticastGeometry;
using test::MulticastMap;

/// Core that multicasts.
struct Source {
    MulticastGeometry geometry;
    std::uint8_t virtual_channel = 4;
    bool linked = false;
    bool includes_itself = false;
};

struct Meeting {
    std::string board;
    int noc = 0;
    std::vector<Source> sources;
    std::uint32_t size = 64;
    std::uint32_t count = 5;
};

/// Places and times of all packets' arrivals, in order.
using Arrivals = std::vector<std::tuple<Tick, NodeIndex, NodeIndex>>;

/// Run in which all sources begin simultaneously and multicast `count` times each. Afterwards, each source multicasts
/// once more, one source after another, and must find its tree free.
class MeetingRun {
public:
    explicit MeetingRun(const Meeting& meeting) : meeting_(meeting), machine_(meeting.board) {
        for (const Source& source : meeting.sources) {
            maps_.emplace_back(machine_.device().grid(), meeting.noc, source.geometry, source.includes_itself);
            cores_.push_back(source.geometry.source);
        }
        go_ = machine_.program().add_semaphore(cores_, 0);
        done_ = machine_.program().add_semaphore(cores_, 0);
        machine_.device().observers().delivered = [this](const Delivery& delivery) {
            arrivals_.emplace_back(delivery.tick, delivery.source, delivery.destination);
        };
        machine_.device().observers().finished = [this](const TransactionRecord& transaction) {
            if (const Tick reserved = transaction.moment("path reserved"); reserved >= 0) {
                last_reservation_[transaction.from] = cycle_containing(reserved - transaction.moment("path requested"));
            }
        };
        for (std::size_t number = 0; number < meeting.sources.size(); ++number) {
            machine_.add_kernel(
                {cores_[number], 0, meeting.noc}, [this, number] { run_source(number); },
                fmt::format("source {}", number));
        }
        machine_.run();
    }

    [[nodiscard]] const Arrivals& arrivals() const { return arrivals_; }

    void expect_sound() const {
        std::uint64_t expected = 0;
        for (std::size_t number = 0; number < cores_.size(); ++number) {
            expected += std::uint64_t{maps_[number].num_receivers()} * (meeting_.count + 1);
            const Grid& grid = machine_.device().grid();
            const auto node = static_cast<NodeIndex>(grid.node_index(grid.physical(cores_[number])));
            const RouterConstants& router = machine_.architecture().router;
            const int depth = maps_[number].depth();
            const Cycle alone = depth * (router.hop_cycles + router.reservation_reply_cycles) +
                                router.reservation_grant_cycles +
                                (depth % 2 == 0 ? router.reservation_even_depth_cycles : 0);
            EXPECT_EQ(last_reservation_.at(node), alone) << "source " << number;
        }
        EXPECT_EQ(arrivals_.size(), expected);
        EXPECT_TRUE(std::ranges::is_sorted(arrivals_, {}, [](const auto& arrival) { return std::get<0>(arrival); }));
    }

private:
    void multicast(std::size_t number, std::uint32_t count) const {
        const Source& source = meeting_.sources[number];
        const std::uint64_t there = multicast_address(machine_, source.geometry.rectangle, kBuffer);
        const std::uint32_t receivers = maps_[number].num_receivers();
        for (std::uint32_t packet = 1; packet <= count; ++packet) {
            const bool linked = source.linked && packet < count;
            if (source.includes_itself) {
                noc_async_write_multicast_loopback_src(kBuffer, there, meeting_.size, receivers, linked, kNocOfKernel,
                                                       source.virtual_channel);
            } else {
                noc_async_write_multicast(kBuffer, there, meeting_.size, receivers, linked, kNocOfKernel,
                                          source.virtual_channel);
            }
        }
        noc_async_write_barrier();
    }

    void signal(std::size_t number, std::uint32_t semaphore) const {
        noc_semaphore_inc(
            get_noc_addr(machine_.x(cores_[number]), machine_.y(cores_[number]), get_semaphore(semaphore)), 1);
        noc_async_atomic_barrier();
    }

    void run_source(std::size_t number) const {
        const auto num_sources = static_cast<std::uint32_t>(cores_.size());
        multicast(number, meeting_.count);
        signal(0, done_);
        if (number == 0) {
            // Each source follows when the first one signals it.
            noc_semaphore_wait_min(L1Pointer(get_semaphore(done_)), num_sources);
            for (std::uint32_t other = 1; other < num_sources; ++other) {
                signal(other, go_);
                noc_semaphore_wait_min(L1Pointer(get_semaphore(done_)), num_sources + other);
            }
            multicast(number, 1);
            return;
        }
        noc_semaphore_wait_min(L1Pointer(get_semaphore(go_)), 1);
        multicast(number, 1);
        signal(0, done_);
    }

    const Meeting& meeting_;
    Machine machine_;
    std::vector<MulticastMap> maps_;
    std::vector<LogicalCoordinate> cores_;
    std::uint32_t go_ = 0;
    std::uint32_t done_ = 0;
    Arrivals arrivals_;
    std::map<NodeIndex, Cycle> last_reservation_;
};

void expect_all_finish(const Meeting& meeting) {
    const MeetingRun once(meeting);
    once.expect_sound();
    const MeetingRun again(meeting);
    EXPECT_EQ(once.arrivals(), again.arrivals());
}

struct BoardAndNoc {
    std::string board;
    int noc;
};

class MulticastMeetings : public testing::TestWithParam<BoardAndNoc> {
protected:
    [[nodiscard]] static Meeting meeting(std::vector<Source> sources) {
        return {GetParam().board, GetParam().noc, std::move(sources)};
    }
};

INSTANTIATE_TEST_SUITE_P(Chips, MulticastMeetings,
                         testing::Values(BoardAndNoc{"n150", 0}, BoardAndNoc{"n150", 1}, BoardAndNoc{"p150", 0},
                                         BoardAndNoc{"p150", 1}),
                         [](const auto& one) { return one.param.board + "_noc" + std::to_string(one.param.noc); });

/// Corners, edges, middle and outside of the rectangles below; some share a row or a column.
const std::vector<LogicalCoordinate> kPlaces{{1, 1}, {3, 1}, {4, 4}, {2, 3}, {3, 3},
                                             {5, 5}, {0, 0}, {6, 3}, {3, 6}, {0, 5}};

TEST_P(MulticastMeetings, AnyTwoCoresToTheSameRectangle) {
    const LogicalRectangle rectangle{{1, 1}, {4, 4}};
    for (std::size_t one = 0; one < kPlaces.size(); ++one) {
        for (std::size_t other = one + 1; other < kPlaces.size(); ++other) {
            for (const bool linked : {false, true}) {
                SCOPED_TRACE(fmt::format("{} and {}{}", to_string(kPlaces[one]), to_string(kPlaces[other]),
                                         linked ? ", linked" : ""));
                expect_all_finish(meeting({{{"", kPlaces[one], rectangle}, 4, linked, false},
                                           {{"", kPlaces[other], rectangle}, 4, linked, false}}));
                if (HasFailure()) {
                    return;
                }
            }
        }
    }
}

TEST_P(MulticastMeetings, AnyTwoCoresToRectanglesThatOverlap) {
    for (std::size_t one = 0; one < kPlaces.size(); ++one) {
        for (std::size_t other = 0; other < kPlaces.size(); ++other) {
            if (one == other) {
                continue;
            }
            // The first source is linked; packets are long and short, virtual channels equal and different.
            const std::uint8_t channel = (one + other) % 3 == 0 ? 5 : 4;
            Meeting both = meeting({{{"", kPlaces[one], {{1, 1}, {4, 3}}}, 4, true, false},
                                    {{"", kPlaces[other], {{2, 2}, {6, 5}}}, channel, false, false}});
            both.size = (one * other) % 4 == 1 ? 4000 : 100;
            SCOPED_TRACE(fmt::format("{} and {}", to_string(kPlaces[one]), to_string(kPlaces[other])));
            expect_all_finish(both);
            if (HasFailure()) {
                return;
            }
        }
    }
}

TEST_P(MulticastMeetings, RectanglesOverTheEdges) {
    const LogicalRectangle over_right{{6, 1}, {1, 4}};
    const LogicalRectangle over_bottom{{1, 6}, {4, 1}};
    for (const LogicalCoordinate one : {LogicalCoordinate{0, 2}, {6, 1}, {4, 4}}) {
        for (const LogicalCoordinate other : {LogicalCoordinate{3, 0}, {1, 6}, {6, 2}}) {
            SCOPED_TRACE(fmt::format("{} and {}", to_string(one), to_string(other)));
            expect_all_finish(
                meeting({{{"", one, over_right}, 4, false, false}, {{"", other, over_bottom}, 4, true, false}}));
        }
    }
}

TEST_P(MulticastMeetings, ManyCoresToTheSameRectangle) {
    for (const bool linked : {false, true}) {
        for (const std::uint32_t size : {64U, 4096U}) {
            std::vector<Source> sources;
            for (const LogicalCoordinate place : kPlaces) {
                const bool is_inside = place.x >= 1 && place.x <= 4 && place.y >= 1 && place.y <= 4;
                sources.push_back({{"", place, {{1, 1}, {4, 4}}},
                                   sources.size() % 3 == 2 ? std::uint8_t{5} : std::uint8_t{4},
                                   linked,
                                   is_inside && sources.size() % 2 == 0});
            }
            Meeting many = meeting(sources);
            many.size = size;
            expect_all_finish(many);
        }
    }
}

/// All cores of a row multicast to their own row, including themselves, and to another row.
TEST_P(MulticastMeetings, AllCoresOfARow) {
    const Machine machine(GetParam().board);
    const int last = machine.device().grid().compute_columns() - 1;
    for (const int to_row : {2, 5}) {
        for (const bool linked : {false, true}) {
            std::vector<Source> sources;
            for (int x = 0; x <= last; ++x) {
                sources.push_back({{"", {x, 2}, {{0, to_row}, {last, to_row}}}, 4, linked, to_row == 2});
            }
            expect_all_finish(meeting(sources));
        }
    }
}

}  // namespace

}  // namespace nocbench
