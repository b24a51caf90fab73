// SPDX-License-Identifier: Apache-2.0
// Name until early 2026 of the header with the data-movement functions, for kernels written then.

#pragma once

#if __has_include_next("dataflow_api.h")
#include_next "dataflow_api.h"
#else
#include NOCBENCH_DATAFLOW_API
#endif
