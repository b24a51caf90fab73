#include "tests/support/finished_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "device_model/arch/architecture.h"
#include "kernels/frame/data_check.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/error_message.h"
#include "tests/support/machine.h"
#include "tests/support/thinning.h"

namespace nocbench::test {

namespace {

const Architecture& architecture_called(const std::string& name) {
    static std::map<std::string, Architecture> cache;
    const auto found = cache.find(name);
    return found != cache.end() ? found->second
                                : cache.emplace(name, load_architecture(find_architecture(name))).first->second;
}

}  // namespace

std::vector<std::string> architectures_of(ArchitectureKind kind) {
    std::vector<std::string> names = architecture_names();
    std::erase_if(names, [&](const std::string& name) { return architecture_called(name).kind != kind; });
    return names;
}

Parameters with_axes(const SweepPoint& point, Parameters parameters) {
    parameters["num_transactions"] = std::to_string(point.num_transactions);
    parameters["call_size"] = std::to_string(point.call_size_bytes);
    return parameters;
}

std::vector<Parameters> combinations(const std::vector<std::pair<std::string, std::vector<std::string>>>& values) {
    std::vector<Parameters> all{{}};
    for (const auto& [name, choices] : values) {
        std::vector<Parameters> longer;
        for (const Parameters& parameters : all) {
            for (const std::string& choice : choices) {
                longer.push_back(parameters);
                longer.back()[name] = choice;
            }
        }
        all = std::move(longer);
    }
    return all;
}

namespace {}  // namespace

bool is_offered(const std::string& test, const std::string& architecture) {
    return find_test(test).reason_not_on(architecture_called(architecture)).empty();
}

namespace {

enum class Corners : std::uint8_t { left_out, of_the_full_tier };

std::vector<SweepPoint> points_of(const std::string& test, Corners corners) {
    const TestDefinition& definition = find_test(test);
    std::vector<SweepPoint> points;
    for (const std::string& name : architectures_of(definition.kind)) {
        const Architecture& architecture = architecture_called(name);
        if (!is_offered(test, name)) {
            continue;
        }
        std::set<std::pair<std::int64_t, std::int64_t>> pairs;
        const auto add = [&](const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& sizes) {
            for (const std::int64_t count : counts) {
                for (const std::int64_t size : sizes) {
                    pairs.emplace(count, size);
                }
            }
        };
        const Sweep quick = definition.sweep_of(architecture, Tier::quick);
        add(quick.num_transactions, quick.call_size_bytes);
        if (corners == Corners::of_the_full_tier) {
            const Sweep full = definition.sweep_of(architecture, Tier::full);
            add({full.num_transactions.front(), full.num_transactions.back()},
                {full.call_size_bytes.front(), full.call_size_bytes.back()});
        }
        for (const auto& [count, size] : pairs) {
            points.push_back({name, static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(size)});
        }
    }
    return thinned(std::move(points), 4);
}

}  // namespace

std::vector<SweepPoint> quick_points_of(const std::string& test) { return points_of(test, Corners::left_out); }

std::vector<SweepPoint> points_of(const std::string& test) { return points_of(test, Corners::of_the_full_tier); }

void PrintTo(const SweepPoint& point, std::ostream* stream) {
    *stream << point.num_transactions << " of " << point.call_size_bytes << " bytes on " << point.architecture;
}

std::string name_of(const testing::TestParamInfo<SweepPoint>& info) {
    return fmt::format("{}_{}_of_{}", info.param.architecture, info.param.num_transactions, info.param.call_size_bytes);
}

FinishedPoint::FinishedPoint(const std::string& test, const SweepPoint& sweep_point, const Parameters& parameters,
                             const std::function<void(Device&)>& before)
    : sweep_point_(sweep_point),
      device_(std::make_unique<Device>(architecture_called(sweep_point.architecture),
                                       find_test(test).board_on(sweep_point.architecture, ""))) {
    const TestDefinition& definition = find_test(test);
    definitions_ = definition.parameters_on(architecture_called(sweep_point.architecture));
    point_ = std::make_unique<Point>(*device_, definitions_, with_axes(sweep_point, parameters));
    if (before) {
        before(*device_);
    }
    reports_ = definition.run(*point_);
    results_ = device_->kernel_results();
}

std::vector<std::byte> FinishedPoint::sent(LogicalCoordinate core) const {
    return point_->pattern(sweep_point_.call_size_bytes, l1_place(device_->grid(), core, 0).tile);
}

std::vector<std::byte> FinishedPoint::sent_from_dram(std::uint32_t bank, int noc) const {
    return point_->pattern(sweep_point_.call_size_bytes, dram_place(device_->grid(), bank, noc, 0).tile);
}

const KernelReport& FinishedPoint::report(const std::string& label) const {
    const auto found = std::ranges::find(reports_, label, &KernelReport::label);
    if (found == reports_.end()) {
        throw std::logic_error("no kernel is labelled " + label);
    }
    return *found;
}

std::string FinishedPoint::data_faults() const {
    std::string faults;
    for (const KernelReport& report : reports_) {
        faults += report.data_fault.empty() ? "" : fmt::format("{}: {}\n", report.label, report.data_fault);
    }
    return faults;
}

std::vector<Zone> FinishedPoint::timed_zones(const std::string& label) const {
    const KernelReport& wanted = report(label);
    std::vector<Zone> zones;
    for (const KernelResult& result : results_) {
        if (result.identity.kernel == wanted.kernel) {
            zones.push_back(result.zone(wanted.zone));
        }
    }
    return zones;
}

double FinishedPoint::latency_cycles(const std::string& label) const { return cycles(timed_zone(label)); }

std::uint64_t FinishedPoint::calls(const std::string& label) const {
    return sweep_point_.num_transactions * (report(label).transaction_size_bytes / sweep_point_.call_size_bytes);
}

std::uint64_t FinishedPoint::packets(const std::string& label) const {
    const RouterConstants& router = device_->architecture().router;
    const auto packet_bytes = static_cast<std::uint64_t>(router.flit_bytes * router.max_packet_data_flits);
    return calls(label) * ((sweep_point_.call_size_bytes + packet_bytes - 1) / packet_bytes);
}

std::uint64_t FinishedPoint::flits(const std::string& label) const {
    const auto flit_bytes = static_cast<std::uint64_t>(device_->architecture().router.flit_bytes);
    const std::uint64_t data_flits = (sweep_point_.call_size_bytes + flit_bytes - 1) / flit_bytes;
    return packets(label) + calls(label) * data_flits;
}

std::string told_about(const std::string& test, const Parameters& parameters, const SweepPoint& sweep_point) {
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
