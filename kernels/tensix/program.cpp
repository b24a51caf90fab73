#include "kernels/tensix/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "device_model/sim/error.h"
#include "device_model/sim/set_up_only.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/grid.h"
#include "device_model/tenstorrent/risc.h"
#include "kernels/tensix/kernel_sources.h"

namespace nocbench {

namespace {

void require_room_for_arguments(LogicalCoordinate core, int riscv, std::size_t count) {
    if (count > kRuntimeArgsMax) {
        throw InputError(
            fmt::format("arguments for riscv_{} of core ({}, {}): expected at most {}, common ones included, found {}",
                        riscv, core.x, core.y, kRuntimeArgsMax, count));
    }
}

}  // namespace

std::uint32_t semaphore_address(const TorusArchitecture& architecture, std::uint32_t id) {
    return static_cast<std::uint32_t>(architecture.l1.reserved_bytes) - (kNumSemaphores - id) * kSemaphoreBytes;
}

void require_compilable(const TorusArchitecture& architecture) {
    constexpr std::int64_t kBits = 32;
    if (architecture.risc.register_bits != kBits) {
        throw InputError(fmt::format("{}: kernels can be compiled for RISCs of {} bits, but it has RISCs of {} bits",
                                     architecture.name, kBits, architecture.risc.register_bits));
    }
}

CoreContext& Program::core_context(LogicalCoordinate core) {
    std::unique_ptr<CoreContext>& context = cores_[core];
    if (!context) {
        context = std::make_unique<CoreContext>();
    }
    return *context;
}

KernelContext& Program::context(LogicalCoordinate core, int riscv) {
    const auto found = kernels_.find({core, riscv});
    if (found == kernels_.end()) {
        throw InputError(
            fmt::format("arguments for riscv_{} of core ({}, {}): it has no kernel", riscv, core.x, core.y));
    }
    return *found->second;
}

void Program::check_noc(const std::string& name, LogicalCoordinate core, int riscv, int noc,
                        bool riscs_share_nocs) const {
    const TorusArchitecture& architecture = device_.architecture();
    if (noc < 0 || noc >= architecture.num_nocs()) {
        throw InputError(fmt::format("kernel '{}': expected NoC 0{}, found {}", name,
                                     architecture.num_nocs() == 1 ? ", the only one" : " or 1", noc));
    }
    if (riscs_share_nocs || riscs_share_nocs_ || architecture.niu.has_registers_per_risc != 0 ||
        riscv >= architecture.num_riscs()) {
        return;
    }
    for (int other = 0; other < architecture.num_riscs(); ++other) {
        const auto its = kernels_.find({core, other});
        if (other != riscv && its != kernels_.end() && its->second->noc == noc) {
            throw InputError(
                fmt::format("kernel '{}': riscv_{} of core ({}, {}) already uses NoC {}; each RISC needs the counters "
                            "of a NIU to itself",
                            name, other, core.x, core.y, noc));
        }
    }
}

void Program::check_image(const CompiledKernel& kernel, LogicalCoordinate core, int riscv, int noc) const {
    if (kernel.is_in_instruction_ram() && riscv != 1) {
        throw InputError(fmt::format(
            "kernel '{}': expected riscv_1, which alone has the instruction RAM that its code is in, found riscv_{}",
            kernel.name(), riscv));
    }
    const std::optional<int> its_noc = kernel.start().noc;
    if (its_noc.has_value() && *its_noc != noc) {
        throw InputError(fmt::format("kernel '{}': expected NoC {}, whose counters its start reads, found NoC {}",
                                     kernel.name(), *its_noc, noc));
    }
    const auto other = compiled_runs_.find({core, 1 - riscv});
    if (other == compiled_runs_.end()) {
        return;
    }
    if (other->second->kernel->shares_nocs() != kernel.shares_nocs()) {
        throw InputError(
            fmt::format("kernel '{}': expected the NoC mode of kernel '{}' on core ({}, {}), {}, found {}: both RISCs "
                        "have to count their commands in the same place",
                        kernel.name(), other->second->kernel->name(), core.x, core.y,
                        other->second->kernel->shares_nocs() ? "dynamic" : "dedicated",
                        kernel.shares_nocs() ? "dynamic" : "dedicated"));
    }
    for (const L1Range& own : kernel.l1_ranges()) {
        for (const L1Range& taken : other->second->kernel->l1_ranges()) {
            if (own.begin < taken.end && taken.begin < own.end) {
                throw InputError(fmt::format(
                    "kernel '{}': its 0x{:x} to 0x{:x} of L1 on core ({}, {}) overlap 0x{:x} to 0x{:x} of kernel '{}'",
                    kernel.name(), own.begin, own.end, core.x, core.y, taken.begin, taken.end,
                    other->second->kernel->name()));
            }
        }
    }
}

KernelContext& Program::add_context(LogicalCoordinate core, int riscv, int noc) {
    auto context = std::make_unique<KernelContext>();
    context->noc = noc;
    context->core = &core_context(core);
    std::unique_ptr<KernelContext>& place = kernels_[{core, riscv}];
    place = std::move(context);
    return *place;
}

std::shared_ptr<const CompiledKernel> Program::compiled(const Kernel& kernel) {
    require_compilable(device_.architecture());
    const auto made = std::ranges::find(images_, kernel, &decltype(images_)::value_type::first);
    if (made != images_.end()) {
        return made->second;
    }
    SetUpOnlyScope::end_set_up();
    const KernelSource source = kernel.device_source.empty()
                                    ? find_kernel_source(kernel.function)
                                    : KernelSource{.function = nullptr, .file = kernel.device_source, .name = {}};
    return images_.emplace_back(kernel, kernel_compiler(kernel.name)(device_, source, kernel)).second;
}

void Program::add_kernel(const std::vector<LogicalCoordinate>& cores, const Kernel& kernel, Tick start) {
    if (!kernel.device_source.empty() || CompiledKernelsScope::is_open()) {
        Kernel of_image = kernel;
        std::vector<std::uint32_t> common_args;
        if (!kernel.device_source.empty()) {
            for (std::uint32_t& arg : std::span(of_image.compile_time_args).first(kernel.num_run_time_args)) {
                common_args.push_back(std::exchange(arg, 0));
            }
        }
        add_compiled_kernel(cores, compiled(of_image), kernel.riscv, kernel.noc, start);
        for (const LogicalCoordinate core : cores) {
            set_common_runtime_args(core, kernel.riscv, common_args);
        }
        return;
    }
    for (const LogicalCoordinate core : cores) {
        add_kernel(core, kernel.name, kernel.riscv, kernel.noc, kernel.function, start);
        context(core, kernel.riscv).compile_time_args = kernel.compile_time_args;
    }
}

void Program::add_kernel(LogicalCoordinate core, const std::string& name, int riscv, int noc,
                         std::function<void()> function, Tick start) {
    if (riscv >= device_.architecture().num_riscs()) {
        device_.refuse_processor(name, riscv);
    }
    check_noc(name, core, riscv, noc);
    device_.add_kernel(core, riscv, name, std::move(function), start);
    device_.state().riscs.back()->set_context(&add_context(core, riscv, noc));
}

void Program::add_compiled_kernel(const std::vector<LogicalCoordinate>& cores,
                                  const std::shared_ptr<const CompiledKernel>& kernel, int riscv, int noc, Tick start) {
    for (const LogicalCoordinate core : cores) {
        check_noc(kernel->name(), core, riscv, noc, kernel->shares_nocs());
        check_image(*kernel, core, riscv, noc);
        auto run = std::make_unique<CompiledKernelRun>();
        run->kernel = kernel;
        CompiledKernelRun& its_run = *run;
        // The context is made after the core is known to be free.
        device_.add_kernel(
            core, riscv, kernel->name(),
            [&its_run] { run_compiled_kernel(*static_cast<const KernelContext*>(Risc::current().context()), its_run); },
            start);
        device_.state().riscs.back()->set_context(&add_context(core, riscv, noc));
        load_compiled_kernel(device_, core, *kernel);
        compiled_runs_[{core, riscv}] = std::move(run);
    }
}

const CompiledKernelRun& Program::compiled_run(LogicalCoordinate core, int riscv) const {
    const auto found = compiled_runs_.find({core, riscv});
    if (found == compiled_runs_.end()) {
        throw InputError(fmt::format("riscv_{} of core ({}, {}) has no compiled kernel", riscv, core.x, core.y));
    }
    return *found->second;
}

void Program::set_sleeps(bool sleeps) {
    for (auto& [place, run] : compiled_runs_) {
        run->sleeps = sleeps;
    }
}

void Program::set_runtime_args(LogicalCoordinate core, int riscv, const std::vector<std::uint32_t>& args) {
    KernelContext& its = context(core, riscv);
    require_room_for_arguments(core, riscv, args.size() + its.common_runtime_args.size());
    its.runtime_args = args;
}

void Program::set_common_runtime_args(LogicalCoordinate core, int riscv, const std::vector<std::uint32_t>& args) {
    KernelContext& its = context(core, riscv);
    require_room_for_arguments(core, riscv, its.runtime_args.size() + args.size());
    its.common_runtime_args = args;
}

std::uint32_t Program::add_semaphore(const std::vector<LogicalCoordinate>& cores, std::uint32_t initial_value,
                                     std::optional<std::uint32_t> asked_id) {
    std::uint32_t id = asked_id.value_or(0);
    for (const LogicalCoordinate core : cores) {
        id = asked_id.has_value() ? id : std::max(id, core_context(core).num_semaphores);
    }
    if (id >= kNumSemaphores) {
        throw InputError(fmt::format("expected at most {} semaphores per core, found one more", kNumSemaphores));
    }
    for (const LogicalCoordinate core : cores) {
        std::uint32_t& its = core_context(core).num_semaphores;
        its = std::max(its, id + 1);
        device_.write_l1(core, semaphore_address(device_.architecture(), id),
                         std::as_bytes(std::span(&initial_value, 1)));
    }
    return id;
}

void Program::add_circular_buffer(LogicalCoordinate core, std::uint32_t id, std::uint32_t address,
                                  std::uint32_t page_bytes, std::uint32_t num_pages) {
    const L1Constants& l1 = device_.architecture().l1;
    const std::string name = fmt::format("circular buffer {} of core ({}, {})", id, core.x, core.y);
    if (id >= kNumCircularBuffers) {
        throw InputError(fmt::format("{}: expected an id of 0 to {}", name, kNumCircularBuffers - 1));
    }
    if (page_bytes == 0 || num_pages == 0) {
        throw InputError(
            fmt::format("{}: expected one or more pages of bytes, found {} of {} bytes", name, num_pages, page_bytes));
    }
    const std::uint64_t end = address + std::uint64_t{page_bytes} * num_pages;
    if (address < l1.reserved_bytes || end > static_cast<std::uint64_t>(l1.size_bytes) ||
        address % static_cast<std::uint32_t>(l1.alignment_bytes) != 0) {
        throw InputError(
            fmt::format("{}: expected an aligned range within 0x{:x} to 0x{:x} of L1, found 0x{:x} to 0x{:x}", name,
                        l1.reserved_bytes, l1.size_bytes, address, end));
    }
    std::optional<CircularBuffer>& buffer = core_context(core).circular_buffers[id];
    if (buffer.has_value()) {
        throw InputError(fmt::format("{}: it exists already", name));
    }
    static_cast<void>(device_.grid().physical(core));  // throws if there is no such core
    buffer = CircularBuffer{address, page_bytes, num_pages, 0, 0};
}

void Program::add_remote_circular_buffer(LogicalCoordinate core, const RemoteCircularBuffer& buffer) {
    CoreContext& context = core_context(core);
    const BufferInterface remote = set_up_remote_circular_buffer(device_, core, buffer);
    context.remote_buffers[buffer.id] = remote;
    for (const std::uint32_t id : buffer.local_ids) {
        if (const std::optional<CircularBuffer>& local = context.circular_buffers[id]; local.has_value()) {
            context.remote_buffers[id] = interface_on(remote, id, local->page_bytes);
        }
    }
}

}  // namespace nocbench
