// Loops of collective routines: data arrive, wrong bytes are detected, and times match the rounds.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kernels/frame/primitive.h"
#include "tests/epiphany/epiphany_machine.h"
#include "tests/support/error_message.h"

namespace nocbench {

namespace {

using Parameters = std::map<std::string, std::string>;

PointResult point(const std::string& test, const std::string& size, Parameters others = {},
                  const MachineWatcher& watcher = {}) {
    others.insert({{"num_transactions", "4"}, {"call_size", size}});
    return run_point(find_test(test), test::kEpiphany, "", others, {}, watcher);
}

const std::string kMovers[] = {"SHMEM Broadcast Sizes", "SHMEM Collect Sizes", "SHMEM Fcollect Sizes",
                               "SHMEM Integer Sum Sizes", "SHMEM All to All Sizes"};

TEST(LoopsOfShmemCollectives, DataArrive) {
    for (const std::string& test : kMovers) {
        for (const std::string pes : {"1", "2", "5", "16"}) {
            EXPECT_EQ(point(test, "64", {{"pes", pes}}).rows.front().data_fault, "") << test << ", " << pes << " PEs";
        }
    }
}

TEST(LoopsOfShmemCollectives, TheDataCheckNoticesAWrongByte) {
    for (const std::string& test : kMovers) {
        const PointResult result = point(test, "64", {{"pes", "16"}}, [](Machine& machine) {
            machine.observers().tamper = [](const Delivery& delivery, std::span<std::byte> bytes) {
                if (delivery.destination == 15 && delivery.bytes.size() == 8) {  // matches data, not flags
                    bytes[2] ^= std::byte{1};
                }
            };
        });
        EXPECT_NE(result.rows.front().data_fault, "") << test;
    }
}

TEST(LoopsOfShmemCollectives, BarriersTakeRoundsOfTheLogarithm) {
    const auto cycles = [](const std::string& pes) {
        return point("SHMEM Barrier", "4", {{"pes", pes}}).rows.front().latency_cycles;
    };
    EXPECT_LT(cycles("4"), cycles("5"));
    EXPECT_LT(cycles("8"), cycles("9"));
    EXPECT_NEAR(cycles("16") / cycles("4"), 2, 0.5);
}

TEST(LoopsOfShmemCollectives, BadParametersAreNamed) {
    EXPECT_EQ(test::error_message([] { point("SHMEM Broadcast Sizes", "12"); }),
              "parameter call_size: expected a multiple of 8 up to 8192, found '12'");
    EXPECT_EQ(test::error_message([] { point("SHMEM Integer Sum Sizes", "6"); }),
              "parameter call_size: expected a multiple of 4 up to 8192, found '6'");
    EXPECT_NE(test::error_message([] { point("SHMEM Barrier", "4", {{"pes", "17"}}); }), "");
    for (const char* const test : {"SHMEM Barrier", "SHMEM Barrier of All"}) {
        EXPECT_EQ(test::error_message([&] { point(test, "8192"); }),
                  "parameter call_size: expected 4, since barriers move no data, found '8192'");
    }
}

}  // namespace

}  // namespace nocbench
