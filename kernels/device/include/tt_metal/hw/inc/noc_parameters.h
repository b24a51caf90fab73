// SPDX-License-Identifier: Apache-2.0
// Registers of the network interfaces (NIUs), and the encodings of commands and addresses in them.
//
// Source: Tenstorrent ISA documentation, NoC/MemoryMap.md, Counters.md, Atomics.md of both chips. Names are those of
// tt-metal.

#pragma once

#include <stdint.h>

#define NUM_NOCS 2

// Register addresses.
#define NOC_REG_SPACE_START_ADDR 0xFFB20000
#define NOC0_REGS_START_ADDR 0xFFB20000
#define NOC1_REGS_START_ADDR 0xFFB30000
#define NOC_INSTANCE_OFFSET_BIT 16
#define NOC_INSTANCE_OFFSET (1 << NOC_INSTANCE_OFFSET_BIT)
#if defined(ARCH_BLACKHOLE)
#define NOC_CMD_BUF_OFFSET_BIT 11
#else
#define NOC_CMD_BUF_OFFSET_BIT 10
#endif
#define NOC_CMD_BUF_OFFSET (1 << NOC_CMD_BUF_OFFSET_BIT)

// Registers of a command buffer.
#define NOC_TARG_ADDR_LO (NOC_REG_SPACE_START_ADDR + 0x00)
#define NOC_TARG_ADDR_MID (NOC_REG_SPACE_START_ADDR + 0x04)
#define NOC_TARG_ADDR_HI (NOC_REG_SPACE_START_ADDR + 0x08)
#define NOC_RET_ADDR_LO (NOC_REG_SPACE_START_ADDR + 0x0C)
#define NOC_RET_ADDR_MID (NOC_REG_SPACE_START_ADDR + 0x10)
#define NOC_RET_ADDR_HI (NOC_REG_SPACE_START_ADDR + 0x14)
#define NOC_PACKET_TAG (NOC_REG_SPACE_START_ADDR + 0x18)
#define NOC_CTRL (NOC_REG_SPACE_START_ADDR + 0x1C)
#define NOC_AT_LEN_BE (NOC_REG_SPACE_START_ADDR + 0x20)
#if defined(ARCH_BLACKHOLE)
#define NOC_AT_LEN_BE_1 (NOC_REG_SPACE_START_ADDR + 0x24)
#define NOC_AT_DATA (NOC_REG_SPACE_START_ADDR + 0x28)
#define NOC_BRCST_EXCLUDE (NOC_REG_SPACE_START_ADDR + 0x2C)
#define NOC_CMD_CTRL (NOC_REG_SPACE_START_ADDR + 0x40)
#define NOC_NODE_ID (NOC_REG_SPACE_START_ADDR + 0x44)
#define NOC_ENDPOINT_ID (NOC_REG_SPACE_START_ADDR + 0x48)
#define NOC_CLEAR_OUTSTANDING_REQ_CNT (NOC_REG_SPACE_START_ADDR + 0x60)
#else
#define NOC_AT_DATA (NOC_REG_SPACE_START_ADDR + 0x24)
#define NOC_CMD_CTRL (NOC_REG_SPACE_START_ADDR + 0x28)
#define NOC_NODE_ID (NOC_REG_SPACE_START_ADDR + 0x2C)
#define NOC_ENDPOINT_ID (NOC_REG_SPACE_START_ADDR + 0x30)
#define NOC_CLEAR_OUTSTANDING_REQ_CNT (NOC_REG_SPACE_START_ADDR + 0x50)
#endif

// Configuration words and counters.
#define NOC_CFG(i) (NOC_REG_SPACE_START_ADDR + 0x100 + ((i) << 2))
#define NOC_STATUS(i) (NOC_REG_SPACE_START_ADDR + 0x200 + ((i) << 2))
#define NIU_CFG_0 0x0
#define ROUTER_CFG_0 0x1
#define ROUTER_CFG_1 0x2
#define ROUTER_CFG_2 0x3
#define ROUTER_CFG_3 0x4
#define NOC_ID_LOGICAL 0x12

