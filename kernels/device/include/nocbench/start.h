// SPDX-License-Identifier: Apache-2.0
// Declarations that kernels can use without an include.

#pragma once

#include "api/dataflow/dataflow_api.h"
#include "nocbench/objects/local_memory.h"
#include "nocbench/objects/semaphore_object.h"
