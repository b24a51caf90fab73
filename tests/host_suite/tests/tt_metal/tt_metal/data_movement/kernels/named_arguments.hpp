// Common parts of the kernels of declared programs, whose arguments have names.
#pragma once

#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/dataflow_buffer.h"
#include "experimental/kernel_args.h"

constexpr uint32_t count = get_arg(args::count);
constexpr uint32_t bytes = get_arg(args::bytes);

inline void record() {
    DeviceTimestampedData("Test id", get_arg(args::test_id));
    DeviceTimestampedData("Number of transactions", count);
    DeviceTimestampedData("Transaction size in bytes", bytes);
}
