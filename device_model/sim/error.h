// Errors caused by the user: bad files, arguments or kernels. The command line exits with status 2.
#pragma once

#include <stdexcept>
#include <string>

namespace nocbench {

/// Bad input. The message names the file, line or argument, what was expected and what was found.
class InputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A kernel violated the machine's rules, or waits forever. The message names core, RISC and call.
class KernelError : public InputError {
public:
    using InputError::InputError;
};

}  // namespace nocbench
