// Constants of the core that runs compiled kernels, as read from architecture files of kind `tensix_torus`.
// device_model/tenstorrent/arch/fields.cpp declares the meaning of each, its unit, its range and its key in the file.
#pragma once

#include <cstdint>

#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// The core that runs compiled kernels. Flags are 0 or 1.
struct RiscvConstants {
    std::int64_t private_memory_bytes = 0;
    std::int64_t has_atomic_operations = 0;  // Zaamo
    std::int64_t has_bit_manipulation = 0;   // Zba and Zbb
    std::int64_t has_control_registers = 0;  // Zicsr
    std::int64_t has_single_float = 0;       // F
    Cycle private_load_cycles = 1;           // latencies: until the next instruction can use the value
    Cycle register_load_cycles = 1;          // of NIUs, streams, clocks
    Cycle l1_load_cycles = 1;
    std::int64_t loads_in_flight_max = 1;  // from elsewhere than private memory
    Cycle l1_store_interval_cycles = 1;
    std::int64_t store_queue_entries = 1;
    std::int64_t coalesced_store_bytes = 0;  // stores to one block of L1 of so many bytes join; 0: they do not
    Cycle branch_mispredicted_cycles = 1;
    Cycle multiply_issue_cycles = 1;  // until the next instruction
    Cycle multiply_latency_cycles = 1;
    Cycle divide_trivial_cycles = 1;  // by 0 or 1
    Cycle divide_cycles_min = 1;
    Cycle divide_cycles_max = 1;  // by the size of the dividend
    Cycle atomic_cycles = 1;
    Cycle float_latency_cycles = 1;
    Cycle float_divide_cycles = 1;
    std::int64_t cache_lines = 0;  // of the L0 data cache
    std::int64_t cache_is_on = 0;  // when a kernel begins
    Cycle cache_hit_cycles = 1;
    Cycle zone_cycles = 0;   // a profiler zone's time stamp
    Cycle print_cycles = 0;  // a piece of what is printed
};

}  // namespace nocbench
