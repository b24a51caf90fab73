// The suite's own kernels as sources, which are compiled for the RISCs of a tile and run there: those that are written
// for the device always, and those that the simulator's host runs if one asks for it.
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
    std::string name;  // of the function: "nocbench::one_to_one::sender"; empty: the file has `kernel_main`
};

/// Registers the kernels of a primitive: `const RegisterKernelSources sources{{...}};` in its definition.cpp.
class RegisterKernelSources {
public:
    explicit RegisterKernelSources(std::vector<KernelSource> sources);
};

/// Throws InputError if the function is no kernel of the suite.
const KernelSource& find_kernel_source(void (*function)());

/// Compiles a kernel that is put on cores of a device: its source, and what the program says of it.
using KernelCompiler = std::function<std::shared_ptr<const CompiledKernel>(
    const Device& device, const KernelSource& source, const Program::Kernel& kernel)>;

/// From now on, kernels of the suite that run on harts are compiled by `compiler`.
void set_kernel_compiler(KernelCompiler compiler);

/// Throws InputError if none was set; the message names `kernel`.
const KernelCompiler& kernel_compiler(const std::string& kernel);

/// As long as it lives, programs of this thread run all kernels of the suite on harts and none natively.
class CompiledKernelsScope {
public:
    CompiledKernelsScope();
    ~CompiledKernelsScope();
    CompiledKernelsScope(const CompiledKernelsScope&) = delete;
    CompiledKernelsScope& operator=(const CompiledKernelsScope&) = delete;

    /// Whether there is one in this thread.
    static bool is_open();

private:
    bool before_;
};

}  // namespace nocbench
