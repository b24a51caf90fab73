#include "kernels/tensix/kernel_sources.h"

#include <algorithm>
#include <utility>

#include "device_model/sim/error.h"

namespace nocbench {

namespace {

std::vector<KernelSource>& registry() {
    static std::vector<KernelSource> sources;
    return sources;
}

thread_local const KernelCompiler* current_compiler = nullptr;

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

CompiledKernelsScope::CompiledKernelsScope(KernelCompiler compiler)
    : compiler_(std::move(compiler)), before_(std::exchange(current_compiler, &compiler_)) {}

CompiledKernelsScope::~CompiledKernelsScope() { current_compiler = before_; }

const KernelCompiler* CompiledKernelsScope::current() { return current_compiler; }

}  // namespace nocbench
