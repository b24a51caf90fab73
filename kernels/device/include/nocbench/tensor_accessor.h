// SPDX-License-Identifier: Apache-2.0
// Addresses of a tensor's pages, interleaved over banks or sharded, from layout words among the arguments.
//
// Layout words, from compile-time argument `layout` on:
//     configuration: bit 0 sharded, bit 1 in DRAM, bits 2 to 6: a following part is a common argument instead
//     since mid-2026 (NOCBENCH_PAGE_BYTES_IN_LAYOUTS), the bytes of a page, or with bit 7 as a common argument
//     for sharded tensors: rank, number of banks, tensor shape in pages, shard shape in pages, and two banks per word,
//     each x << 8 | y
// A sharded tensor is divided into shards of equal shape, numbered row by row; shard s is in bank s mod banks.

#pragma once

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "api/compile_time_args.h"
#include "nocbench/address_generators.h"
#include "nocbench/arguments.h"
#include "nocbench/tokens.h"

namespace tensor_accessor {

enum class ArgConfig : uint32_t {
    None = 0,
    Sharded = 1 << 0,
    IsDram = 1 << 1,
    RuntimeRank = 1 << 2,
    RuntimeNumBanks = 1 << 3,
    RuntimeTensorShape = 1 << 4,
    RuntimeShardShape = 1 << 5,
    RuntimeBankCoords = 1 << 6,
    RuntimePageSize = 1 << 7,
};

constexpr uint32_t MAX_RANK = 8;

#ifdef NOCBENCH_PAGE_BYTES_IN_LAYOUTS
constexpr bool layouts_have_page_bytes = true;
#else
constexpr bool layouts_have_page_bytes = false;
#endif

}  // namespace tensor_accessor

/// Layout of a tensor. It begins at a compile-time argument, and its runtime parts begin at a common argument.
template <uint32_t CTA_OFFSET, uint32_t CRTA_OFFSET = 0>
struct TensorAccessorArgs {
private:
    using Config = tensor_accessor::ArgConfig;

    static constexpr uint32_t word(uint32_t index) { return kernel_compile_time_args[index]; }

    static constexpr bool has(Config bit) { return (args_config & static_cast<uint32_t>(bit)) != 0; }

    static constexpr uint32_t layout_word() {
        static_assert(CTA_OFFSET < kernel_compile_time_args.size(),
                      "TensorAccessorArgs: the program gives no compile-time argument for the layout of this tensor");
        return word(CTA_OFFSET);
    }

public:
    static constexpr uint32_t args_config = layout_word();
    static constexpr bool is_sharded = has(Config::Sharded);
    static constexpr bool is_dram = has(Config::IsDram);
    static constexpr bool has_static_rank = !has(Config::RuntimeRank);
    static constexpr bool has_static_num_banks = !has(Config::RuntimeNumBanks);
    static constexpr bool has_static_tensor_shape = !has(Config::RuntimeTensorShape);
    static constexpr bool has_static_shard_shape = !has(Config::RuntimeShardShape);
    static constexpr bool has_static_bank_coords = !has(Config::RuntimeBankCoords);

    static_assert(!is_sharded || has_static_rank, "TensorAccessorArgs: the rank must be known at compile time");
    static_assert(!is_sharded || has_static_num_banks || !has_static_bank_coords,
                  "TensorAccessorArgs: bank coordinates at compile time need the number of banks at compile time");

