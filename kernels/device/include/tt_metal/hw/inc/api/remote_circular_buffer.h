// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef COMPILE_FOR_TRISC
#include "nocbench/remote_circular_buffers.h"
#else
#include "api/dataflow/dataflow_api.h"
#include "nocbench/objects/remote_buffer_object.h"
#endif
