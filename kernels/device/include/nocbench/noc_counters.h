// SPDX-License-Identifier: Apache-2.0
// Counters of a RISC's commands, which barriers compare with those of the NIU.

#pragma once

#include <stdint.h>

#include "dev_mem_map.h"
#include "nocbench/firmware.h"
#include "risc_common.h"

enum class NocBarrierType : uint8_t {
    READS_NUM_ISSUED,
    NONPOSTED_WRITES_NUM_ISSUED,
    NONPOSTED_WRITES_ACKED,
    NONPOSTED_ATOMICS_ACKED,
    POSTED_WRITES_NUM_ISSUED,
    COUNT
};

#if defined(COMPILE_FOR_NCRISC)
constexpr uint8_t proc_type = 1;
#else
constexpr uint8_t proc_type = 0;
#endif

// Counters in L1, by NoC, RISC and kind: for DM_DYNAMIC_NOC. The loader sets them to zero.

template <uint8_t processor, NocBarrierType type>
FORCE_INLINE uint32_t get_noc_counter_address(uint32_t noc) {
    constexpr uint32_t bytes_of_risc = static_cast<uint32_t>(NocBarrierType::COUNT) * sizeof(uint32_t);
    static_assert(NUM_NOCS * 2 * bytes_of_risc == MEM_NOC_COUNTER_SIZE);
    return MEM_NOC_COUNTER_BASE + noc * 2 * bytes_of_risc + processor * bytes_of_risc +
           static_cast<uint32_t>(type) * sizeof(uint32_t);
}

template <uint8_t processor, NocBarrierType type>
FORCE_INLINE uint32_t get_noc_counter_val(uint32_t noc) {
    return *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_noc_counter_address<processor, type>(noc));
}

template <uint8_t processor, NocBarrierType type>
FORCE_INLINE void inc_noc_counter_val(uint32_t noc, uint32_t inc = 1) {
    *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_noc_counter_address<processor, type>(noc)) += inc;
}

namespace nocbench {

template <NocBarrierType type>
FORCE_INLINE uint32_t& own_counter(uint32_t noc) {
    if constexpr (type == NocBarrierType::READS_NUM_ISSUED) {
        return noc_reads_num_issued[noc];
    } else if constexpr (type == NocBarrierType::NONPOSTED_WRITES_NUM_ISSUED) {
        return noc_nonposted_writes_num_issued[noc];
    } else if constexpr (type == NocBarrierType::NONPOSTED_WRITES_ACKED) {
        return noc_nonposted_writes_acked[noc];
    } else if constexpr (type == NocBarrierType::NONPOSTED_ATOMICS_ACKED) {
        return noc_nonposted_atomics_acked[noc];
    } else {
        return noc_posted_writes_num_issued[noc];
    }
}

/// Counts commands. Callers call it before commands are issued, and again afterwards. On a NoC of both RISCs, only the
/// first call counts, since the NIU must not be ahead of the count. A RISC that has the NoC to itself counts in the
/// second call, while there is nothing else to do.
template <bool is_issued, NocBarrierType type, bool counts = true>
FORCE_INLINE void count(uint32_t noc, uint32_t commands = 1) {
    if constexpr (counts && noc_mode == DM_DYNAMIC_NOC && !is_issued) {
        inc_noc_counter_val<proc_type, type>(noc, commands);
    } else if constexpr (counts && noc_mode == DM_DEDICATED_NOC && is_issued) {
        own_counter<type>(noc) += commands;
    }
}

/// Returns the commands of all RISCs that use a NoC.
template <NocBarrierType type>
FORCE_INLINE uint32_t counted(uint32_t noc) {
    if constexpr (noc_mode == DM_DYNAMIC_NOC) {
        return get_noc_counter_val<proc_type, type>(noc) + get_noc_counter_val<1 - proc_type, type>(noc);
    } else {
        return own_counter<type>(noc);
    }
}

}  // namespace nocbench
