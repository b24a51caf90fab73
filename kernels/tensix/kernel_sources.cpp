#include "kernels/tensix/kernel_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "device_model/sim/error.h"

namespace nocbench {

namespace {

std::vector<KernelSource>& registry() {
    static std::vector<KernelSource> sources;
    return sources;
}

KernelCompiler& compiler() {
    static KernelCompiler compiler;
    return compiler;
}

thread_local bool all_kernels_are_compiled = false;

}  // namespace

RegisterKernelSources::RegisterKernelSources(std::vector<KernelSource> sources) {
    std::ranges::move(sources, std::back_inserter(registry()));
}

const KernelSource& find_kernel_source(void (*function)()) {
    const auto found = std::ranges::find(registry(), function, &KernelSource::function);
    if (found == registry().end()) {
        throw InputError("a kernel that is to be compiled for the RISCs: its source is not registered");
    }
    return *found;
}

void set_kernel_compiler(KernelCompiler compiler_) { compiler() = std::move(compiler_); }

const KernelCompiler& kernel_compiler(const std::string& kernel) {
    if (!compiler()) {
        throw InputError(fmt::format(
            "kernel '{}' is to be compiled for the RISCs of a tile: expected a compiler, found none", kernel));
    }
    return compiler();
}

CompiledKernelsScope::CompiledKernelsScope() : before_(std::exchange(all_kernels_are_compiled, true)) {}

CompiledKernelsScope::~CompiledKernelsScope() { all_kernels_are_compiled = before_; }

bool CompiledKernelsScope::is_open() { return all_kernels_are_compiled; }

}  // namespace nocbench
