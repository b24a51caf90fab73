// Tests that are offered for an architecture, and their defaults there: those of Quasar, which lacks parts of the
// others.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "kernels/frame/primitive.h"

namespace nocbench {

namespace {

const Architecture& quasar() {
    static const Architecture architecture = load_architecture(find_architecture("quasar"));
    return architecture;
}

TEST(TestsOfQuasar, NameWhatItLacks) {
    const auto reason = [](const std::string& test) { return find_test(test).reason_not_on(quasar()); };
    EXPECT_EQ(reason("One to One Packet Sizes"), "");
    EXPECT_EQ(reason("One to One Packet Sizes 2.0"),
              "its kernels are compiled for RISCs of 32 bits, and quasar has RISCs of 64 bits");
    EXPECT_EQ(reason("PCIe Read Bandwidth"), "it accesses the memory of the host, and quasar has no PCIe tile");
    EXPECT_EQ(reason("One from All Packet Sizes"),
              "its rectangle 1,1-4,4 does not fit into the compute grid of quasar, 8x4");
    EXPECT_EQ(find_test("Core Shift").reason_not_on(load_architecture(find_architecture("blackhole"))),
              "it is a test of quasar");
}

TEST(TestsOfQuasar, UseItsNocAndItsVirtualChannels) {
    const auto default_of = [](const std::string& test, const std::string& name) {
        for (const ParameterDefinition& parameter : find_test(test).parameters_on(quasar())) {
            if (parameter.name == name) {
                return parameter.default_value;
            }
        }
        return std::string("none");
    };
    EXPECT_EQ(default_of("One from One Packet Sizes", "noc"), "0");
    EXPECT_EQ(default_of("One to All Multicast 2x2 Packet Sizes without Loopback", "vc"), "8");
    EXPECT_EQ(default_of("DRAM Shared Channels Read", "cores"), "32");
    const Sweep sweep = find_test("Multicast Schemes with Loopback").sweep_of(quasar(), Tier::full);
    EXPECT_EQ(sweep.parameters.front().values, std::vector<std::string>{"0"});
}

/// Two rows of the emulator's table, and what it says of moving the receiver.
TEST(TestsOfQuasar, FollowTheEmulator) {
    const auto bandwidth = [](const std::string& bytes, const std::string& destination) {
        return run_point(find_test("Core Shift"), "quasar", "",
                         {{"num_transactions", "256"}, {"call_size", bytes}, {"destination", destination}})
            .rows.front()
            .bandwidth_bytes_per_cycle;
    };
    EXPECT_NEAR(bandwidth("1024", "1,0"), 54.6, 0.1);
    EXPECT_NEAR(bandwidth("8192", "1,0"), 62.7, 0.1);
    for (const char* const destination : {"0,1", "1,1", "2,1", "1,2"}) {
        EXPECT_NEAR(bandwidth("1024", destination) / bandwidth("1024", "1,0"), 1, 0.01) << destination;
    }
}

}  // namespace

}  // namespace nocbench
