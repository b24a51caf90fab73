#include "kernels/primitive.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

#include "device_model/error.h"

namespace nocbench {

namespace {

std::vector<TestDefinition>& registry() {
    static std::vector<TestDefinition> tests;
    return tests;
}

/// Architectures take long to read compared with a point, and sweeps use one for many points.
const Architecture& cached_architecture(const std::string& arch, const std::string& board,
                                        const std::vector<Setting>& settings) {
    using Key = std::tuple<std::filesystem::path, std::string, std::vector<Setting>>;
    static std::map<Key, Architecture> cache;
    const Key key{find_architecture(arch), board, settings};
    const auto found = cache.find(key);
    if (found != cache.end()) {
        return found->second;
    }
    return cache.emplace(key, load_architecture(std::get<0>(key), board, settings)).first->second;
}

double cycles(Tick ticks) { return static_cast<double>(ticks) / static_cast<double>(kTicksPerCycle); }

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

ResultRow make_row(const KernelReport& report, std::uint32_t num_transactions, std::vector<const CoreResult*> cores) {
    std::ranges::stable_sort(cores, {}, &CoreResult::latency);
    std::vector<double> latencies;
    std::vector<double> bandwidths;
    for (const CoreResult* core : cores) {
        latencies.push_back(cycles(core->latency));
        bandwidths.push_back(static_cast<double>(num_transactions) *
                             static_cast<double>(report.transaction_size_bytes) / cycles(core->latency));
    }
    ResultRow row;
    row.kernel = report.label;
    row.transaction_size_bytes = report.transaction_size_bytes;
    row.latency_cycles = median(latencies);
    row.bandwidth_bytes_per_cycle = median(bandwidths);
    row.noc = report.noc;
    row.riscv = report.riscv;
    row.num_cores = cores.size();
    row.data_ok = report.data_fault.empty();
    row.limiter = cores[(cores.size() - 1) / 2]->ledger.limiter();
    return row;
}

}  // namespace

Sweep packet_size_sweep(const Architecture& architecture, Tier tier) {
    constexpr std::int64_t kLargestCallBytes = 64 * 1024;
    const std::int64_t flit_bytes = architecture.router.flit_bytes;
    if (tier == Tier::quick) {
        return {{1, 16, 64}, {flit_bytes, 512, 2048, 16384}};
    }
    Sweep sweep{{1, 4, 16, 64, 256}, {}};
    for (std::int64_t bytes = flit_bytes; bytes <= kLargestCallBytes; bytes *= 2) {
        sweep.call_size_bytes.push_back(bytes);
    }
    return sweep;
}

Sweep all_with_all_sweep(const Architecture& architecture, Tier tier) {
    return tier == Tier::quick ? Sweep{{1, 4}, {architecture.router.flit_bytes, 512}}
                               : packet_size_sweep(architecture, tier);
}

RegisterTests::RegisterTests(std::vector<TestDefinition> tests) {
    for (TestDefinition& test : tests) {
        registry().push_back(std::move(test));
    }
    std::sort(registry().begin(), registry().end(),
              [](const TestDefinition& left, const TestDefinition& right) { return left.id < right.id; });
}

std::span<const TestDefinition> all_tests() {
    // Not when tests register themselves: that is before main, where nobody could catch it.
    static const bool is_checked = [] {
        const std::vector<TestDefinition>& tests = registry();
        for (std::size_t one = 0; one < tests.size(); ++one) {
            for (std::size_t other = 0; other < one; ++other) {
                if (tests[one].id == tests[other].id || tests[one].name == tests[other].name) {
                    throw InputError(
                        fmt::format("tests '{}' (id {}, {}) and '{}' (id {}, {}): expected ids and names of their own",
                                    tests[other].name, tests[other].id, tests[other].primitive, tests[one].name,
                                    tests[one].id, tests[one].primitive));
                }
            }
        }
        return true;
    }();
    static_cast<void>(is_checked);
    return registry();
}

const TestDefinition& find_test(std::string_view name) {
    for (const TestDefinition& test : all_tests()) {
        if (test.name == name) {
            return test;
        }
    }
    throw InputError(fmt::format("there is no test called '{}'", name));
}

std::string TestDefinition::board_on(const std::string& arch, const std::string& board) const {
    const auto own = boards.find(arch);
    return board.empty() && own != boards.end() ? own->second : board;
}

PointResult run_point(const TestDefinition& test, const std::string& arch, const std::string& board_asked_for,
                      const std::map<std::string, std::string>& parameters, const std::vector<Setting>& settings,
                      const std::function<void(Device&)>& before) {
    const std::string board = test.board_on(arch, board_asked_for);
    Device device(cached_architecture(arch, board, settings), board);
    if (before) {
        before(device);
    }
    const Point point(device, test.parameters, parameters);
    const std::vector<KernelReport> reports = test.run(point);

    PointResult result;
    result.arch = device.architecture().name;
    result.board = device.board().name;
    result.clock_hz = device.board().clock_hz;
    result.num_transactions = point.num_transactions();
    result.call_size_bytes = point.call_size_bytes();
    result.params = point.changed_parameters();
    for (const auto& [key, value] : settings) {
        result.params += fmt::format("{}{}={}", result.params.empty() ? "" : ";", key, value);
    }
    result.kernels = device.kernel_results();
    for (const KernelReport& report : reports) {
        const std::size_t first = result.cores.size();
        for (const KernelResult& kernel : result.kernels) {
            if (kernel.identity.kernel == report.kernel) {
                const Zone& zone = kernel.zone(report.zone);
                result.cores.push_back({report.label, kernel.identity, report.noc, zone.end - zone.start, zone.ledger});
            }
        }
        std::vector<const CoreResult*> cores;
        for (std::size_t index = first; index < result.cores.size(); ++index) {
            cores.push_back(&result.cores[index]);
        }
        if (cores.empty()) {
            throw InputError(
                fmt::format("test '{}': it reports on kernel '{}', which runs on no core", test.name, report.kernel));
        }
        result.rows.push_back(make_row(report, result.num_transactions, std::move(cores)));
    }
    result.links = device.link_use();
    result.injections = device.injection_use();
    result.deliveries = device.deliveries();
    result.elapsed_cycles = device.elapsed_cycles();
    result.flit_hops = device.flit_hops();
    return result;
}

}  // namespace nocbench
