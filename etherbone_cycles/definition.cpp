// A host reads and writes registers in an FPGA by Etherbone. Rows state the duration of a cycle, blocking or pipelined,
// by layer.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "device_model/sim/error.h"
#include "device_model/wishbone/arch/constants.h"
#include "device_model/wishbone/wishbone_host.h"
#include "device_model/wishbone/wishbone_machine.h"
#include "etherbone_cycles/programs.h"
#include "kernels/frame/measurement.h"
#include "kernels/frame/parameters.h"

namespace nocbench::etherbone_cycles {

namespace {

constexpr const char* kArchitecture = "etherbone";
constexpr const char* kHost = "Host";
constexpr const char* kWithStart = "With Start";
constexpr std::int64_t kTimestampBytes = 8;
constexpr std::int64_t kTimestampsPerCycleMax = 8;  // maximum of the published measurement
constexpr std::int64_t kPublishedCycles = 90;

/// Window of a program's stopwatch. It begins with the leading or the first requested timestamp, and ends with the last
/// requested or the trailing timestamp.
enum class Window : std::uint8_t { leading_to_last, first_to_last, leading_to_trailing };

struct BoardOfTests {
    const char* board;
    const char* title;
};

// Determines the ids of tests.
constexpr std::array kBoards{
    BoardOfTests{"scu3_pcie", "SCU3 PCIe"},       BoardOfTests{"scu2_pcie", "SCU2 PCIe"},
    BoardOfTests{"t5810_pcie", "T5810 PCIe"},     BoardOfTests{"t3500_pcie", "T3500 PCIe"},
    BoardOfTests{"t5810_usb", "T5810 USB"},       BoardOfTests{"t3500_usb", "T3500 USB"},
    BoardOfTests{"scu3_gige", "SCU3 GigE"},       BoardOfTests{"exploder_gige", "Exploder GigE"},
    BoardOfTests{"exploder_usb", "Exploder USB"}, BoardOfTests{"rio4_vme", "RIO4 VME"},
    BoardOfTests{"a020_vme", "A020 VME"}};
// Boards of hypothetical designs, by their bridges.
constexpr std::array kWhatIfBoards{std::pair{"PCIe", "scu3_pcie"}, std::pair{"GigE", "scu3_gige"}};
constexpr int kFirstTimestampsId = 701;
constexpr int kFirstLatchId = 721;
constexpr int kFirstSpacingId = 741;
constexpr int kFirstWhatIfId = 761;

Cycle cycles_from_ns(const WishboneBoard& board, std::int64_t nanoseconds) {
    return cycle_containing(wishbone::BoardClock(board).ticks(nanoseconds));
}

std::uint32_t timestamps_per_cycle(const PointParameters& point) {
    if (point.call_size_bytes() % kTimestampBytes != 0) {
        throw InputError(
            fmt::format("parameter call_size: expected a multiple of {}, the bytes of a timestamp, found '{}'",
                        kTimestampBytes, point.call_size_bytes()));
    }
    return static_cast<std::uint32_t>(point.call_size_bytes() / kTimestampBytes);
}

Timestamps run_timestamps(WishboneMachine& machine, const TimestampsRequest& request, const MachineWatcher& watcher) {
    if (watcher) {
        watcher(machine);
    }
    Timestamps times;
    machine.add_kernel("timestamps", [&](WishboneHost& host) { times = read_timestamps(host, request, kHost); });
    machine.run(kMostCycles);
    return times;
}

struct RowOfWindow {
    const char* label = nullptr;
    double bytes = 0;  // bytes transferred in the window
    std::uint64_t transaction_size_bytes = 0;
};

/// Adds a row with the time of a program's own stopwatch.
void add_row_of_window(Measurement& measurement, const RowOfWindow& row, Cycle cycles, const std::string& fault) {
    ResultRow& added =
        measurement.rows.emplace_back(row_of_mean(row.label, row.transaction_size_bytes, fault, measurement.cores));
    added.latency_cycles = static_cast<double>(cycles);
    added.bandwidth_bytes_per_cycle = row.bytes / added.latency_cycles;
}

/// Runs the program on the board and reports the time of the program's own stopwatch.
Measurement measure_timestamps(const PointParameters& point, const WishboneBoard& board,
                               const TimestampsRequest& request, const MachineWatcher& watcher) {
    const auto window =
        static_cast<Window>(point.choice("window", {"leading_to_last", "first_to_last", "leading_to_trailing"}));
    WishboneMachine machine(board);
    const Timestamps times = run_timestamps(machine, request, watcher);
    Measurement measurement;
    const auto bytes = static_cast<double>(kTimestampBytes * static_cast<std::int64_t>(times.acquired_ns.size()));
    add_machine(measurement, machine, bytes, kHost);
    const std::int64_t last_ns = times.acquired_ns.back();
    const std::int64_t window_ns = window == Window::leading_to_last ? last_ns - times.leading_ns
                                   : window == Window::first_to_last ? last_ns - times.acquired_ns.front()
                                                                     : times.trailing_ns - times.leading_ns;
    add_row_of_window(measurement, {kHost, bytes, point.call_size_bytes()}, cycles_from_ns(board, window_ns),
                      times.fault());
    return measurement;
}

Measurement measure_spacing(const PointParameters& point, const Architecture& /*architecture*/, const Board& board,
                            const MachineWatcher& watcher) {
    const std::uint32_t per_cycle = timestamps_per_cycle(point);
    if (per_cycle < 2) {
        throw InputError(fmt::format("parameter call_size: expected at least {}, two timestamps, found '{}'",
                                     2 * kTimestampBytes, point.call_size_bytes()));
    }
    WishboneMachine machine(wishbone_of(board));
    const Timestamps times = run_timestamps(
        machine,
        {.method = Method::pipelined, .num_cycles = point.num_transactions(), .timestamps_per_cycle = per_cycle},
        watcher);
    std::int64_t spacings_ns = 0;
    for (std::size_t first = 0; first < times.acquired_ns.size(); first += per_cycle) {
        spacings_ns += times.acquired_ns[first + per_cycle - 1] - times.acquired_ns[first];
    }
    const std::uint32_t bytes_per_cycle = (per_cycle - 1) * static_cast<std::uint32_t>(kTimestampBytes);
    const double bytes = static_cast<double>(bytes_per_cycle) * point.num_transactions();
    Measurement measurement;
    add_machine(measurement, machine, bytes, kHost);
    add_row_of_window(measurement, {kHost, bytes, bytes_per_cycle}, cycles_from_ns(wishbone_of(board), spacings_ns),
                      times.fault());
    return measurement;
}

Measurement measure_on(const PointParameters& point, const WishboneBoard& board, const MachineWatcher& watcher) {
    const auto method = static_cast<Method>(point.choice("method", {"blocking", "pipelined", "convenience"}));
    return measure_timestamps(point, board,
                              {.method = method,
                               .num_cycles = point.num_transactions(),
                               .timestamps_per_cycle = timestamps_per_cycle(point),
                               .is_checked = point.flag("checked")},
                              watcher);
}

Measurement measure_by_method(const PointParameters& point, const Architecture& /*architecture*/, const Board& board,
                              const MachineWatcher& watcher) {
    return measure_on(point, wishbone_of(board), watcher);
}

Measurement measure_latch_unit(const PointParameters& point, const Architecture& /*architecture*/, const Board& board,
                               const MachineWatcher& watcher) {
    constexpr std::uint32_t kBytesPerCycle = 4 * kBusWordBytes;
    if (point.call_size_bytes() != kBytesPerCycle) {
        throw InputError(
            fmt::format("parameter call_size: expected {}, three words that are read and one that is "
                        "written, found '{}'",
                        kBytesPerCycle, point.call_size_bytes()));
    }
    WishboneMachine machine(wishbone_of(board));
    if (watcher) {
        watcher(machine);
    }
    LatchedTimes seen;
    machine.add_kernel("latched times",
                       [&](WishboneHost& host) { seen = read_latched_times(host, point.num_transactions(), kHost); });
    machine.run(kMostCycles);

    Measurement measurement;
    const double bytes = static_cast<double>(kBytesPerCycle) * point.num_transactions();
    add_machine(measurement, machine, bytes, kHost);
    add_row(measurement, kBytesPerCycle, seen.fault, kHost);
    add_row_of_window(measurement, {kWithStart, bytes, kBytesPerCycle},
                      cycles_from_ns(wishbone_of(board), seen.end_ns - seen.begin_ns - seen.slept_ns), seen.fault);
    return measurement;
}

// Hypothetical designs: boards with one change.

enum class DriverDesign : std::uint8_t { software_slave, word_reads, direct_memory_access };

Measurement measure_driver_design(const PointParameters& point, const Architecture& /*architecture*/,
                                  const Board& board, const MachineWatcher& watcher) {
    const auto design =
        static_cast<DriverDesign>(point.choice("design", {"software_slave", "word_reads", "direct_memory_access"}));
    WishboneBoard changed = wishbone_of(board);
    changed.wishbone.bridge.executes_in_driver = design == DriverDesign::software_slave ? 1 : 0;
    changed.wishbone.bridge.driver_reads_answers = design == DriverDesign::word_reads ? 1 : 0;
    return measure_on(point, changed, watcher);
}

Measurement measure_network(const PointParameters& point, const Architecture& /*architecture*/, const Board& board,
                            const MachineWatcher& watcher) {
    constexpr std::uint32_t kSwitchesMax = 16;
    constexpr std::uint32_t kMetresMax = 100'000;
    WishboneBoard changed = wishbone_of(board);
    changed.switches = point.number("switches", 0, kSwitchesMax);
    changed.fibre_metres = point.number("metres", 0, kMetresMax);
    return measure_on(point, changed, watcher);
}

Measurement measure_slow_slave(const PointParameters& point, const Architecture& /*architecture*/, const Board& board,
                               const MachineWatcher& watcher) {
    constexpr std::uint32_t kCyclesMax = 10'000;
    WishboneBoard changed = wishbone_of(board);
    changed.wishbone.fpga.register_cycles = point.number("acknowledge_cycles", 1, kCyclesMax);
    return measure_on(point, changed, watcher);
}

std::vector<std::int64_t> sizes_of_timestamps(Tier tier) {
    std::vector<std::int64_t> sizes;
    for (std::int64_t number = 1; number <= kTimestampsPerCycleMax; number += tier == Tier::quick ? 7 : 1) {
        sizes.push_back(number * kTimestampBytes);
    }
    return sizes;
}

Sweep sweep_of_methods(const Architecture& /*architecture*/, Tier tier) {
    return {{kPublishedCycles}, sizes_of_timestamps(tier), {{"method", {"blocking", "pipelined", "convenience"}}}};
}

Sweep sweep_of_latch_unit(const Architecture& /*architecture*/, Tier tier) {
    return {tier == Tier::quick ? std::vector<std::int64_t>{100} : std::vector<std::int64_t>{100, 1000, 10'000},
            {4 * kBusWordBytes}};
}

Sweep sweep_of_spacings(const Architecture& /*architecture*/, Tier tier) {
    Sweep sweep{{kPublishedCycles}, sizes_of_timestamps(tier)};
    std::erase(sweep.call_size_bytes, kTimestampBytes);
    return sweep;
}

Sweep sweep_of_designs(const Architecture& /*architecture*/, Tier tier) {
    return {
        {kPublishedCycles},
        sizes_of_timestamps(tier),
        {{"method", {"blocking", "pipelined"}}, {"design", {"software_slave", "word_reads", "direct_memory_access"}}}};
}

Sweep sweep_of_operations(const Architecture& /*architecture*/, Tier tier) {
    Sweep sweep{{kPublishedCycles}, {}, {{"method", {"blocking", "pipelined"}}, {"checked", {"1", "0"}}}};
    // Doubles the number of timestamps up to the maximum that fits into a datagram.
    constexpr std::int64_t kTimestampsMax = 128;
    for (std::int64_t number = 1; number <= kTimestampsMax; number *= tier == Tier::quick ? 128 : 2) {
        sweep.call_size_bytes.push_back(number * kTimestampBytes);
    }
    return sweep;
}

Sweep sweep_of_windows(const Architecture& /*architecture*/, Tier tier) {
    return {{kPublishedCycles},
            sizes_of_timestamps(tier),
            {{"method", {"blocking", "pipelined"}},
             {"window", {"leading_to_last", "first_to_last", "leading_to_trailing"}}}};
}

Sweep sweep_of_networks(const Architecture& /*architecture*/, Tier tier) {
    return {{kPublishedCycles},
            {kTimestampBytes},
            {{"method", {"blocking", "pipelined"}},
             {"switches", tier == Tier::quick ? std::vector<std::string>{"0", "4"}
                                              : std::vector<std::string>{"0", "1", "2", "3", "4"}},
             {"metres", tier == Tier::quick ? std::vector<std::string>{"10"}
                                            : std::vector<std::string>{"10", "100", "1000", "10000"}}}};
}

Sweep sweep_of_slow_slaves(const Architecture& /*architecture*/, Tier tier) {
    return {{kPublishedCycles},
            {kTimestampBytes * kTimestampsPerCycleMax},
            {{"method", {"blocking", "pipelined"}},
             {"acknowledge_cycles", tier == Tier::quick ? std::vector<std::string>{"1", "100"}
                                                        : std::vector<std::string>{"1", "2", "4", "8", "10", "16", "32",
                                                                                   "64", "128", "256"}}}};
}

ParameterDefinition method_parameter() {
    return {.name = "method",
            .default_value = "blocking",
            .meaning =
                "blocking: each cycle waits for its answer; pipelined: all are queued first; convenience: a "
                "blocking call for each word",
            .is_swept = true};
}

ParameterDefinition checked_parameter(bool is_swept = false) {
    return {.name = "checked",
            .default_value = "1",
            .meaning = "1: the error status of each cycle is read; 0: it is not",
            .is_swept = is_swept};
}

ParameterDefinition window_parameter(const std::string& default_window = "leading_to_last", bool is_swept = false) {
    return {.name = "window",
            .default_value = default_window,
            .meaning =
                "what is timed: from the leading timestamp, or the first one that is asked for, to the last one "
                "or to the trailing one (leading_to_last, first_to_last, leading_to_trailing)",
            .is_swept = is_swept};
}

std::vector<ParameterDefinition> parameters_of_timestamps() {
    return {method_parameter(), checked_parameter(), window_parameter()};
}

/// Properties by which tests differ, besides their sweeps.
struct Subject {
    std::string name;
    std::string board;
    std::string description;
    std::vector<ParameterDefinition> parameters{};  // NOLINT(readability-redundant-member-init): may be left out
    std::vector<std::string> kernels = {kHost};
};

TestDefinition test(int id, const Subject& subject, decltype(TestDefinition::sweep) sweep,
                    decltype(TestDefinition::measure) measure) {
    TestDefinition definition;
    definition.id = id;
    definition.name = subject.name;
    definition.primitive = "etherbone_cycles";
    definition.kind = ArchitectureKind::wishbone_bridge;
    definition.description = subject.description;
    definition.headings = {subject.name};
    definition.kernels = subject.kernels;
    definition.parameters = subject.parameters;
    definition.boards = {{kArchitecture, subject.board}};
    definition.sweep = sweep;
    definition.measure = measure;
    return definition;
}

void add_tests_of_boards(std::vector<TestDefinition>& tests) {
    for (int number = 0; const auto& [board, title] : kBoards) {
        tests.push_back(
            test(kFirstTimestampsId + number,
                 {.name = fmt::format("Timestamps {}", title),
                  .board = board,
                  .description = "A host reads timestamps of the FPGA. A cycle reads one or several timestamps.",
                  .parameters = parameters_of_timestamps()},
                 &sweep_of_methods, &measure_by_method));
        tests.push_back(
            test(kFirstLatchId + number,
                 {.name = fmt::format("Latch Unit {}", title),
                  .board = board,
                  .description = "A host takes latched times out of the FPGA. Each blocking cycle has three reads and "
                                 "one write.",
                  .kernels = {kHost, kWithStart}},
                 &sweep_of_latch_unit, &measure_latch_unit));
        tests.push_back(test(kFirstSpacingId + number,
                             {.name = fmt::format("Spacing {}", title),
                              .board = board,
                              .description = "A host reads timestamps in pipelined cycles. The result is the time "
                                             "between timestamps of one cycle."},
                             &sweep_of_spacings, &measure_spacing));
        ++number;
    }
}

void add_what_ifs(std::vector<TestDefinition>& tests) {
    const auto add = [&](const Subject& subject, decltype(TestDefinition::sweep) sweep,
                         decltype(TestDefinition::measure) measure) {
        const int number = static_cast<int>(tests.size() - 3 * kBoards.size());
        tests.push_back(test(kFirstWhatIfId + number, subject, sweep, measure));
    };
    // The slave in the FPGA finishes long before the driver has read the answers, so the window ends with the trailing
    // timestamp.
    add({.name = "Driver Designs",
         .board = "scu3_pcie",
         .description = "The Etherbone slave is in the driver or in the FPGA.",
         .parameters = {method_parameter(),
                        checked_parameter(),
                        window_parameter("leading_to_trailing"),
                        {.name = "design",
                         .default_value = "software_slave",
                         .meaning = "software_slave: the driver carries cycles out; word_reads: the FPGA does, and "
                                    "the driver reads answers word by word; direct_memory_access: the FPGA does, "
                                    "and writes answers to memory",
                         .is_swept = true}}},
        &sweep_of_designs, &measure_driver_design);
    for (const auto& [bridge, board] : kWhatIfBoards) {
        add({.name = fmt::format("Operations per Cycle {}", bridge),
             .board = board,
             .description = "Cycles read more timestamps, with and without checks of the error status.",
             .parameters = {method_parameter(), checked_parameter(true), window_parameter()}},
            &sweep_of_operations, &measure_by_method);
    }
    add({.name = "Switches and Fibre",
         .board = "scu3_gige",
         .description = "The messages pass a network of switches and fibre.",
         .parameters = joined({parameters_of_timestamps(),
                               {{.name = "switches", .default_value = "1", .meaning = "on the way", .is_swept = true},
                                {.name = "metres", .default_value = "10", .meaning = "of fibre", .is_swept = true}}})},
        &sweep_of_networks, &measure_network);
    add({.name = "Slow Slave",
         .board = "scu3_gige",
         .description = "The registers acknowledge slowly.",
         .parameters = joined({parameters_of_timestamps(),
                               {{.name = "acknowledge_cycles",
                                 .default_value = "1",
                                 .meaning = "from an access to a register to its acknowledgement",
                                 .is_swept = true}}})},
        &sweep_of_slow_slaves, &measure_slow_slave);
    for (const auto& [bridge, board] : kWhatIfBoards) {
        add({.name = fmt::format("Measuring Windows {}", bridge),
             .board = board,
             .description = "The program measures time between different events.",
             .parameters = {method_parameter(), checked_parameter(), window_parameter("leading_to_last", true)}},
            &sweep_of_windows, &measure_by_method);
    }
}

std::vector<TestDefinition> definitions() {
    std::vector<TestDefinition> tests;
    add_tests_of_boards(tests);
    add_what_ifs(tests);
    return tests;
}

const RegisterTests registration{definitions()};

}  // namespace

}  // namespace nocbench::etherbone_cycles
