// The suite's own kernels as sources, so that they can also be compiled for the RISCs of a tile and run there.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/tensix/compiled_kernel.h"
#include "kernels/tensix/program.h"

namespace nocbench {

/// Where a kernel of the suite comes from.
struct KernelSource {
    void (*function)() = nullptr;
    std::string file;  // from the root of the repository: "one_to_one/kernels/sender.cpp"
    std::string name;  // of the function: "nocbench::one_to_one::sender"
};

/// Registers the kernels of a primitive: `const RegisterKernelSources sources{{...}};` in its definition.cpp.
class RegisterKernelSources {
public:
    explicit RegisterKernelSources(std::vector<KernelSource> sources);
};

/// Throws InputError if the function is no kernel of the suite.
const KernelSource& find_kernel_source(void (*function)());

/// Compiles a kernel that is put on cores: its source, and what the program says of it.
using KernelCompiler =
    std::function<std::shared_ptr<const CompiledKernel>(const KernelSource& source, const Program::Kernel& kernel)>;

/// As long as it lives, programs of this thread run kernels of the suite on harts, as `compiler` compiles them, and not
/// natively.
class CompiledKernelsScope {
public:
    explicit CompiledKernelsScope(KernelCompiler compiler);
    ~CompiledKernelsScope();
    CompiledKernelsScope(const CompiledKernelsScope&) = delete;
    CompiledKernelsScope& operator=(const CompiledKernelsScope&) = delete;

    /// The compiler of this thread, or null: kernels run natively.
    static const KernelCompiler* current();

private:
    KernelCompiler compiler_;
    const KernelCompiler* before_;
};

}  // namespace nocbench
