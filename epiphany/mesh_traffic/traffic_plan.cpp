#include "epiphany/mesh_traffic/traffic_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "device_model/sim/random_numbers.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/epiphany/measurement.h"

namespace nocbench::mesh_traffic {

namespace {

constexpr std::uint32_t kSourceOffset = 0x1000;
constexpr std::uint32_t kSourceBytes = 0x800;
constexpr std::uint32_t kFirstBlockOffset = 0x2000;  // offset of arriving data
constexpr std::uint32_t kBlocksBytes = 0x4000;
constexpr std::size_t kNumNeighbors = 4;

/// Block that must equal a core's source at the end of the run.
struct Expected {
    int source = 0;
    int destination = 0;
    std::uint32_t offset = 0;
};

struct CoreTraffic {
    int core = 0;
    std::vector<Transfer> transfers;
    std::vector<Expected> expected;
};

int neighbor(const EpiphanyDevice& device, int core, std::size_t direction) {
    constexpr std::array<LogicalCoordinate, kNumNeighbors> kSteps{{{0, -1}, {0, 1}, {1, 0}, {-1, 0}}};
    const EpiphanyShape& shape = device.shape();
    const LogicalCoordinate at = device.core_at(core);
    return device.core_number({.x = (at.x + kSteps[direction].x + shape.columns) % shape.columns,
                               .y = (at.y + kSteps[direction].y + shape.rows) % shape.rows});
}

class Plan {
public:
    Plan(const TrafficPlan& plan, const EpiphanyDevice& device) : plan_(plan), device_(device) {
        switch (plan.pattern) {
            case Pattern::neighbors:
                add_neighbors();
                break;
            case Pattern::all_to_one:
                add_all_to_one();
                break;
            case Pattern::bisection:
                add_bisection();
                break;
        }
    }

    [[nodiscard]] const std::vector<CoreTraffic>& cores() const { return cores_; }

private:
    void add_neighbors() {
        const std::uint32_t slot = largest_block_bytes(plan_.pattern, device_.num_cores());
        for (int core = 0; core < device_.num_cores(); ++core) {
            CoreTraffic traffic{core, {}, {}};
            for (std::size_t direction = 0; direction < kNumNeighbors; ++direction) {
                write(traffic, neighbor(device_, core, direction),
                      kFirstBlockOffset + static_cast<std::uint32_t>(direction) * slot);
            }
            for (std::size_t direction = 0; direction < kNumNeighbors; ++direction) {
                const int other = neighbor(device_, core, direction);
                const std::uint32_t offset =
                    kFirstBlockOffset + static_cast<std::uint32_t>(kNumNeighbors + direction) * slot;
                traffic.transfers.push_back(
                    {device_.global_address(device_.core_at(other), kSourceOffset), offset, plan_.bytes, plan_.times});
                traffic.expected.push_back({other, core, offset});
            }
            cores_.push_back(std::move(traffic));
        }
    }

    void add_all_to_one() {
        const int receiver = device_.core_number(
            {.x = std::min(1, device_.shape().columns - 1), .y = std::min(1, device_.shape().rows - 1)});
        const std::uint32_t slot = largest_block_bytes(plan_.pattern, device_.num_cores());
        for (int core = 0; core < device_.num_cores(); ++core) {
            if (core != receiver) {
                CoreTraffic traffic{core, {}, {}};
                write(traffic, receiver, kFirstBlockOffset + static_cast<std::uint32_t>(core) * slot);
                cores_.push_back(std::move(traffic));
            }
        }
    }

    void add_bisection() {
        const int half = device_.shape().columns / 2;
        for (int core = 0; core < device_.num_cores(); ++core) {
            const LogicalCoordinate at = device_.core_at(core);
            if (at.x < half) {
                CoreTraffic traffic{core, {}, {}};
                write(traffic, device_.core_number({.x = at.x + half, .y = at.y}), kFirstBlockOffset);
                cores_.push_back(std::move(traffic));
            }
        }
    }

    void write(CoreTraffic& traffic, int receiver, std::uint32_t offset) {
        traffic.transfers.push_back(
            {kSourceOffset, device_.global_address(device_.core_at(receiver), offset), plan_.bytes, plan_.times});
        traffic.expected.push_back({traffic.core, receiver, offset});
    }

    const TrafficPlan& plan_;
    const EpiphanyDevice& device_;
    std::vector<CoreTraffic> cores_;
};

std::vector<std::byte> source_of(int core, std::uint32_t bytes) {
    return random_bytes(static_cast<std::uint64_t>(core) + 1, bytes);
}

std::string check(const Expected& expected, std::uint32_t bytes, const EpiphanyDevice& device) {
    const LogicalCoordinate receiver = device.core_at(expected.destination);
    const LogicalCoordinate sender = device.core_at(expected.source);
    const std::vector<std::byte> sent = source_of(expected.source, bytes);
    const std::vector<std::byte> found = device.read_memory(receiver, expected.offset, bytes);
    const std::string wrong = first_difference(found, sent);
    return wrong.empty() ? ""
                         : fmt::format("memory of core ({}, {}) at 0x{:x}, from core ({}, {}): {}", receiver.x,
                                       receiver.y, expected.offset, sender.x, sender.y, wrong);
}

}  // namespace

std::uint32_t largest_block_bytes(Pattern pattern, int num_cores) {
    switch (pattern) {
        case Pattern::neighbors:
            return kBlocksBytes / (2 * kNumNeighbors);
        case Pattern::all_to_one:
            return kBlocksBytes / static_cast<std::uint32_t>(num_cores) / 8 * 8;
        case Pattern::bisection:
            return kSourceBytes;
    }
    return 0;
}

TrafficRun run_traffic(const TrafficPlan& plan, const EpiphanyConstants& constants, const EpiphanyShape& shape,
                       const MachineWatcher& watcher) {
    EpiphanyDevice device(constants, shape);
    if (watcher) {
        watcher(device);
    }
    const Plan traffic(plan, device);
    for (int core = 0; core < device.num_cores(); ++core) {
        device.write_memory(device.core_at(core), kSourceOffset, source_of(core, plan.bytes));
    }
    TrafficRun run;
    std::uint64_t bytes_of_core = 0;  // equal for all active cores
    for (const CoreTraffic& core : traffic.cores()) {
        bytes_of_core = core.transfers.size() * plan.bytes;
        run.bytes += bytes_of_core;
        device.add_kernel(device.core_at(core.core), "mover",
                          [&core, by_dma = plan.by_dma] { mover(core.transfers, by_dma); });
    }
    device.run();
    add_machine(run.measurement, device, static_cast<double>(bytes_of_core * plan.times));
    for (const CoreTraffic& core : traffic.cores()) {
        for (const Expected& expected : core.expected) {
            run.data_fault = run.data_fault.empty() ? check(expected, plan.bytes, device) : run.data_fault;
        }
    }
    return run;
}

}  // namespace nocbench::mesh_traffic
