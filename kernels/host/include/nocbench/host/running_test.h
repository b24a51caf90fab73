// Name of the running test, for result rows.
#pragma once

#include <string>

#pragma GCC visibility push(default)
namespace tt::host {

/// Names the test that enqueues the programs from now on.
void name_test(std::string name);

}  // namespace tt::host
#pragma GCC visibility pop
