// Issue cost of calls: sweeps, parameters and errors, which need no compiled kernel.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/finished_point.h"

namespace nocbench::api_latency {

namespace {

using test::told_about;

TEST(ApiLatency, TheSweepIsThatOfUpstream) {
    for (const char* const name : {"NOC API Latency Unicast Write", "NOC API Latency Multicast All"}) {
        const Sweep sweep = find_test(name).sweep_on("blackhole", Tier::full);
        EXPECT_EQ(sweep.num_transactions, (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64, 128, 256}));
        EXPECT_EQ(sweep.call_size_bytes, (std::vector<std::int64_t>{32, 64, 128, 256, 512, 1024, 2048, 4096}));
    }
}

TEST(ApiLatency, RowsAreOfTheCoreThatCalls) {
    EXPECT_EQ(find_test("NOC API Latency Stateful Write").kernels, std::vector<std::string>{"Sender"});
    EXPECT_EQ(find_test("NOC API Latency Stateful Read").kernels, std::vector<std::string>{"Receiver"});
    EXPECT_EQ(find_test("NOC API Latency Multicast 5x5").kernels, std::vector<std::string>{"Sender"});
}

TEST(ApiLatency, BadParametersAreNamed) {
    for (const char* const name : {"NOC API Latency Stateful Write", "NOC API Latency Stateful Read"}) {
        EXPECT_EQ(told_about(name, {}, {"wormhole_b0", 4, 8224}),
                  "parameter call_size: expected at most one packet of 8192 bytes, whose length stateful calls set, "
                  "found 8224 bytes");
    }
    EXPECT_TRUE(told_about("NOC API Latency Unicast Read", {{"destination", "0,99"}})
                    .starts_with("parameter destination: core (0, 99): expected"));
    EXPECT_EQ(told_about("NOC API Latency Multicast 2x2", {{"linked", "2"}}),
              "parameter linked: expected a whole number from 0 to 1, found '2'");
    EXPECT_EQ(told_about("NOC API Latency Multicast 2x2", {{"vc", "1"}}),
              "parameter vc: expected a whole number from 4 to 5, found '1'");
}

}  // namespace

}  // namespace nocbench::api_latency