    // Positions of the layout words.
    static constexpr bool has_page_bytes = tensor_accessor::layouts_have_page_bytes;
    static constexpr bool has_static_page_bytes = has_page_bytes && !has(Config::RuntimePageSize);
    static constexpr uint32_t page_bytes_index = CTA_OFFSET + 1;
    static constexpr uint32_t AlignedPageSize = [] { return has_static_page_bytes ? word(page_bytes_index) : 0; }();
    static constexpr uint32_t rank_index = page_bytes_index + (has_static_page_bytes ? 1 : 0);
    static constexpr uint32_t rank = [] { return is_sharded ? word(rank_index) : 0; }();
    static constexpr uint32_t num_banks_index = rank_index + 1;
    static constexpr uint32_t static_num_banks = [] {
        return is_sharded && has_static_num_banks ? word(num_banks_index) : 0;
    }();
    static_assert(!is_sharded || !has_static_num_banks || static_num_banks > 0,
                  "TensorAccessorArgs: the layout of a sharded tensor names no banks");
    static constexpr uint32_t tensor_shape_index = num_banks_index + (has_static_num_banks ? 1 : 0);
    static constexpr uint32_t shard_shape_index = tensor_shape_index + (has_static_tensor_shape ? rank : 0);
    static constexpr uint32_t bank_coords_index = shard_shape_index + (has_static_shard_shape ? rank : 0);
    static constexpr uint32_t common_num_banks = CRTA_OFFSET;
    static constexpr uint32_t common_tensor_shape = common_num_banks + (has_static_num_banks ? 0 : 1);
    static constexpr uint32_t common_shard_shape = common_tensor_shape + (has_static_tensor_shape ? 0 : rank);
    static constexpr uint32_t common_bank_coords = common_shard_shape + (has_static_shard_shape ? 0 : rank);

    static constexpr uint32_t num_compile_time_args() {
        if constexpr (!is_sharded) {
            return rank_index - CTA_OFFSET;
        } else {
            return bank_coords_index + (has_static_bank_coords ? (static_num_banks + 1) / 2 : 0) - CTA_OFFSET;
        }
    }

    static constexpr uint32_t next_compile_time_args_offset() { return CTA_OFFSET + num_compile_time_args(); }

    FORCE_INLINE static constexpr uint32_t num_banks() {
        if constexpr (has_static_num_banks) {
            return static_num_banks;
        } else {
            return get_common_arg_val<uint32_t>(common_num_banks);
        }
    }

    /// Returns the bytes of a page, if the layout has them.
    FORCE_INLINE static uint32_t get_aligned_page_size() {
        // makes only calls of this function fail
        constexpr bool is_used = CTA_OFFSET <= kernel_compile_time_args.size();
        static_assert(has_page_bytes || !is_used,
                      "the layout of this tensor has no size of a page: the program must say so");
        if constexpr (has_static_page_bytes) {
            return AlignedPageSize;
        } else {
            return get_common_arg_val<uint32_t>(CRTA_OFFSET);
        }
    }

    static constexpr uint32_t num_common_runtime_args() {
        static_assert(!is_sharded || has_static_bank_coords || has_static_num_banks,
                      "the number of common arguments is not known when the number of banks is not");
        return !is_sharded
                   ? (has_page_bytes && !has_static_page_bytes ? 1 : 0)
                   : common_bank_coords + (has_static_bank_coords ? 0 : (static_num_banks + 1) / 2) - CRTA_OFFSET;
    }

    static constexpr uint32_t next_common_runtime_args_offset() { return CRTA_OFFSET + num_common_runtime_args(); }

    FORCE_INLINE static constexpr uint32_t tensor_extent(uint32_t dimension) {
        if constexpr (has_static_tensor_shape) {
            return word(tensor_shape_index + dimension);
        } else {
            return get_common_arg_val<uint32_t>(common_tensor_shape + dimension);
        }
    }

    FORCE_INLINE static constexpr uint32_t shard_extent(uint32_t dimension) {
        if constexpr (has_static_shard_shape) {
            return word(shard_shape_index + dimension);
        } else {
            return get_common_arg_val<uint32_t>(common_shard_shape + dimension);
        }
    }

    /// Returns x << 8 | y of a bank.
    FORCE_INLINE static uint32_t bank_coordinates(uint32_t bank) {
        uint32_t two_banks;
        if constexpr (has_static_bank_coords) {
            two_banks = word(bank_coords_index + bank / 2);
        } else {
            two_banks = get_common_arg_val<uint32_t>(common_bank_coords + bank / 2);
        }
        return (bank & 1) != 0 ? two_banks >> 16 : two_banks & 0xFFFF;
    }
};

