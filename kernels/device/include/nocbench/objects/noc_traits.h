// SPDX-License-Identifier: Apache-2.0
// What a `Noc` needs to know of what it moves data from and to: which arguments name a place in it, and its address.
//
// A specialisation has, for the roles that its type can play:
//     src_args_type, dst_args_type, dst_args_mcast_type
//     src_addr<type>(object, noc, arguments), dst_addr<type>(…), dst_addr_mcast<type>(…)
// with `type` LOCAL_L1 for an address in this core's L1, NOC for one on the NoC.

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

/// Whether an object may stand for a place in this core's L1.
enum class AddressType : uint8_t { NOC, LOCAL_L1 };

/// Arguments of what is in this core's L1.
struct OffsetArguments {
    uint32_t offset_bytes = 0;
};

/// Arguments of what has the same address on all cores of a rectangle.
struct RectangleOffsetArguments {
    uint32_t noc_x_start = 0;
    uint32_t noc_y_start = 0;
    uint32_t noc_x_end = 0;
    uint32_t noc_y_end = 0;
    uint32_t offset_bytes = 0;
};

/// What circular buffers, memory and scratchpads have in common: `source` and `target` give addresses in L1.
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
