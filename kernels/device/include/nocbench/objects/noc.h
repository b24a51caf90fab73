// SPDX-License-Identifier: Apache-2.0
// NoC as an object: transfers between any types with `noc_traits_t`.

#pragma once

#include "nocbench/objects/noc_options.h"
#include "nocbench/reads.h"
#include "nocbench/semaphores.h"
#include "nocbench/writes.h"

class Noc {
public:
    using AddressType = nocbench::AddressType;
    using TxnIdMode = nocbench::TxnIdMode;
    using ResponseMode = nocbench::ResponseMode;
    using BarrierMode = nocbench::BarrierMode;
    using McastMode = nocbench::McastMode;
    using VcSelection = nocbench::VcSelection;

    static constexpr uint32_t INVALID_TXN_ID = NocOptVals::no_transaction_id;

    /// Selects the NoC of this RISC.
    constexpr Noc() : noc_id_(noc_index) {}
    constexpr explicit Noc(uint8_t noc_id) : noc_id_(noc_id) {}

    constexpr uint8_t get_noc_id() const { return noc_id_; }

    FORCE_INLINE bool is_local_bank(uint32_t noc_x, uint32_t noc_y) const {
        return noc_x == my_x[noc_id_] && noc_y == my_y[noc_id_];
    }

    FORCE_INLINE bool is_local_addr(uint64_t noc_addr) const {
        return is_local_bank(NOC_UNICAST_ADDR_X(noc_addr), NOC_UNICAST_ADDR_Y(noc_addr));
    }

    // --- reads
    // -------------------------------------------------------------------------------------------------------------

    /// Reads `size_bytes` from a location in `src` to a location in `dst`, in this core's L1.
    template <auto... options, typename Src, typename Dst>
    FORCE_INLINE void async_read(const Src& src, const Dst& dst, uint32_t size_bytes, const src_args_t<Src>& src_args,
                                 const dst_args_t<Dst>& dst_args, const NocOptVals& values = {}) const {
        using Options = nocbench::TransferOptions<options...>;
        const uint64_t source = noc_source(src, src_args);
        const uint32_t target = local_target(dst, dst_args);
        if constexpr (Options::with_id) {
            nocbench::wait_for_room_of_id(noc_id_, values.trid);
            ncrisc_noc_set_transaction_id(noc_id_, read_cmd_buf, values.trid);
        }
        if constexpr (Options::one_packet) {
            noc_async_read_one_packet(source, target, size_bytes, noc_id_, values.vc);
        } else {
            noc_async_read(source, target, size_bytes, noc_id_, values.vc);
        }
    }

    template <auto... options, typename Src, typename Dst>
    FORCE_INLINE void async_read(const Src& src, const Dst& dst, uint32_t size_bytes, const src_args_t<Src>& src_args,
                                 const dst_args_t<Dst>& dst_args, uint32_t read_req_vc,
                                 uint32_t trid = INVALID_TXN_ID) const {
        async_read<options...>(src, dst, size_bytes, src_args, dst_args, NocOptVals{read_req_vc, trid});
    }

    /// Sets the tile for later `async_read_with_state`; for sizes of at most one packet, also the size.
    template <auto... options, typename Src>
    FORCE_INLINE void set_async_read_state(const Src& src, uint32_t size_bytes, const src_args_t<Src>& src_args,
                                           const NocOptVals& values = {}) const {
        using Options = nocbench::TransferOptions<options...>;
        ncrisc_noc_read_set_state<Options::one_packet, Options::custom_vc>(
            noc_id_, read_cmd_buf, noc_source(src, src_args), size_bytes, values.vc);
    }

    template <auto... options, typename Src>
    FORCE_INLINE void set_async_read_state(const Src& src, uint32_t size_bytes, const src_args_t<Src>& src_args,
                                           uint32_t vc) const {
        set_async_read_state<options...>(src, size_bytes, src_args, NocOptVals{vc});
    }

    template <auto... options, typename Src, typename Dst>
    FORCE_INLINE void async_read_with_state(const Src& src, const Dst& dst, uint32_t size_bytes,
                                            const src_args_t<Src>& src_args, const dst_args_t<Dst>& dst_args,
                                            const NocOptVals& = {}) const {
        const uint32_t source = static_cast<uint32_t>(noc_source(src, src_args));
        const uint32_t target = local_target(dst, dst_args);
        if constexpr (nocbench::TransferOptions<options...>::one_packet) {
            ncrisc_noc_read_with_state<true, true>(noc_id_, read_cmd_buf, source, target, size_bytes);
        } else {
            ncrisc_noc_read_any_len_with_state<true>(noc_id_, read_cmd_buf, source, target, size_bytes);
        }
    }

