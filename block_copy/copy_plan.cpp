#include "block_copy/copy_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/frame/epiphany/measurement.h"
#include "kernels/frame/random_numbers.h"

namespace nocbench::block_copy {

namespace {

// Instructions of an iteration besides load, store and branch: counters and addresses.
constexpr int kInstructions = 2;
constexpr int kInstructionsOfOlderLoop = 9;

constexpr std::uint32_t kExternalBlockBytes = 64 * 1024;

int next_core(int core, const EpiphanyDevice& device) { return (core + 1) % device.num_cores(); }

CopyTask task_of(const CopyPlan& plan, int core, const EpiphanyDevice& device) {
    const auto other = [&](std::uint32_t offset) {
        return plan.is_external ? static_cast<std::uint32_t>(kExternalMemoryAddress) + external_offset(core)
                                : device.global_address(device.core_at(next_core(core, device)), offset);
    };
    CopyTask task;
    task.executor = plan.executor;
    task.source = plan.reads ? other(kSourceOffset) : kSourceOffset;
    task.destination = plan.reads ? kDestinationOffset : other(kDestinationOffset);
    task.bytes = plan.bytes;
    task.times = plan.times;
    task.loop = plan.loop;
    task.is_cold = !plan.all_at_once;
    return task;
}

void put_source(const CopyPlan& plan, int core, EpiphanyDevice& device) {
    const std::vector<std::byte> bytes = pattern_of(plan, core);
    if (!plan.reads) {
        device.write_memory(device.core_at(core), kSourceOffset, bytes);
    } else if (plan.is_external) {
        device.write_external(external_offset(core), bytes);
    } else {
        device.write_memory(device.core_at(next_core(core, device)), kSourceOffset, bytes);
    }
}

/// What arrived, and a dword on either side of it, which is to be as it was: zero.
std::string check(const CopyPlan& plan, int core, const EpiphanyDevice& device) {
    constexpr std::uint32_t kGuardBytes = 8;
    const std::size_t size = plan.bytes + std::size_t{2} * kGuardBytes;
    const bool is_outside = plan.is_external && !plan.reads;
    const int receiver = plan.reads ? core : next_core(core, device);
    std::vector<std::byte> found(size);
    if (is_outside) {
        // The first block has nothing before it.
        const std::uint32_t before = external_offset(core) >= kGuardBytes ? kGuardBytes : 0;
        const std::vector<std::byte> bytes =
            device.read_external(external_offset(core) - before, size - kGuardBytes + before);
        std::ranges::copy(bytes, found.begin() + (kGuardBytes - before));
    } else {
        found = device.read_memory(device.core_at(receiver), kDestinationOffset - kGuardBytes, size);
    }
    std::vector<std::byte> expected(size);
    std::ranges::copy(pattern_of(plan, core), expected.begin() + kGuardBytes);
    const auto difference = std::ranges::mismatch(expected, found);
    if (difference.in1 == expected.end()) {
        return {};
    }
    const auto offset = static_cast<std::int64_t>(difference.in1 - expected.begin()) - kGuardBytes;
    return fmt::format(
        "{}, byte {} of what core ({}, {}) copied: expected 0x{:02x}, found 0x{:02x}",
        is_outside ? std::string("external memory")
                   : fmt::format("memory of core ({}, {})", device.core_at(receiver).x, device.core_at(receiver).y),
        offset, device.core_at(core).x, device.core_at(core).y, std::to_integer<unsigned>(*difference.in1),
        std::to_integer<unsigned>(*difference.in2));
}

}  // namespace

epiphany::CopyLoop published_loop(bool is_external, bool is_descending) {
    return {.element_bytes = 8,
            .instructions = (is_external ? kInstructionsOfOlderLoop : kInstructions) + (is_descending ? 1 : 0),
            .is_descending = is_descending};
}

std::uint32_t external_offset(int core) { return static_cast<std::uint32_t>(core) * kExternalBlockBytes; }

std::vector<std::byte> pattern_of(const CopyPlan& plan, int core) {
    return random_bytes(static_cast<std::uint64_t>(core) * kLargestBlockBytes + plan.bytes + 1, plan.bytes);
}

Measurement run_copies(const CopyPlan& plan, const EpiphanyConstants& constants, const EpiphanyShape& shape,
                       std::string& data_fault, const MachineWatcher& watcher) {
    std::vector<std::vector<int>> runs;  // the cores that are at work in each
    if (plan.all_at_once) {
        runs.push_back(plan.cores);
    } else {
        for (const int core : plan.cores) {
            runs.push_back({core});
        }
    }
    Measurement measurement;
    for (const std::vector<int>& cores : runs) {
        EpiphanyDevice device(constants, shape);
        if (watcher) {
            watcher(device);
        }
        for (const int core : cores) {
            put_source(plan, core, device);
            device.add_kernel(device.core_at(core), "copier", [task = task_of(plan, core, device)] { copier(task); });
        }
        device.run();
        add_machine(measurement, device, static_cast<double>(plan.bytes) * plan.times);
        for (const int core : cores) {
            data_fault = data_fault.empty() ? check(plan, core, device) : data_fault;
        }
    }
    return measurement;
}

}  // namespace nocbench::block_copy
