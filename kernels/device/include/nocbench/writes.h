// SPDX-License-Identifier: Apache-2.0
// Writes to other cores and banks. Functions return after issuing the last command. `noc_async_writes_flushed` waits
// until the data have left, `noc_async_write_barrier` until they have arrived.

#pragma once

#include "noc_nonblocking_api.h"
#include "nocbench/address_generators.h"

/// Writes at most one packet.
template <bool enable_noc_tracing = true, bool posted = false>
FORCE_INLINE void noc_async_write_one_packet(uint32_t src_local_l1_addr, uint64_t dst_noc_addr, uint32_t size,
                                             uint8_t noc = noc_index, uint32_t vc = NOC_UNICAST_WRITE_VC) {
    nocbench::write_packet<posted>(noc, write_cmd_buf, nocbench::write_control(vc, posted), src_local_l1_addr,
                                   dst_noc_addr, size, 1);
}

/// Writes any length. A `max_page_size` of at most one packet avoids the loop over packets.
template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool enable_noc_tracing = true, bool posted = false>
inline void noc_async_write(uint32_t src_local_l1_addr, uint64_t dst_noc_addr, uint32_t size, uint8_t noc = noc_index,
                            uint32_t vc = NOC_UNICAST_WRITE_VC) {
    if constexpr (max_page_size <= NOC_MAX_BURST_SIZE) {
        noc_async_write_one_packet<enable_noc_tracing, posted>(src_local_l1_addr, dst_noc_addr, size, noc, vc);
    } else {
        nocbench::write_any_length<posted>(noc, write_cmd_buf, nocbench::write_control(vc, posted), src_local_l1_addr,
                                           dst_noc_addr, size, 1);
    }
}

/// Sets tile and size for later `noc_async_write_one_packet_with_state`.
template <bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_set_state(uint64_t dst_noc_addr, uint32_t size, uint8_t noc = noc_index,
                                                       uint8_t vc = NOC_UNICAST_WRITE_VC) {
    ncrisc_noc_write_set_state<posted, true>(noc, write_cmd_buf, dst_noc_addr, size, vc);
}

template <bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_state(uint32_t src_local_l1_addr, uint32_t dst_local_l1_addr,
                                                        uint8_t noc = noc_index) {
    ncrisc_noc_write_with_state<posted, true, true>(noc, write_cmd_buf, src_local_l1_addr, dst_local_l1_addr, 0);
}

/// Sets the tile for later `noc_async_write_with_state`.
template <bool posted = false>
FORCE_INLINE void noc_async_write_set_state(uint64_t dst_noc_addr, uint8_t noc = noc_index,
                                            uint8_t vc = NOC_UNICAST_WRITE_VC) {
    ncrisc_noc_write_set_state<posted, false>(noc, write_cmd_buf, dst_noc_addr, 0, vc);
}

template <bool posted = false>
FORCE_INLINE void noc_async_write_with_state(uint32_t src_local_l1_addr, uint32_t dst_local_l1_addr, uint32_t size,
                                             uint8_t noc = noc_index) {
    ncrisc_noc_write_any_len_with_state<posted, true>(noc, write_cmd_buf, src_local_l1_addr, dst_local_l1_addr, size);
}

namespace nocbench {

template <bool posted, typename AddrGen>
FORCE_INLINE void write_page(uint32_t id, const AddrGen& addrgen, uint32_t source, uint32_t size_bytes, uint32_t offset,
                             uint8_t noc) {
    if constexpr (HasBankAddress<AddrGen>) {
        write_any_length<posted>(noc, write_cmd_buf, write_control(NOC_UNICAST_WRITE_VC, posted), source,
                                 addrgen.bank_address(id, offset, noc), size_bytes, 1);
    } else {
        noc_async_write<NOC_MAX_BURST_SIZE + 1, true, posted>(source, addrgen.get_noc_addr(id, offset, noc), size_bytes,
                                                              noc);
    }
}

}  // namespace nocbench

/// Writes a page of a tensor or buffer.
template <typename AddrGen, bool enable_noc_tracing = true, bool posted = false>
FORCE_INLINE void noc_async_write_page(uint32_t id, const AddrGen& addrgen, uint32_t src_local_l1_addr,
                                       uint32_t size = 0, uint32_t offset = 0, uint8_t noc = noc_index) {
    nocbench::write_page<posted>(id, addrgen, src_local_l1_addr,
                                 size != 0 ? size : nocbench::page_bytes_of(addrgen) - offset, offset, noc);
}

template <typename AddrGen, bool enable_noc_tracing = true, bool posted = false>
FORCE_INLINE void noc_async_write_tile(uint32_t id, const AddrGen& addrgen, uint32_t src_local_l1_addr,
                                       uint8_t noc = noc_index) {
    nocbench::write_page<posted>(id, addrgen, src_local_l1_addr, nocbench::page_bytes_of(addrgen), 0, noc);
}

