// SPDX-License-Identifier: Apache-2.0
// Types of constants in the generated header: arguments, buffers, semaphores and tensors of a program. The type selects
// the method by which `get_arg`, `DataflowBuffer`, `Semaphore` and `TensorAccessor` find the object.

#pragma once

#include <stdint.h>

namespace dfb {
enum class AccessPattern : uint8_t { STRIDED, ALL, BLOCKED, UNKNOWN };
}

/// Buffer. The patterns, by which its producer and its consumer access it, mean nothing on chips with two RISCs for
/// data.
template <dfb::AccessPattern producer = dfb::AccessPattern::UNKNOWN,
          dfb::AccessPattern consumer = dfb::AccessPattern::UNKNOWN>
struct DFBBindingToken {
    uint16_t id;
    constexpr operator uint32_t() const { return id; }
};

namespace nocbench {

using BufferToken = DFBBindingToken<>;

/// Argument of this kernel on this core.
template <typename Value = uint32_t>
struct RuntimeArgument {
    uint32_t byte_offset;
};

/// Argument common to all cores of this kernel.
template <typename Value = uint32_t>
struct CommonArgument {
    uint32_t byte_offset;
};

template <typename Value = uint32_t>
struct CompileTimeArgument {
    Value value;
    constexpr operator Value() const { return value; }
};

struct SemaphoreToken {
    uint16_t id;
    constexpr operator uint32_t() const { return id; }
};

/// Tensor: position of its layout in the compile-time arguments, and of its address in the common arguments.
template <uint32_t layout_argument, uint32_t address_byte_offset, uint32_t tensor_page_bytes>
struct TensorToken {
    static constexpr uint32_t layout = layout_argument;
    static constexpr uint32_t address = address_byte_offset;
    static constexpr uint32_t page_bytes = tensor_page_bytes;
};

/// Memory private to the kernel, and the common argument with its address.
struct ScratchpadToken {
    uint32_t argument;
    uint32_t size_bytes;
};

}  // namespace nocbench
