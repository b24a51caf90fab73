// SPDX-License-Identifier: Apache-2.0
// Semaphores: words in L1 that other cores increment or overwrite.

#pragma once

#include "nocbench/writes.h"

enum class ProgrammableCoreType : uint8_t { TENSIX = 0, ACTIVE_ETH = 1, IDLE_ETH = 2, COUNT = 3 };

/// Returns the address of a semaphore, equal on every core of the program.
template <ProgrammableCoreType type = ProgrammableCoreType::TENSIX>
FORCE_INLINE uint32_t get_semaphore(uint32_t semaphore_id) {
    static_assert(type == ProgrammableCoreType::TENSIX, "only the semaphores of Tensix cores are modeled");
    return reinterpret_cast<uint32_t>(sem_l1_base[static_cast<int>(type)]) + semaphore_id * L1_ALIGNMENT;
}

FORCE_INLINE void noc_semaphore_set(volatile tt_l1_ptr uint32_t* sem_addr, uint32_t val) { *sem_addr = val; }

/// Waits until a semaphore of this core equals a value.
FORCE_INLINE void noc_semaphore_wait(volatile tt_l1_ptr uint32_t* sem_addr, uint32_t val) {
    do {
        invalidate_l1_cache();
    } while (*sem_addr != val);
}

/// Waits until a semaphore of this core is at least a value.
FORCE_INLINE void noc_semaphore_wait_min(volatile tt_l1_ptr uint32_t* sem_addr, uint32_t val) {
    do {
        invalidate_l1_cache();
    } while (*sem_addr < val);
}

/// Adds to a semaphore of another core.
template <bool posted = false>
FORCE_INLINE void noc_semaphore_inc(uint64_t addr, uint32_t incr, uint8_t noc_id = noc_index,
                                    uint8_t vc = NOC_UNICAST_WRITE_VC) {
#if defined(ARCH_BLACKHOLE)
    constexpr bool answered = true;  // posted atomics are unsafe on Blackhole: all are acknowledged
#else
    constexpr bool answered = !posted;
#endif
    const uint32_t control =
        NOC_CMD_AT | NOC_CMD_VC_STATIC | NOC_CMD_STATIC_VC(vc) | (answered ? NOC_CMD_RESP_MARKED : 0);
    noc_fast_atomic_increment(noc_id, write_at_cmd_buf, addr, control, incr, 31, answered);
}

/// Adds to a semaphore of all other cores of a rectangle.
FORCE_INLINE void noc_semaphore_inc_multicast(uint64_t addr, uint32_t incr, uint32_t num_dests,
                                              uint8_t noc_id = noc_index, uint8_t vc = NOC_MULTICAST_WRITE_VC) {
    const uint32_t control = NOC_CMD_AT | NOC_CMD_VC_STATIC | NOC_CMD_STATIC_VC(vc) | NOC_CMD_RESP_MARKED |
                             nocbench::multicast_control(false, true, false);
    nocbench::count<false, NocBarrierType::NONPOSTED_ATOMICS_ACKED>(noc_id, num_dests);
    noc_fast_atomic_increment(noc_id, write_at_cmd_buf, addr, control, incr, 31, false);
    nocbench::count<true, NocBarrierType::NONPOSTED_ATOMICS_ACKED>(noc_id, num_dests);
}

/// Copies a semaphore's word to another core.
FORCE_INLINE void noc_semaphore_set_remote(uint32_t src_local_l1_addr, uint64_t dst_noc_addr, uint8_t noc = noc_index) {
    nocbench::write_packet<false>(noc, write_reg_cmd_buf, nocbench::write_control(NOC_UNICAST_WRITE_VC, false),
                                  src_local_l1_addr, dst_noc_addr, 4, 1);
}

/// Copies a semaphore's word to all other cores of a rectangle.
FORCE_INLINE void noc_semaphore_set_multicast(uint32_t src_local_l1_addr, uint64_t dst_noc_addr_multicast,
                                              uint32_t num_dests, bool linked = false, uint8_t noc = noc_index) {
    nocbench::write_multicast_one_packet<false>(write_reg_cmd_buf, src_local_l1_addr, dst_noc_addr_multicast, 4,
                                                num_dests, linked, noc);
}

/// Copies a semaphore's word to all cores of a rectangle, including this one.
FORCE_INLINE void noc_semaphore_set_multicast_loopback_src(uint32_t src_local_l1_addr, uint64_t dst_noc_addr_multicast,
                                                           uint32_t num_dests, bool linked = false,
                                                           uint8_t noc = noc_index) {
    nocbench::write_multicast_one_packet<true>(write_reg_cmd_buf, src_local_l1_addr, dst_noc_addr_multicast, 4,
                                               num_dests, linked, noc);
}

/// Waits until all atomics have been acknowledged.
FORCE_INLINE void noc_async_atomic_barrier(uint8_t noc_idx = noc_index) {
    while (!ncrisc_noc_nonposted_atomics_flushed(noc_idx)) {
    }
    invalidate_l1_cache();
}

/// Waits until all of this RISC's transactions on a NoC are complete.
FORCE_INLINE void noc_async_full_barrier(uint8_t noc_idx = noc_index) {
    invalidate_l1_cache();
    while (!ncrisc_noc_reads_flushed(noc_idx)) {
    }
    while (!ncrisc_noc_nonposted_writes_sent(noc_idx)) {
    }
    while (!ncrisc_noc_nonposted_writes_flushed(noc_idx)) {
    }
    while (!ncrisc_noc_nonposted_atomics_flushed(noc_idx)) {
    }
    while (!ncrisc_noc_posted_writes_sent(noc_idx)) {
    }
}
