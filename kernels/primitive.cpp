#include "kernels/primitive.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "device_model/error.h"

namespace nocbench {

namespace {

constexpr std::string_view kNumTransactions = "num_transactions";
constexpr std::string_view kCallSize = "call_size";

std::vector<TestDefinition>& registry() {
    static std::vector<TestDefinition> tests;
    return tests;
}

std::uint32_t parse_number(std::string_view name, std::string_view text, std::uint32_t minimum, std::uint32_t maximum) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < minimum || number > maximum) {
        throw InputError(fmt::format("parameter {}: expected a whole number from {} to {}, found '{}'", name, minimum,
                                     maximum, text));
    }
    return number;
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
    row.data_ok = report.data_ok;
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

Point::Point(Device& device, const std::vector<ParameterDefinition>& parameters,
             const std::map<std::string, std::string>& values)
    : device_(device), parameters_(parameters) {
    for (const ParameterDefinition& parameter : parameters) {
        values_[parameter.name] = parameter.default_value;
    }
    for (const auto& [name, text] : values) {
        if (name == kNumTransactions || name == kCallSize) {
            continue;
        }
        if (!values_.contains(name)) {
            std::string known(kNumTransactions);
            known += fmt::format(", {}", kCallSize);
            for (const ParameterDefinition& parameter : parameters) {
                known += ", " + parameter.name;
            }
            throw InputError(fmt::format("parameter {}: this test has no such parameter; it has {}", name, known));
        }
        values_[name] = text;
    }
    constexpr std::uint32_t kMostTransactions = 1'000'000;
    const auto required = [&](std::string_view name, std::uint32_t maximum) {
        const auto found = values.find(std::string(name));
        if (found == values.end()) {
            throw InputError(fmt::format("parameter {}: it is missing", name));
        }
        return parse_number(name, found->second, 1, maximum);
    };
    num_transactions_ = required(kNumTransactions, kMostTransactions);
    call_size_bytes_ = required(kCallSize, static_cast<std::uint32_t>(device.architecture().l1.size_bytes));
}

const std::string& Point::value(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) {
        throw InputError(fmt::format("parameter {}: the test asks for it but does not define it", name));
    }
    return found->second;
}

std::uint32_t Point::buffer_bytes() const {
    const Architecture& architecture = device_.architecture();
    const auto alignment =
        static_cast<std::uint32_t>(std::max({architecture.l1.alignment_bytes, architecture.dram.read_alignment_bytes,
                                             architecture.dram.write_alignment_bytes}));
    return (call_size_bytes_ + alignment - 1) / alignment * alignment;
}

std::uint32_t Point::number(const std::string& name, std::uint32_t minimum, std::uint32_t maximum) const {
    return parse_number(name, value(name), minimum, maximum);
}

LogicalCoordinate Point::core(const std::string& name) const {
    const std::string& text = value(name);
    const std::size_t comma = text.find(',');
    LogicalCoordinate core;
    const auto parse = [&](std::string_view part, int& coordinate) {
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), coordinate);
        return error == std::errc() && end == part.data() + part.size();
    };
    if (comma == std::string::npos || !parse(std::string_view(text).substr(0, comma), core.x) ||
        !parse(std::string_view(text).substr(comma + 1), core.y)) {
        throw InputError(fmt::format(
            "parameter {}: expected the logical coordinates of a core, such as 0,0, found '{}'", name, text));
    }
    try {
        static_cast<void>(device_.grid().physical(core));
    } catch (const InputError& error) {
        throw InputError(fmt::format("parameter {}: {}", name, error.what()));
    }
    return core;
}

std::string Point::changed_parameters() const {
    std::string changed;
    for (const ParameterDefinition& parameter : parameters_) {
        if (value(parameter.name) != parameter.default_value) {
            changed += fmt::format("{}{}={}", changed.empty() ? "" : ";", parameter.name, value(parameter.name));
        }
    }
    return changed;
}

std::vector<std::byte> Point::pattern(std::size_t size, std::uint32_t buffer) const {
    // xorshift32: any sequence without short periods does.
    std::uint32_t state =
        0x9e3779b9U ^ (num_transactions_ * 2654435761U) ^ (call_size_bytes_ * 40503U) ^ ((buffer + 1) * 69069U);
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        byte = static_cast<std::byte>(state >> 24);
    }
    return bytes;
}

void Point::require_l1(std::uint64_t address, std::uint64_t bytes) const {
    const auto l1_bytes = static_cast<std::uint64_t>(device_.architecture().l1.size_bytes);
    if (address + bytes > l1_bytes) {
        throw InputError(fmt::format("parameter {}: {} bytes at 0x{:x} do not fit into L1, which ends at 0x{:x}",
                                     kCallSize, bytes, address, l1_bytes));
    }
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

PointResult run_point(const TestDefinition& test, const std::string& arch, const std::string& board,
                      const std::map<std::string, std::string>& parameters, const std::vector<Setting>& settings) {
    Device device(cached_architecture(arch, board, settings), board);
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
    const std::vector<KernelResult> kernels = device.kernel_results();
    for (const KernelReport& report : reports) {
        const std::size_t first = result.cores.size();
        for (const KernelResult& kernel : kernels) {
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
    result.flit_hops = device.flit_hops();
    return result;
}

}  // namespace nocbench
