// Loops of transfers: data arrive, wrong bytes are detected, and skipped iterations take as long as executed ones.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kernels/frame/primitive.h"
#include "tests/epiphany/epiphany_machine.h"
#include "tests/support/error_message.h"

namespace nocbench {

namespace {

using Parameters = std::map<std::string, std::string>;

PointResult point(const std::string& test, const std::string& calls, const std::string& size, Parameters others = {},
                  const MachineWatcher& watcher = {}) {
    others.insert({{"num_transactions", calls}, {"call_size", size}});
    return run_point(find_test(test), test::kEpiphany, "", others, {}, watcher);
}

const std::map<std::string, Parameters> kTests{{"SHMEM Put Sizes", {}},
                                               {"SHMEM Get Sizes", {{"by", "loads"}}},
                                               {"SHMEM Non-blocking Put Sizes", {{"parts", "2"}}},
                                               {"SHMEM Non-blocking Get Sizes", {{"parts", "1"}}}};

TEST(LoopsOfShmemTransfers, DataArrive) {
    for (const auto& [test, parameters] : kTests) {
        for (const std::string size : {"2", "8", "72", "1000"}) {
            EXPECT_EQ(point(test, "3", size, parameters).rows.front().data_fault, "") << test << " of " << size;
        }
    }
}

TEST(LoopsOfShmemTransfers, TheDataCheckNoticesAWrongByte) {
    for (const auto& [test, parameters] : kTests) {
        const PointResult result = point(test, "1", "64", parameters, [](Machine& machine) {
            machine.observers().tamper = [](const Delivery& delivery, std::span<std::byte> bytes) {
                if (delivery.destination == 3 && delivery.bytes.size() == 8) {  // matches data, not flags
                    bytes[5] ^= std::byte{1};
                }
            };
        });
        EXPECT_NE(result.rows.front().data_fault.find("PE 3, byte"), std::string::npos)
            << test << ": " << result.rows.front().data_fault;
    }
}

TEST(LoopsOfShmemTransfers, TurnsThatAreLeftOutTakeAsLong) {
    for (const auto& [test, parameters] : kTests) {
        const double of_some = point(test, "24", "512", parameters).rows.front().latency_cycles;
        const double of_more = point(test, "96", "512", parameters).rows.front().latency_cycles;
        const PointResult all = point(test, "1024", "512", parameters);
        const double expected = of_more + (1024 - 96) * (of_more - of_some) / (96 - 24);
        EXPECT_NEAR(all.rows.front().latency_cycles, expected, 0.005 * expected) << test;
        ASSERT_EQ(all.statistics.size(), 1U) << test;
        EXPECT_EQ(all.statistics.front().name, "simulated_calls");
    }
}

TEST(LoopsOfShmemTransfers, BadParametersAreNamed) {
    EXPECT_EQ(test::error_message([] { point("SHMEM Put Sizes", "1", "8193"); }),
              "parameter call_size: expected 1 to 8192, found '8193'");
    EXPECT_EQ(test::error_message([] { point("SHMEM Non-blocking Put Sizes", "1", "1", {{"parts", "2"}}); }),
              "parameter call_size: expected 2 to 8192, found '1'");
    EXPECT_NE(test::error_message([] { point("SHMEM Atomics", "1", "4", {{"operation", "nand"}}); }), "");
}

}  // namespace

}  // namespace nocbench
