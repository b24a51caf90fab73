// SPDX-License-Identifier: Apache-2.0
// Replaces zones and values of tt-metal's header by those for observers of the kernel. The rest of the header is used.
#ifndef NOCBENCH_ZONES_OF_A_TREE
#define NOCBENCH_ZONES_OF_A_TREE

#include_next "api/debug/kernel_profiler.hpp"

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