/// Page of a tensor: number and NoC address.
struct TensorPage {
    uint32_t number;
    uint64_t address;
    FORCE_INLINE uint32_t page_id() const { return number; }
    FORCE_INLINE uint64_t noc_addr() const { return address; }
};

namespace nocbench {

/// Pointer to a page, for `iterator->page_id()`.
struct PagePointer {
    TensorPage page;
    FORCE_INLINE const TensorPage* operator->() const { return &page; }
};

/// Range of consecutive pages, for range-based loops.
template <typename Accessor>
struct PageRange {
    struct Iterator {
        const Accessor& accessor;
        uint32_t number;
        uint8_t noc;
        FORCE_INLINE TensorPage operator*() const { return {number, accessor.get_noc_addr(number, 0, noc)}; }
        FORCE_INLINE PagePointer operator->() const { return {**this}; }
        FORCE_INLINE Iterator& operator++() { return *this += 1; }
        FORCE_INLINE Iterator& operator+=(uint32_t pages) {
            number += pages;
            return *this;
        }
        FORCE_INLINE bool operator!=(const Iterator& other) const { return number != other.number; }
        FORCE_INLINE bool operator==(const Iterator& other) const { return number == other.number; }
    };
    const Accessor& accessor;
    uint32_t first;
    uint32_t end_number;
    uint8_t noc;
    FORCE_INLINE Iterator begin() const { return {accessor, first, noc}; }
    FORCE_INLINE Iterator end() const { return {accessor, end_number, noc}; }
};

}  // namespace nocbench

namespace nocbench {

/// Distribution of a tensor over banks, as seen by kernels.
template <typename Args>
struct Distribution {
    static constexpr bool is_interleaved = !Args::is_sharded;
    static constexpr bool is_dram = Args::is_dram;
    static constexpr bool has_static_rank = Args::has_static_rank;
    static constexpr bool has_static_num_banks = Args::is_sharded && Args::has_static_num_banks;
    static constexpr bool tensor_shape_static = Args::is_sharded && Args::has_static_tensor_shape;
    static constexpr bool shard_shape_static = Args::is_sharded && Args::has_static_shard_shape;
    static constexpr bool is_static = has_static_num_banks && tensor_shape_static && shard_shape_static;

    struct TensorShape {
        FORCE_INLINE constexpr uint32_t operator[](uint32_t dimension) const { return Args::tensor_extent(dimension); }
        static constexpr uint32_t size() { return Args::rank; }
    };
    struct ShardShape {
        FORCE_INLINE constexpr uint32_t operator[](uint32_t dimension) const { return Args::shard_extent(dimension); }
        static constexpr uint32_t size() { return Args::rank; }
    };
    struct ShardGrid {
        FORCE_INLINE constexpr uint32_t operator[](uint32_t dimension) const {
            const uint32_t shard = Args::shard_extent(dimension);
            return (Args::tensor_extent(dimension) + shard - 1) / shard;
        }
        static constexpr uint32_t size() { return Args::rank; }
    };
    static constexpr uint32_t rank() { return Args::rank; }
    static constexpr TensorShape tensor_shape() { return {}; }
    static constexpr ShardShape shard_shape() { return {}; }
    static constexpr ShardGrid shard_grid() { return {}; }
    FORCE_INLINE static constexpr uint32_t num_banks() { return Args::num_banks(); }
    FORCE_INLINE static constexpr uint32_t tensor_volume() { return product(tensor_shape()); }
    FORCE_INLINE static constexpr uint32_t shard_volume() { return product(shard_shape()); }
    FORCE_INLINE static constexpr uint32_t num_shards() { return product(shard_grid()); }

private:
    template <typename Shape>
    FORCE_INLINE static constexpr uint32_t product(Shape shape) {
        uint32_t volume = 1;
        for (uint32_t dimension = 0; dimension < Args::rank; ++dimension) {
            volume *= shape[dimension];
        }
        return volume;
    }
};

/// Pages of one shard within the tensor, in the order of its bank.
template <typename Accessor>
struct ShardPageRange {
    struct Iterator {
        const Accessor& accessor;
        uint32_t shard;
        uint32_t place;
        uint32_t end_place;
        uint8_t noc;

