// Parts of a kernel that the reports of the suite read: the zone of its RISC, and the transactions of its test.
#pragma once

#include "dataflow_api.h"

#if defined(COMPILE_FOR_NCRISC)
#define TIMED_ZONE() DeviceZoneScopedN("RISCV1")
#else
#define TIMED_ZONE() DeviceZoneScopedN("RISCV0")
#endif

// Every kernel begins with these compile-time arguments. The id of the test is a common argument: tests share kernels.
constexpr uint32_t count = get_compile_time_arg_val(0);
constexpr uint32_t bytes = get_compile_time_arg_val(1);

inline void record(uint32_t transaction_bytes = bytes) {
    DeviceTimestampedData("Test id", get_common_arg_val<uint32_t>(0));
    DeviceTimestampedData("Number of transactions", count);
    DeviceTimestampedData("Transaction size in bytes", transaction_bytes);
}

inline volatile tt_l1_ptr uint32_t* semaphore_of(uint32_t id) {
    return reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(id));
}

// Turns of the two RISCs of a core.
enum class Turn : uint32_t { alone, first, second };

template <Turn turn>
void await_turn(uint32_t semaphore) {
    if constexpr (turn == Turn::second) {
        noc_semaphore_wait(semaphore_of(semaphore), 1);
    }
}

template <Turn turn>
void end_turn(uint32_t semaphore) {
    if constexpr (turn == Turn::first) {
        noc_semaphore_set(semaphore_of(semaphore), 1);
    }
}