#define NIU_MST_ATOMIC_RESP_RECEIVED 0x0
#define NIU_MST_WR_ACK_RECEIVED 0x1
#define NIU_MST_RD_RESP_RECEIVED 0x2
#define NIU_MST_RD_DATA_WORD_RECEIVED 0x3
#define NIU_MST_CMD_ACCEPTED 0x4
#define NIU_MST_RD_REQ_SENT 0x5
#define NIU_MST_NONPOSTED_ATOMIC_SENT 0x6
#define NIU_MST_POSTED_ATOMIC_SENT 0x7
#define NIU_MST_NONPOSTED_WR_DATA_WORD_SENT 0x8
#define NIU_MST_POSTED_WR_DATA_WORD_SENT 0x9
#define NIU_MST_NONPOSTED_WR_REQ_SENT 0xA
#define NIU_MST_POSTED_WR_REQ_SENT 0xB
#define NIU_MST_NONPOSTED_WR_REQ_STARTED 0xC
#define NIU_MST_POSTED_WR_REQ_STARTED 0xD
#define NIU_MST_RD_REQ_STARTED 0xE
#define NIU_MST_NONPOSTED_ATOMIC_STARTED 0xF
#define NIU_MST_REQS_OUTSTANDING_ID(id) (0x10 + (id))
#define NIU_MST_WRITE_REQS_OUTGOING_ID(id) (0x20 + (id))

// Bits of NOC_CTRL: kinds of commands.
#define NOC_CMD_CPY (0x0 << 0)
#define NOC_CMD_AT (0x1 << 0)
#define NOC_CMD_RD (0x0 << 1)
#define NOC_CMD_WR (0x1 << 1)
#define NOC_CMD_WR_BE (0x1 << 2)
#define NOC_CMD_WR_INLINE (0x1 << 3)
#define NOC_CMD_RESP_MARKED (0x1 << 4)
#define NOC_CMD_BRCST_PACKET (0x1 << 5)
#define NOC_CMD_VC_LINKED (0x1 << 6)
#define NOC_CMD_VC_STATIC (0x1 << 7)
#define NOC_CMD_PATH_RESERVE (0x1 << 8)
#define NOC_CMD_STATIC_VC(vc) (((uint32_t)(vc)) << 13)
#define NOC_CMD_BRCST_XY(axis) (((uint32_t)(axis)) << 16)
#define NOC_CMD_BRCST_SRC_INCLUDE (0x1 << 17)
#define NOC_CMD_ARB_PRIORITY(priority) (((uint32_t)(priority)) << 27)

#define NOC_CTRL_SEND_REQ 0x1
#define NOC_CTRL_STATUS_READY 0x0

// Bits of NOC_AT_LEN_BE: kinds of atomic operations.
#define NOC_AT_INS_NOP 0x0
#define NOC_AT_INS_INCR_GET 0x1
#define NOC_AT_INS_SWAP 0x4
#define NOC_AT_INS_CMP_SWAP 0x5
#define NOC_AT_INS(operation) ((operation) << 12)
#define NOC_AT_WRAP(last_bit) ((last_bit) << 2)
#define NOC_AT_IND_32(word) ((word) << 0)

#define NOC_PACKET_TRANSACTION_ID(id) (((uint32_t)(id)) << 10)
#define NOC_MAX_TRANSACTION_ID 0xF
#define NOC_MAX_TRANSACTION_ID_COUNT 255
#define NOC_CLEAR_OUTSTANDING_REQ_MASK 0xFFFF

// Sizes. The longest packet has 256 data flits.
#if defined(ARCH_BLACKHOLE)
#define NOC_DATA_WIDTH 512
#define NOC_MAX_BURST_SIZE 16384
#define DRAM_ALIGNMENT 64
#else
#define NOC_DATA_WIDTH 256
#define NOC_MAX_BURST_SIZE 8192
#define DRAM_ALIGNMENT 32
#endif
#define NOC_PAYLOAD_WIDTH NOC_DATA_WIDTH
#define NOC_WORD_BYTES (NOC_PAYLOAD_WIDTH / 8)
#define NOC_MAX_BURST_WORDS 256
#define L1_ALIGNMENT 16
#define NOC_L1_READ_ALIGNMENT_BYTES 16
#define NOC_L1_WRITE_ALIGNMENT_BYTES 16
#define NOC_DRAM_READ_ALIGNMENT_BYTES DRAM_ALIGNMENT
#define NOC_DRAM_WRITE_ALIGNMENT_BYTES 16
#define NOC_PCIE_READ_ALIGNMENT_BYTES DRAM_ALIGNMENT
#define NOC_PCIE_WRITE_ALIGNMENT_BYTES 16

