// SPDX-License-Identifier: Apache-2.0
// Semaphores as objects.

#pragma once

#include "nocbench/objects/noc.h"
#include "nocbench/semaphores.h"
#include "nocbench/tokens.h"

/// Kinds of users of a semaphore. For these RISCs, all semaphores are words in L1, accessed by loads and stores.
enum class SemScope : uint8_t { LOCAL_NONATOMIC, DM_LOCAL_CACHED, EXTERNAL, COMPUTE_ATOMIC };

/// Semaphore by name, as in tt-metal.
struct SemaphoreBindingToken {
    uint32_t id;
    SemScope scope = SemScope::LOCAL_NONATOMIC;
    constexpr SemaphoreBindingToken(uint32_t id_in, SemScope scope_in = SemScope::LOCAL_NONATOMIC)
        : id(id_in), scope(scope_in) {}
    constexpr SemaphoreBindingToken(nocbench::SemaphoreToken token) : id(token.id) {}
};

template <ProgrammableCoreType core_type = ProgrammableCoreType::TENSIX>
class Semaphore {
public:
    FORCE_INLINE explicit Semaphore(uint32_t semaphore_id) : address_(get_semaphore<core_type>(semaphore_id)) {}
    FORCE_INLINE explicit Semaphore(nocbench::SemaphoreToken token) : Semaphore(static_cast<uint32_t>(token.id)) {}

    FORCE_INLINE explicit Semaphore(SemaphoreBindingToken token) : Semaphore(token.id) {}

    /// Adds to this core's semaphore.
    FORCE_INLINE void up(uint32_t value) const { *pointer() = *pointer() + value; }

    /// Adds to the semaphore of another core.
    FORCE_INLINE void up(const Noc& noc, uint32_t noc_x, uint32_t noc_y, uint32_t value,
                         uint8_t vc = NOC_UNICAST_WRITE_VC) const {
        noc_semaphore_inc(::get_noc_addr(noc_x, noc_y, address_, noc.get_noc_id()), value, noc.get_noc_id(), vc);
    }

    template <auto... options>
    FORCE_INLINE void up(const Noc& noc, uint32_t noc_x, uint32_t noc_y, uint32_t value,
                         const NocOptVals& values) const {
        noc_semaphore_inc<nocbench::TransferOptions<options...>::posted>(
            ::get_noc_addr(noc_x, noc_y, address_, noc.get_noc_id()), value, noc.get_noc_id(), values.vc);
    }

    /// Waits until this core's semaphore is at least `value`, then subtracts it.
    FORCE_INLINE void down(uint32_t value) const {
        wait_min(value);
        *pointer() = *pointer() - value;
    }

    FORCE_INLINE void wait(uint32_t value) const { noc_semaphore_wait(pointer(), value); }
    FORCE_INLINE void wait_min(uint32_t value) const { noc_semaphore_wait_min(pointer(), value); }
    FORCE_INLINE void set(uint32_t value) const { noc_semaphore_set(pointer(), value); }

    FORCE_INLINE uint32_t get_value() const {
        invalidate_l1_cache();
        return *pointer();
    }

    FORCE_INLINE uint32_t value() const { return get_value(); }

    /// Copies this core's value to another core.
    FORCE_INLINE void set_remote(const Noc& noc, uint32_t noc_x, uint32_t noc_y) const {
        noc_semaphore_set_remote(address_, ::get_noc_addr(noc_x, noc_y, address_, noc.get_noc_id()), noc.get_noc_id());
    }

    /// Copies this core's value to all cores of a rectangle.
    template <auto... options>
    FORCE_INLINE void set_multicast(const Noc& noc, uint32_t noc_x_start, uint32_t noc_y_start, uint32_t noc_x_end,
                                    uint32_t noc_y_end, uint32_t num_dests, bool linked = false) const {
        relay_multicast<options...>(noc, *this, noc_x_start, noc_y_start, noc_x_end, noc_y_end, num_dests, linked);
    }

    /// Copies this core's value to a different semaphore on all cores of a rectangle.
    template <auto... options>
    FORCE_INLINE void relay_multicast(const Noc& noc, const Semaphore& target, uint32_t noc_x_start,
                                      uint32_t noc_y_start, uint32_t noc_x_end, uint32_t noc_y_end, uint32_t num_dests,
                                      bool linked = false) const {
        const uint64_t address =
            ::get_noc_multicast_addr(noc_x_start, noc_y_start, noc_x_end, noc_y_end, target.address_, noc.get_noc_id());
        if constexpr (nocbench::TransferOptions<options...>::with_source) {
            noc_semaphore_set_multicast_loopback_src(address_, address, num_dests, linked, noc.get_noc_id());
        } else {
            noc_semaphore_set_multicast(address_, address, num_dests, linked, noc.get_noc_id());
        }
    }

    /// Copies this core's value to a different semaphore on another core.
    FORCE_INLINE void relay_unicast(const Noc& noc, const Semaphore& target, uint32_t noc_x, uint32_t noc_y) const {
        noc_semaphore_set_remote(address_, ::get_noc_addr(noc_x, noc_y, target.address_, noc.get_noc_id()),
                                 noc.get_noc_id());
    }

    /// Adds to the semaphore of all other cores of a rectangle.
    FORCE_INLINE void inc_multicast(const Noc& noc, uint32_t noc_x_start, uint32_t noc_y_start, uint32_t noc_x_end,
                                    uint32_t noc_y_end, uint32_t value, uint32_t num_dests) const {
        noc_semaphore_inc_multicast(
            ::get_noc_multicast_addr(noc_x_start, noc_y_start, noc_x_end, noc_y_end, address_, noc.get_noc_id()), value,
            num_dests, noc.get_noc_id());
    }

    FORCE_INLINE uint32_t get_address() const { return address_; }

private:
    FORCE_INLINE volatile tt_l1_ptr uint32_t* pointer() const {
        return reinterpret_cast<volatile tt_l1_ptr uint32_t*>(address_);
    }

    uint32_t address_;
};

Semaphore(uint32_t) -> Semaphore<>;
Semaphore(nocbench::SemaphoreToken) -> Semaphore<>;
Semaphore(SemaphoreBindingToken) -> Semaphore<>;
