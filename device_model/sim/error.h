// Errors that are the caller's fault: bad files, arguments or kernels. The command line turns them into exit status 2.
#pragma once

#include <stdexcept>
#include <string>

namespace nocbench {

/// Bad input. The message names the file, line or argument, what was expected and what was found.
class InputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A kernel did what the machine does not allow, or waits for what never comes. The message names core, RISC and call.
class KernelError : public InputError {
public:
    using InputError::InputError;
};

}  // namespace nocbench
