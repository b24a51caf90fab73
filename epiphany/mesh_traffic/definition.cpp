// Latency of loads from other cores, and bandwidth of traffic patterns that share links of the mesh.
#include <fmt/format.h>

#include <utility>

#include "device_model/arch/architecture.h"
#include "device_model/epiphany/arch/constants.h"
#include "device_model/sim/error.h"
#include "epiphany/mesh_traffic/traffic_plan.h"
#include "kernels/frame/epiphany/measurement.h"

namespace nocbench::mesh_traffic {

namespace {

constexpr std::uint32_t kLoadedOffset = 0x2000;
constexpr std::uint32_t kTimesMax = 1024;

LogicalCoordinate core_of(const PointParameters& point, const std::string& name, const Board& board) {
    const auto [x, y] = point.two_numbers(name, ',', "the coordinates of a core, such as 0,0");
    if (x < 0 || x >= epiphany_of(board).columns || y < 0 || y >= epiphany_of(board).rows) {
        throw InputError(fmt::format("parameter {}: expected x from 0 to {} and y from 0 to {}, found '{},{}'", name,
                                     epiphany_of(board).columns - 1, epiphany_of(board).rows - 1, x, y));
    }
    return {.x = x, .y = y};
}

Measurement measure_latency(const PointParameters& point, const Architecture& architecture, const Board& board,
                            const MachineWatcher& watcher) {
    const LogicalCoordinate source = core_of(point, "source", board);
    const LogicalCoordinate target = core_of(point, "target", board);
    const std::uint32_t size = point.call_size_bytes();
    constexpr std::uint32_t kLargestBytes = 8192;
    if (size != 1 && size != 2 && size != 4 && (size % kDwordBytes != 0 || size > kLargestBytes)) {
        throw InputError(fmt::format("parameter call_size: expected 1, 2, 4 or a multiple of 8 up to {}, found '{}'",
                                     kLargestBytes, size));
    }
    EpiphanyDevice device(epiphany_of(architecture), shape_of(board));
    if (watcher) {
        watcher(device);
    }
    const epiphany::Address address = device.global_address(target, kLoadedOffset);
    device.add_kernel(source, "loader", [=, times = point.num_transactions()] { loader(address, size, times); });
    device.run();
    Measurement measurement;
    add_machine(measurement, device, static_cast<double>(size) * point.num_transactions());
    add_row(measurement, size, {});
    return measurement;
}

Measurement measure_traffic(const PointParameters& point, const Architecture& architecture, const Board& board,
                            const MachineWatcher& watcher) {
    TrafficPlan plan;
    plan.pattern = static_cast<Pattern>(point.choice("pattern", {"neighbors", "all_to_one", "bisection"}));
    plan.by_dma = point.choice("executor", {"core", "dma"}) == 1;
    plan.bytes = point.call_size_bytes();
    plan.times = point.num_transactions();
    const std::uint32_t largest = largest_block_bytes(plan.pattern, static_cast<int>(number_of_cores(board)));
    if (plan.bytes % 8 != 0 || plan.bytes > largest) {
        throw InputError(
            fmt::format("parameter call_size: expected a multiple of 8 up to {}, found '{}'", largest, plan.bytes));
    }
    if (plan.times > kTimesMax) {
        throw InputError(
            fmt::format("parameter num_transactions: expected at most {}, found '{}'", kTimesMax, plan.times));
    }
    TrafficRun run = run_traffic(plan, epiphany_of(architecture), shape_of(board), watcher);
    add_row_of_all(run.measurement, run.bytes, plan.times, run.data_fault);
    return std::move(run.measurement);
}

Sweep latency_sweep(const Architecture& architecture, Tier tier) {
    const Board& board = architecture.board("");
    SweptParameter source{"source", {}};
    SweptParameter target{"target", {}};
    for (int y = 0; y < epiphany_of(board).rows; ++y) {
        for (int x = 0; x < epiphany_of(board).columns; ++x) {
            const std::string core = fmt::format("{},{}", x, y);
            target.values.push_back(core);
            if (tier == Tier::full || target.values.size() == 1) {
                source.values.push_back(core);
            }
        }
    }
    return {{10}, {4}, {source, target}};
}

Sweep traffic_sweep(const Architecture& /*architecture*/, Tier tier) {
    return {{tier == Tier::quick ? 1 : 8},
            {1024},
            {{"pattern", {"neighbors", "all_to_one", "bisection"}}, {"executor", {"core", "dma"}}}};
}

ParameterDefinition core_of_load(const std::string& name, const std::string& core, const std::string& meaning) {
    return {.name = name, .default_value = core, .meaning = meaning, .holds_commas = true, .is_swept = true};
}

std::vector<TestDefinition> tests() {
    TestDefinition latency = epiphany_test(611, "Remote Load Latency", "mesh_traffic",
                                           "A core loads words from another core's memory, one word after the other.");
    latency.parameters = {core_of_load("source", "0,0", "core that loads"),
                          core_of_load("target", "1,0", "core whose memory is read")};
    latency.sweep = &latency_sweep;
    latency.measure = &measure_latency;

    TestDefinition traffic = epiphany_test(612, "Mesh Traffic", "mesh_traffic",
                                           "Many cores move blocks over shared links at the same time.");
    traffic.parameters = {
        {.name = "pattern",
         .default_value = "neighbors",
         .meaning = "neighbors: each core writes to its four neighbours, around the edges, and reads "
                    "from them; all_to_one: all others write to core (1, 1); bisection: the left "
                    "half writes to the right half",
         .is_swept = true},
        {.name = "executor", .default_value = "dma", .meaning = "who moves: core or dma", .is_swept = true}};
    traffic.sweep = &traffic_sweep;
    traffic.measure = &measure_traffic;
    // Each core receives over a single link.
    traffic.num_links = [](const Architecture& /*architecture*/, const Board& board) {
        return std::size_t{number_of_cores(board)};
    };

    return {std::move(latency), std::move(traffic)};
}

const RegisterTests registration{tests()};

}  // namespace

}  // namespace nocbench::mesh_traffic
