// SPDX-License-Identifier: Apache-2.0
// Questions about dataflow buffers (from late 2026 on).

#pragma once

#include "api/dataflow/dataflow_buffer.h"

using DataflowBufferAnyPattern = DataflowBuffer;

template <typename Type>
inline constexpr bool is_dataflow_buffer_v = std::is_same_v<Type, DataflowBuffer>;
