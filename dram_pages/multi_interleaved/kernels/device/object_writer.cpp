// SPDX-License-Identifier: Apache-2.0
// Writes one place in L1 to pages of a buffer with one page per bank, by the object API: always the first page of
// the core, or that page and the following ones in turn. Arguments as described at PageKernel, in
// kernels/frame/pages/page_transfers.h.

#include "accessor/tensor_accessor.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/debug/kernel_profiler.hpp"
#include "api/tensor/noc_traits.h"
#include "kernels/frame/device/meeting.h"

void kernel_main() {
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t num_pages = get_compile_time_arg_val(3);
    constexpr uint32_t num_transactions = num_pages * get_compile_time_arg_val(4) + get_compile_time_arg_val(5);
    constexpr auto layout = TensorAccessorArgs<6>();
    const uint32_t buffer_address = get_arg_val<uint32_t>(0);
    const uint32_t l1_address = get_arg_val<uint32_t>(1);
    const uint32_t first_page = get_arg_val<uint32_t>(2);

    const auto pages = TensorAccessor(layout, buffer_address, page_bytes);
    Noc noc;
    const UnicastEndpoint local;
    meet(3);
    {
        DeviceZoneScopedN("WRITE");
        for (uint32_t i = 0; i < num_transactions; ++i) {
            const uint32_t page = num_pages == 1 ? first_page : (first_page + i) % num_pages;
            noc.async_write(local, pages, page_bytes, {.addr = l1_address}, {.page_id = page});
        }
        noc.async_write_barrier();
    }
}
