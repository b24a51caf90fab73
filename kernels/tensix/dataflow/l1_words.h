// Words of the kernel's own L1.
#pragma once

#include <cstdint>

#include "kernels/tensix/dataflow/caller.h"

namespace nocbench::dataflow {

void check_l1_word(const Caller& caller, std::uint32_t address);
/// Returns a word without taking time.
std::uint32_t peek_l1_word(const Caller& caller, std::uint32_t address);

}  // namespace nocbench::dataflow
