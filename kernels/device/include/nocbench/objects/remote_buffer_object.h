// SPDX-License-Identifier: Apache-2.0
// Ends of circular buffers between cores, as objects.

#pragma once

#include "nocbench/objects/noc.h"
#include "nocbench/objects/scoped_lock.h"
#include "nocbench/remote_circular_buffers.h"

namespace experimental {

class RemoteCircularBuffer {
public:
    enum class RemotePointerUpdate : uint8_t { SKIP, UPDATE_OVER_NOC };

    constexpr explicit RemoteCircularBuffer(uint32_t id) : id_(id) {}

    // Of the sender.

    FORCE_INLINE void reserve_back(uint32_t num_pages) const { remote_cb_reserve_back(id_, num_pages); }
    template <typename Source, RemotePointerUpdate update = RemotePointerUpdate::UPDATE_OVER_NOC>
    FORCE_INLINE void push_back(const Noc& noc, const Source& source, uint32_t num_pages, uint32_t num_rows,
                                uint32_t coalesced_num_pages_per_row, uint32_t coalesced_page_size,
                                const typename noc_traits_t<Source>::src_args_type& arguments = {}) const {
        const uint32_t address =
            noc_traits_t<Source>::template src_addr<Noc::AddressType::LOCAL_L1>(source, noc, arguments);
        remote_cb_push_back_and_write_pages<update == RemotePointerUpdate::UPDATE_OVER_NOC>(
            id_, address, num_pages, num_rows, coalesced_num_pages_per_row, coalesced_page_size, noc.get_noc_id());
    }
    /// Sets the sender's size of pages, in spite of its name.
    template <RemotePointerUpdate update = RemotePointerUpdate::UPDATE_OVER_NOC>
    FORCE_INLINE void set_receiver_page_size(const Noc& noc, uint32_t page_size, uint8_t = 0,
                                             Noc::ResponseMode mode = Noc::ResponseMode::POSTED, uint8_t = 0) const {
        resize_remote_sender_cb_interface<update == RemotePointerUpdate::UPDATE_OVER_NOC>(
            id_, page_size, noc.get_noc_id(), 0, mode == Noc::ResponseMode::POSTED);
    }
    /// Waits until all receivers have freed all pages.
    FORCE_INLINE void barrier() const { remote_cb_sender_barrier(id_); }

    // Of a receiver.

    FORCE_INLINE void wait_front(uint32_t num_pages) const { remote_cb_wait_front(id_, num_pages); }
    FORCE_INLINE void pop_front(const Noc& noc, uint32_t num_pages) const {
        remote_cb_pop_front(id_, num_pages, noc.get_noc_id());
    }
    /// Sets the receiver's size of pages, in spite of its name.
    template <RemotePointerUpdate update = RemotePointerUpdate::UPDATE_OVER_NOC>
    FORCE_INLINE void set_sender_page_size(const Noc& noc, uint32_t page_size, uint8_t = 0, bool posted = true,
                                           uint8_t = 0) const {
        resize_remote_receiver_cb_interface<update == RemotePointerUpdate::UPDATE_OVER_NOC>(
            id_, page_size, noc.get_noc_id(), 0, posted);
    }

    /// Keeps the pointer for the next program.
    FORCE_INLINE void commit() const { update_remote_cb_config_in_l1(id_); }

    FORCE_INLINE nocbench::ScopedLock scoped_lock() const { return {}; }

private:
    uint32_t id_;
};

}  // namespace experimental
