// SPDX-License-Identifier: Apache-2.0
// Memory map of a core for its kernels.

#pragma once

#define MEM_L1_BASE 0x0
#if defined(ARCH_BLACKHOLE)
#define MEM_L1_SIZE (1536 * 1024)
#define MEM_LOCAL_SIZE (8 * 1024)
#else
#define MEM_L1_SIZE (1464 * 1024)
#define MEM_LOCAL_SIZE (4 * 1024)
#endif
#define MEM_LOCAL_BASE 0xFFB00000

/// Address for results of atomics.
#define MEM_NOC_ATOMIC_RET_VAL_ADDR 0x4
/// Source words of inline writes to L1 on Blackhole: 16 B for each RISC on each NoC.
#define MEM_L1_INLINE_BASE 0x20
#define MEM_L1_INLINE_SIZE_PER_NOC 32

#define MEM_ZEROS_BASE 0xD000
#define MEM_ZEROS_SIZE 512
/// Counters of commands on NoCs that both RISCs use.
#define MEM_NOC_COUNTER_BASE 0xD200
#define MEM_NOC_COUNTER_SIZE 80

#define RISCV_DEBUG_REGS_START_ADDR 0xFFB12000
#define RISCV_DEBUG_REG_WALL_CLOCK_L (RISCV_DEBUG_REGS_START_ADDR | 0x1F0)
#define RISCV_DEBUG_REG_WALL_CLOCK_H_NOW (RISCV_DEBUG_REGS_START_ADDR | 0x1F4)
#define RISCV_DEBUG_REG_WALL_CLOCK_H (RISCV_DEBUG_REGS_START_ADDR | 0x1F8)

#define NOC_OVERLAY_START_ADDR 0xFFB40000
#define NOC_STREAM_REG_SPACE_SIZE 0x1000
