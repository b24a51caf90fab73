#include "kernels/frame/primitive.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <tuple>
#include <utility>

#include "device_model/arch/architecture.h"
#include "device_model/arch/number_in_text.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/device.h"
#include "kernels/frame/possible_rows.h"

namespace nocbench {

namespace {

std::vector<TestDefinition>& registry() {
    static std::vector<TestDefinition> tests;
    return tests;
}

/// Hashes of the contents of files. Modification times do not suffice: a changed file can have an old time.
using Contents = std::vector<std::size_t>;

Contents contents_of(const std::vector<std::filesystem::path>& files) {
    Contents contents;
    std::ranges::transform(files, std::back_inserter(contents), [](const std::filesystem::path& file) {
        std::ifstream stream(file, std::ios::binary);
        return std::hash<std::string>()({std::istreambuf_iterator<char>(stream), {}});
    });
    return contents;
}

/// Returns an architecture from a cache: reading one takes long compared with a point. Contents are compared, since
/// users change files while a notebook runs.
const Architecture& cached_architecture(const std::string& arch, const std::string& board,
                                        const std::vector<Setting>& settings) {
    using Key = std::tuple<std::filesystem::path, Contents, std::string, std::vector<Setting>>;
    static std::map<Key, Architecture> cache;
    static std::map<std::filesystem::path, std::vector<std::filesystem::path>> files_of;
    const std::filesystem::path file = find_architecture(arch);
    const auto found = cache.find({file, contents_of(files_of[file]), board, settings});
    if (found != cache.end()) {
        return found->second;
    }
    Architecture architecture = load_architecture(file, board, settings);
    files_of[file] = architecture.files;
    const Key key{file, contents_of(architecture.files), board, settings};
    return cache.insert_or_assign(key, std::move(architecture)).first->second;
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

double median(const std::vector<double>& unsorted) {
    std::vector<double> values = unsorted;
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Timed zone of a kernel on one core.
struct TimedCore {
    const Zone* zone = nullptr;
    const Zone* data_zone = nullptr;  // see KernelReport
    Processor::Identity identity;
};

std::vector<TimedCore> timed_cores(const KernelReport& report, const std::vector<KernelResult>& kernels) {
    std::vector<TimedCore> cores;
    for (const KernelResult& kernel : kernels) {
        if (kernel.identity.kernel == report.kernel) {
            const Zone& zone = kernel.zone(report.zone);
            cores.push_back(
                {&zone, report.data_zone.empty() ? &zone : &kernel.zone(report.data_zone), kernel.identity});
        }
    }
    return cores;
}

double cycles_of_all(const std::vector<TimedCore>& cores) {
    Tick start = cores.front().zone->start;
    Tick end = cores.front().zone->end;
    for (const TimedCore& core : cores) {
        start = std::min(start, core.zone->start);
        end = std::max(end, core.zone->end);
    }
    return cycles_from_ticks(end - start);
}

/// Combines the reports and kernel results of a point.
Measurement measurement_of(const TestDefinition& test, const Point& point, const std::vector<KernelReport>& reports,
                           const std::vector<KernelResult>& kernels) {
    Measurement measurement;
    for (const KernelReport& report : reports) {
        const double bytes =
            static_cast<double>(point.num_transactions()) * static_cast<double>(report.transaction_size_bytes);
        const std::vector<TimedCore> timed = timed_cores(report, kernels);
        if (timed.empty()) {
            throw InputError(
                fmt::format("test '{}': it reports on kernel '{}', which runs on no core", test.name, report.kernel));
        }
        const bool together = report.summary == CoreSummary::together;
        const double bytes_of_core = together ? bytes / static_cast<double>(timed.size()) : bytes;
        std::vector<CoreResult> cores;
        for (const TimedCore& core : timed) {
            const Tick latency = core.zone->end - core.zone->start;
            const Tick data_time = core.data_zone->end - core.data_zone->start;
            cores.push_back({report.label, core.identity, report.noc, latency,
                             bytes_of_core / cycles_from_ticks(data_time), core.zone->ledger, report.zone});
        }
        ResultRow row = row_of_cores(report, cores);
        row.all_cores_cycles = cycles_of_all(timed);
        if (report.summary != CoreSummary::mean) {
            row.median_core_cycles = row.latency_cycles;
        }
        if (together) {
            row.latency_cycles = row.all_cores_cycles;
            row.bandwidth_bytes_per_cycle = bytes / row.latency_cycles;
            const double bytes_per_second =
                row.bandwidth_bytes_per_cycle * static_cast<double>(point.device().board().clock_hz);
            measurement.statistics.push_back({"gigabytes_per_second", bytes_per_second / 1e9});
        }
        measurement.rows.push_back(std::move(row));
        measurement.cores.insert(measurement.cores.end(), std::make_move_iterator(cores.begin()),
                                 std::make_move_iterator(cores.end()));
    }
    set_use(measurement, point.device());
    if (point.device().grid().is_mesh()) {
        measurement.floor_plan = point.device().floor_plan();
    }
    return measurement;
}

/// Returns whether the default of a parameter that is an area, "5x5" or "1,1-4,4", fits into a compute grid.
bool fits(const ParameterDefinition& parameter, std::int64_t columns, std::int64_t rows) {
    constexpr std::array<std::string_view, 4> kAreas{"grid", "rectangle", "master_grid", "subordinate_grid"};
    const std::string& text = parameter.default_value;
    if (std::ranges::find(kAreas, parameter.name) == kAreas.end() || text.empty() || text == "all") {
        return true;
    }
    const bool has_corners = text.find('-') != std::string::npos;
    const std::string_view last = has_corners ? std::string_view(text).substr(text.find('-') + 1) : text;
    const std::size_t separator = last.find(has_corners ? ',' : 'x');
    const std::int64_t excess = has_corners ? 0 : 1;  // the last core of a grid of 5x5 is 4,4
    return number_in<std::int64_t>(last.substr(0, separator)).value_or(0) - excess < columns &&
           number_in<std::int64_t>(last.substr(separator + 1)).value_or(0) - excess < rows;
}

/// Maximum size of a call in tests without kernels, whose data no memory holds or limits.
constexpr std::uint32_t kLargestCallBytes = 1024 * 1024;

}  // namespace

void set_use(Measurement& measurement, const Machine& machine) {
    measurement.links = machine.link_use();
    measurement.injections = machine.injection_use();
    measurement.packets = machine.packet_use();
    measurement.memories = machine.memory_use();
    measurement.deliveries = machine.deliveries();
    measurement.elapsed_cycles = machine.elapsed_cycles();
    measurement.flit_hops = machine.flit_hops();
}

ResultRow row_of_cores(const KernelReport& report, std::vector<CoreResult> cores) {
    std::ranges::stable_sort(cores, {}, &CoreResult::latency);
    std::vector<double> latencies;
    std::vector<double> bandwidths;
    for (const CoreResult& core : cores) {
        latencies.push_back(cycles_from_ticks(core.latency));
        bandwidths.push_back(core.bandwidth_bytes_per_cycle);
    }
    ResultRow row;
    row.kernel = report.label;
    row.transaction_size_bytes = report.transaction_size_bytes;
    const auto summed_up = report.summary == CoreSummary::mean ? &mean : &median;
    row.latency_cycles = summed_up(latencies);
    row.bandwidth_bytes_per_cycle = summed_up(bandwidths);
    row.noc = report.noc;
    row.riscv = report.riscv;
    row.num_cores = cores.size();
    row.data_ok = report.data_fault.empty();
    row.data_fault = report.data_fault;
    row.limiter = cores[(cores.size() - 1) / 2].ledger.limiter();
    return row;
}

std::string_view to_string(Picture picture) {
    switch (picture) {
        case Picture::transaction_sizes:
            return "transaction_sizes";
        case Picture::latency_against_load:
            return "latency_against_load";
    }
    return "";
}

Sweep packet_size_sweep(const Architecture& architecture, Tier tier) {
    constexpr std::int64_t kLargestPublishedCallBytes = 64 * 1024;
    const std::int64_t flit_bytes = torus_of(architecture).router.flit_bytes;
    if (tier == Tier::quick) {
        return {{1, 16, 64}, {flit_bytes, 512, 2048, 16384}};
    }
    Sweep sweep{{1, 4, 16, 64, 256}, {}};
    for (std::int64_t bytes = flit_bytes; bytes <= kLargestPublishedCallBytes; bytes *= 2) {
        sweep.call_size_bytes.push_back(bytes);
    }
    return sweep;
}

Sweep all_with_all_sweep(const Architecture& architecture, Tier tier) {
    return tier == Tier::quick ? Sweep{{1, 4}, {torus_of(architecture).router.flit_bytes, 512}}
                               : packet_size_sweep(architecture, tier);
}

std::vector<std::string> core_values(const Grid& grid, Tier tier) {
    std::vector<std::string> cores;
    for (int y = 0; y < grid.compute_rows(); ++y) {
        for (int x = 0; x < grid.compute_columns(); ++x) {
            const bool is_corner = x % (grid.compute_columns() - 1) == 0 && y % (grid.compute_rows() - 1) == 0;
            if (tier == Tier::full || is_corner) {
                cores.push_back(fmt::format("{},{}", x, y));
            }
        }
    }
    return cores;
}

RegisterTests::RegisterTests(std::vector<TestDefinition> tests) {
    for (TestDefinition& test : tests) {
        registry().push_back(std::move(test));
    }
    std::sort(registry().begin(), registry().end(),
              [](const TestDefinition& left, const TestDefinition& right) { return left.id < right.id; });
}

std::span<const TestDefinition> all_tests() {
    // Checked on first use instead of at registration: that is before main, where errors cannot be caught.
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

std::vector<const TestDefinition*> tests_of(ArchitectureKind kind) {
    std::vector<const TestDefinition*> tests;
    for (const TestDefinition& test : all_tests()) {
        if (test.kind == kind) {
            tests.push_back(&test);
        }
    }
    return tests;
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

std::vector<ParameterDefinition> TestDefinition::parameters_on(const Architecture& architecture) const {
    std::vector<ParameterDefinition> adapted = parameters;
    if (architecture.kind != ArchitectureKind::tensix_torus) {
        return adapted;
    }
    const RouterConstants& router = torus_of(architecture).router;
    const TorusBoard& board = torus_of(architecture.board(board_on(architecture.name, "")));
    const auto at_most = [](std::string& value, std::int64_t most) {
        if (const std::optional<std::int64_t> number = number_in<std::int64_t>(value)) {
            value = std::to_string(std::min(*number, most));
        }
    };
    for (ParameterDefinition& parameter : adapted) {
        switch (parameter.role) {
            case ParameterRole::plain:
                break;
            case ParameterRole::noc:
                at_most(parameter.default_value, router.networks - 1);
                break;
            case ParameterRole::unicast_channel:
                parameter.meaning += fmt::format(", 0 to {}", router.first_broadcast_virtual_channel - 1);
                break;
            case ParameterRole::multicast_channel: {
                const std::int64_t first = router.first_broadcast_virtual_channel;
                const std::int64_t last = router.first_response_virtual_channel - 1;
                parameter.default_value = std::to_string(first);
                parameter.meaning += fmt::format(", {} {} {}", first, last == first + 1 ? "or" : "to", last);
                break;
            }
            case ParameterRole::core_count:
                at_most(parameter.default_value, board.compute_columns * board.compute_rows);
                break;
        }
    }
    return adapted;
}

std::string TestDefinition::what_lacks_on(const Architecture& architecture) const {
    if (architecture.kind != ArchitectureKind::tensix_torus) {
        return {};
    }
    const TorusArchitecture& torus = torus_of(architecture);
    if (!only_on.empty() && only_on != architecture.root) {
        return fmt::format("it is a test of {}", only_on);
    }
    if (kernels_are_compiled && torus.risc.register_bits != 32) {
        return fmt::format("its kernels are compiled for RISCs of 32 bits, and {} has RISCs of {} bits",
                           architecture.name, torus.risc.register_bits);
    }
    if (uses_host_memory && torus.grid.pcie_tiles.empty()) {
        return fmt::format("it accesses the memory of the host, and {} has no PCIe tile", architecture.name);
    }
    return {};
}

std::string TestDefinition::reason_not_on(const Architecture& architecture) const {
    std::string lacking = what_lacks_on(architecture);
    if (!lacking.empty() || architecture.kind != ArchitectureKind::tensix_torus) {
        return lacking;
    }
    const TorusBoard& board = torus_of(architecture.board(board_on(architecture.name, "")));
    for (const ParameterDefinition& parameter : parameters) {
        if (!fits(parameter, board.compute_columns, board.compute_rows)) {
            return fmt::format("its {} {} does not fit into the compute grid of {}, {}x{}", parameter.name,
                               parameter.default_value, architecture.name, board.compute_columns, board.compute_rows);
        }
    }
    return {};
}

Sweep TestDefinition::sweep_of(const Architecture& architecture, Tier tier) const {
    Sweep result = sweep(architecture, tier);
    if (architecture.kind == ArchitectureKind::tensix_torus) {
        const std::int64_t nocs = torus_of(architecture).router.networks;
        for (SweptParameter& swept : result.parameters) {
            const auto its = std::ranges::find(parameters, swept.name, &ParameterDefinition::name);
            if (its != parameters.end() && its->role == ParameterRole::noc) {
                std::erase_if(swept.values,
                              [&](const std::string& value) { return number_in<std::int64_t>(value) >= nocs; });
            }
        }
    }
    return result;
}

Sweep TestDefinition::sweep_on(const std::string& arch, Tier tier) const {
    return sweep_of(cached_architecture(arch, "", {}), tier);
}

void TestDefinition::require_kind_of(const Architecture& architecture) const {
    if (kind != architecture.kind) {
        throw InputError(fmt::format("test '{}': expected an architecture of kind {} ({}), found {}, of kind {}", name,
                                     to_string(kind), fmt::join(architecture_names(kind), ", "), architecture.name,
                                     to_string(architecture.kind)));
    }
    if (const std::string lacking = what_lacks_on(architecture); !lacking.empty()) {
        throw InputError(fmt::format("test '{}': it is not offered for {}: {}", name, architecture.name, lacking));
    }
}

double TestDefinition::theoretical_bytes_per_cycle(const Architecture& architecture, const Board& board) const {
    require_kind_of(architecture);
    const std::size_t links = num_links != nullptr ? num_links(architecture, board) : 1;
    return static_cast<double>(links) * architecture.link_bytes_per_cycle();
}

void add_settings(PointResult& point, const std::vector<Setting>& settings) {
    for (const auto& [key, value] : settings) {
        point.params += fmt::format("{}{}={}", point.params.empty() ? "" : ";", key, value);
    }
}

PointResult run_point(const TestDefinition& test, const std::string& arch, const std::string& board_asked_for,
                      const std::map<std::string, std::string>& parameters, const std::vector<Setting>& settings,
                      const MachineWatcher& watcher) {
    const std::string board_name = test.board_on(arch, board_asked_for);
    const Architecture& architecture = cached_architecture(arch, board_name, settings);
    test.require_kind_of(architecture);
    const Board& board = architecture.board(board_name);
    const std::vector<ParameterDefinition> definitions = test.parameters_on(architecture);

    PointResult result;
    const auto describe = [&](const PointParameters& point) {
        result.num_transactions = point.num_transactions();
        result.call_size_bytes = point.call_size_bytes();
        result.params = point.changed_parameters();
    };
    if (test.measure != nullptr) {
        const PointParameters point(definitions, parameters, kLargestCallBytes);
        describe(point);
        static_cast<Measurement&>(result) = test.measure(point, architecture, board, watcher);
    } else {
        Device device(architecture, board_name);
        if (watcher) {
            watcher(device);
        }
        const Point point(device, definitions, parameters);
        describe(point);
        const std::vector<KernelReport> reports = test.run(point);
        result.kernels = device.kernel_results();
        static_cast<Measurement&>(result) = measurement_of(test, point, reports, result.kernels);
    }
    result.arch = architecture.name;
    result.board = board.name;
    result.clock_hz = board.clock_hz;
    reject_impossible_rows(result.rows, test.theoretical_bytes_per_cycle(architecture, board));
    add_settings(result, settings);
    return result;
}

}  // namespace nocbench
