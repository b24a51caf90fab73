// Cores of an Epiphany chip, or their DMA engines, copy blocks to or from external memory or the next core.
#include <fmt/format.h>

#include <numeric>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/sim/error.h"
#include "epiphany/block_copy/copy_plan.h"
#include "kernels/frame/epiphany/measurement.h"

namespace nocbench::block_copy {

namespace {

/// Target and direction of a copy, fixed by a test or set by its parameters `target` and `direction`.
struct Way {
    bool is_external = false;
    bool reads = false;
};

std::vector<int> first_cores(std::uint32_t count) {
    std::vector<int> cores(count);
    std::iota(cores.begin(), cores.end(), 0);
    return cores;
}

Measurement run_plan(const CopyPlan& plan, const Architecture& architecture, const Board& board, bool by_core,
                     const MachineWatcher& watcher) {
    const auto element = static_cast<std::uint32_t>(plan.loop.element_bytes);
    if (plan.bytes % element != 0 || plan.bytes > kLargestBlockBytes) {
        throw InputError(fmt::format("parameter call_size: expected a multiple of {} up to {}, found '{}'", element,
                                     kLargestBlockBytes, plan.bytes));
    }
    std::string data_fault;
    Measurement measurement = run_copies(plan, epiphany_of(architecture), shape_of(board), data_fault, watcher);
    if (by_core) {
        add_rows_by_core(measurement, plan.bytes, data_fault);
    } else {
        add_row(measurement, plan.bytes, data_fault);
    }
    return measurement;
}

/// Returns the copy for the point's size and its parameters `executor` and `state`.
CopyPlan sized_copy(const PointParameters& point, const Board& board, Way way) {
    CopyPlan plan;
    plan.is_external = way.is_external;
    plan.reads = way.reads;
    const std::size_t executor = point.choice("executor", {"core", "core_descending", "dma"});
    plan.executor = executor == 2 ? Executor::dma : Executor::core;
    plan.loop = published_loop(way.is_external, executor == 1);
    plan.all_at_once = point.choice("state", {"alone", "busy"}) == 1;
    plan.bytes = point.call_size_bytes();
    plan.times = point.num_transactions();
    plan.cores = first_cores(number_of_cores(board));
    return plan;
}

template <bool kIsExternal, bool kReads>
Measurement measure_sizes(const PointParameters& point, const Architecture& architecture, const Board& board,
                          const MachineWatcher& watcher) {
    return run_plan(sized_copy(point, board, {kIsExternal, kReads}), architecture, board, false, watcher);
}

Way way_of(const PointParameters& point) {
    return {.is_external = point.choice("target", {"core", "external"}) == 1,
            .reads = point.choice("direction", {"write", "read"}) == 1};
}

Measurement measure_cores(const PointParameters& point, const Architecture& architecture, const Board& board,
                          const MachineWatcher& watcher) {
    return run_plan(sized_copy(point, board, way_of(point)), architecture, board, true, watcher);
}

Measurement measure_active(const PointParameters& point, const Architecture& architecture, const Board& board,
                           const MachineWatcher& watcher) {
    CopyPlan plan = sized_copy(point, board, way_of(point));
    plan.cores = first_cores(point.number("active", 1, number_of_cores(board)));
    return run_plan(plan, architecture, board, false, watcher);
}

Measurement measure_widths(const PointParameters& point, const Architecture& architecture, const Board& board,
                           const MachineWatcher& watcher) {
    CopyPlan plan = sized_copy(point, board, way_of(point));
    const std::size_t width = point.choice("element_bytes", {"1", "2", "4", "8"});
    plan.loop.element_bytes = 1 << width;
    if (plan.executor == Executor::dma) {
        throw InputError("parameter executor: expected core or core_descending, since block copies by DMA move dwords");
    }
    return run_plan(plan, architecture, board, false, watcher);
}

Sweep sizes(Tier tier, std::vector<std::string> executors) {
    Sweep sweep{{1}, {}, {{"executor", std::move(executors)}, {"state", {"alone", "busy"}}}};
    if (tier == Tier::quick) {
        sweep.call_size_bytes = {8, 72, 512};
        return sweep;
    }
    constexpr std::int64_t kStep = 8;
    constexpr std::int64_t kLargestPublishedBytes = 2048;
    for (std::int64_t bytes = kStep; bytes <= kLargestPublishedBytes; bytes += kStep) {
        sweep.call_size_bytes.push_back(bytes);
    }
    return sweep;
}

Sweep write_sizes(const Architecture& /*architecture*/, Tier tier) {
    return sizes(tier, {"core", "core_descending", "dma"});
}

Sweep read_sizes(const Architecture& /*architecture*/, Tier tier) { return sizes(tier, {"core", "dma"}); }

Sweep core_sweep(const Architecture& /*architecture*/, Tier tier) {
    return {{1},
            {tier == Tier::quick ? 256 : 2048},
            {{"target", {"core", "external"}}, {"direction", {"write", "read"}}, {"executor", {"core", "dma"}}}};
}

Sweep active_sweep(const Architecture& architecture, Tier tier) {
    Sweep sweep{
        {1}, {tier == Tier::quick ? 256 : 2048}, {{"direction", {"write", "read"}}, {"executor", {"core", "dma"}}}};
    sweep.parameters.push_back(numbers_of_cores("active", architecture, tier));
    return sweep;
}

Sweep width_sweep(const Architecture& /*architecture*/, Tier tier) {
    return {
        {1},
        {tier == Tier::quick ? 64 : 512},
        {{"target", {"core", "external"}}, {"direction", {"write", "read"}}, {"element_bytes", {"1", "2", "4", "8"}}}};
}

ParameterDefinition parameter(std::string name, std::string value, std::string meaning, bool is_swept = true) {
    return {.name = std::move(name),
            .default_value = std::move(value),
            .meaning = std::move(meaning),
            .is_swept = is_swept};
}

ParameterDefinition executor_parameter(bool is_swept = true) {
    return parameter(
        "executor", "core",
        "who copies: core (a loop from the first dword to the last), core_descending (from the last to the "
        "first) or dma",
        is_swept);
}

ParameterDefinition state_parameter(const std::string& value, bool is_swept) {
    return parameter("state", value, "alone: core after core, while the others are idle; busy: all cores at once",
                     is_swept);
}

ParameterDefinition target_parameter(bool is_swept = true) {
    return parameter("target", "external", "core: the next core; external: external memory", is_swept);
}

ParameterDefinition direction_parameter() {
    return parameter("direction", "write", "write: to the target; read: from there");
}

TestDefinition test(int id, const std::string& name, const std::string& description) {
    return epiphany_test(id, name, "block_copy", description);
}

std::vector<TestDefinition> tests() {
    const std::vector<ParameterDefinition> of_sizes{executor_parameter(), state_parameter("alone", true)};
    std::vector<TestDefinition> all;
    const auto add_sizes = [&](int id, const std::string& name, const std::string& description,
                               Sweep (*sweep)(const Architecture&, Tier), auto measure) {
        TestDefinition definition = test(id, name, description);
        definition.parameters = of_sizes;
        definition.sweep = sweep;
        definition.measure = measure;
        all.push_back(std::move(definition));
    };
    add_sizes(601, "External Memory Write Sizes", "Cores write blocks to external memory.", &write_sizes,
              &measure_sizes<true, false>);
    add_sizes(602, "External Memory Read Sizes", "Cores read blocks from external memory.", &read_sizes,
              &measure_sizes<true, true>);
    add_sizes(603, "Core to Core Write Sizes",
              "Each core writes blocks to the next core. The last core writes to the first core.", &write_sizes,
              &measure_sizes<false, false>);
    add_sizes(604, "Core to Core Read Sizes",
              "Each core reads blocks from the next core. The last core reads from the first core.", &read_sizes,
              &measure_sizes<false, true>);

    TestDefinition cores =
        test(605, "Block Copies by Core", "All cores copy blocks at the same time. Each core has its own result row.");
    cores.parameters = {target_parameter(), direction_parameter(), executor_parameter(),
                        state_parameter("busy", false)};
    cores.sweep = &core_sweep;
    cores.measure = &measure_cores;
    all.push_back(std::move(cores));

    TestDefinition active =
        test(606, "Block Copies by Active Cores",
             "The first cores, counted row by row, copy blocks to or from external memory at the same time.");
    active.parameters = {target_parameter(false), direction_parameter(), executor_parameter(),
                         state_parameter("busy", false), parameter("active", "16", "number of cores at work")};
    active.sweep = &active_sweep;
    active.measure = &measure_active;
    all.push_back(std::move(active));

    TestDefinition widths = test(607, "Block Copies by Width",
                                 "Cores copy blocks in elements of 1, 2, 4 or 8 bytes. Only one core works at a time.");
    widths.parameters = {target_parameter(), direction_parameter(), executor_parameter(false),
                         state_parameter("alone", false),
                         parameter("element_bytes", "8", "bytes of each load and store: 1, 2, 4 or 8")};
    widths.sweep = &width_sweep;
    widths.measure = &measure_widths;
    all.push_back(std::move(widths));
    return all;
}

const RegisterTests registration{tests()};

}  // namespace

}  // namespace nocbench::block_copy
