// SPDX-License-Identifier: Apache-2.0
// Functions of compute kernels.

#pragma once

#include "nocbench/compute/commands.h"

namespace ckernel {}
using namespace ckernel;

// After the threads.
#include "api/dataflow/dataflow_api.h"
#include "nocbench/compute/registers.h"
#include "nocbench/compute/sorting.h"
#include "nocbench/compute/statistics.h"
#include "nocbench/compute/tiles.h"
#include "nocbench/compute/vector_functions.h"

#define DPRINT_UNPACK(...) UNPACK(__VA_ARGS__)
#define DPRINT_MATH(...) MATH(__VA_ARGS__)
#define DPRINT_PACK(...) PACK(__VA_ARGS__)
