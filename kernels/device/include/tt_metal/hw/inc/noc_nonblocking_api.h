// SPDX-License-Identifier: Apache-2.0
// NIU commands as register writes, in the order of the device's own code.
//
// The instructions determine the cost of a call. These functions therefore write exactly the registers that the device
// writes, and keep state only where the device does. Each waits for its command buffer before it writes registers.
//
// NOC_MODE says who uses a NoC. DM_DEDICATED_NOC: one RISC of the tile, which has all command buffers and counts its
// commands in variables. DM_DYNAMIC_NOC: both RISCs; each has two command buffers on each NoC, and counts in L1, where
// barriers find the sum of both, as the NIU counts it.

#pragma once

#include <stdint.h>

#include "dev_mem_map.h"
#include "noc_parameters.h"
#include "nocbench/addresses.h"
#include "nocbench/firmware.h"
#include "nocbench/noc_counters.h"
#include "risc_common.h"

// Command buffers by use.
#if NOC_MODE == DM_DEDICATED_NOC
constexpr uint32_t write_cmd_buf = 0;
constexpr uint32_t read_cmd_buf = 1;
constexpr uint32_t write_reg_cmd_buf = 2;
constexpr uint32_t write_at_cmd_buf = 3;
#else
#if defined(COMPILE_FOR_NCRISC)
constexpr uint32_t write_cmd_buf = 2;
#else
constexpr uint32_t write_cmd_buf = 0;
#endif
constexpr uint32_t read_cmd_buf = write_cmd_buf + 1;
constexpr uint32_t write_reg_cmd_buf = write_cmd_buf;
constexpr uint32_t write_at_cmd_buf = read_cmd_buf;
#endif
#define NCRISC_WR_CMD_BUF 0
#define NCRISC_RD_CMD_BUF 1
#define NCRISC_WR_REG_CMD_BUF 2
#define NCRISC_AT_CMD_BUF 3
#define BRISC_WR_CMD_BUF 0
#define BRISC_RD_CMD_BUF 1
#define BRISC_WR_REG_CMD_BUF 2
#define BRISC_AT_CMD_BUF 3

// Virtual channels by use.
#define NOC_UNICAST_WRITE_VC 1
#define NOC_MULTICAST_WRITE_VC 4
#define NOC_DISPATCH_MULTICAST_WRITE_VC 5

FORCE_INLINE void NOC_CMD_BUF_WRITE_REG(uint32_t noc, uint32_t buffer, uint32_t address, uint32_t value) {
    reg_write((buffer << NOC_CMD_BUF_OFFSET_BIT) + (noc << NOC_INSTANCE_OFFSET_BIT) + address, value);
}

FORCE_INLINE uint32_t NOC_CMD_BUF_READ_REG(uint32_t noc, uint32_t buffer, uint32_t address) {
    return reg_read((buffer << NOC_CMD_BUF_OFFSET_BIT) + (noc << NOC_INSTANCE_OFFSET_BIT) + address);
}

FORCE_INLINE uint32_t NOC_STATUS_READ_REG(uint32_t noc, uint32_t counter) {
    return reg_read((noc << NOC_INSTANCE_OFFSET_BIT) + NOC_STATUS(counter));
}

FORCE_INLINE uint32_t NOC_CFG_READ_REG(uint32_t noc, uint32_t word) {
    return reg_read((noc << NOC_INSTANCE_OFFSET_BIT) + NOC_CFG(word));
}

FORCE_INLINE bool noc_cmd_buf_ready(uint32_t noc, uint32_t buffer) {
    return NOC_CMD_BUF_READ_REG(noc, buffer, NOC_CMD_CTRL) == NOC_CTRL_STATUS_READY;
}

namespace nocbench {

FORCE_INLINE void wait_for_buffer(uint32_t noc, uint32_t buffer) {
    while (!noc_cmd_buf_ready(noc, buffer)) {
    }
}

FORCE_INLINE void send(uint32_t noc, uint32_t buffer) {
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_CMD_CTRL, NOC_CTRL_SEND_REQ);
}

