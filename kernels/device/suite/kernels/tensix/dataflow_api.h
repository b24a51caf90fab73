// SPDX-License-Identifier: Apache-2.0
// API of the suite's own kernels (kernels/tensix/dataflow_api.h) for kernels compiled for RISCs, on top of the device's
// register writes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "api/dataflow/dataflow_api.h"
#include "tools/profiler/kernel_profiler.hpp"

namespace nocbench::dataflow {

inline constexpr std::uint8_t kNocOfKernel = NOC_INDEX;

constexpr std::uint8_t noc_index() { return NOC_INDEX; }
constexpr std::uint32_t noc_max_burst_size() { return NOC_MAX_BURST_SIZE; }

using ::cb_pop_front;
using ::cb_push_back;
using ::cb_reserve_back;
using ::cb_wait_front;
using ::get_arg_val;
using ::get_common_arg_val;
using ::get_noc_addr;
using ::get_noc_addr_from_bank_id;
using ::get_noc_addr_helper;
using ::get_noc_multicast_addr;
using ::get_read_ptr;
using ::get_semaphore;
using ::get_write_ptr;
using ::noc_async_atomic_barrier;
using ::noc_async_read;
using ::noc_async_read_barrier;
using ::noc_async_read_one_packet;
using ::noc_async_write;
using ::noc_async_write_barrier;
using ::noc_async_write_one_packet;
using ::noc_async_writes_flushed;
using ::noc_semaphore_inc;
using ::noc_semaphore_set;
using ::noc_semaphore_wait;
using ::noc_semaphore_wait_min;

// Waits for single packets, which the device's API does not have.

FORCE_INLINE void limit_outstanding_reads(std::uint32_t packets, std::uint8_t noc = kNocOfKernel) {
    while (noc_reads_num_issued[noc] - NOC_STATUS_READ_REG(noc, NIU_MST_RD_RESP_RECEIVED) > packets) {
    }
}
FORCE_INLINE void limit_outstanding_writes(std::uint32_t packets, std::uint8_t noc = kNocOfKernel) {
    while (noc_nonposted_writes_acked[noc] - NOC_STATUS_READ_REG(noc, NIU_MST_WR_ACK_RECEIVED) > packets) {
    }
}

// On the device, multicasts always use the multicast virtual channel.

FORCE_INLINE void noc_async_write_multicast(std::uint32_t source_l1, std::uint64_t destinations, std::uint32_t size,
                                            std::uint32_t num_dests, bool linked = false,
                                            std::uint8_t noc = kNocOfKernel, std::uint8_t = NOC_MULTICAST_WRITE_VC) {
    ::noc_async_write_multicast(source_l1, destinations, size, num_dests, linked, noc);
}
FORCE_INLINE void noc_async_write_multicast_loopback_src(std::uint32_t source_l1, std::uint64_t destinations,
                                                         std::uint32_t size, std::uint32_t num_dests,
                                                         bool linked = false, std::uint8_t noc = kNocOfKernel,
                                                         std::uint8_t = NOC_MULTICAST_WRITE_VC) {
    ::noc_async_write_multicast_loopback_src(source_l1, destinations, size, num_dests, linked, noc);
}

// On the device, the last two arguments of stateful calls are swapped.

FORCE_INLINE void noc_async_read_one_packet_set_state(std::uint64_t source, std::uint32_t size,
                                                      std::uint8_t noc = kNocOfKernel,
                                                      std::uint8_t vc = NOC_UNICAST_WRITE_VC) {
    ::noc_async_read_one_packet_set_state(source, size, vc, noc);
}
FORCE_INLINE void noc_async_read_one_packet_with_state(std::uint32_t source_address, std::uint32_t destination_l1,
                                                       std::uint8_t noc = kNocOfKernel) {
    ::noc_async_read_one_packet_with_state(source_address, destination_l1, 0, noc);
}
template <bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_set_state(std::uint64_t destination, std::uint32_t size,
                                                       std::uint8_t noc = kNocOfKernel,
                                                       std::uint8_t vc = NOC_UNICAST_WRITE_VC) {
    ::noc_async_write_one_packet_set_state<posted>(destination, size, noc, vc);
}
template <bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_state(std::uint32_t source_l1, std::uint32_t destination_address,
                                                        std::uint8_t noc = kNocOfKernel) {
    ::noc_async_write_one_packet_with_state<posted>(source_l1, destination_address, noc);
}

}  // namespace nocbench::dataflow
