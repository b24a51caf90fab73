#include "epiphany/block_copy/copy_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "device_model/sim/random_numbers.h"
#include "kernels/frame/epiphany/measurement.h"

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

/// Check of a core's destination and of one dword on either side. These dwords must keep their old contents, such as
/// the end of a source block.
class DestinationCheck {
public:
    /// Reads the old contents. All sources must be initialized, and the device must not have run yet.
    DestinationCheck(const CopyPlan& plan, int core, const EpiphanyDevice& device)
        : copier_(device.core_at(core)),
          receiver_(device.core_at(plan.reads ? core : next_core(core, device))),
          is_outside_(plan.is_external && !plan.reads),
          offset_(is_outside_ ? external_offset(core) : kDestinationOffset),
          bytes_before_(std::min(offset_, kGuardBytes)),
          expected_(read(device, bytes_before_ + plan.bytes + kGuardBytes)) {
        std::ranges::copy(pattern_of(plan, core), expected_.begin() + bytes_before_);
    }

    /// Returns the first difference after the run; an empty string if the contents are as expected.
    [[nodiscard]] std::string fault(const EpiphanyDevice& device) const {
        const std::vector<std::byte> found = read(device, expected_.size());
        const auto difference = std::ranges::mismatch(expected_, found);
        if (difference.in1 == expected_.end()) {
            return {};
        }
        const auto offset = static_cast<std::int64_t>(difference.in1 - expected_.begin()) - bytes_before_;
        return fmt::format("{}, byte {} of what core ({}, {}) copied: expected 0x{:02x}, found 0x{:02x}",
                           is_outside_ ? std::string("external memory")
                                       : fmt::format("memory of core ({}, {})", receiver_.x, receiver_.y),
                           offset, copier_.x, copier_.y, std::to_integer<unsigned>(*difference.in1),
                           std::to_integer<unsigned>(*difference.in2));
    }

private:
    static constexpr std::uint32_t kGuardBytes = 8;

    [[nodiscard]] std::vector<std::byte> read(const EpiphanyDevice& device, std::size_t size) const {
        const std::uint32_t begin = offset_ - bytes_before_;
        return is_outside_ ? device.read_external(begin, size) : device.read_memory(receiver_, begin, size);
    }

    LogicalCoordinate copier_;
    LogicalCoordinate receiver_;
    bool is_outside_;
    std::uint32_t offset_;
    std::uint32_t bytes_before_;  // 0 at the first block of external memory
    std::vector<std::byte> expected_;
};

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
    std::vector<std::vector<int>> runs;  // active cores, by run
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
        }
        std::vector<DestinationCheck> checks;
        checks.reserve(cores.size());
        for (const int core : cores) {
            checks.emplace_back(plan, core, device);
            device.add_kernel(device.core_at(core), "copier", [task = task_of(plan, core, device)] { copier(task); });
        }
        device.run();
        add_machine(measurement, device, static_cast<double>(plan.bytes) * plan.times);
        for (const DestinationCheck& check : checks) {
            data_fault = data_fault.empty() ? check.fault(device) : data_fault;
        }
    }
    return measurement;
}

}  // namespace nocbench::block_copy