        FORCE_INLINE uint32_t page_id() const { return accessor.page_of_place(shard, place); }
        FORCE_INLINE TensorPage operator*() const {
            return {page_id(), accessor.get_shard_noc_addr(shard, place * accessor.get_aligned_page_size(), noc)};
        }
        FORCE_INLINE PagePointer operator->() const { return {**this}; }
        FORCE_INLINE Iterator& operator++() { return *this += 1; }
        FORCE_INLINE Iterator& operator+=(uint32_t pages) {
            while (pages-- > 0 && place < end_place) {
                ++place;
                skip_padding();
            }
            return *this;
        }
        FORCE_INLINE void skip_padding() {
            while (place < end_place && !accessor.is_place_in_tensor(shard, place)) {
                ++place;
            }
        }
        FORCE_INLINE bool operator!=(const Iterator& other) const { return place != other.place; }
        FORCE_INLINE bool operator==(const Iterator& other) const { return place == other.place; }
    };
    const Accessor& accessor;
    uint32_t shard;
    uint32_t first;
    uint32_t end_place;
    uint8_t noc;
    FORCE_INLINE Iterator begin() const {
        Iterator iterator{accessor, shard, first, end_place, noc};
        iterator.skip_padding();
        return iterator;
    }
    FORCE_INLINE Iterator end() const { return {accessor, shard, end_place, end_place, noc}; }
};

}  // namespace nocbench

namespace nocbench {

/// Layout of interleaved tensors. Accessors of all of them have one type for each kind of memory, wherever their layout
/// words are: kernels choose among them at run time.
template <bool in_dram>
struct InterleavedLayout {
    static constexpr bool is_sharded = false;
    static constexpr bool is_dram = in_dram;
    static constexpr bool has_static_rank = true;
    static constexpr uint32_t rank = 0;
};

template <typename Args>
using LayoutOf = std::conditional_t<Args::is_sharded, Args, InterleavedLayout<Args::is_dram>>;

}  // namespace nocbench

template <typename Layout, bool sharded = Layout::is_sharded>
struct TensorAccessor;

/// Accessor of an interleaved tensor.
template <typename Layout>
struct TensorAccessor<Layout, false> {
    static constexpr bool is_dram = Layout::is_dram;
    using DSpec = nocbench::Distribution<Layout>;
    static constexpr DSpec dspec() { return {}; }

    uint32_t bank_base_address;
    uint32_t page_size;

    template <uint32_t layout, uint32_t common>
    constexpr TensorAccessor(const TensorAccessorArgs<layout, common>&, uint32_t bank_base_address_in,
                             uint32_t page_size_in)
        : bank_base_address(bank_base_address_in), page_size(page_size_in) {}

    template <uint32_t layout, uint32_t common>
    FORCE_INLINE TensorAccessor(const TensorAccessorArgs<layout, common>&, uint32_t bank_base_address_in)
        : bank_base_address(bank_base_address_in),
          page_size(TensorAccessorArgs<layout, common>::get_aligned_page_size()) {}

    template <uint32_t layout, uint32_t address, uint32_t page_bytes>
    FORCE_INLINE explicit TensorAccessor(nocbench::TensorToken<layout, address, page_bytes>)
        : bank_base_address(get_common_arg_val<uint32_t>(address / 4)), page_size(page_bytes) {}

    FORCE_INLINE uint32_t get_bank_base_address() const { return bank_base_address; }
    FORCE_INLINE uint32_t get_page_size() const { return page_size; }
    FORCE_INLINE uint32_t get_aligned_page_size() const {
        return align_power_of_2(page_size, interleaved_addr_gen::get_allocator_alignment<is_dram>());
    }

    FORCE_INLINE uint64_t get_noc_addr(uint32_t page_id, uint32_t offset = 0, uint8_t noc = noc_index) const {
        return static_cast<uint64_t>(
            nocbench::interleaved_address<is_dram>(page_id, bank_base_address, get_aligned_page_size(), offset, noc));
    }

