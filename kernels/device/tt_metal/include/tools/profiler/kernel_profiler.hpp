// SPDX-License-Identifier: Apache-2.0
// What else is in this header is theirs; zones and values go to whoever watches the kernel.
#ifndef NOCBENCH_ZONES_OF_A_TREE
#define NOCBENCH_ZONES_OF_A_TREE

#include_next "tools/profiler/kernel_profiler.hpp"

#undef DeviceRecordEvent
#undef DeviceProfilerInit
#undef DeviceTimestampedData
#undef DeviceZoneScopedMainChildN
#undef DeviceZoneScopedMainN
#undef DeviceZoneScopedN
#undef DeviceZoneScopedSumN1
#undef DeviceZoneScopedSumN2
#undef DeviceZoneSetCounter
#include "nocbench/watching/zones.h"

#endif
