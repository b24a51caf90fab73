// Accesses by the host to external memory and to the memory of cores.
#include <gtest/gtest.h>

#include <string>

#include "kernels/frame/primitive.h"
#include "tests/epiphany/epiphany_machine.h"
#include "tests/support/error_message.h"

namespace nocbench {

namespace {

ResultRow row(const std::string& test, const std::string& direction, const std::string& size,
              const std::vector<Setting>& settings = {}) {
    return run_point(find_test(test), test::kEpiphany, "",
                     {{"num_transactions", "1"}, {"call_size", size}, {"direction", direction}}, settings)
        .rows.front();
}

TEST(HostTransfer, TimeIsThatOfItsAccesses) {
    const std::string test = "Host External Memory Transfers";
    EXPECT_DOUBLE_EQ(row(test, "write", "8000").latency_cycles, 1000 * row(test, "write", "8").latency_cycles);
    EXPECT_DOUBLE_EQ(row(test, "read", "8", {{"host.external_read_picoseconds", "1000000"}}).latency_cycles, 600);
    EXPECT_EQ(row(test, "read", "64").limiter, Cause::host);
    EXPECT_TRUE(row("Host Core Transfers", "read", "64").data_ok);
    EXPECT_LT(row("Host Core Transfers", "read", "64").bandwidth_bytes_per_cycle,
              row("Host Core Transfers", "write", "64").bandwidth_bytes_per_cycle);
}

TEST(HostTransfer, StaysWithinTheMemory) {
    EXPECT_EQ(test::error_message([] { row("Host Core Transfers", "read", "32769"); }),
              "parameter call_size: expected at most 32768, the size of the memory, found '32769'");
}

}  // namespace

}  // namespace nocbench