/// Address words that select a tile. Must be computed before the wait for a buffer: after the wait, the compiler cannot
/// see how the address was composed.
struct Tile {
#if defined(ARCH_BLACKHOLE)
    uint32_t middle;
#endif
    uint32_t coordinates;

    FORCE_INLINE explicit Tile(uint64_t noc_address)
        :
#if defined(ARCH_BLACKHOLE)
          middle(static_cast<uint32_t>(noc_address >> 32) & NOC_PCIE_MASK),
#endif
          coordinates(static_cast<uint32_t>(noc_address >> NOC_ADDR_COORD_SHIFT) & NOC_COORDINATE_MASK) {
    }
};

/// Coordinates of a bank. They are the only address word that must be written. The word between the coordinates and the
/// lower address stays zero from the start. (Only commands to host memory set a bit there.) Calls with a NoC address
/// cannot rely on this, and write the word every time.
struct Bank {
    uint32_t coordinates;
};

FORCE_INLINE Tile tile_of(uint64_t noc_address) { return Tile(noc_address); }
FORCE_INLINE Bank tile_of(const BankAddress& address) { return {address.coordinates}; }

/// Sets the target of a read, an atomic or an inline write.
FORCE_INLINE void set_target_tile(uint32_t noc, uint32_t buffer, const Tile& tile) {
#if defined(ARCH_BLACKHOLE)
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_TARG_ADDR_MID, tile.middle);
#endif
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_TARG_ADDR_COORDINATE, tile.coordinates);
}

FORCE_INLINE void set_target_tile(uint32_t noc, uint32_t buffer, const Bank& bank) {
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_TARG_ADDR_COORDINATE, bank.coordinates);
}

/// Sets this tile as the source of a write.
FORCE_INLINE void set_source_of_write(uint32_t noc, uint32_t buffer, const Tile& target) {
    (void)noc, (void)buffer, (void)target;
#if defined(ARCH_BLACKHOLE)
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_TARG_ADDR_MID, 0);
#endif
}
FORCE_INLINE void set_source_of_write(uint32_t noc, uint32_t buffer, const Bank& target) {
    (void)noc, (void)buffer, (void)target;
}

/// Sets the destination tile of a write.
FORCE_INLINE void set_return_tile(uint32_t noc, uint32_t buffer, const Tile& tile) {
#if defined(ARCH_BLACKHOLE)
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_RET_ADDR_MID, tile.middle);
#endif
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_RET_ADDR_COORDINATE, tile.coordinates);
}

FORCE_INLINE void set_return_tile(uint32_t noc, uint32_t buffer, const Bank& bank) {
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_RET_ADDR_COORDINATE, bank.coordinates);
}

template <bool is_issued, bool posted>
FORCE_INLINE void count_writes(uint32_t noc, uint32_t acknowledgements) {
    if constexpr (posted) {
        count<is_issued, NocBarrierType::POSTED_WRITES_NUM_ISSUED>(noc);
    } else {
        count<is_issued, NocBarrierType::NONPOSTED_WRITES_NUM_ISSUED>(noc);
        count<is_issued, NocBarrierType::NONPOSTED_WRITES_ACKED>(noc, acknowledgements);
    }
}

constexpr uint32_t write_control(uint32_t vc, bool posted) {
    return NOC_CMD_CPY | NOC_CMD_WR | NOC_CMD_VC_STATIC | NOC_CMD_STATIC_VC(vc) | (posted ? 0 : NOC_CMD_RESP_MARKED);
}

constexpr uint32_t multicast_control(bool linked, bool reserve_path, bool with_source) {
    return (linked ? NOC_CMD_VC_LINKED : 0) | (reserve_path ? NOC_CMD_PATH_RESERVE : 0) | NOC_CMD_BRCST_PACKET |
           (with_source ? NOC_CMD_BRCST_SRC_INCLUDE : 0);
}