template <typename AddrGen, bool posted = false>
FORCE_INLINE void noc_async_write_shard(uint32_t shard_id, const AddrGen& addrgen, uint32_t src_local_l1_addr,
                                        uint8_t noc = noc_index) {
    noc_async_write<NOC_MAX_BURST_SIZE + 1, true, posted>(
        src_local_l1_addr, addrgen.get_shard_noc_addr(shard_id, 0, noc), addrgen.get_shard_bytes(), noc);
}

// --- with transaction ids
// --------------------------------------------------------------------------------------------------

/// Sets the transaction id of writes.
FORCE_INLINE void noc_async_write_set_trid(uint32_t trid = 0, uint8_t noc = noc_index) {
    ncrisc_noc_set_transaction_id(noc, write_cmd_buf, trid);
}

template <bool update_counter = true, bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_trid(uint32_t src_local_l1_addr, uint64_t dst_noc_addr, uint32_t size,
                                                       uint32_t trid, uint8_t cmd_buf = write_cmd_buf,
                                                       uint8_t noc = noc_index, uint8_t vc = NOC_UNICAST_WRITE_VC) {
    nocbench::wait_for_room_of_id(noc, trid);
    nocbench::write_packet<posted, true, update_counter>(noc, cmd_buf, nocbench::write_control(vc, posted),
                                                         src_local_l1_addr, dst_noc_addr, size, 1, trid);
}

template <bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_trid_set_state(uint64_t dst_noc_addr, uint8_t cmd_buf = write_cmd_buf,
                                                                 uint8_t noc = noc_index,
                                                                 uint8_t vc = NOC_UNICAST_WRITE_VC) {
    ncrisc_noc_write_set_state<posted, false>(noc, cmd_buf, dst_noc_addr, 0, vc);
}

template <bool update_counter = true, bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_trid_with_state(uint32_t src_local_l1_addr,
                                                                  uint32_t dst_local_l1_addr, uint32_t size,
                                                                  uint32_t trid, uint8_t cmd_buf = write_cmd_buf,
                                                                  uint8_t noc = noc_index) {
    nocbench::wait_for_room_of_id(noc, trid);
    nocbench::wait_for_buffer(noc, cmd_buf);
    if constexpr (update_counter) {
        nocbench::count_writes<false, posted>(noc, 1);
    }
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_PACKET_TAG, NOC_PACKET_TRANSACTION_ID(trid));
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, src_local_l1_addr);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_LO, dst_local_l1_addr);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE, size);
    nocbench::send(noc, cmd_buf);
    if constexpr (update_counter) {
        nocbench::count_writes<true, posted>(noc, 1);
    }
}

/// Clears the counters of transaction ids.
FORCE_INLINE void reset_noc_trid_barrier_counter(uint32_t id_mask = NOC_CLEAR_OUTSTANDING_REQ_MASK,
                                                 uint32_t noc = noc_index) {
    reg_write((noc << NOC_INSTANCE_OFFSET_BIT) + NOC_CLEAR_OUTSTANDING_REQ_CNT, id_mask);
}

// --- to the cores of a rectangle
// -------------------------------------------------------------------------------------------

namespace nocbench {

template <bool with_source>
FORCE_INLINE void write_multicast(uint32_t buffer, uint32_t source, uint64_t target, uint32_t size_bytes,
                                  uint32_t num_dests, bool linked, uint8_t noc) {
    const uint32_t control =
        write_control(NOC_MULTICAST_WRITE_VC, false) | multicast_control(linked, true, with_source);
    write_any_length<false>(noc, buffer, control, source, target, size_bytes, num_dests);
}

template <bool with_source>
FORCE_INLINE void write_multicast_one_packet(uint32_t buffer, uint32_t source, uint64_t target, uint32_t size_bytes,
                                             uint32_t num_dests, bool linked, uint8_t noc) {
    const uint32_t control =
        write_control(NOC_MULTICAST_WRITE_VC, false) | multicast_control(linked, true, with_source);
    write_packet<false>(noc, buffer, control, source, target, size_bytes, num_dests);
}

}  // namespace nocbench

/// Writes with all options.
template <uint8_t mode, bool with_id = false, bool one_packet = false>
FORCE_INLINE void ncrisc_noc_fast_write_any_len(uint32_t noc, uint32_t buffer, uint32_t source, uint64_t target,
                                                uint32_t size_bytes, uint32_t vc, bool mcast, bool linked,
                                                uint32_t num_dests, bool reserve_path = true, bool posted = false,
                                                uint32_t trid = 0) {
    const uint32_t control =
        nocbench::write_control(vc, posted) | (mcast ? nocbench::multicast_control(linked, reserve_path, false) : 0);
    if (posted) {
        nocbench::write_any_length<true, with_id>(noc, buffer, control, source, target, size_bytes, num_dests, trid);
    } else {
        nocbench::write_any_length<false, with_id>(noc, buffer, control, source, target, size_bytes, num_dests, trid);
    }
}