    template <auto... options, typename Src, typename Dst>
    FORCE_INLINE void async_read_with_state(const Src& src, const Dst& dst, uint32_t size_bytes,
                                            const src_args_t<Src>& src_args, const dst_args_t<Dst>& dst_args,
                                            uint32_t vc) const {
        async_read_with_state<options...>(src, dst, size_bytes, src_args, dst_args, NocOptVals{vc});
    }

    // --- writes
    // ------------------------------------------------------------------------------------------------------------

    /// Writes `size_bytes` from a location in `src`, in this core's L1, to a location in `dst`.
    template <auto... options, typename Src, typename Dst>
    FORCE_INLINE void async_write(const Src& src, const Dst& dst, uint32_t size_bytes, const src_args_t<Src>& src_args,
                                  const dst_args_t<Dst>& dst_args, const NocOptVals& values = {}) const {
        using Options = nocbench::TransferOptions<options...>;
        write<Options>(nocbench::write_control(values.vc, Options::posted), local_source(src, src_args),
                       noc_target(dst, dst_args), size_bytes, 1, values.trid);
    }

    template <auto... options, typename Src, typename Dst>
    FORCE_INLINE void async_write(const Src& src, const Dst& dst, uint32_t size_bytes, const src_args_t<Src>& src_args,
                                  const dst_args_t<Dst>& dst_args, uint32_t vc, uint32_t trid = INVALID_TXN_ID) const {
        async_write<options...>(src, dst, size_bytes, src_args, dst_args, NocOptVals{vc, trid});
    }

    /// Writes to all cores of a rectangle; to this core only with INCLUDE_SRC.
    template <auto... options, typename Src, typename Dst>
    FORCE_INLINE void async_write_multicast(const Src& src, const Dst& dst, uint32_t size_bytes, uint32_t num_dsts,
                                            const src_args_t<Src>& src_args, const dst_args_mcast_t<Dst>& dst_args,
                                            bool linked = false,
                                            const NocOptVals& values = {NOC_MULTICAST_WRITE_VC}) const {
        using Options = nocbench::TransferOptions<options...>;
        static_assert(!Options::posted, "a multicast cannot be posted");
        static_assert(!Options::with_id, "a multicast cannot have a transaction id");
        const uint32_t vc = Options::custom_vc ? values.vc : NOC_MULTICAST_WRITE_VC;
        const uint32_t control =
            nocbench::write_control(vc, false) | nocbench::multicast_control(linked, true, Options::with_source);
        write<Options>(control, local_source(src, src_args),
                       noc_traits_t<Dst>::template dst_addr_mcast<AddressType::NOC>(dst, *this, dst_args), size_bytes,
                       num_dsts, values.trid);
    }

    /// Sets the tile for later `async_write_with_state`; for sizes of at most one packet, also the size.
    template <auto... options, typename Dst>
    FORCE_INLINE void set_async_write_state(const Dst& dst, uint32_t size_bytes, const dst_args_t<Dst>& dst_args,
                                            const NocOptVals& values = {}) const {
        using Options = nocbench::TransferOptions<options...>;
        ncrisc_noc_write_set_state<Options::posted, Options::one_packet>(
            noc_id_, write_cmd_buf, noc_target(dst, dst_args), size_bytes, values.vc);
    }

    template <auto... options, typename Dst>
    FORCE_INLINE void set_async_write_state(const Dst& dst, uint32_t size_bytes, const dst_args_t<Dst>& dst_args,
                                            uint32_t vc) const {
        set_async_write_state<options...>(dst, size_bytes, dst_args, NocOptVals{vc});
    }

    template <auto... options, typename Src, typename Dst>
    FORCE_INLINE void async_write_with_state(const Src& src, const Dst& dst, uint32_t size_bytes,
                                             const src_args_t<Src>& src_args, const dst_args_t<Dst>& dst_args,
                                             const NocOptVals& = {}) const {
        using Options = nocbench::TransferOptions<options...>;
        const uint32_t source = local_source(src, src_args);
        const uint32_t target = static_cast<uint32_t>(noc_target(dst, dst_args));
        if constexpr (Options::one_packet) {
            ncrisc_noc_write_with_state<Options::posted, true, true>(noc_id_, write_cmd_buf, source, target,
                                                                     size_bytes);
        } else {
            ncrisc_noc_write_any_len_with_state<Options::posted, true>(noc_id_, write_cmd_buf, source, target,
                                                                       size_bytes);
        }
    }

