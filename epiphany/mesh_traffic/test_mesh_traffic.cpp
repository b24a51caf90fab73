// Traffic over shared links of an Epiphany mesh.
#include <gtest/gtest.h>

#include <string>

#include "device_model/arch/architecture.h"
#include "device_model/epiphany/arch/constants.h"
#include "epiphany/mesh_traffic/traffic_plan.h"
#include "tests/epiphany/epiphany_machine.h"
#include "tests/support/error_message.h"

namespace nocbench::mesh_traffic {

namespace {

using test::epiphany;
using test::error_message;

PointResult point(const std::string& test, std::map<std::string, std::string> parameters,
                  const std::vector<Setting>& settings = {}) {
    parameters.insert({{"num_transactions", "8"}, {"call_size", "1024"}});
    return run_point(find_test(test), test::kEpiphany, "", parameters, settings);
}

TEST(MeshTraffic, DataArrive) {
    for (const std::string pattern : {"neighbors", "all_to_one", "bisection"}) {
        for (const std::string executor : {"core", "dma"}) {
            const PointResult result = point("Mesh Traffic", {{"pattern", pattern}, {"executor", executor}});
            EXPECT_TRUE(result.rows.front().data_ok) << pattern << ", " << executor;
        }
    }
}

TEST(MeshTraffic, TheDataCheckNoticesAWrongByte) {
    const Architecture& architecture = epiphany();
    for (const Pattern pattern : {Pattern::neighbors, Pattern::all_to_one, Pattern::bisection}) {
        int deliveries = 0;
        const TrafficRun run = run_traffic(
            {pattern, true, 256, 1}, epiphany_of(architecture), shape_of(architecture.board("")), [&](Machine& device) {
                device.observers().tamper = [&](const Delivery&, std::span<std::byte> bytes) {
                    if (++deliveries == 7) {
                        bytes[0] ^= std::byte{1};
                    }
                };
            });
        EXPECT_NE(run.data_fault.find(": byte 0: expected 0x"), std::string::npos) << run.data_fault;
    }
}

TEST(MeshTraffic, AllToOnePassesTheVendorsLimitAndNotTheLinksRate) {
    // The vendor's test requires more than 1000 MB/s in total. A core can receive at most 8 bytes per cycle.
    const double bytes_per_cycle =
        point("Mesh Traffic", {{"pattern", "all_to_one"}}).rows.front().bandwidth_bytes_per_cycle;
    EXPECT_GT(bytes_per_cycle * 600, 1000);
    EXPECT_LE(bytes_per_cycle, 8);
}

TEST(MeshTraffic, LoadsTakeEighteenCyclesAndThreePerHop) {
    const auto cycles = [](const std::string& target, const std::vector<Setting>& settings = {}) {
        return point("Remote Load Latency", {{"num_transactions", "10"}, {"call_size", "4"}, {"target", target}},
                     settings)
                   .rows.front()
                   .latency_cycles /
               10;
    };
    EXPECT_NEAR(cycles("1,0"), 21, 0.5);
    EXPECT_NEAR(cycles("3,3"), 36, 0.5);
    // Sets a read request to occupy a link for one cycle instead of eight.
    EXPECT_NEAR(cycles("1,0", {{"mesh.read_request_cycles", "1"}}), 14, 0.5);
}

TEST(MeshTrafficParameters, AreChecked) {
    const auto told = [](const std::string& test, const std::map<std::string, std::string>& parameters) {
        return error_message([&] { point(test, parameters); });
    };
    EXPECT_EQ(told("Mesh Traffic", {{"call_size", "2056"}}),
              "parameter call_size: expected a multiple of 8 up to 2048, found '2056'");
    EXPECT_EQ(told("Mesh Traffic", {{"pattern", "all_to_one"}, {"call_size", "1032"}}),
              "parameter call_size: expected a multiple of 8 up to 1024, found '1032'");
    EXPECT_EQ(told("Mesh Traffic", {{"num_transactions", "1025"}}),
              "parameter num_transactions: expected at most 1024, found '1025'");
    EXPECT_EQ(told("Remote Load Latency", {{"call_size", "3"}}),
              "parameter call_size: expected 1, 2, 4 or a multiple of 8 up to 8192, found '3'");
    EXPECT_EQ(told("Remote Load Latency", {{"call_size", "4"}, {"target", "4,0"}}),
              "parameter target: expected x from 0 to 3 and y from 0 to 3, found '4,0'");
}

}  // namespace

}  // namespace nocbench::mesh_traffic