    FORCE_INLINE nocbench::PageRange<TensorAccessor> pages(uint32_t start_page_id, uint32_t end_page_id,
                                                           uint8_t noc = noc_index) const {
        return {*this, start_page_id, end_page_id, noc};
    }

    FORCE_INLINE bool is_local_addr(uint32_t, uint32_t, uint8_t) const { return false; }
};

/// Accessor of a sharded tensor.
template <typename Args>
struct TensorAccessor<Args, true> {
    static constexpr bool is_dram = Args::is_dram;
    static constexpr uint32_t rank = Args::rank;
    using DSpec = nocbench::Distribution<Args>;
    static constexpr DSpec dspec() { return {}; }

    struct PageMapping {
        uint32_t bank_id;
        uint32_t bank_page_offset;
    };

    uint32_t bank_base_address;
    uint32_t page_size;

    constexpr TensorAccessor(const Args&, uint32_t bank_base_address_in, uint32_t page_size_in)
        : bank_base_address(bank_base_address_in), page_size(page_size_in) {}

    FORCE_INLINE TensorAccessor(const Args&, uint32_t bank_base_address_in)
        : bank_base_address(bank_base_address_in), page_size(Args::get_aligned_page_size()) {}

    template <uint32_t layout, uint32_t address, uint32_t page_bytes>
    FORCE_INLINE explicit TensorAccessor(nocbench::TensorToken<layout, address, page_bytes>)
        : bank_base_address(get_common_arg_val<uint32_t>(address / 4)), page_size(page_bytes) {}

    FORCE_INLINE uint32_t get_bank_base_address() const { return bank_base_address; }
    FORCE_INLINE uint32_t get_page_size() const { return page_size; }
    FORCE_INLINE uint32_t get_aligned_page_size() const {
        return align_power_of_2(page_size, interleaved_addr_gen::get_allocator_alignment<is_dram>());
    }

    /// Returns the number of pages of a shard.
    FORCE_INLINE static uint32_t get_shard_volume() {
        uint32_t volume = 1;
        for (uint32_t dimension = 0; dimension < rank; ++dimension) {
            volume *= Args::shard_extent(dimension);
        }
        return volume;
    }

    FORCE_INLINE uint32_t get_shard_bytes() const { return get_shard_volume() * get_aligned_page_size(); }

    /// Returns the bank of a page, and the number of previous pages in that bank.
    FORCE_INLINE PageMapping get_bank_and_offset(uint32_t page_id) const {
        uint32_t shard = 0;
        uint32_t shard_stride = 1;
        uint32_t place = 0;
        uint32_t place_stride = 1;
        uint32_t rest = page_id;
#pragma GCC unroll 8
        for (uint32_t left = rank; left > 0; --left) {
            const uint32_t dimension = left - 1;
            const uint32_t extent = Args::tensor_extent(dimension);
            const uint32_t shard_extent = Args::shard_extent(dimension);
            const uint32_t coordinate = rest % extent;
            rest /= extent;
            shard += (coordinate / shard_extent) * shard_stride;
            shard_stride *= (extent + shard_extent - 1) / shard_extent;
            place += (coordinate % shard_extent) * place_stride;
            place_stride *= shard_extent;
        }
        const uint32_t banks = Args::num_banks();
        return {shard % banks, (shard / banks) * place_stride + place};
    }

    FORCE_INLINE uint64_t get_noc_addr(PageMapping mapping, uint32_t offset = 0, uint8_t noc = noc_index) const {
        const uint32_t address = bank_base_address + mapping.bank_page_offset * get_aligned_page_size() + offset;
        if constexpr (is_dram) {  // DRAM banks have a number instead of coordinates
            return get_noc_addr_from_bank_id<true>(Args::bank_coordinates(mapping.bank_id) >> 8, address, noc);
        } else {
            const uint32_t coordinates = Args::bank_coordinates(mapping.bank_id);
            return ::get_noc_addr(coordinates >> 8, coordinates & 0xFF, address, noc);
        }
    }