/// Multicasts at most one packet to all other cores of a rectangle.
FORCE_INLINE void noc_async_write_multicast_one_packet(uint32_t src_local_l1_addr, uint64_t dst_noc_addr_multicast,
                                                       uint32_t size, uint32_t num_dests, bool linked = false,
                                                       uint8_t noc = noc_index) {
    nocbench::write_multicast_one_packet<false>(write_cmd_buf, src_local_l1_addr, dst_noc_addr_multicast, size,
                                                num_dests, linked, noc);
}

/// Multicasts to all other cores of a rectangle. Either all packets are linked, or none is.
template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1>
inline void noc_async_write_multicast(uint32_t src_local_l1_addr, uint64_t dst_noc_addr_multicast, uint32_t size,
                                      uint32_t num_dests, bool linked = false, uint8_t noc = noc_index) {
    if constexpr (max_page_size <= NOC_MAX_BURST_SIZE) {
        noc_async_write_multicast_one_packet(src_local_l1_addr, dst_noc_addr_multicast, size, num_dests, linked, noc);
    } else {
        nocbench::write_multicast<false>(write_cmd_buf, src_local_l1_addr, dst_noc_addr_multicast, size, num_dests,
                                         linked, noc);
    }
}

/// Multicasts to all cores of a rectangle, including this one.
inline void noc_async_write_multicast_loopback_src(uint32_t src_local_l1_addr, uint64_t dst_noc_addr_multicast,
                                                   uint32_t size, uint32_t num_dests, bool linked = false,
                                                   uint8_t noc = noc_index) {
    nocbench::write_multicast<true>(write_cmd_buf, src_local_l1_addr, dst_noc_addr_multicast, size, num_dests, linked,
                                    noc);
}

// --- one word
// --------------------------------------------------------------------------------------------------------------

enum class InlineWriteDst : uint8_t { DEFAULT, L1, REG };

namespace nocbench {

#if defined(ARCH_BLACKHOLE)
/// Returns the L1 address from which the word of an inline write is sent: Blackhole's NIU must not write inline to L1.
constexpr uint32_t inline_word_address(uint32_t noc) {
#if defined(COMPILE_FOR_NCRISC)
    return MEM_L1_INLINE_BASE + noc * MEM_L1_INLINE_SIZE_PER_NOC + 16;
#else
    return MEM_L1_INLINE_BASE + noc * MEM_L1_INLINE_SIZE_PER_NOC;
#endif
}

/// Sends a word from L1: from `place`, or from the place that each RISC has for it.
template <bool posted, bool flush, bool multicast = false>
FORCE_INLINE void write_word_from_l1(uint32_t noc, uint32_t buffer, uint32_t value, uint64_t target, uint32_t vc,
                                     uint32_t place = 0, uint32_t acknowledgements = 1) {
    // Copies by the NIU need source and target addresses with equal lowest four bits.
    const uint32_t source = (place != 0 ? place : inline_word_address(noc)) | (static_cast<uint32_t>(target) & 0xC);
    if constexpr (flush) {  // the previous word must have left
        if constexpr (posted) {
            while (!ncrisc_noc_posted_writes_sent(noc)) {
            }
        } else {
            while (!ncrisc_noc_nonposted_writes_sent(noc)) {
            }
        }
    }
    *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(source) = value;
    const uint32_t control = write_control(vc, posted) | (multicast ? multicast_control(false, true, false) : 0);
    write_packet<posted>(noc, buffer, control, source, target, 4, acknowledgements);
}

/// Returns whether the target of an inline write is a register. Registers are above L1.
template <InlineWriteDst target>
FORCE_INLINE bool is_register(uint32_t address) {
    return target == InlineWriteDst::REG || (target == InlineWriteDst::DEFAULT && address >= MEM_LOCAL_BASE);
}
#endif

}  // namespace nocbench

/// Writes an immediate word. `be` has an enable bit for each of the four bytes.
template <InlineWriteDst dst_type = InlineWriteDst::DEFAULT, bool posted = false, bool flush = true>
FORCE_INLINE void noc_inline_dw_write(uint64_t addr, uint32_t val, uint8_t be = 0xF, uint8_t noc = noc_index,
                                      uint8_t vc = NOC_UNICAST_WRITE_VC) {
#if defined(ARCH_BLACKHOLE)
    const bool is_register = nocbench::is_register<dst_type>(static_cast<uint32_t>(addr));
    if (!is_register) {
        nocbench::write_word_from_l1<posted, flush>(noc, write_reg_cmd_buf, val, addr, vc);
        return;
    }
#endif
    noc_fast_write_dw_inline<posted>(noc, write_at_cmd_buf, val, addr, be, nocbench::write_control(vc, posted));
}

