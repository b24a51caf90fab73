// Simultaneous writes and reads: checks that need no compiled kernel.
#include <gtest/gtest.h>

#include <string>

#include "device_model/arch/architecture.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "tests/support/finished_point.h"

namespace nocbench::core_bidirectional {

namespace {

const std::string kTest = "Core Bidirectional Packet Sizes Same Kernel";

TEST(CoreBidirectional, BothDirectionsHaveARow) {
    for (const TestDefinition& test : all_tests()) {
        if (test.primitive == "core_bidirectional") {
            EXPECT_EQ(test.kernels, (std::vector<std::string>{"Sender", "Receiver"})) << test.name;
        }
    }
}

TEST(CoreBidirectional, IdealCallsAreHalvesOfL1) {
    const TestDefinition& test = find_test("Core Bidirectional Directed Ideal Different Kernels");
    for (const std::string& arch : test::architectures_of(test.kind)) {
        const Architecture architecture = load_architecture(find_architecture(arch));
        for (const Tier tier : {Tier::quick, Tier::full}) {
            const std::int64_t bytes = test.sweep(architecture, tier).call_size_bytes.at(0);
            EXPECT_EQ(bytes % torus_of(architecture).router.flit_bytes, 0);
            EXPECT_LE(kL1BufferAddress + 2 * bytes, torus_of(architecture).l1.size_bytes);
            EXPECT_GT(kL1BufferAddress + 2 * (bytes + torus_of(architecture).router.flit_bytes),
                      torus_of(architecture).l1.size_bytes);
        }
    }
}

TEST(CoreBidirectional, WritesAreSweptOverTheChannelsOfUnicasts) {
    const TestDefinition& test = find_test("Core Bidirectional Write VC Sweep Same Kernel");
    const Sweep sweep = test.sweep_on("wormhole_b0", Tier::full);
    ASSERT_EQ(sweep.parameters.size(), 1U);
    EXPECT_EQ(sweep.parameters[0].name, "vc");
    EXPECT_EQ(sweep.parameters[0].values, (std::vector<std::string>{"0", "1", "2", "3"}));
}

TEST(CoreBidirectional, BadParametersAreNamed) {
    EXPECT_EQ(test::told_about(kTest, {{"vc", "4"}}), "parameter vc: expected a whole number from 0 to 3, found '4'");
    EXPECT_EQ(test::told_about("Core Bidirectional Custom", {{"noc", "2"}}),
              "parameter noc: expected a whole number from 0 to 1, found '2'");
    EXPECT_EQ(test::told_about("Core Bidirectional Packet Sizes Different Kernels", {}, {"wormhole_b0", 1, 1U << 20U}),
              "parameter call_size: 1048576 bytes at 0x140000 do not fit into L1, which ends at 0x16e000");
}

}  // namespace

}  // namespace nocbench::core_bidirectional
