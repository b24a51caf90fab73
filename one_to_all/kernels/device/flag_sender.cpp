// SPDX-License-Identifier: Apache-2.0
// Repeatedly multicasts an L1 buffer to a rectangle when all its cores are ready, followed by a flag. Common runtime
// argument: number of transactions. Compile-time arguments from 1 on: as in MulticastPlan except for the last one,
// followed by the ids of the semaphore that counts ready cores, of the flag, and of a semaphore with value 1. The
// multicasts of all rounds but the last form one linked chain. In the last round, each multicast reserves a path.

#include <type_traits>

#include "api/dataflow/dataflow_api.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    const uint32_t num_transactions = get_common_arg_val<uint32_t>(0);
    constexpr uint32_t call_size_bytes = get_compile_time_arg_val(1);
    constexpr uint32_t source_address = get_compile_time_arg_val(2);
    constexpr uint32_t destination_address = get_compile_time_arg_val(3);
    constexpr uint32_t num_destinations = get_compile_time_arg_val(9);
    constexpr bool loopback = get_compile_time_arg_val(10) != 0;
    volatile tt_l1_ptr uint32_t* const ready =
        reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(get_compile_time_arg_val(11)));
    const uint32_t flag = get_semaphore(get_compile_time_arg_val(12));
    const uint32_t one = get_semaphore(get_compile_time_arg_val(13));
    const auto rectangle = [](uint32_t address) {
        return get_noc_multicast_addr(get_compile_time_arg_val(5), get_compile_time_arg_val(6),
                                      get_compile_time_arg_val(7), get_compile_time_arg_val(8), address);
    };
    const uint64_t destinations = rectangle(destination_address);
    const uint64_t flags = rectangle(flag);

    const auto run_round = [&](auto linked) {
        noc_semaphore_wait(ready, num_destinations);
        noc_semaphore_set(ready, 0);
        if constexpr (loopback) {
            noc_async_write_multicast_loopback_src(source_address, destinations, call_size_bytes, num_destinations,
                                                   linked);
            noc_semaphore_set_multicast_loopback_src(one, flags, num_destinations, linked);
        } else {
            noc_async_write_multicast(source_address, destinations, call_size_bytes, num_destinations, linked);
            noc_semaphore_set_multicast(one, flags, num_destinations, linked);
        }
    };

    DeviceZoneScopedN("RISCV0");
    for (uint32_t i = 0; i + 1 < num_transactions; ++i) {
        run_round(std::true_type{});
    }
    run_round(std::false_type{});
    noc_async_write_barrier();
}