// NoC address: 36 bits within the tile, then x and y; for a rectangle, x and y of its end, then of its start.
#define NOC_ADDR_LOCAL_BITS 36
#define NOC_ADDR_NODE_ID_BITS 6
#define NOC_NODE_ID_MASK 0x3F
#define NOC_LOCAL_ADDR_OFFSET(address) ((address) & 0xFFFFFFFFFULL)
#define NOC_LOCAL_ADDR(address) NOC_LOCAL_ADDR_OFFSET(address)
#define NOC_UNICAST_ADDR_X(address) (((address) >> NOC_ADDR_LOCAL_BITS) & NOC_NODE_ID_MASK)
#define NOC_UNICAST_ADDR_Y(address) (((address) >> (NOC_ADDR_LOCAL_BITS + NOC_ADDR_NODE_ID_BITS)) & NOC_NODE_ID_MASK)
#define NOC_MCAST_ADDR_END_X(address) NOC_UNICAST_ADDR_X(address)
#define NOC_MCAST_ADDR_END_Y(address) NOC_UNICAST_ADDR_Y(address)
#define NOC_MCAST_ADDR_START_X(address) \
    (((address) >> (NOC_ADDR_LOCAL_BITS + 2 * NOC_ADDR_NODE_ID_BITS)) & NOC_NODE_ID_MASK)
#define NOC_MCAST_ADDR_START_Y(address) \
    (((address) >> (NOC_ADDR_LOCAL_BITS + 3 * NOC_ADDR_NODE_ID_BITS)) & NOC_NODE_ID_MASK)

#define NOC_XY_ENCODING(x, y) ((((uint32_t)(y)) << NOC_ADDR_NODE_ID_BITS) | ((uint32_t)(x)))
#define NOC_XY_COORD(x, y) NOC_XY_ENCODING(x, y)
// Address of the PCIe tile with the address bit of host memory, to which an address is added.
#define NOC_XY_PCIE_ENCODING(x, y)                                                        \
    (((uint64_t)NOC_XY_ENCODING(x, y) << (NOC_ADDR_COORD_SHIFT + NOC_COORD_REG_OFFSET)) | \
     ((uint64_t)1 << NOC_HOST_ADDRESS_BIT))
#define NOC_MULTICAST_ENCODING(x_start, y_start, x_end, y_end) \
    ((NOC_XY_ENCODING(x_start, y_start) << (2 * NOC_ADDR_NODE_ID_BITS)) | NOC_XY_ENCODING(x_end, y_end))

// Word of a command buffer that holds coordinates, and the number of address bits before it.
#if defined(ARCH_BLACKHOLE)
#define NOC_TARG_ADDR_COORDINATE NOC_TARG_ADDR_HI
#define NOC_RET_ADDR_COORDINATE NOC_RET_ADDR_HI
#define NOC_COORD_REG_OFFSET 0
#define NOC_ADDR_COORD_SHIFT 36
#define NOC_COORDINATE_MASK 0xFFFFFF
#define NOC_PCIE_MASK 0x1000000F
#define NOC_HOST_ADDRESS_BIT 60
#else
#define NOC_TARG_ADDR_COORDINATE NOC_TARG_ADDR_MID
#define NOC_RET_ADDR_COORDINATE NOC_RET_ADDR_MID
#define NOC_COORD_REG_OFFSET 4
#define NOC_ADDR_COORD_SHIFT 32
#define NOC_COORDINATE_MASK 0xFFFFFFFF
#define NOC_PCIE_MASK 0xF
#define NOC_HOST_ADDRESS_BIT 35
#endif

#define NOC_XY_ADDR(x, y, address) ((((uint64_t)NOC_XY_ENCODING(x, y)) << NOC_ADDR_LOCAL_BITS) | ((uint64_t)(address)))
#define NOC_XY_ADDR2(xy, address) ((((uint64_t)(xy)) << NOC_ADDR_LOCAL_BITS) | ((uint64_t)(address)))
#define NOC_MULTICAST_ADDR(x_start, y_start, x_end, y_end, address)                                \
    ((((uint64_t)NOC_MULTICAST_ENCODING(x_start, y_start, x_end, y_end)) << NOC_ADDR_LOCAL_BITS) | \
     ((uint64_t)(address)))

// Coordinates of the first compute core.
#if defined(ARCH_BLACKHOLE)
#define VIRTUAL_TENSIX_START_X 1
#define VIRTUAL_TENSIX_START_Y 2
#else
#define VIRTUAL_TENSIX_START_X 18
#define VIRTUAL_TENSIX_START_Y 18
#endif

// Coordinates are equal on both NoCs: the NIU translates them.
#define NOC_X(x) (x)
#define NOC_Y(y) (y)
#define NOC_X_PHYS_COORD(x) (x)
#define NOC_Y_PHYS_COORD(y) (y)
#define DYNAMIC_NOC_X(noc, x) (x)
#define DYNAMIC_NOC_Y(noc, y) (y)
#define NOC_0_X(noc, noc_size_x, x) (x)
#define NOC_0_Y(noc, noc_size_y, y) (y)
#define NOC_X_PHYS_COORD(x) (x)
#define NOC_Y_PHYS_COORD(y) (y)
