// SPDX-License-Identifier: Apache-2.0
// Pages of tensors and interleaved buffers as sources and targets of a `Noc`.

#pragma once

#include "nocbench/objects/noc.h"
#include "nocbench/tensor_accessor.h"

namespace nocbench {

template <typename Generator>
struct PageTraits {
    static constexpr bool is_local = false;
    struct src_args_type {
        uint32_t page_id = 0;
        uint32_t offset_bytes = 0;
    };
    using dst_args_type = src_args_type;

    template <Noc::AddressType type>
    FORCE_INLINE static uint64_t src_addr(const Generator& generator, const Noc& noc, const src_args_type& arguments) {
        static_assert(type == Noc::AddressType::NOC, "a page of a tensor is not in this core's L1");
        return generator.get_noc_addr(arguments.page_id, arguments.offset_bytes, noc.get_noc_id());
    }

    template <Noc::AddressType type>
    FORCE_INLINE static uint64_t dst_addr(const Generator& generator, const Noc& noc, const dst_args_type& arguments) {
        return src_addr<type>(generator, noc, arguments);
    }
};

}  // namespace nocbench

/// Pages or shards of a tensor, by number.
template <typename Accessor>
struct PageView {
    const Accessor& accessor;
    FORCE_INLINE uint64_t get_noc_addr(uint32_t page_id, uint32_t offset, uint8_t noc) const {
        return accessor.get_noc_addr(page_id, offset, noc);
    }
};
template <typename Accessor>
PageView(const Accessor&) -> PageView<Accessor>;

template <typename Accessor>
struct ShardView {
    const Accessor& accessor;
    FORCE_INLINE uint64_t get_noc_addr(uint32_t shard_id, uint32_t offset, uint8_t noc) const {
        return accessor.get_shard_noc_addr(shard_id, offset, noc);
    }
    FORCE_INLINE bool is_local_shard(uint32_t shard_id, uint8_t noc = noc_index) const {
        return accessor.is_local_shard(shard_id, noc);
    }
};
template <typename Accessor>
ShardView(const Accessor&) -> ShardView<Accessor>;

template <typename Accessor>
struct noc_traits_t<PageView<Accessor>> : nocbench::PageTraits<PageView<Accessor>> {};

/// As the local end of a transfer, a shard of this core: the low word of its address.
template <typename Accessor>
struct noc_traits_t<ShardView<Accessor>> {
    static constexpr bool is_local = false;
    struct src_args_type {
        uint32_t shard_id = 0;
        uint32_t offset_bytes = 0;
    };
    using dst_args_type = src_args_type;

    template <Noc::AddressType type>
    FORCE_INLINE static uint64_t src_addr(const ShardView<Accessor>& view, const Noc& noc,
                                          const src_args_type& arguments) {
        return view.get_noc_addr(arguments.shard_id, arguments.offset_bytes, noc.get_noc_id());
    }

    template <Noc::AddressType type>
    FORCE_INLINE static uint64_t dst_addr(const ShardView<Accessor>& view, const Noc& noc,
                                          const dst_args_type& arguments) {
        return src_addr<type>(view, noc, arguments);
    }
};

template <typename Args, bool sharded>
struct noc_traits_t<TensorAccessor<Args, sharded>> : nocbench::PageTraits<TensorAccessor<Args, sharded>> {};
template <bool DRAM>
struct noc_traits_t<InterleavedAddrGen<DRAM>> : nocbench::PageTraits<InterleavedAddrGen<DRAM>> {};
template <bool DRAM, uint32_t tile_hw>
struct noc_traits_t<InterleavedAddrGenFast<DRAM, tile_hw>>
    : nocbench::PageTraits<InterleavedAddrGenFast<DRAM, tile_hw>> {};

template <>
struct noc_traits_t<AbstractTensorAccessorWrapper> : nocbench::PageTraits<AbstractTensorAccessorWrapper> {};

/// Traits of a page given by its address.
template <>
struct noc_traits_t<TensorPage> {
    static constexpr bool is_local = false;
    using src_args_type = nocbench::OffsetArguments;
    using dst_args_type = nocbench::OffsetArguments;

    template <Noc::AddressType type>
    FORCE_INLINE static uint64_t src_addr(const TensorPage& page, const Noc&, const src_args_type& arguments) {
        static_assert(type == Noc::AddressType::NOC, "a page of a tensor is not in this core's L1");
        return page.noc_addr() + arguments.offset_bytes;
    }

    template <Noc::AddressType type>
    FORCE_INLINE static uint64_t dst_addr(const TensorPage& page, const Noc& noc, const dst_args_type& arguments) {
        return src_addr<type>(page, noc, arguments);
    }
};
