// Sources of the suite's own kernels, compiled for and executed on the RISCs of a tile: always for device kernels, on
// request for kernels that also run natively.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/tensix/compiled_kernel.h"
#include "kernels/tensix/program.h"

namespace nocbench {

/// Source of a kernel of the suite.
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

/// Returns the source of a kernel. Throws InputError if the function is not a kernel of the suite.
const KernelSource& find_kernel_source(void (*function)());

/// Compiles a kernel for cores of a device from its source and the program's description.
using KernelCompiler = std::function<std::shared_ptr<const CompiledKernel>(
    const Device& device, const KernelSource& source, const Program::Kernel& kernel)>;

/// Sets the compiler of suite kernels that run on harts.
void set_kernel_compiler(KernelCompiler compiler);

/// Returns the compiler. Throws InputError, naming `kernel`, if none was set.
const KernelCompiler& kernel_compiler(const std::string& kernel);

/// While it exists, programs of this thread run all kernels of the suite on harts and none natively.
class CompiledKernelsScope {
public:
    CompiledKernelsScope();
    ~CompiledKernelsScope();
    CompiledKernelsScope(const CompiledKernelsScope&) = delete;
    CompiledKernelsScope& operator=(const CompiledKernelsScope&) = delete;

    /// True if a scope is open in this thread.
    static bool is_open();

private:
    bool before_;
};

}  // namespace nocbench