constexpr uint32_t read_control(uint32_t vc) {
    return NOC_CMD_CPY | NOC_CMD_RD | NOC_CMD_RESP_MARKED | NOC_CMD_VC_STATIC | NOC_CMD_STATIC_VC(vc);
}

/// Waits while a transaction id has more requests outstanding than half of its counter's range.
FORCE_INLINE void wait_for_room_of_id(uint32_t noc, uint32_t id) {
    while (NOC_STATUS_READ_REG(noc, NIU_MST_REQS_OUTSTANDING_ID(id)) > ((NOC_MAX_TRANSACTION_ID_COUNT + 1) / 2)) {
    }
}

}  // namespace nocbench

// --- reads
// -----------------------------------------------------------------------------------------------------------------

namespace nocbench {

/// Writes the registers of a one-packet read. The control word is set at device start: read, static virtual channel 1;
/// but not if atomics have the same command buffer.
template <class Place>
FORCE_INLINE void issue_read(uint32_t noc, uint32_t buffer, uint32_t source, const Place& tile, uint32_t target,
                             uint32_t size_bytes) {
    count<false, NocBarrierType::READS_NUM_ISSUED>(noc);
    if constexpr (noc_mode == DM_DYNAMIC_NOC) {
        NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_CTRL, read_control(NOC_UNICAST_WRITE_VC));
    }
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_RET_ADDR_LO, target);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_TARG_ADDR_LO, source);
    set_target_tile(noc, buffer, tile);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_AT_LEN_BE, size_bytes);
    send(noc, buffer);
    count<true, NocBarrierType::READS_NUM_ISSUED>(noc);
}

/// Reads one packet. `Address` is a NoC address or a BankAddress.
template <class Address>
FORCE_INLINE void read_packet(uint32_t noc, uint32_t buffer, Address source, uint32_t target, uint32_t size_bytes) {
    const auto tile = tile_of(source);
    wait_for_buffer(noc, buffer);
    issue_read(noc, buffer, static_cast<uint32_t>(source), tile, target, size_bytes);
}

/// Reads any length, in packets of maximum size and a rest.
template <class Address>
FORCE_INLINE void read_any_length(uint32_t noc, uint32_t buffer, Address source, uint32_t target, uint32_t size_bytes) {
    while (size_bytes > NOC_MAX_BURST_SIZE) {
        read_packet(noc, buffer, source, target, NOC_MAX_BURST_SIZE);
        source += NOC_MAX_BURST_SIZE;
        target += NOC_MAX_BURST_SIZE;
        size_bytes -= NOC_MAX_BURST_SIZE;
    }
    read_packet(noc, buffer, source, target, size_bytes);
}

}  // namespace nocbench

/// Reads one packet with a ready buffer.
FORCE_INLINE void ncrisc_noc_fast_read(uint32_t noc, uint32_t buffer, uint64_t source, uint32_t target,
                                       uint32_t size_bytes) {
    nocbench::issue_read(noc, buffer, static_cast<uint32_t>(source), nocbench::Tile(source), target, size_bytes);
}

/// Reads any length.
FORCE_INLINE void ncrisc_noc_fast_read_any_len(uint32_t noc, uint32_t buffer, uint64_t source, uint32_t target,
                                               uint32_t size_bytes) {
    nocbench::read_any_length(noc, buffer, source, target, size_bytes);
}

/// Sets the source tile and, if equal for all reads, the size.
template <bool one_packet, bool use_vc>
FORCE_INLINE void ncrisc_noc_read_set_state(uint32_t noc, uint32_t buffer, uint64_t source, uint32_t size_bytes,
                                            uint32_t vc) {
    const nocbench::Tile tile(source);
    nocbench::wait_for_buffer(noc, buffer);
    if constexpr (use_vc || noc_mode == DM_DYNAMIC_NOC) {
        NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_CTRL, nocbench::read_control(use_vc ? vc : NOC_UNICAST_WRITE_VC));
    }
    nocbench::set_target_tile(noc, buffer, tile);
    if constexpr (one_packet) {
        NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_AT_LEN_BE, size_bytes);
    }
}