    FORCE_INLINE uint64_t get_noc_addr(uint32_t page_id, uint32_t offset = 0, uint8_t noc = noc_index) const {
        return get_noc_addr(get_bank_and_offset(page_id), offset, noc);
    }

    FORCE_INLINE uint64_t get_shard_noc_addr(uint32_t shard_id, uint32_t offset = 0, uint8_t noc = noc_index) const {
        const uint32_t banks = Args::num_banks();
        return get_noc_addr(PageMapping{shard_id % banks, (shard_id / banks) * get_shard_volume()}, offset, noc);
    }

    FORCE_INLINE bool is_local_bank(uint32_t bank, uint8_t noc = noc_index) const {
        const uint32_t coordinates = Args::bank_coordinates(bank);
        return (coordinates >> 8) == my_x[noc] && (coordinates & 0xFF) == my_y[noc];
    }

    FORCE_INLINE bool is_local_page(uint32_t page_id, uint8_t noc = noc_index) const {
        return is_local_bank(get_bank_and_offset(page_id).bank_id, noc);
    }

    FORCE_INLINE bool is_local_shard(uint32_t shard_id, uint8_t noc = noc_index) const {
        return is_local_bank(shard_id % Args::num_banks(), noc);
    }

    /// Returns the pages of a shard within a range. The end 0 stands for the end of the shard.
    FORCE_INLINE nocbench::ShardPageRange<TensorAccessor> shard_pages(uint32_t shard_id, uint32_t start_page_offset = 0,
                                                                      uint32_t end_page_offset = 0,
                                                                      uint8_t noc = noc_index) const {
        return {*this, shard_id, start_page_offset, end_page_offset == 0 ? get_shard_volume() : end_page_offset, noc};
    }

    /// Returns whether a place of a shard is inside the tensor: the last shards of a dimension may exceed it.
    FORCE_INLINE static bool is_place_in_tensor(uint32_t shard_id, uint32_t place) {
        bool is_inside = true;
        for_each_coordinate(shard_id, place, [&](uint32_t coordinate, uint32_t extent) {
            is_inside = is_inside && coordinate < extent;
        });
        return is_inside;
    }

    FORCE_INLINE static uint32_t page_of_place(uint32_t shard_id, uint32_t place) {
        uint32_t page = 0;
        uint32_t stride = 1;
        for_each_coordinate(shard_id, place, [&](uint32_t coordinate, uint32_t extent) {
            page += coordinate * stride;
            stride *= extent;
        });
        return page;
    }

    /// Returns the pages of a range. The end 0 stands for the end of the tensor.
    FORCE_INLINE nocbench::PageRange<TensorAccessor> pages(uint32_t start_page_id = 0, uint32_t end_page_id = 0,
                                                           uint8_t noc = noc_index) const {
        return {*this, start_page_id, end_page_id == 0 ? dspec().tensor_volume() : end_page_id, noc};
    }

private:
    /// Calls `function(coordinate, extent)` for each dimension of a place in a shard, last dimension first.
    template <typename Function>
    FORCE_INLINE static void for_each_coordinate(uint32_t shard_id, uint32_t place, Function function) {
#pragma GCC unroll 8
        for (uint32_t left = rank; left > 0; --left) {
            const uint32_t extent = Args::tensor_extent(left - 1);
            const uint32_t shard_extent = Args::shard_extent(left - 1);
            const uint32_t shards = (extent + shard_extent - 1) / shard_extent;
            function((shard_id % shards) * shard_extent + place % shard_extent, extent);
            shard_id /= shards;
            place /= shard_extent;
        }
    }
};

template <uint32_t layout, uint32_t common>
TensorAccessor(const TensorAccessorArgs<layout, common>&, uint32_t, uint32_t)
    -> TensorAccessor<nocbench::LayoutOf<TensorAccessorArgs<layout, common>>>;

