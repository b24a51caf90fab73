// Costs of a native kernel's calls, one rule at a time: arguments, the first target, a different target, and repeats.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/risc.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/watched_machine.h"

namespace nocbench {

namespace {

using namespace nocbench::dataflow;
using test::kBuffer;
using test::WatchedMachine;

class CallCosts : public testing::TestWithParam<std::string> {
protected:
    /// Returns the times between calls of a single flit each to `targets`, indices of two cores.
    static std::vector<Tick> intervals(const std::vector<int>& targets, bool reads) {
        // Calls must be the bottleneck, not the NIU, which spaces reads of one responder on Blackhole.
        WatchedMachine machine(GetParam(), {{"niu.same_responder_read_interval_cycles", "0, 0"}});
        std::vector<Tick> calls;
        machine.run_kernel([&] {
            const std::vector<std::uint64_t> addresses{get_noc_addr(machine.x({4, 3}), machine.y({4, 3}), kBuffer),
                                                       get_noc_addr(machine.x({2, 5}), machine.y({2, 5}), kBuffer)};
            for (const int target : targets) {
                const std::uint64_t address = addresses[static_cast<std::size_t>(target)];
                if (reads) {
                    noc_async_read(address, kBuffer, machine.flit_bytes());
                } else {
                    noc_async_write(kBuffer, address, machine.flit_bytes());
                }
                calls.push_back(Risc::current().now());
            }
            noc_async_full_barrier();
        });
        for (std::size_t call = calls.size() - 1; call > 0; --call) {
            calls[call] -= calls[call - 1];
        }
        calls.erase(calls.begin());
        return calls;
    }

    const TorusArchitecture& architecture = torus_of(test::architecture_of(GetParam()));
    const RiscConstants& risc = architecture.risc;
};

INSTANTIATE_TEST_SUITE_P(All, CallCosts, testing::Values("n150", "p150"), [](const auto& test) { return test.param; });

TEST_P(CallCosts, TheFirstRepeatOfACallToATargetTakesLonger) {
    const Tick write = risc.write_call_ticks;
    EXPECT_EQ(intervals({0, 0, 0, 0}, false), (std::vector<Tick>{write + risc.write_first_repeat_ticks, write, write}));
    const Tick read = risc.read_call_ticks;
    EXPECT_EQ(intervals({0, 0, 0, 0}, true), (std::vector<Tick>{read + risc.read_first_repeat_ticks, read, read}));
}

TEST_P(CallCosts, AnotherTargetTakesLonger) {
    const Tick write = risc.write_call_ticks + risc.write_new_target_ticks;
    EXPECT_EQ(intervals({0, 1, 0, 1}, false), (std::vector<Tick>{write, write, write}));
    const Tick read = risc.read_call_ticks + risc.read_new_target_ticks;
    EXPECT_EQ(intervals({0, 1, 0, 1}, true), (std::vector<Tick>{read, read, read}));
    // Repeats of the second target cost as much as other repeats.
    EXPECT_EQ(intervals({0, 1, 1, 1}, false),
              (std::vector<Tick>{write, risc.write_call_ticks + risc.write_first_repeat_ticks, risc.write_call_ticks}));
}

TEST_P(CallCosts, TheFirstTargetIsPartOfTheCall) {
    WatchedMachine machine(GetParam());
    machine.run_kernel([&] {
        DeviceZoneScopedN("write");
        noc_async_write(kBuffer, get_noc_addr(machine.x({4, 3}), machine.y({4, 3}), kBuffer), 64);
    });
    const Zone zone = machine.result().zone("write");
    EXPECT_EQ(zone.end - zone.start, risc.zone_ticks + risc.address_ticks + risc.write_call_ticks);
}

TEST_P(CallCosts, OnlyTheFirstArgumentTakesLong) {
    WatchedMachine machine(GetParam());
    std::vector<Tick> loads;
    machine.add_kernel({{0, 0}, 0, 0}, [&] {
        const Risc& kernel = Risc::current();
        for (std::uint32_t argument = 0; argument < 3; ++argument) {
            const Tick before = kernel.now();
            static_cast<void>(get_arg_val<std::uint32_t>(argument));
            loads.push_back(kernel.now() - before);
        }
    });
    machine.program().set_runtime_args({0, 0}, 0, {1, 2, 3});
    machine.run();
    EXPECT_EQ(loads,
              (std::vector<Tick>{risc.first_argument_load_ticks, risc.argument_load_ticks, risc.argument_load_ticks}));
}

}  // namespace

}  // namespace nocbench