/// Writes an immediate word to all other cores of a rectangle. Without `flush`, the kernel gives the place in L1 from
/// which Blackhole sends the word.
template <InlineWriteDst dst_type = InlineWriteDst::DEFAULT, bool posted = false, bool flush = true>
FORCE_INLINE void noc_inline_mcast_dw_write(uint64_t addr, uint32_t val, uint8_t be = 0xF, uint8_t noc = noc_index,
                                            uint8_t vc = NOC_MULTICAST_WRITE_VC, uint32_t customized_src_addr = 0,
                                            uint32_t num_dest = 1) {
#if defined(ARCH_BLACKHOLE)
    if (!nocbench::is_register<dst_type>(static_cast<uint32_t>(addr))) {
        nocbench::write_word_from_l1<posted, flush, true>(noc, write_reg_cmd_buf, val, addr, vc, customized_src_addr,
                                                          num_dest);
        return;
    }
#endif
    const uint32_t control = nocbench::write_control(vc, posted) | nocbench::multicast_control(false, true, false);
    noc_fast_write_dw_inline<posted>(noc, write_at_cmd_buf, val, addr, be, control, num_dest);
}

/// Sets the target for later `noc_inline_dw_write_with_state` and, if equal for all writes, the word.
template <bool posted = false, bool set_val = false>
FORCE_INLINE void noc_inline_dw_write_set_state(uint64_t addr, uint32_t val = 0, uint8_t be = 0xF,
                                                uint8_t cmd_buf = write_at_cmd_buf, uint8_t noc = noc_index,
                                                uint8_t vc = NOC_UNICAST_WRITE_VC) {
    const nocbench::Tile tile(addr);
    nocbench::wait_for_buffer(noc, cmd_buf);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CTRL, nocbench::write_control(vc, posted) | NOC_CMD_WR_INLINE);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, static_cast<uint32_t>(addr));
    nocbench::set_target_tile(noc, cmd_buf, tile);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE,
                          noc_get_interim_inline_byte_enables(static_cast<uint32_t>(addr), be));
    if constexpr (set_val) {
        NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_DATA, val);
    }
}

template <bool update_addr_lo = false, bool update_counter = true, bool posted = false, bool update_addr_hi = false,
          bool update_val = false>
FORCE_INLINE void noc_inline_dw_write_with_state(uint32_t val, uint32_t addr = 0, uint8_t cmd_buf = write_at_cmd_buf,
                                                 uint8_t noc = noc_index) {
    static_assert(!(update_addr_lo && update_addr_hi), "one half of the address can be new, not both");
    nocbench::wait_for_buffer(noc, cmd_buf);
    if constexpr (update_counter) {
        nocbench::count_writes<false, posted>(noc, 1);
    }
    if constexpr (update_addr_lo) {
        NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, addr);
    } else if constexpr (update_addr_hi) {
        NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_COORDINATE, addr);
    }
    if constexpr (update_val) {
        NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_DATA, val);
    }
    nocbench::send(noc, cmd_buf);
    if constexpr (update_counter) {
        nocbench::count_writes<true, posted>(noc, 1);
    }
}

// --- waiting
// ---------------------------------------------------------------------------------------------------------------

/// Waits until the data of all non-posted writes have left this core.
FORCE_INLINE void noc_async_writes_flushed(uint8_t noc = noc_index) {
    while (!ncrisc_noc_nonposted_writes_sent(noc)) {
    }
    invalidate_l1_cache();
}

FORCE_INLINE void noc_async_posted_writes_flushed(uint8_t noc = noc_index) {
    while (!ncrisc_noc_posted_writes_sent(noc)) {
    }
    invalidate_l1_cache();
}

/// Waits until all non-posted writes have arrived.
FORCE_INLINE void noc_async_write_barrier(uint8_t noc = noc_index) {
    while (!ncrisc_noc_nonposted_writes_flushed(noc)) {
    }
    invalidate_l1_cache();
}

FORCE_INLINE void noc_async_write_flushed_with_trid(uint32_t trid, uint8_t noc = noc_index) {
    while (!ncrisc_noc_nonposted_write_with_transaction_id_sent(noc, trid)) {
    }
    invalidate_l1_cache();
}

FORCE_INLINE void noc_async_write_barrier_with_trid(uint32_t trid, uint8_t noc = noc_index) {
    while (!ncrisc_noc_nonposted_write_with_transaction_id_flushed(noc, trid)) {
    }
    invalidate_l1_cache();
}
