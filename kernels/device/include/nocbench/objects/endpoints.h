// SPDX-License-Identifier: Apache-2.0
// Endpoints on a NoC: addresses of a core, a rectangle of cores, or a bank.

#pragma once

#include "nocbench/objects/noc.h"

/// A core's memory; as the local end of a transfer, this core's L1, where coordinates mean nothing.
struct UnicastEndpoint {
    FORCE_INLINE uint64_t get_noc_unicast_addr(uint32_t noc_x, uint32_t noc_y, uint32_t addr, uint8_t noc) const {
        return ::get_noc_addr(noc_x, noc_y, addr, noc);
    }
};

template <>
struct noc_traits_t<UnicastEndpoint> {
    static constexpr bool is_local = false;
    struct src_args_type {
        uint32_t noc_x = 0;
        uint32_t noc_y = 0;
        uint32_t addr = 0;
    };
    using dst_args_type = src_args_type;

    template <Noc::AddressType type>
    FORCE_INLINE static uint64_t src_addr(const UnicastEndpoint&, const Noc& noc, const src_args_type& arguments) {
        if constexpr (type == Noc::AddressType::LOCAL_L1) {
            return arguments.addr;
        } else {
            return ::get_noc_addr(arguments.noc_x, arguments.noc_y, arguments.addr, noc.get_noc_id());
        }
    }

    template <Noc::AddressType type>
    FORCE_INLINE static uint64_t dst_addr(const UnicastEndpoint& endpoint, const Noc& noc,
                                          const dst_args_type& arguments) {
        return src_addr<type>(endpoint, noc, arguments);
    }
};

/// Endpoint given by its NoC address.
struct PrecomposedUnicastEndpoint {};

template <>
struct noc_traits_t<PrecomposedUnicastEndpoint> {
    static constexpr bool is_local = false;
    struct src_args_type {
        uint64_t noc_addr = 0;
    };
    using dst_args_type = src_args_type;

    template <Noc::AddressType type>
    FORCE_INLINE static uint64_t src_addr(const PrecomposedUnicastEndpoint&, const Noc&,
                                          const src_args_type& arguments) {
        return arguments.noc_addr;  // the local end of a transfer takes the low word
    }

    template <Noc::AddressType type>
    FORCE_INLINE static uint64_t dst_addr(const PrecomposedUnicastEndpoint& endpoint, const Noc& noc,
                                          const dst_args_type& arguments) {
        return src_addr<type>(endpoint, noc, arguments);
    }
};

struct MulticastEndpoint {
    FORCE_INLINE uint64_t get_noc_multicast_addr(uint32_t noc_x_start, uint32_t noc_y_start, uint32_t noc_x_end,
                                                 uint32_t noc_y_end, uint32_t addr, uint8_t noc) const {
        return ::get_noc_multicast_addr(noc_x_start, noc_y_start, noc_x_end, noc_y_end, addr, noc);
    }
};

template <>
struct noc_traits_t<MulticastEndpoint> {
    static constexpr bool is_local = false;
    struct dst_args_mcast_type {
        uint32_t noc_x_start = 0;
        uint32_t noc_y_start = 0;
        uint32_t noc_x_end = 0;
        uint32_t noc_y_end = 0;
        uint32_t addr = 0;
    };

    template <Noc::AddressType type>
    FORCE_INLINE static uint64_t dst_addr_mcast(const MulticastEndpoint&, const Noc& noc,
                                                const dst_args_mcast_type& arguments) {
        return ::get_noc_multicast_addr(arguments.noc_x_start, arguments.noc_y_start, arguments.noc_x_end,
                                        arguments.noc_y_end, arguments.addr, noc.get_noc_id());
    }
};

enum class AllocatorBankType : uint8_t { DRAM, L1 };

/// Addresses in banks of DRAM or L1.
template <AllocatorBankType bank_type>
struct AllocatorBank {
    FORCE_INLINE uint64_t get_noc_addr_from_bank_id(uint32_t bank_id, uint32_t addr, uint8_t noc) const {
        return ::get_noc_addr_from_bank_id<bank_type == AllocatorBankType::DRAM>(bank_id, addr, noc);
    }
};

template <AllocatorBankType bank_type>
struct noc_traits_t<AllocatorBank<bank_type>> {
    static constexpr bool is_local = false;
    struct src_args_type {
        uint32_t bank_id = 0;
        uint32_t addr = 0;
    };
    using dst_args_type = src_args_type;

    template <Noc::AddressType type>
    FORCE_INLINE static uint64_t src_addr(const AllocatorBank<bank_type>&, const Noc& noc,
                                          const src_args_type& arguments) {
        static_assert(type == Noc::AddressType::NOC, "an AllocatorBank is not in this core's L1");
        return ::get_noc_addr_from_bank_id<bank_type == AllocatorBankType::DRAM>(arguments.bank_id, arguments.addr,
                                                                                 noc.get_noc_id());
    }

    template <Noc::AddressType type>
    FORCE_INLINE static uint64_t dst_addr(const AllocatorBank<bank_type>& bank, const Noc& noc,
                                          const dst_args_type& arguments) {
        return src_addr<type>(bank, noc, arguments);
    }
};
