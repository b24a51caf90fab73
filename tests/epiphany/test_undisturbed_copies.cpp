// Copies that are moved in one go while they meet no other traffic give the same results as simulated ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "device_model/epiphany/epiphany_core.h"
#include "device_model/epiphany/epiphany_state.h"
#include "tests/epiphany/epiphany_machine.h"
#include "tests/support/thinning.h"

namespace nocbench {

namespace {

using namespace nocbench::epiphany;
using test::distinct_bytes;
using test::EpiphanyMachine;
using test::thinned;

constexpr int kCores = 16;
constexpr Address kData = 0x1000;
constexpr std::uint32_t kDataBytes = 0x6000;

/// Random actions of a core: most of them are copies from or to the memories of others.
class RandomActions {
public:
    RandomActions(std::uint32_t seed, int core) : random_(seed * 100 + static_cast<std::uint32_t>(core)), core_(core) {}

    void run(int number) {
        for (int action = 0; action < number; ++action) {
            act();
        }
        wait_for_stores("wait_for_stores");
    }

private:
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
    /// Returns the place of `bytes` at a multiple of `alignment` in the memory of a core, often this one's neighbour.
    Address place(std::uint32_t bytes, std::uint32_t alignment) {
        return kData + below((kDataBytes - bytes) / alignment) * alignment;
    }
    int other() { return below(2) == 0 ? (core_ + 1) % kCores : static_cast<int>(below(kCores)); }
    CopyStep step() { return below(2) == 0 ? CopyStep::staggered : CopyStep::in_turn; }

    void act() {
        const std::uint32_t element = 1U << below(4);
        const std::uint32_t count = below(4) == 0 ? below(12) : below(kDataBytes / 16 / element);
        const std::uint32_t bytes = count * element;
        switch (below(12)) {
            case 0:
                instructions(static_cast<int>(below(1000)));
                break;
            case 1:
                store<std::uint32_t>(global_address(other(), place(4, 4)), below(1000));
                break;
            case 2:
                static_cast<void>(load<std::uint32_t>(global_address(other(), place(4, 4))));
                break;
            case 3:
                wait_for_stores("wait_for_stores");
                break;
            case 4:
                copy_elements(place(bytes, element), place(bytes, element), count, element, step());
                break;
            case 5:
                dma_start(0, block_descriptor(global_address(other(), place(512, 8)), place(512, 8), 512));
                instructions(static_cast<int>(below(500)));
                dma_wait(0);
                break;
            case 6:
                spin_until("spin_until", place(4, 4), [](std::uint32_t) { return true; });
                break;
            case 7:
            case 8:
                copy_elements(place(bytes, element), global_address(other(), place(bytes, element)), count, element,
                              step());
                break;
            default:
                copy_elements(global_address(other(), place(bytes, element)), place(bytes, element), count, element,
                              step());
        }
    }

    std::mt19937 random_;
    int core_;
};

/// All results of a run, but how it came about.
std::vector<std::string> results(std::uint32_t seed, int num_actions, int num_active, bool in_one_go) {
    EpiphanyMachine machine;
    std::vector<std::string> results(kCores);
    for (int core = 0; core < kCores; ++core) {
        machine.device().write_memory(machine.device().core_at(core), kData,
                                      distinct_bytes(kDataBytes, static_cast<unsigned>(core)));
    }
    machine.add_kernel_everywhere([&](int core) {
        EpiphanyCore& here = EpiphanyCore::current();
        here.state().undisturbed.set_enabled(in_one_go);
        if (core % (kCores / num_active) == 0) {
            RandomActions(seed, core).run(num_actions);
        }
        std::string& result = results[static_cast<std::size_t>(core)];
        result = fmt::format("ended at {}", here.now());
        for (std::size_t cause = 0; cause < kNumCauses; ++cause) {
            result += fmt::format(" {}", here.zones().front().ledger.ticks(static_cast<Cause>(cause)));
        }
    });
    machine.run();
    for (int core = 0; core < kCores; ++core) {
        std::uint64_t sum = 0;
        for (const std::byte byte : machine.bytes(machine.device().core_at(core), kData, kDataBytes)) {
            sum = sum * 31 + static_cast<std::uint64_t>(byte);
        }
        results.push_back(fmt::format("memory of {}: {:x}", core, sum));
    }
    for (const LinkUse& use : machine.device().link_use()) {
        results.push_back(fmt::format("{} ({}, {}) {}: {}", use.noc, use.router.x, use.router.y,
                                      static_cast<int>(use.direction), use.flits));
    }
    for (const TileDeliveries& each : machine.device().deliveries()) {
        results.push_back(fmt::format("({}, {}) got {} bytes", each.tile.x, each.tile.y, each.bytes));
    }
    results.push_back(
        fmt::format("{} cycles, {} hops", machine.device().elapsed_cycles(), machine.device().flit_hops()));
    return results;
}

class UndisturbedCopies : public testing::TestWithParam<int> {};

TEST_P(UndisturbedCopies, GiveTheSameResultsAsSimulatedOnes) {
    for (std::uint32_t seed = 1; seed <= thinned(400U, 40U, 4U); ++seed) {
        ASSERT_EQ(results(seed, 12, GetParam(), true), results(seed, 12, GetParam(), false)) << "seed " << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(ActiveCores, UndisturbedCopies, testing::Values(1, 2, 4, 8, 16));

}  // namespace

}  // namespace nocbench
