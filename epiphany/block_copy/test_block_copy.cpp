// Block copies of Epiphany cores and DMA engines: data, and times that follow from the mechanism.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/epiphany/arch/constants.h"
#include "epiphany/block_copy/copy_plan.h"
#include "tests/epiphany/epiphany_machine.h"
#include "tests/support/error_message.h"

namespace nocbench::block_copy {

namespace {

using test::epiphany;
using test::error_message;

CopyPlan plan_of(bool is_external, bool reads, Executor executor, std::uint32_t bytes, bool all_at_once = true) {
    CopyPlan plan{.is_external = is_external,
                  .reads = reads,
                  .executor = executor,
                  .loop = published_loop(is_external, false),
                  .all_at_once = all_at_once,
                  .bytes = bytes,
                  .times = 1,
                  .cores = {}};
    for (int core = 0; core < 16; ++core) {
        plan.cores.push_back(core);
    }
    return plan;
}

struct Copied {
    std::string data_fault;
    std::vector<double> cycles;           // indexed by core
    std::vector<double> bytes_per_cycle;  // indexed by core
};

Copied copied(const CopyPlan& plan, const std::vector<Setting>& settings = {}, const MachineWatcher& before = {}) {
    const Architecture& architecture = epiphany(settings);
    Copied result;
    const Measurement measurement =
        run_copies(plan, epiphany_of(architecture), shape_of(architecture.board("")), result.data_fault, before);
    for (const CoreResult& core : measurement.cores) {
        result.cycles.push_back(cycles_from_ticks(core.latency));
        result.bytes_per_cycle.push_back(core.bandwidth_bytes_per_cycle);
    }
    return result;
}

class BlockCopy : public testing::TestWithParam<std::tuple<bool, bool, Executor, bool>> {};

std::string name_of(const testing::TestParamInfo<BlockCopy::ParamType>& info) {
    const auto [is_external, reads, executor, all_at_once] = info.param;
    return std::string(executor == Executor::core ? "Core" : "Dma") + (reads ? "Reads" : "Writes") +
           (is_external ? "External" : "Core") + (all_at_once ? "Busy" : "Alone");
}

INSTANTIATE_TEST_SUITE_P(Ways, BlockCopy,
                         testing::Combine(testing::Bool(), testing::Bool(),
                                          testing::Values(Executor::core, Executor::dma), testing::Bool()),
                         &name_of);

TEST_P(BlockCopy, DataArriveAndNothingElseDoes) {
    const auto [is_external, reads, executor, all_at_once] = GetParam();
    // Sources of the largest size end where destinations begin.
    for (const std::uint32_t bytes : {8U, 72U, 600U, kLargestBlockBytes}) {
        EXPECT_EQ(copied(plan_of(is_external, reads, executor, bytes, all_at_once)).data_fault, "");
        CopyPlan descending = plan_of(is_external, reads, executor, bytes, all_at_once);
        descending.loop = published_loop(is_external, true);
        EXPECT_EQ(copied(descending).data_fault, "");
    }
}

TEST_P(BlockCopy, TheDataCheckNoticesAWrongByte) {
    const auto [is_external, reads, executor, all_at_once] = GetParam();
    int deliveries = 0;
    const Copied result = copied(plan_of(is_external, reads, executor, 256, all_at_once), {}, [&](Machine& device) {
        device.observers().tamper = [&](const Delivery& delivery, std::span<std::byte> bytes) {
            // Corrupts a dword of the copied data, not of a descriptor or counter.
            if (delivery.bytes.size() == 8 && ++deliveries == 20) {
                bytes[3] ^= std::byte{1};
            }
        };
    });
    EXPECT_GE(deliveries, 20);
    EXPECT_NE(result.data_fault.find("expected 0x"), std::string::npos) << result.data_fault;
}

TEST_P(BlockCopy, TheDataCheckNoticesWhatIsWrittenBesideADestination) {
    const auto [is_external, reads, executor, all_at_once] = GetParam();
    for (const std::uint32_t bytes : {256U, kLargestBlockBytes}) {
        const CopyPlan plan = plan_of(is_external, reads, executor, bytes, all_at_once);
        const std::uint32_t destination = is_external && !reads ? external_offset(3) : kDestinationOffset;
        for (const std::uint32_t beside : {destination - 8, destination + bytes}) {
            EpiphanyDevice* machine = nullptr;
            bool is_done = false;
            const Copied result = copied(plan, {}, [&](Machine& device) {
                machine = dynamic_cast<EpiphanyDevice*>(&device);
                is_done = false;
                device.observers().delivered = [&](const Delivery& /*delivery*/) {
                    if (is_done) {
                        return;
                    }
                    is_done = true;
                    const std::vector<std::byte> stray(8, std::byte{0x5A});
                    if (is_external && !reads) {
                        machine->write_external(beside, stray);
                        return;
                    }
                    for (int core = 0; core < 16; ++core) {
                        machine->write_memory(machine->core_at(core), beside, stray);
                    }
                };
            });
            EXPECT_NE(result.data_fault, "") << bytes << " " << beside;
        }
    }
}

TEST_P(BlockCopy, LargerBlocksTakeLonger) {
    const auto [is_external, reads, executor, all_at_once] = GetParam();
    std::vector<double> before(16);
    for (std::uint32_t bytes = 256; bytes <= 1024; bytes += 256) {
        const std::vector<double> cycles = copied(plan_of(is_external, reads, executor, bytes, all_at_once)).cycles;
        for (std::size_t core = 0; core < cycles.size(); ++core) {
            EXPECT_GE(cycles[core], before[core]);
        }
        before = cycles;
    }
}

TEST(BlockCopyExternalWrites, ArbitrationSharesARowByHalves) {
    // A row gets a quarter of the link's bandwidth. Its columns, counted from the link, get on average 1/2, 1/3, 1/4
    // and 1/4 of the row's share: each router alternates between its own core and upstream traffic, and finished cores
    // free their share.
    const Copied result = copied(plan_of(true, false, Executor::core, 2048));
    const double row_bytes_per_cycle = 8.0 / 32 / 4;
    for (std::size_t core = 0; core < 16; ++core) {
        const std::map<std::size_t, double> shares{{3, 1.0 / 2}, {2, 1.0 / 3}, {1, 1.0 / 4}, {0, 1.0 / 4}};
        const double expected = shares.at(core % 4) * row_bytes_per_cycle;
        EXPECT_NEAR(result.bytes_per_cycle[core], expected, 0.03 * expected) << "core " << core;
    }
}

TEST(BlockCopyExternalWrites, AllCoresHaveWhatTheLinkCarries) {
    const Copied result = copied(plan_of(true, false, Executor::core, 2048));
    const double last = *std::ranges::max_element(result.cycles);
    EXPECT_NEAR(16 * 2048 / last, 8.0 / 32, 0.003);
    // The link has its own clock, so a faster chip clock does not speed up writes.
    const Copied faster = copied(plan_of(true, false, Executor::core, 2048), {{"board.clock_hz", "1000000000"}});
    EXPECT_NEAR(*std::ranges::max_element(faster.cycles) / 1000, last / 600, 1);
}

TEST(BlockCopyExternalWrites, UnbufferedOnesAreFastestNearSeventyBytes) {
    CopyPlan plan = plan_of(true, false, Executor::core, 0, false);
    plan.loop = published_loop(true, true);
    double fastest = 0;
    std::uint32_t knee = 0;
    for (plan.bytes = 8; plan.bytes <= 256; plan.bytes += 8) {
        double sum = 0;
        for (const double bytes_per_cycle : copied(plan).bytes_per_cycle) {
            sum += bytes_per_cycle;
        }
        if (sum > fastest) {
            fastest = sum;
            knee = plan.bytes;
        }
    }
    EXPECT_NEAR(knee, 70, 14);
}

TEST(BlockCopyExternalWrites, BurstsAreInterruptedNowAndThen) {
    CopyPlan plan = plan_of(true, false, Executor::core, 0, false);
    plan.cores = {5};
    std::vector<std::uint32_t> jumps;
    double before = 0;
    for (plan.bytes = 8; plan.bytes <= 2048; plan.bytes += 8) {
        const double cycles = copied(plan).cycles.front();
        if (plan.bytes > 8 && cycles - before > 100) {
            jumps.push_back(plan.bytes);
        }
        before = cycles;
    }
    ASSERT_EQ(jumps.size(), 2U);
    EXPECT_NEAR(jumps[0], 0.8 * 1024, 0.1 * 1024);
    EXPECT_NEAR(jumps[1], 1.5 * 1024, 0.1 * 1024);
}

TEST(BlockCopyReads, FromExternalMemoryTakeHundredsOfCyclesEach) {
    const Copied alone = copied(plan_of(true, true, Executor::core, 512, false));
    const Copied busy = copied(plan_of(true, true, Executor::core, 512));
    for (std::size_t core = 0; core < 16; ++core) {
        EXPECT_NEAR(alone.cycles[core] / 64, 536, 10);
        EXPECT_GT(busy.cycles[core], alone.cycles[core]);
    }
}

TEST(BlockCopyReads, ByEnginesNearTheLinkAreHeldBackByTheirOwnLimit) {
    // Source: raw cycle counts of the EBSP authors, August 2015. The first cores finish after 20.7 and 81.9 thousand
    // cycles. The last core finishes when all reads have been served, one per 34.2 cycles.
    for (const auto& [bytes, first, last] :
         {std::tuple(512U, 20'700.0, 35'600.0), std::tuple(2048U, 81'900.0, 140'000.0)}) {
        const std::vector<double> cycles = copied(plan_of(true, true, Executor::dma, bytes)).cycles;
        EXPECT_NEAR(*std::ranges::min_element(cycles), first, 0.03 * first);
        EXPECT_NEAR(*std::ranges::max_element(cycles), last, 0.01 * last);
    }
    // Without the limit, cores get half of their row's share, as for writes.
    const std::vector<double> unlimited =
        copied(plan_of(true, true, Executor::dma, 2048), {{"dma.outstanding_reads_max", "64"}}).cycles;
    EXPECT_NEAR(std::ranges::min(unlimited) / std::ranges::max(unlimited), 0.5, 0.01);
}

TEST(BlockCopyParameters, AreChecked) {
    const auto told = [](const std::string& test, std::map<std::string, std::string> parameters) {
        parameters.insert({{"num_transactions", "1"}, {"call_size", "64"}});
        return error_message([&] { run_point(find_test(test), test::kEpiphany, "", parameters); });
    };
    const std::string sizes = "External Memory Write Sizes";
    EXPECT_EQ(told(sizes, {}), "no error");
    EXPECT_EQ(told(sizes, {{"call_size", "12"}}),
              "parameter call_size: expected a multiple of 8 up to 8192, found '12'");
    EXPECT_EQ(told(sizes, {{"call_size", "8200"}}),
              "parameter call_size: expected a multiple of 8 up to 8192, found '8200'");
    EXPECT_EQ(told(sizes, {{"executor", "host"}}),
              "parameter executor: expected core or core_descending or dma, found 'host'");
    EXPECT_EQ(told(sizes, {{"state", "idle"}}), "parameter state: expected alone or busy, found 'idle'");
    EXPECT_EQ(told("Block Copies by Active Cores", {{"active", "17"}}),
              "parameter active: expected a whole number from 1 to 16, found '17'");
    EXPECT_EQ(told("Block Copies by Width", {{"executor", "dma"}}),
              "parameter executor: expected core or core_descending, since block copies by DMA move dwords");
}

TEST(BlockCopyParameters, NarrowElementsAreSlowerInProportion) {
    const auto bandwidth = [](const std::string& element_bytes) {
        return run_point(find_test("Block Copies by Width"), test::kEpiphany, "",
                         {{"num_transactions", "1"},
                          {"call_size", "512"},
                          {"target", "core"},
                          {"element_bytes", element_bytes}})
            .rows.front()
            .bandwidth_bytes_per_cycle;
    };
    EXPECT_NEAR(bandwidth("1") / bandwidth("8"), 1.0 / 8, 0.02);
    EXPECT_NEAR(bandwidth("4") / bandwidth("8"), 1.0 / 2, 0.05);
}

}  // namespace

}  // namespace nocbench::block_copy
