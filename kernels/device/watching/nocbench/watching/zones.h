// SPDX-License-Identifier: Apache-2.0
// Profiler zones and timestamped values, for observers of the kernel.

#pragma once

#include "nocbench/watching/trap.h"

namespace nocbench {

/// Profiler zone from here to the end of the block.
class Zone {
public:
    FORCE_INLINE explicit Zone(const char* name) { trap<Trap::zone_begin>(address_of(name)); }
    FORCE_INLINE ~Zone() { trap<Trap::zone_end>(); }
    Zone(const Zone&) = delete;
    Zone& operator=(const Zone&) = delete;
};

FORCE_INLINE void timestamped_value(const char* name, uint64_t value) {
    trap<Trap::timestamped_value>(address_of(name), static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32));
}

}  // namespace nocbench

#define NOCBENCH_JOIN_(first, second) first##second
#define NOCBENCH_JOIN(first, second) NOCBENCH_JOIN_(first, second)

#define DeviceZoneScopedN(name) [[maybe_unused]] const nocbench::Zone NOCBENCH_JOIN(zone_, __COUNTER__)(name)
#define DeviceZoneScopedMainN(name) DeviceZoneScopedN(name)
#define DeviceZoneScopedMainChildN(name) DeviceZoneScopedN(name)
#define DeviceZoneScopedSumN1(name) DeviceZoneScopedN(name)
#define DeviceZoneScopedSumN2(name) DeviceZoneScopedN(name)
#define DeviceTimestampedData(name, data) nocbench::timestamped_value(name, data)
#define DeviceRecordEvent(event_id) nocbench::timestamped_value("event", event_id)
#define DeviceZoneSetCounter(counter)
#define DeviceProfilerInit()