/// Reads a packet with the previously set tile and size.
template <bool inc_num_issued, bool one_packet>
FORCE_INLINE void ncrisc_noc_read_with_state(uint32_t noc, uint32_t buffer, uint32_t source, uint32_t target,
                                             uint32_t size_bytes) {
    nocbench::wait_for_buffer(noc, buffer);
    nocbench::count<false, NocBarrierType::READS_NUM_ISSUED, inc_num_issued>(noc);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_RET_ADDR_LO, target);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_TARG_ADDR_LO, source);
    if constexpr (!one_packet) {
        NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_AT_LEN_BE, size_bytes);
    }
    nocbench::send(noc, buffer);
    nocbench::count<true, NocBarrierType::READS_NUM_ISSUED, inc_num_issued>(noc);
}

template <bool inc_num_issued>
FORCE_INLINE void ncrisc_noc_read_any_len_with_state(uint32_t noc, uint32_t buffer, uint32_t source, uint32_t target,
                                                     uint32_t size_bytes) {
    while (size_bytes > NOC_MAX_BURST_SIZE) {
        ncrisc_noc_read_with_state<inc_num_issued, false>(noc, buffer, source, target, NOC_MAX_BURST_SIZE);
        source += NOC_MAX_BURST_SIZE;
        target += NOC_MAX_BURST_SIZE;
        size_bytes -= NOC_MAX_BURST_SIZE;
    }
    ncrisc_noc_read_with_state<inc_num_issued, false>(noc, buffer, source, target, size_bytes);
}

FORCE_INLINE void ncrisc_noc_set_transaction_id(uint32_t noc, uint32_t buffer, uint32_t id) {
    nocbench::wait_for_buffer(noc, buffer);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_PACKET_TAG, NOC_PACKET_TRANSACTION_ID(id));
}

template <bool skip_ptr_update, bool skip_cmdbuf_chk>
FORCE_INLINE void ncrisc_noc_fast_read_with_transaction_id(uint32_t noc, uint32_t buffer, uint32_t source_base,
                                                           uint32_t source, uint32_t target, uint32_t id) {
    if constexpr (!skip_cmdbuf_chk) {
        nocbench::wait_for_buffer(noc, buffer);
    }
    nocbench::wait_for_room_of_id(noc, id);
    nocbench::count<false, NocBarrierType::READS_NUM_ISSUED, !skip_ptr_update>(noc);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_RET_ADDR_LO, target);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_TARG_ADDR_LO, source_base + source);
    nocbench::send(noc, buffer);
    nocbench::count<true, NocBarrierType::READS_NUM_ISSUED, !skip_ptr_update>(noc);
}

FORCE_INLINE bool ncrisc_noc_reads_flushed(uint32_t noc) {
    return NOC_STATUS_READ_REG(noc, NIU_MST_RD_RESP_RECEIVED) ==
           nocbench::counted<NocBarrierType::READS_NUM_ISSUED>(noc);
}

FORCE_INLINE bool ncrisc_noc_read_with_transaction_id_flushed(uint32_t noc, uint32_t id) {
    return NOC_STATUS_READ_REG(noc, NIU_MST_REQS_OUTSTANDING_ID(id)) == 0;
}

// --- writes
// ----------------------------------------------------------------------------------------------------------------

namespace nocbench {

/// Writes one packet with any control word. `Address` is a NoC address or a BankAddress.
template <bool posted, bool with_id = false, bool counts = true, class Address = uint64_t>
FORCE_INLINE void write_packet(uint32_t noc, uint32_t buffer, uint32_t control, uint32_t source, Address target,
                               uint32_t size_bytes, uint32_t acknowledgements, uint32_t id = 0) {
    const auto tile = tile_of(target);
    wait_for_buffer(noc, buffer);
    if constexpr (counts) {
        count_writes<false, posted>(noc, acknowledgements);
    }
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_CTRL, control);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_TARG_ADDR_LO, source);
    set_source_of_write(noc, buffer, tile);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_RET_ADDR_LO, static_cast<uint32_t>(target));
    set_return_tile(noc, buffer, tile);
    if constexpr (with_id) {
        NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_PACKET_TAG, NOC_PACKET_TRANSACTION_ID(id));
    }
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_AT_LEN_BE, size_bytes);
    send(noc, buffer);
    if constexpr (counts) {
        count_writes<true, posted>(noc, acknowledgements);
    }
}

