// SPDX-License-Identifier: Apache-2.0
// Declarations that kernels can use without an include.

#pragma once

#ifdef COMPILE_FOR_TRISC
#include "nocbench/compute/api.h"
#else
#include "api/dataflow/dataflow_api.h"
#endif
#include "nocbench/objects/local_memory.h"
#include "nocbench/objects/semaphore_object.h"
