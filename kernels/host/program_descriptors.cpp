#include "nocbench/host/program_descriptors.h"

#include <algorithm>

#include "kernels/host/program_state.h"
#include "kernels/tensix/program.h"

namespace tt::tt_metal {

namespace {

/// Gives a configuration of a kernel what its descriptor has beside the configuration.
template <typename Config>
Config completed(Config config, const KernelDescriptor& kernel) {
    config.compile_args = kernel.compile_time_args;
    config.defines = {kernel.defines.begin(), kernel.defines.end()};
    config.named_compile_args = {kernel.named_compile_time_args.begin(), kernel.named_compile_time_args.end()};
    config.opt_level = kernel.opt_level.value_or(config.opt_level);
    return config;
}

struct Configure {
    const KernelDescriptor& kernel;

    KernelConfig operator()(const ReaderConfigDescriptor&) const {
        return completed<DataMovementConfig>(ReaderDataMovementConfig(), kernel);
    }
    KernelConfig operator()(const WriterConfigDescriptor&) const {
        return completed<DataMovementConfig>(WriterDataMovementConfig(), kernel);
    }
    KernelConfig operator()(const DataMovementConfigDescriptor& its) const {
        return completed(DataMovementConfig{.processor = its.processor, .noc = its.noc, .noc_mode = its.noc_mode},
                         kernel);
    }
    KernelConfig operator()(const ComputeConfigDescriptor&) const { return completed(ComputeConfig(), kernel); }
    KernelConfig operator()(const EthernetConfigDescriptor&) const { return completed(EthernetConfig(), kernel); }
};

void add(Program& program, const KernelDescriptor& kernel, const host::Caller& caller) {
    const KernelConfig config = std::visit(Configure{kernel}, kernel.config);
    const bool is_file = kernel.source_type == KernelDescriptor::SourceType::FILE_PATH;
    const KernelHandle handle =
        is_file ? CreateKernel(program, kernel.kernel_source, kernel.core_ranges, config, caller)
                : CreateKernelFromString(program, kernel.kernel_source, kernel.core_ranges, config, caller);
    for (const auto& [core, args] : kernel.runtime_args) {
        SetRuntimeArgs(program, handle, core, args, caller);
    }
    if (!kernel.common_runtime_args.empty()) {
        SetCommonRuntimeArgs(program, handle, kernel.common_runtime_args, caller);
    }
}

void add(Program& program, const CBDescriptor& buffer, const host::Caller& caller) {
    CircularBufferConfig config(buffer.total_size);
    for (const CBFormatDescriptor& format : buffer.format_descriptors) {
        const auto builder = config.index(format.buffer_index, caller);
        builder.set_data_format(format.data_format).set_page_size(format.page_size, caller);
        if (format.tile.has_value()) {
            builder.set_tile_dims(Tile({format.tile->height, format.tile->width}), caller);
        }
    }
    for (const CBFormatDescriptor& format : buffer.remote_format_descriptors) {
        config.remote_index(format.buffer_index, caller)
            .set_data_format(format.data_format)
            .set_page_size(format.page_size, caller);
    }
    if (buffer.buffer != nullptr) {
        config.set_globally_allocated_address(*buffer.buffer);
    }
    if (buffer.global_circular_buffer != nullptr) {
        experimental::CreateCircularBuffer(program, buffer.core_ranges, config, *buffer.global_circular_buffer, caller);
    } else {
        CreateCircularBuffer(program, buffer.core_ranges, config, caller);
    }
}

}  // namespace

Program::Program(const ProgramDescriptor& descriptor, host::Caller caller) : Program() {
    for (const CBDescriptor& buffer : descriptor.cbs) {
        add(*this, buffer, caller);
    }
    for (const SemaphoreDescriptor& semaphore : descriptor.semaphores) {
        if (semaphore.core_type != CoreType::WORKER) {
            host::fail(caller, "SemaphoreDescriptor: expected CoreType::WORKER: other cores are not modeled");
        }
        if (semaphore.id >= nocbench::kNumSemaphores) {
            host::fail(caller, fmt::format("SemaphoreDescriptor: expected an id from 0 to {}, found {}",
                                           nocbench::kNumSemaphores - 1, semaphore.id));
        }
        state().semaphores.push_back({semaphore.id, semaphore.initial_value, semaphore.core_ranges});
    }
    for (const KernelDescriptor& kernel : descriptor.kernels) {
        add(*this, kernel, caller);
    }
}

std::optional<std::uint32_t> ProgramDescriptor::find_available_semaphore_id(const CoreCoord& core, CoreType) const {
    for (std::uint32_t id = 0; id < nocbench::kNumSemaphores; ++id) {
        if (std::ranges::none_of(semaphores, [&](const SemaphoreDescriptor& semaphore) {
                return semaphore.id == id && semaphore.core_ranges.contains(core);
            })) {
            return id;
        }
    }
    return std::nullopt;
}

}  // namespace tt::tt_metal
