// SPDX-License-Identifier: Apache-2.0
// Traits of the sources and targets of a `Noc`: arguments that select a location in an object, and its address.
//
// For each role of its type, a specialization has
//     src_args_type, dst_args_type, dst_args_mcast_type
//     src_addr<type>(object, noc, arguments), dst_addr<type>(…), dst_addr_mcast<type>(…)
// where `type` is LOCAL_L1 for an address in this core's L1, or NOC for a NoC address.

#pragma once

#include "nocbench/addresses.h"

template <typename T>
struct noc_traits_t;

template <typename T>
using src_args_t = typename noc_traits_t<T>::src_args_type;
template <typename T>
using dst_args_t = typename noc_traits_t<T>::dst_args_type;
template <typename T>
using dst_args_mcast_t = typename noc_traits_t<T>::dst_args_mcast_type;

namespace nocbench {

/// Kind of address: on the NoC or in this core's L1.
enum class AddressType : uint8_t { NOC, LOCAL_L1 };

/// Arguments for objects in this core's L1.
struct OffsetArguments {
    uint32_t offset_bytes = 0;
};

/// Arguments for objects at equal addresses on all cores of a rectangle.
struct RectangleOffsetArguments {
    uint32_t noc_x_start = 0;
    uint32_t noc_y_start = 0;
    uint32_t noc_x_end = 0;
    uint32_t noc_y_end = 0;
    uint32_t offset_bytes = 0;
};

/// Traits common to circular buffers, memory and scratchpads: `source` and `target` return L1 addresses.
template <typename T, typename NocType>
struct LocalMemoryTraits {
    static constexpr bool is_local = true;
    using src_args_type = OffsetArguments;
    using dst_args_type = OffsetArguments;
    using dst_args_mcast_type = RectangleOffsetArguments;

    template <AddressType type>
    FORCE_INLINE static auto address(const NocType& noc, uint32_t local) {
        if constexpr (type == AddressType::LOCAL_L1) {
            (void)noc;
            return local;
        } else {
            return ::get_noc_addr(local, noc.get_noc_id());
        }
    }

    template <AddressType type>
    FORCE_INLINE static auto src_addr(const T& object, const NocType& noc, const src_args_type& arguments) {
        return address<type>(noc, object.nocbench_source() + arguments.offset_bytes);
    }

    template <AddressType type>
    FORCE_INLINE static auto dst_addr(const T& object, const NocType& noc, const dst_args_type& arguments) {
        return address<type>(noc, object.nocbench_target() + arguments.offset_bytes);
    }

    template <AddressType type>
    FORCE_INLINE static uint64_t dst_addr_mcast(const T& object, const NocType& noc,
                                                const dst_args_mcast_type& arguments) {
        return ::get_noc_multicast_addr(arguments.noc_x_start, arguments.noc_y_start, arguments.noc_x_end,
                                        arguments.noc_y_end, object.nocbench_target() + arguments.offset_bytes,
                                        noc.get_noc_id());
    }
};

}  // namespace nocbench
