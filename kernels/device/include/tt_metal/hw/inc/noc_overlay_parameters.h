// SPDX-License-Identifier: Apache-2.0
// Registers of streams. The model keeps their words; of what they do, it has the page counts of circular buffers alone.

#pragma once

#include <stdint.h>

#include "dev_mem_map.h"

#define STREAM_REMOTE_DEST_BUF_START_REG_INDEX 8
#define STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX 10
#if defined(ARCH_BLACKHOLE)
#define STREAM_SCRATCH_REG_INDEX 36
#else
#define STREAM_SCRATCH_REG_INDEX 248
#endif
#define STREAM_REG_ADDR(stream, word) \
    ((NOC_OVERLAY_START_ADDR) + ((uint32_t)(stream) * (NOC_STREAM_REG_SPACE_SIZE)) + ((uint32_t)(word) << 2))
#define NOC_STREAM_READ_REG(stream, word) (*(volatile uint32_t*)(STREAM_REG_ADDR(stream, word)))
#define NOC_STREAM_WRITE_REG(stream, word, value) (NOC_STREAM_READ_REG(stream, word) = (value))