    template <auto... options, typename Src, typename Dst>
    FORCE_INLINE void async_write_with_state(const Src& src, const Dst& dst, uint32_t size_bytes,
                                             const src_args_t<Src>& src_args, const dst_args_t<Dst>& dst_args,
                                             uint32_t vc) const {
        async_write_with_state<options...>(src, dst, size_bytes, src_args, dst_args, NocOptVals{vc});
    }

    // --- one word
    // ----------------------------------------------------------------------------------------------------------

    template <auto... options, typename Dst>
    FORCE_INLINE void inline_dw_write(const Dst& dst, uint32_t val, const dst_args_t<Dst>& dst_args, uint8_t be = 0xF,
                                      uint32_t vc = NOC_UNICAST_WRITE_VC, uint32_t = INVALID_TXN_ID) const {
        noc_inline_dw_write<inline_target(options...), nocbench::TransferOptions<options...>::posted>(
            noc_target(dst, dst_args), val, be, noc_id_, vc);
    }

    template <auto... options, typename Dst>
    FORCE_INLINE void set_inline_dw_write_state(const Dst& dst, uint32_t val, const dst_args_t<Dst>& dst_args,
                                                uint8_t be = 0xF, uint32_t vc = NOC_UNICAST_WRITE_VC) const {
        noc_inline_dw_write_set_state<nocbench::TransferOptions<options...>::posted, true>(
            noc_target(dst, dst_args), val, be, write_at_cmd_buf, noc_id_, vc);
    }

    template <auto... options, typename Dst>
    FORCE_INLINE void inline_dw_write_with_state(const Dst& dst, uint32_t val, const dst_args_t<Dst>& dst_args) const {
        noc_inline_dw_write_with_state<true, true, nocbench::TransferOptions<options...>::posted, false, true>(
            val, static_cast<uint32_t>(noc_target(dst, dst_args)), write_at_cmd_buf, noc_id_);
    }

    // --- zeros
    // -------------------------------------------------------------------------------------------------------------

    /// Fills a location in `dst` with zeros. Complete after `write_zeros_l1_barrier` if in this core's L1, otherwise
    /// after `async_write_barrier`.
    template <auto... options, typename Dst>
    FORCE_INLINE void async_write_zeros(const Dst& dst, uint32_t size_bytes,
                                        const dst_args_t<Dst>& dst_args = {}) const {
        if constexpr (noc_traits_t<Dst>::is_local) {
            uint32_t target = local_target(dst, dst_args);
            const uint64_t zeros = get_noc_addr(MEM_ZEROS_BASE, noc_id_);
            for (; size_bytes > MEM_ZEROS_SIZE; size_bytes -= MEM_ZEROS_SIZE, target += MEM_ZEROS_SIZE) {
                noc_async_read_one_packet(zeros, target, MEM_ZEROS_SIZE, noc_id_);
            }
            noc_async_read_one_packet(zeros, target, size_bytes, noc_id_);
        } else {
            uint64_t target = noc_target(dst, dst_args);
            for (; size_bytes > MEM_ZEROS_SIZE; size_bytes -= MEM_ZEROS_SIZE, target += MEM_ZEROS_SIZE) {
                noc_async_write_one_packet(MEM_ZEROS_BASE, target, MEM_ZEROS_SIZE, noc_id_);
            }
            noc_async_write_one_packet(MEM_ZEROS_BASE, target, size_bytes, noc_id_);
        }
    }

    FORCE_INLINE void write_zeros_l1_barrier() const { noc_async_read_barrier(noc_id_); }
    FORCE_INLINE void write_zeros_dram_barrier() const { noc_async_write_barrier(noc_id_); }

    // --- waiting
    // -----------------------------------------------------------------------------------------------------------

    /// Waits until the data of all reads, or of reads with transaction id `trid`, are in L1.
    template <auto... options>
    FORCE_INLINE void async_read_barrier(uint32_t trid = INVALID_TXN_ID) const {
        if constexpr (nocbench::TransferOptions<options...>::with_id) {
            noc_async_read_barrier_with_trid(trid, noc_id_);
        } else {
            noc_async_read_barrier(noc_id_);
        }
    }

