// SPDX-License-Identifier: Apache-2.0
// Functions by which kernels move data.

#pragma once

#include "api/compile_time_args.h"
#include "api/debug/assert.h"
#include "hostdevcommon/common_values.hpp"
#include "hostdevcommon/kernel_structs.h"
#include "nocbench/address_generators.h"
#include "nocbench/addresses.h"
#include "nocbench/arguments.h"
#include "nocbench/circular_buffers.h"
#include "nocbench/library.h"
#include "nocbench/reads.h"
#include "nocbench/semaphores.h"
#include "nocbench/tensor_accessor.h"
#include "nocbench/watching/zones.h"
#include "nocbench/writes.h"
#include "risc_common.h"
#include "tensix_types.h"