/// Writes any length, in packets of maximum size and a rest, with one control word for all packets.
template <bool posted, bool with_id = false, bool counts = true, class Address = uint64_t>
FORCE_INLINE void write_any_length(uint32_t noc, uint32_t buffer, uint32_t control, uint32_t source, Address target,
                                   uint32_t size_bytes, uint32_t acknowledgements, uint32_t id = 0) {
    while (size_bytes > NOC_MAX_BURST_SIZE) {
        write_packet<posted, with_id, counts>(noc, buffer, control, source, target, NOC_MAX_BURST_SIZE,
                                              acknowledgements, id);
        source += NOC_MAX_BURST_SIZE;
        target += NOC_MAX_BURST_SIZE;
        size_bytes -= NOC_MAX_BURST_SIZE;
    }
    write_packet<posted, with_id, counts>(noc, buffer, control, source, target, size_bytes, acknowledgements, id);
}

}  // namespace nocbench

/// Sets the target tile, the kind of write and, if equal for all writes, the size.
template <bool posted, bool one_packet>
FORCE_INLINE void ncrisc_noc_write_set_state(uint32_t noc, uint32_t buffer, uint64_t target, uint32_t size_bytes,
                                             uint32_t vc) {
    const nocbench::Tile tile(target);
    nocbench::wait_for_buffer(noc, buffer);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_CTRL, nocbench::write_control(vc, posted));
    nocbench::set_return_tile(noc, buffer, tile);
    if constexpr (one_packet) {
        NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_AT_LEN_BE, size_bytes);
    }
}

/// Writes a packet with the previously set tile and size.
template <bool posted, bool update_counter, bool one_packet>
FORCE_INLINE void ncrisc_noc_write_with_state(uint32_t noc, uint32_t buffer, uint32_t source, uint32_t target,
                                              uint32_t size_bytes) {
    nocbench::wait_for_buffer(noc, buffer);
    if constexpr (update_counter) {
        nocbench::count_writes<false, posted>(noc, 1);
    }
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_TARG_ADDR_LO, source);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_RET_ADDR_LO, target);
    if constexpr (!one_packet) {
        NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_AT_LEN_BE, size_bytes);
    }
    nocbench::send(noc, buffer);
    if constexpr (update_counter) {
        nocbench::count_writes<true, posted>(noc, 1);
    }
}

template <bool posted, bool update_counter>
FORCE_INLINE void ncrisc_noc_write_any_len_with_state(uint32_t noc, uint32_t buffer, uint32_t source, uint32_t target,
                                                      uint32_t size_bytes) {
    while (size_bytes > NOC_MAX_BURST_SIZE) {
        ncrisc_noc_write_with_state<posted, update_counter, false>(noc, buffer, source, target, NOC_MAX_BURST_SIZE);
        source += NOC_MAX_BURST_SIZE;
        target += NOC_MAX_BURST_SIZE;
        size_bytes -= NOC_MAX_BURST_SIZE;
    }
    ncrisc_noc_write_with_state<posted, update_counter, false>(noc, buffer, source, target, size_bytes);
}

FORCE_INLINE bool ncrisc_noc_nonposted_writes_sent(uint32_t noc) {
    return NOC_STATUS_READ_REG(noc, NIU_MST_NONPOSTED_WR_REQ_SENT) ==
           nocbench::counted<NocBarrierType::NONPOSTED_WRITES_NUM_ISSUED>(noc);
}

FORCE_INLINE bool ncrisc_noc_posted_writes_sent(uint32_t noc) {
    return NOC_STATUS_READ_REG(noc, NIU_MST_POSTED_WR_REQ_SENT) ==
           nocbench::counted<NocBarrierType::POSTED_WRITES_NUM_ISSUED>(noc);
}

