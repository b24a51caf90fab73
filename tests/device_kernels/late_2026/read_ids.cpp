// SPDX-License-Identifier: Apache-2.0
// Reads under transaction ids into a ring of slots, and forwards each slot when its read has arrived.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/tensor/noc_traits.h"

constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
constexpr uint32_t num_slots = get_compile_time_arg_val(1);

void kernel_main() {
    constexpr auto source_args = TensorAccessorArgs<2>();
    const auto source = TensorAccessor(source_args, get_arg_val<uint32_t>(0), page_bytes);
    CoreLocalMem<uint32_t> ring(get_arg_val<uint32_t>(1));
    const uint32_t target = get_arg_val<uint32_t>(2);
    const uint32_t noc_x = get_arg_val<uint32_t>(3);
    const uint32_t noc_y = get_arg_val<uint32_t>(4);
    const uint32_t num_pages = get_arg_val<uint32_t>(5);

    Noc noc;
    UnicastEndpoint endpoint;
    auto begin_read = [&](uint32_t page) {
        noc.async_read<Noc::TxnIdMode::ENABLED>(source, ring, page_bytes, {.page_id = page},
                                                {.offset_bytes = (page % num_slots) * page_bytes},
                                                NocOptVals{.trid = 1 + page % num_slots});
    };
    for (uint32_t page = 0; page < num_slots; ++page) {
        begin_read(page);
    }
    for (uint32_t page = 0; page < num_pages; ++page) {
        noc.async_read_barrier<Noc::BarrierMode::TXN_ID>(1 + page % num_slots);
        noc.async_write(ring, endpoint, page_bytes, {.offset_bytes = (page % num_slots) * page_bytes},
                        {.noc_x = noc_x, .noc_y = noc_y, .addr = target + page * page_bytes});
        noc.async_write_barrier();
        if (page + num_slots < num_pages) {
            begin_read(page + num_slots);
        }
    }
    noc.async_read_barrier();
}
