// Link to host memory, one rule at a time: return of data, and departure of written flits.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/tenstorrent/endpoints/host_link.h"
#include "tests/support/machine.h"

namespace nocbench {

namespace {

HostLink link_of(const std::vector<Setting>& settings = {}) {
    const Architecture& architecture = test::architecture_of("n150", settings);
    return {torus_of(architecture), torus_of(architecture.board("n150"))};
}

// Settings for 2 cycles per read flit of 32 bytes at 1 GHz, and 4 cycles per written flit.
const std::vector<Setting> kRound{{"host_link.read_megabytes_per_second", "16000"},
                                  {"host_link.write_megabytes_per_second", "8000"},
                                  {"host_link.read_latency_ns", "500"}};

TEST(HostLinkTest, CyclesOfALatencyFollowFromTheClock) {
    EXPECT_EQ(cycles_of_link(500, 1'000'000'000), 500);
    EXPECT_EQ(cycles_of_link(500, 1'350'000'000), 675);
    EXPECT_EQ(cycles_of_link(1, 1'350'000'000), 2) << "rounded up";
    EXPECT_EQ(cycles_of_link(0, 1'350'000'000), 0);
}

TEST(HostLinkTest, DataOfALoneReadComeAfterTheLatency) {
    HostLink link = link_of(kRound);
    const ReadService read = link.read(0, 4, 1000);
    EXPECT_EQ(read.expected_cycle, 1500);
    EXPECT_EQ(read.first_data_cycle, 1500);
    EXPECT_EQ(read.ticks_per_flit, ticks_from_cycles(2));
}

TEST(HostLinkTest, DataComeBackOneAfterTheOther) {
    HostLink link = link_of(kRound);
    EXPECT_EQ(link.read(0, 200, 1000).first_data_cycle, 1500);
    EXPECT_EQ(link.read(0, 200, 1000).first_data_cycle, 1900) << "behind 200 flits of 2 cycles";
    EXPECT_EQ(link.read(0, 10, 1000).first_data_cycle, 2300);
    EXPECT_EQ(link.read(0, 10, 1000).first_data_cycle, 2320);
}

TEST(HostLinkTest, WrittenFlitsLeaveAtTheRateOfTheOtherDirection) {
    HostLink link = link_of(kRound);
    link.read(0, 200, 1000);
    EXPECT_EQ(link.write(0, 1000, kWholeBursts).begin_cycle, 1000) << "reads are not in its way";
    const WriteService second = link.write(32, 1001, part_of_burst(0, 32, 128));
    EXPECT_EQ(second.begin_cycle, 1004);
    EXPECT_EQ(second.committed_cycle, 1008) << "part of a burst costs nothing more";
    EXPECT_EQ(link.write(64, 2000, kWholeBursts).committed_cycle, 2004);
}

}  // namespace

}  // namespace nocbench
