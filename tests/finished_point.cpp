#include "tests/finished_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "kernels/dataflow_api.h"
#include "tests/error_message.h"
#include "tests/machine.h"

namespace nocbench::test {

namespace {

Architecture architecture_called(const std::string& name) {
    static std::map<std::string, Architecture> cache;
    const auto found = cache.find(name);
    return found != cache.end() ? found->second
                                : cache.emplace(name, load_architecture(find_architecture(name))).first->second;
}

FinishedPoint::Parameters with_axes(const SweepPoint& point, FinishedPoint::Parameters parameters) {
    parameters["num_transactions"] = std::to_string(point.num_transactions);
    parameters["call_size"] = std::to_string(point.call_size_bytes);
    return parameters;
}

}  // namespace

std::vector<SweepPoint> points_of(const std::string& test) {
    const TestDefinition& definition = find_test(test);
    std::vector<SweepPoint> points;
    for (const std::string& name : architecture_names()) {
        const Architecture architecture = architecture_called(name);
        std::set<std::pair<std::int64_t, std::int64_t>> pairs;
        const auto add = [&](const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& sizes) {
            for (const std::int64_t count : counts) {
                for (const std::int64_t size : sizes) {
                    pairs.emplace(count, size);
                }
            }
        };
        const Sweep quick = definition.sweep(architecture, Tier::quick);
        add(quick.num_transactions, quick.call_size_bytes);
        const Sweep full = definition.sweep(architecture, Tier::full);
        add({full.num_transactions.front(), full.num_transactions.back()},
            {full.call_size_bytes.front(), full.call_size_bytes.back()});
        for (const auto& [count, size] : pairs) {
            points.push_back({name, static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(size)});
        }
    }
    return points;
}

void PrintTo(const SweepPoint& point, std::ostream* stream) {
    *stream << point.num_transactions << " of " << point.call_size_bytes << " bytes on " << point.architecture;
}

std::string name_of(const testing::TestParamInfo<SweepPoint>& info) {
    return fmt::format("{}_{}_of_{}", info.param.architecture, info.param.num_transactions, info.param.call_size_bytes);
}

FinishedPoint::FinishedPoint(const std::string& test, const SweepPoint& sweep_point, const Parameters& parameters,
                             const std::function<void(Device&)>& before)
    : sweep_point_(sweep_point), device_(std::make_unique<Device>(architecture_called(sweep_point.architecture))) {
    const TestDefinition& definition = find_test(test);
    point_ = std::make_unique<Point>(*device_, definition.parameters, with_axes(sweep_point, parameters));
    if (before) {
        before(*device_);
    }
    reports_ = definition.run(*point_);
    results_ = device_->kernel_results();
}

std::vector<std::byte> FinishedPoint::sent() const { return point_->pattern(sweep_point_.call_size_bytes, 0); }

const KernelReport& FinishedPoint::report(const std::string& label) const {
    const auto found = std::ranges::find(reports_, label, &KernelReport::label);
    if (found == reports_.end()) {
        throw std::logic_error("no kernel is labelled " + label);
    }
    return *found;
}

const Zone& FinishedPoint::timed_zone(const std::string& label) const {
    const KernelReport& wanted = report(label);
    const auto found =
        std::ranges::find(results_, wanted.kernel, [](const KernelResult& result) { return result.identity.kernel; });
    if (found == results_.end()) {
        throw std::logic_error("no kernel is called " + wanted.kernel);
    }
    return found->zone(wanted.zone);
}

double FinishedPoint::latency_cycles(const std::string& label) const { return cycles(timed_zone(label)); }

std::uint64_t FinishedPoint::packets() const {
    const RouterConstants& router = device_->architecture().router;
    const auto packet_bytes = static_cast<std::uint64_t>(router.flit_bytes * router.max_packet_data_flits);
    return sweep_point_.num_transactions * ((sweep_point_.call_size_bytes + packet_bytes - 1) / packet_bytes);
}

std::uint64_t FinishedPoint::flits() const {
    const auto flit_bytes = static_cast<std::uint64_t>(device_->architecture().router.flit_bytes);
    const std::uint64_t data_flits = (sweep_point_.call_size_bytes + flit_bytes - 1) / flit_bytes;
    return packets() + sweep_point_.num_transactions * data_flits;
}

void expect_sound(const std::string& test, const SweepPoint& sweep_point, FinishedPoint& point) {
    for (const KernelReport& report : point.reports()) {
        EXPECT_TRUE(report.data_ok) << report.label;
        EXPECT_EQ(report.transaction_size_bytes, sweep_point.call_size_bytes) << report.label;
    }
    for (const KernelResult& result : point.device().kernel_results()) {
        for (const Zone& zone : result.zones) {
            EXPECT_EQ(zone.ledger.total(), zone.end - zone.start) << result.identity.kernel << ", zone " << zone.name;
        }
    }
    const PointResult again = run_point(find_test(test), sweep_point.architecture, "", with_axes(sweep_point, {}));
    ASSERT_EQ(again.rows.size(), point.reports().size());
    EXPECT_EQ(again.params, "");
    for (std::size_t index = 0; index < again.rows.size(); ++index) {
        const ResultRow& row = again.rows[index];
        const KernelReport& report = point.reports()[index];
        EXPECT_EQ(row.kernel, report.label);
        EXPECT_EQ(row.kernel, find_test(test).kernels.at(index));
        EXPECT_TRUE(row.data_ok);
        EXPECT_EQ(row.num_cores, 1U);
        EXPECT_EQ(row.latency_cycles, point.latency_cycles(report.label));
        EXPECT_EQ(row.limiter, point.limiter(report.label));
        EXPECT_DOUBLE_EQ(
            row.bandwidth_bytes_per_cycle * row.latency_cycles,
            static_cast<double>(std::uint64_t{sweep_point.num_transactions} * sweep_point.call_size_bytes));
    }
}

void expect_not_faster_than_physics(const FinishedPoint& point, const std::string& label,
                                    const Architecture& architecture, int ring_hops, Tick call_ticks) {
    const auto hops = static_cast<double>(ring_hops * architecture.router.hop_cycles);
    EXPECT_GE(point.latency_cycles(label), static_cast<double>(point.flits()) + hops);
    const Tick issue = static_cast<Tick>(point.packets()) * call_ticks;
    EXPECT_GE(point.latency_cycles(label), static_cast<double>(issue) / static_cast<double>(kTicksPerCycle) + hops);
}

void expect_latency_grows_with_transactions(const std::string& test, const std::string& architecture) {
    const Sweep sweep = find_test(test).sweep(architecture_called(architecture), Tier::full);
    const std::int64_t middle = sweep.call_size_bytes[sweep.call_size_bytes.size() / 2];
    for (const std::int64_t size : {sweep.call_size_bytes.front(), middle, sweep.call_size_bytes.back()}) {
        std::vector<double> shorter;
        for (const std::int64_t count : sweep.num_transactions) {
            const PointResult point =
                run_point(find_test(test), architecture, "",
                          {{"num_transactions", std::to_string(count)}, {"call_size", std::to_string(size)}});
            for (std::size_t row = 0; row < point.rows.size(); ++row) {
                if (shorter.size() > row) {
                    EXPECT_GT(point.rows[row].latency_cycles, shorter[row])
                        << point.rows[row].kernel << ", " << count << " of " << size;
                    shorter[row] = point.rows[row].latency_cycles;
                } else {
                    shorter.push_back(point.rows[row].latency_cycles);
                }
            }
        }
    }
}

std::string told_about(const std::string& test, const FinishedPoint::Parameters& parameters,
                       const SweepPoint& sweep_point) {
    return error_message([&] { FinishedPoint(test, sweep_point, parameters); });
}

namespace {

void sabotage() {
    using namespace dataflow;
    const std::uint32_t address = get_compile_time_arg_val(0);
    const std::uint32_t loads_before = get_compile_time_arg_val(1);
    for (std::uint32_t load = 0; load < loads_before; ++load) {
        static_cast<void>(load_l1_word(address));
    }
    store_l1_word(address, ~load_l1_word(address));
}

}  // namespace

Saboteur::Saboteur(Device& device, LogicalCoordinate core, int riscv, int noc, std::uint32_t address, When when)
    : program_(device) {
    constexpr std::uint32_t kLongerThanSmallPoints = 5000;
    program_.add_kernel(
        {core}, {"saboteur", &sabotage, riscv, noc, {address, when == When::at_once ? 0 : kLongerThanSmallPoints}});
}

Surroundings::Surroundings(Device& device, LogicalCoordinate core, std::uint64_t begin, std::uint64_t end)
    : core_(core) {
    margins_ = {{begin - kMargin, random_bytes(kMargin, 1)}, {end, random_bytes(kMargin, 2)}};
    for (const Margin& margin : margins_) {
        device.write_l1(core, margin.address, margin.bytes);
    }
}

void Surroundings::expect_untouched(const Device& device) const {
    for (const Margin& margin : margins_) {
        EXPECT_EQ(first_difference(device.read_l1(core_, margin.address, margin.bytes.size()), margin.bytes), "");
    }
}

}  // namespace nocbench::test
