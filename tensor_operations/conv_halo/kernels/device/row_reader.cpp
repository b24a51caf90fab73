// SPDX-License-Identifier: Apache-2.0
// Reads rows by plain calls. Arguments as for read_rows().

#include "dataflow_api.h"
#include "kernels/frame/device/row_reads.h"
#include "tools/profiler/kernel_profiler.hpp"

void kernel_main() {
    DeviceZoneScopedN("READ");
    read_rows<false>();
}
