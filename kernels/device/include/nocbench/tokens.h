// SPDX-License-Identifier: Apache-2.0
// What the generated header names: arguments, buffers, semaphores and tensors of a program. A constant's type says what
// it is, and so how `get_arg`, `DataflowBuffer`, `Semaphore` and `TensorAccessor` find it.

#pragma once

#include <stdint.h>

namespace nocbench {

/// An argument of this kernel on this core.
template <typename Value = uint32_t>
struct RuntimeArgument {
    uint32_t byte_offset;
};

/// An argument that all cores of this kernel have in common.
template <typename Value = uint32_t>
struct CommonArgument {
    uint32_t byte_offset;
};

/// An argument that is known when the kernel is compiled.
template <typename Value = uint32_t>
struct CompileTimeArgument {
    Value value;
    constexpr operator Value() const { return value; }
};

struct BufferToken {
    uint16_t id;
    constexpr operator uint32_t() const { return id; }
};

struct SemaphoreToken {
    uint16_t id;
    constexpr operator uint32_t() const { return id; }
};

/// A tensor: where its layout stands among the compile-time arguments, its address among the common arguments.
template <uint32_t layout_argument, uint32_t address_byte_offset, uint32_t tensor_page_bytes>
struct TensorToken {
    static constexpr uint32_t layout = layout_argument;
    static constexpr uint32_t address = address_byte_offset;
    static constexpr uint32_t page_bytes = tensor_page_bytes;
};

/// Memory of the kernel's own: which common argument holds its address.
struct ScratchpadToken {
    uint32_t argument;
    uint32_t size_bytes;
};

}  // namespace nocbench