FORCE_INLINE bool ncrisc_noc_nonposted_writes_flushed(uint32_t noc) {
    return NOC_STATUS_READ_REG(noc, NIU_MST_WR_ACK_RECEIVED) ==
           nocbench::counted<NocBarrierType::NONPOSTED_WRITES_ACKED>(noc);
}

FORCE_INLINE bool ncrisc_noc_nonposted_write_with_transaction_id_sent(uint32_t noc, uint32_t id) {
    return NOC_STATUS_READ_REG(noc, NIU_MST_WRITE_REQS_OUTGOING_ID(id)) == 0;
}

FORCE_INLINE bool ncrisc_noc_nonposted_write_with_transaction_id_flushed(uint32_t noc, uint32_t id) {
    return NOC_STATUS_READ_REG(noc, NIU_MST_REQS_OUTSTANDING_ID(id)) == 0;
}

// --- atomics and inline writes
// ---------------------------------------------------------------------------------------------

FORCE_INLINE void noc_fast_atomic_increment(uint32_t noc, uint32_t buffer, uint64_t target, uint32_t control,
                                            uint32_t increment, uint32_t wrap, bool counts) {
    const nocbench::Tile tile(target);
    if (counts) {
        nocbench::count<false, NocBarrierType::NONPOSTED_ATOMICS_ACKED>(noc);
    }
    nocbench::wait_for_buffer(noc, buffer);
    if constexpr (noc_mode == DM_DYNAMIC_NOC) {
        // Reads have the same command buffer. The device's code loads its coordinates, too, but needs only the rest.
        (void)NOC_CMD_BUF_READ_REG(noc, 0, NOC_NODE_ID);
        NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_RET_ADDR_LO, MEM_NOC_ATOMIC_RET_VAL_ADDR);
    }
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_TARG_ADDR_LO, static_cast<uint32_t>(target));
    nocbench::set_target_tile(noc, buffer, tile);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_CTRL, control);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_AT_LEN_BE,
                          NOC_AT_INS(NOC_AT_INS_INCR_GET) | NOC_AT_WRAP(wrap) |
                              NOC_AT_IND_32((static_cast<uint32_t>(target) >> 2) & 0x3));
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_AT_DATA, increment);
    nocbench::send(noc, buffer);
    if (counts) {
        nocbench::count<true, NocBarrierType::NONPOSTED_ATOMICS_ACKED>(noc);
    }
}

FORCE_INLINE bool ncrisc_noc_nonposted_atomics_flushed(uint32_t noc) {
    return NOC_STATUS_READ_REG(noc, NIU_MST_ATOMIC_RESP_RECEIVED) ==
           nocbench::counted<NocBarrierType::NONPOSTED_ATOMICS_ACKED>(noc);
}

/// Returns the byte enables of a word within the aligned 16 bytes around its address.
constexpr uint32_t noc_get_interim_inline_byte_enables(uint32_t address, uint32_t byte_enables) {
    return byte_enables << (address & 0xF);
}

template <bool posted>
FORCE_INLINE void noc_fast_write_dw_inline(uint32_t noc, uint32_t buffer, uint32_t value, uint64_t target,
                                           uint32_t byte_enables, uint32_t control, uint32_t acknowledgements = 1) {
    const nocbench::Tile tile(target);
    nocbench::wait_for_buffer(noc, buffer);
    nocbench::count_writes<false, posted>(noc, acknowledgements);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_AT_DATA, value);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_CTRL, control | NOC_CMD_WR_INLINE);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_TARG_ADDR_LO, static_cast<uint32_t>(target));
    nocbench::set_target_tile(noc, buffer, tile);
    NOC_CMD_BUF_WRITE_REG(noc, buffer, NOC_AT_LEN_BE,
                          noc_get_interim_inline_byte_enables(static_cast<uint32_t>(target), byte_enables));
    nocbench::send(noc, buffer);
    nocbench::count_writes<true, posted>(noc, acknowledgements);
}
