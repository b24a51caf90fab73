// SPDX-License-Identifier: Apache-2.0
// Reads from other cores and banks. Functions return after issuing the last command; `noc_async_read_barrier` waits for
// the data.

#pragma once

#include "noc_nonblocking_api.h"
#include "nocbench/address_generators.h"

/// Reads at most one packet.
template <bool enable_noc_tracing = true>
FORCE_INLINE void noc_async_read_one_packet(uint64_t src_noc_addr, uint32_t dst_local_l1_addr, uint32_t size,
                                            uint8_t noc = noc_index, uint32_t read_req_vc = NOC_UNICAST_WRITE_VC) {
    (void)read_req_vc;  // As on the device, reads keep the virtual channel set at its start.
    nocbench::read_packet(noc, read_cmd_buf, src_noc_addr, dst_local_l1_addr, size);
}

/// Reads any length. A `max_page_size` of at most one packet avoids the loop over packets.
template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool enable_noc_tracing = true>
inline void noc_async_read(uint64_t src_noc_addr, uint32_t dst_local_l1_addr, uint32_t size, uint8_t noc = noc_index,
                           uint32_t read_req_vc = NOC_UNICAST_WRITE_VC) {
    if constexpr (max_page_size <= NOC_MAX_BURST_SIZE) {
        noc_async_read_one_packet<enable_noc_tracing>(src_noc_addr, dst_local_l1_addr, size, noc, read_req_vc);
    } else {
        ncrisc_noc_fast_read_any_len(noc, read_cmd_buf, src_noc_addr, dst_local_l1_addr, size);
    }
}

/// Sets tile and size for later `noc_async_read_one_packet_with_state`.
template <bool use_vc = false>
FORCE_INLINE void noc_async_read_one_packet_set_state(uint64_t src_noc_addr, uint32_t size, const uint32_t vc = 0,
                                                      uint8_t noc = noc_index) {
    ncrisc_noc_read_set_state<true, use_vc>(noc, read_cmd_buf, src_noc_addr, size, vc);
}

template <bool inc_num_issued = true, bool use_vc = false>
FORCE_INLINE void noc_async_read_one_packet_with_state(uint32_t src_local_l1_addr, uint32_t dst_local_l1_addr,
                                                       const uint32_t vc = 0, uint8_t noc = noc_index) {
    (void)vc;
    ncrisc_noc_read_with_state<inc_num_issued, true>(noc, read_cmd_buf, src_local_l1_addr, dst_local_l1_addr, 0);
}

/// Sets the tile for later `noc_async_read_with_state`.
FORCE_INLINE void noc_async_read_set_state(uint64_t src_noc_addr, uint8_t noc = noc_index) {
    ncrisc_noc_read_set_state<false, false>(noc, read_cmd_buf, src_noc_addr, 0, 0);
}

template <bool inc_num_issued = true>
FORCE_INLINE void noc_async_read_with_state(uint32_t src_local_l1_addr, uint32_t dst_local_l1_addr, uint32_t size,
                                            uint8_t noc = noc_index) {
    ncrisc_noc_read_any_len_with_state<inc_num_issued>(noc, read_cmd_buf, src_local_l1_addr, dst_local_l1_addr, size);
}

/// Adds reads that were issued without counting.
FORCE_INLINE void noc_async_read_inc_num_issued(uint32_t num_issued_reads_inc, uint8_t noc = noc_index) {
    nocbench::count<false, NocBarrierType::READS_NUM_ISSUED>(noc, num_issued_reads_inc);
    nocbench::count<true, NocBarrierType::READS_NUM_ISSUED>(noc, num_issued_reads_inc);
}

namespace nocbench {

template <typename AddrGen>
FORCE_INLINE void read_page(uint32_t id, const AddrGen& addrgen, uint32_t target, uint32_t size_bytes, uint32_t offset,
                            uint8_t noc) {
    if constexpr (HasBankAddress<AddrGen>) {
        read_any_length(noc, read_cmd_buf, addrgen.bank_address(id, offset, noc), target, size_bytes);
    } else {
        noc_async_read(addrgen.get_noc_addr(id, offset, noc), target, size_bytes, noc);
    }
}

}  // namespace nocbench

/// Reads a page of a tensor or buffer.
template <typename AddrGen, bool enable_noc_tracing = true>
FORCE_INLINE void noc_async_read_page(uint32_t id, const AddrGen& addrgen, uint32_t dst_local_l1_addr,
                                      uint32_t offset = 0, uint8_t noc = noc_index) {
    nocbench::read_page(id, addrgen, dst_local_l1_addr, nocbench::page_bytes_of(addrgen) - offset, offset, noc);
}

template <typename AddrGen, bool enable_noc_tracing = true>
FORCE_INLINE void noc_async_read_tile(uint32_t id, const AddrGen& addrgen, uint32_t dst_local_l1_addr,
                                      uint32_t offset = 0, uint8_t noc = noc_index) {
    nocbench::read_page(id, addrgen, dst_local_l1_addr, nocbench::page_bytes_of(addrgen), offset, noc);
}

template <typename AddrGen>
FORCE_INLINE void noc_async_read_shard(uint32_t shard_id, const AddrGen& addrgen, uint32_t dst_local_l1_addr,
                                       uint8_t noc = noc_index) {
    noc_async_read(addrgen.get_shard_noc_addr(shard_id, 0, noc), dst_local_l1_addr, addrgen.get_shard_bytes(), noc);
}

/// Sets the transaction id of reads.
FORCE_INLINE void noc_async_read_set_trid(uint32_t trid = 0, uint8_t noc = noc_index) {
    ncrisc_noc_set_transaction_id(noc, read_cmd_buf, trid);
}

/// Reads with the previously set tile and size, counted for a transaction id.
template <bool skip_ptr_update = false, bool skip_cmdbuf_chk = false>
FORCE_INLINE void noc_async_read_one_packet_with_state_with_trid(uint32_t src_base_addr, uint32_t src_addr,
                                                                 uint32_t dest_addr, uint32_t trid = 0,
                                                                 uint8_t noc = noc_index) {
    ncrisc_noc_fast_read_with_transaction_id<skip_ptr_update, skip_cmdbuf_chk>(noc, read_cmd_buf, src_base_addr,
                                                                               src_addr, dest_addr, trid);
}

/// Waits until the data of all reads are in L1.
FORCE_INLINE void noc_async_read_barrier(uint8_t noc = noc_index) {
    while (!ncrisc_noc_reads_flushed(noc)) {
    }
    invalidate_l1_cache();
}

/// Waits until the data of all reads with a transaction id are in L1.
FORCE_INLINE void noc_async_read_barrier_with_trid(uint32_t trid, uint8_t noc = noc_index) {
    while (!ncrisc_noc_read_with_transaction_id_flushed(noc, trid)) {
    }
    invalidate_l1_cache();
}