    template <auto... options>
    FORCE_INLINE void async_read_barrier(const NocOptVals& values) const {
        async_read_barrier<options...>(values.trid);
    }

    /// Waits until all non-posted writes, or writes with transaction id `trid`, have arrived.
    template <auto... options>
    FORCE_INLINE void async_write_barrier(uint32_t trid = INVALID_TXN_ID) const {
        if constexpr (nocbench::TransferOptions<options...>::with_id) {
            noc_async_write_barrier_with_trid(trid, noc_id_);
        } else {
            noc_async_write_barrier(noc_id_);
        }
    }

    template <auto... options>
    FORCE_INLINE void async_write_barrier(const NocOptVals& values) const {
        async_write_barrier<options...>(values.trid);
    }

    /// Waits until the data of all writes of a kind have left this core.
    template <auto... options>
    FORCE_INLINE void async_writes_flushed(uint32_t trid = INVALID_TXN_ID) const {
        using Options = nocbench::TransferOptions<options...>;
        if constexpr (Options::with_id) {
            noc_async_write_flushed_with_trid(trid, noc_id_);
        } else if constexpr (Options::posted) {
            noc_async_posted_writes_flushed(noc_id_);
        } else {
            noc_async_writes_flushed(noc_id_);
        }
    }

    template <auto... options>
    FORCE_INLINE void async_writes_flushed(const NocOptVals& values) const {
        async_writes_flushed<options...>(values.trid);
    }

    /// Returns whether the data of all reads with a transaction id are in L1.
    FORCE_INLINE bool is_read_trid_flushed(uint32_t trid) const {
        return ncrisc_noc_read_with_transaction_id_flushed(noc_id_, trid);
    }

    FORCE_INLINE void async_posted_writes_flushed() const { noc_async_posted_writes_flushed(noc_id_); }
    FORCE_INLINE void async_atomic_barrier() const { noc_async_atomic_barrier(noc_id_); }
    FORCE_INLINE void async_full_barrier() const { noc_async_full_barrier(noc_id_); }

private:
    template <typename Src>
    FORCE_INLINE uint64_t noc_source(const Src& src, const src_args_t<Src>& arguments) const {
        return noc_traits_t<Src>::template src_addr<AddressType::NOC>(src, *this, arguments);
    }

    template <typename Src>
    FORCE_INLINE uint32_t local_source(const Src& src, const src_args_t<Src>& arguments) const {
        return static_cast<uint32_t>(
            noc_traits_t<Src>::template src_addr<AddressType::LOCAL_L1>(src, *this, arguments));
    }

    template <typename Dst>
    FORCE_INLINE uint64_t noc_target(const Dst& dst, const dst_args_t<Dst>& arguments) const {
        return noc_traits_t<Dst>::template dst_addr<AddressType::NOC>(dst, *this, arguments);
    }

    template <typename Dst>
    FORCE_INLINE uint32_t local_target(const Dst& dst, const dst_args_t<Dst>& arguments) const {
        return static_cast<uint32_t>(
            noc_traits_t<Dst>::template dst_addr<AddressType::LOCAL_L1>(dst, *this, arguments));
    }

    template <typename Options>
    FORCE_INLINE void write(uint32_t control, uint32_t source, uint64_t target, uint32_t size_bytes,
                            uint32_t acknowledgements, uint32_t id) const {
        if constexpr (Options::with_id) {
            nocbench::wait_for_room_of_id(noc_id_, id);
        }
        if constexpr (Options::one_packet) {
            nocbench::write_packet<Options::posted, Options::with_id>(noc_id_, write_cmd_buf, control, source, target,
                                                                      size_bytes, acknowledgements, id);
        } else {
            nocbench::write_any_length<Options::posted, Options::with_id>(noc_id_, write_cmd_buf, control, source,
                                                                          target, size_bytes, acknowledgements, id);
        }
    }

    static constexpr InlineWriteDst inline_target_or(InlineWriteDst, InlineWriteDst option) { return option; }
    template <typename Other>
    static constexpr InlineWriteDst inline_target_or(InlineWriteDst before, Other) {
        return before;
    }

    /// Returns the kind of target named by template arguments.
    template <typename... Options>
    static constexpr InlineWriteDst inline_target(Options... options) {
        InlineWriteDst target = InlineWriteDst::DEFAULT;
        ((target = inline_target_or(target, options)), ...);
        return target;
    }

    uint8_t noc_id_;
};

#include "nocbench/objects/endpoints.h"
#include "nocbench/objects/tensor_traits.h"
