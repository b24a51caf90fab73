// Copies that the machine simulates in a core's place equal alternating loads and stores.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "device_model/epiphany/epiphany_core.h"
#include "tests/epiphany/epiphany_machine.h"
#include "tests/support/error_message.h"

namespace nocbench {

namespace {

using namespace nocbench::epiphany;
using test::distinct_bytes;
using test::EpiphanyMachine;
using test::error_message;

/// Simultaneous copy by all cores; its addresses are functions of the core's number.
struct Case {
    const char* name;
    std::function<Address(int core)> destination;
    std::function<Address(int core)> source;
    std::uint32_t count = 0;
    std::uint32_t element_bytes = 8;
};

int next_of(int core) { return (core + 1) % 16; }

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"put", [](int core) { return global_address(next_of(core), 0x4000); }, [](int) { return 0x2000U; }, 300, 8},
        {"put_within_a_bank", [](int core) { return global_address(next_of(core), 0x2800); },
         [](int) { return 0x2000U; }, 200, 8},
        {"put_into_what_is_read", [](int core) { return global_address(next_of(core), 0x2100); },
         [](int) { return 0x2000U; }, 200, 8},
        {"put_to_one", [](int core) { return global_address(5, 0x4000 + static_cast<Address>(core) * 0x100); },
         [](int) { return 0x2000U; }, 30, 8},
        {"put_bytes", [](int core) { return global_address(next_of(core), 0x4001); }, [](int) { return 0x2003U; }, 99,
         1},
        {"put_to_itself", [](int core) { return global_address(core, 0x4000); }, [](int) { return 0x2000U; }, 50, 4},
        {"get", [](int) { return 0x4000U; }, [](int core) { return global_address(next_of(core), 0x2000); }, 60, 8},
        {"get_from_one", [](int) { return 0x4000U; }, [](int) { return global_address(5, 0x2000); }, 40, 2},
        {"get_from_itself", [](int) { return 0x4000U; }, [](int core) { return global_address(core, 0x2000); }, 40, 8},
        {"from_elsewhere_to_elsewhere", [](int core) { return global_address(15 - core, 0x4000); },
         [](int core) { return global_address(next_of(core), 0x2000); }, 40, 8},
        {"within", [](int) { return 0x4000U; }, [](int) { return 0x2000U; }, 70, 8},
        {"to_external", [](int core) { return external_address(static_cast<std::uint32_t>(core) * 1024); },
         [](int) { return 0x2000U; }, 60, 8},
        {"from_external", [](int) { return 0x4000U; },
         [](int core) { return external_address(static_cast<std::uint32_t>(core) * 1024); }, 20, 8},
        {"nothing", [](int) { return 0x4000U; }, [](int) { return 0x2000U; }, 0, 8},
    };
    return all;
}

template <typename Value>
void copy_one_by_one(Address destination, Address source, std::uint32_t count, CopyStep step) {
    for (std::uint32_t element = 0; element < count; ++element) {
        const Address offset = element * sizeof(Value);
        store(destination + offset,
              step == CopyStep::staggered ? load_ahead<Value>(source + offset) : load<Value>(source + offset));
    }
}

void copy_one_by_one(const Case& which, int core, CopyStep step) {
    const Address destination = which.destination(core);
    const Address source = which.source(core);
    switch (which.element_bytes) {
        case 1:
            copy_one_by_one<std::uint8_t>(destination, source, which.count, step);
            break;
        case 2:
            copy_one_by_one<std::uint16_t>(destination, source, which.count, step);
            break;
        case 4:
            copy_one_by_one<std::uint32_t>(destination, source, which.count, step);
            break;
        default:
            copy_one_by_one<std::uint64_t>(destination, source, which.count, step);
    }
}

/// Observable results of a run.
struct Trace {
    std::vector<std::string> events;  // deliveries and time intervals, in order
    std::vector<Tick> ends;
    std::vector<std::vector<std::byte>> memories;
    std::vector<std::byte> external;

    bool operator==(const Trace&) const = default;
};

Trace run(const Case& which, CopyStep step, bool one_by_one) {
    EpiphanyMachine machine;
    Trace trace;
    machine.device().observers().delivered = [&](const Delivery& delivery) {
        trace.events.push_back(fmt::format("{} {} {:x} {} {}", delivery.source, delivery.destination,
                                           delivery.destination_address, delivery.bytes.size(), delivery.tick));
    };
    std::array<std::vector<Tick>, 16> causes;
    machine.device().observers().booked = [&](const BookedTime& time) {
        std::vector<Tick>& of_core = causes[time.risc];
        of_core.resize(std::max<std::size_t>(of_core.size(), static_cast<std::size_t>(time.cause) + 1));
        of_core[static_cast<std::size_t>(time.cause)] += time.end - time.begin;
    };
    trace.ends.resize(16);
    for (int core = 0; core < 16; ++core) {
        machine.device().write_memory(machine.device().core_at(core), 0x2000,
                                      distinct_bytes(0x2000, static_cast<unsigned>(core)));
    }
    machine.add_kernel_everywhere([&](int core) {
        instructions(core * 3);
        if (one_by_one) {
            copy_one_by_one(which, core, step);
        } else {
            copy_elements(which.destination(core), which.source(core), which.count, which.element_bytes, step);
        }
        store<std::uint32_t>(global_address(0, 0x7000 + static_cast<Address>(core) * 4), 1);
        trace.ends[static_cast<std::size_t>(core)] = EpiphanyCore::current().now();
    });
    machine.run();
    for (int core = 0; core < 16; ++core) {
        trace.memories.push_back(machine.bytes(machine.device().core_at(core), 0, 0x8000));
        trace.events.push_back(fmt::format("{}", fmt::join(causes[static_cast<std::size_t>(core)], " ")));
    }
    trace.external = machine.device().read_external(0, 16 * 1024);
    return trace;
}

class EpiphanyCopy : public testing::TestWithParam<Case> {};

TEST_P(EpiphanyCopy, IsTheSameAsOneElementAfterTheOther) {
    for (const CopyStep step : {CopyStep::staggered, CopyStep::in_turn}) {
        const Trace expected = run(GetParam(), step, true);
        const Trace found = run(GetParam(), step, false);
        EXPECT_EQ(found.ends, expected.ends);
        EXPECT_EQ(found.events, expected.events);
        EXPECT_TRUE(found == expected);
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, EpiphanyCopy, testing::ValuesIn(cases()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(EpiphanyCopyErrors, NameTheEndThatIsOutside) {
    EpiphanyMachine machine;
    machine.add_kernel({0, 0}, [] { copy_elements(0x7ff8, 0x2000, 2, 8, CopyStep::staggered); }, "copier");
    EXPECT_EQ(error_message([&] { machine.run(); }),
              "kernel 'copier' on core (0, 0): copy_elements: expected 8 bytes within the core's memory, 0x0 to "
              "0x7fff, found them at 0x8000");
}

TEST(EpiphanyCopyErrors, ACopyThatNeverEndsIsReported) {
    const std::vector<Setting> slow{{"elink.single_write_periods", "100000"}, {"elink.burst_write_periods", "100000"}};
    EpiphanyMachine machine(slow);
    machine.add_kernel(
        {0, 0}, [] { copy_elements(external_address(0), 0x2000, 500, 8, CopyStep::staggered); }, "copier");
    EXPECT_NE(error_message([&] { machine.run(10'000); }).find("in copy_elements at 0x8e0000"), std::string::npos);
}

}  // namespace

}  // namespace nocbench