template <uint32_t layout, uint32_t common>
TensorAccessor(const TensorAccessorArgs<layout, common>&, uint32_t)
    -> TensorAccessor<nocbench::LayoutOf<TensorAccessorArgs<layout, common>>>;

template <uint32_t layout, uint32_t address, uint32_t page_bytes>
TensorAccessor(nocbench::TensorToken<layout, address, page_bytes>)
    -> TensorAccessor<nocbench::LayoutOf<TensorAccessorArgs<layout>>>;

namespace nocbench {

template <uint32_t offset, uint32_t... rest>
constexpr auto layouts_from(std::integer_sequence<uint32_t, rest...>) {
    if constexpr (sizeof...(rest) == 0) {
        return std::tuple<>{};
    } else {
        using First = TensorAccessorArgs<offset>;
        return std::tuple_cat(std::tuple<First>{}, layouts_from<First::next_compile_time_args_offset()>(
                                                       std::make_integer_sequence<uint32_t, sizeof...(rest) - 1>{}));
    }
}

template <typename... Args, uint32_t... indices, typename... FirstPageSize>
FORCE_INLINE auto accessors_of(const std::tuple<Args...>& layouts, uint32_t first_argument,
                               std::integer_sequence<uint32_t, indices...>, FirstPageSize... first_page_size) {
    const auto accessor = [&]<uint32_t index>() {
        return TensorAccessor(std::get<index>(layouts), get_arg_val<uint32_t>(first_argument + index),
                              kernel_compile_time_args[first_page_size + index]...);
    };
    return std::make_tuple(accessor.template operator()<indices>()...);
}

}  // namespace nocbench

/// Returns the layouts of several tensors in consecutive arguments.
template <uint32_t NUM_TENSORS, uint32_t CTA_OFFSET>
constexpr auto make_tensor_accessor_args_tuple() {
    return nocbench::layouts_from<CTA_OFFSET>(std::make_integer_sequence<uint32_t, NUM_TENSORS>{});
}

/// Returns accessors of tensors whose addresses are consecutive arguments. In 2025, the compile-time arguments from
/// `first_page_size` on have the page sizes.
template <typename... Args, typename... FirstPageSize>
FORCE_INLINE auto make_tensor_accessor_tuple(const std::tuple<Args...>& layouts, uint32_t first_argument,
                                             FirstPageSize... first_page_size) {
    static_assert(sizeof...(FirstPageSize) <= 1, "expected at most the first argument with a size of a page");
    return nocbench::accessors_of(layouts, first_argument, std::make_integer_sequence<uint32_t, sizeof...(Args)>{},
                                  first_page_size...);
}

template <typename... Tokens>
FORCE_INLINE auto make_tensor_accessors(const std::tuple<Tokens...>& tokens) {
    return std::apply([](const auto&... each) { return std::make_tuple(TensorAccessor(each)...); }, tokens);
}

/// Type-erased tensor, to choose among several tensors at run time.
class AbstractTensorAccessorWrapper {
public:
    AbstractTensorAccessorWrapper() = default;
    template <typename Accessor>
    FORCE_INLINE AbstractTensorAccessorWrapper(const Accessor& accessor)
        : accessor_(&accessor), address_([](const void* object, uint32_t page_id, uint32_t offset, uint8_t noc) {
              return static_cast<const Accessor*>(object)->get_noc_addr(page_id, offset, noc);
          }) {}

    FORCE_INLINE uint64_t get_noc_addr(uint32_t page_id, uint32_t offset = 0, uint8_t noc = noc_index) const {
        return address_(accessor_, page_id, offset, noc);
    }

private:
    const void* accessor_ = nullptr;
    uint64_t (*address_)(const void*, uint32_t, uint32_t, uint8_t) = nullptr;
};

template <typename... Accessors>
FORCE_INLINE auto make_abstract_tensor_accessor_wrappers(const std::tuple<Accessors...>& accessors) {
    return std::apply(
        [](const auto&... each) {
            return std::array<AbstractTensorAccessorWrapper, sizeof...(Accessors)>{
                AbstractTensorAccessorWrapper(each)...};
        },
        accessors);
}
