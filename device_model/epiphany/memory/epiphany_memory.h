// The memories of an Epiphany machine: those of the cores, each in banks, and the external one. A core's guest holds
// the core's memory while it runs.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/cores/reservations.h"
#include "device_model/epiphany/epiphany_shape.h"
#include "device_model/epiphany/memory/epiphany_addresses.h"
#include "device_model/sim/ids.h"
#include "device_model/sim/memory.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

class EpiphanyGuest;

class EpiphanyMemory {
public:
    EpiphanyMemory(const EpiphanyCoreConstants& constants, std::size_t num_nodes);

    // In no time and unseen by guests.

    void read(const EpiphanyPlace& place, std::span<std::byte> out) const;
    void write(const EpiphanyPlace& place, std::span<const std::byte> bytes);
    /// Reads 1, 2, 4 or 8 bytes, or a register.
    [[nodiscard]] std::uint64_t read_word(const EpiphanyPlace& place, std::size_t size) const;

    // Accesses by others than the core's guest, at `tick`: the guest may have to roll back.

    [[nodiscard]] std::uint64_t read_at(const EpiphanyPlace& place, std::size_t size, Tick tick) const;
    void write_at(const EpiphanyPlace& place, std::span<const std::byte> bytes, Tick tick);

    /// Occupies a core's bank for a cycle. Returns when that begins, at `tick` or later; other places have no banks.
    Tick take_bank(const EpiphanyPlace& place, Tick tick);

    /// Returns when the bank of an offset is free.
    [[nodiscard]] Tick busy_until(NodeIndex node, std::uint64_t offset) const {
        return nodes_[node].bank_busy_until[bank_of(offset)];
    }

    [[nodiscard]] EpiphanyGuest* guest(NodeIndex node) const { return nodes_[node].guest; }
    /// Sets the guest; null: none any more.
    void set_guest(NodeIndex node, EpiphanyGuest* guest);

    /// True if the status register of a core's DMA channel says that it is active.
    [[nodiscard]] bool dma_is_active(NodeIndex node, int channel) const {
        return nodes_[node].dma_is_active[static_cast<std::size_t>(channel)];
    }
    [[nodiscard]] bool dma_is_active(NodeIndex node) const {
        return std::ranges::find(nodes_[node].dma_is_active, true) != nodes_[node].dma_is_active.end();
    }
    void set_dma_active(NodeIndex node, int channel, bool is_active) {
        nodes_[node].dma_is_active[static_cast<std::size_t>(channel)] = is_active;
    }

    // Reservations, of data and of the cycles in which their banks are accessed.

    /// Sets who is told before a bank is taken in a reserved cycle, before reserved data change, and before data that
    /// are to be written are read.
    void set_reservation_holder(ReservationHolder* holder) { holder_ = holder; }
    /// True if a reservation concerns neither the data nor the cycles of others.
    [[nodiscard]] bool may_reserve(NodeIndex node, const MemoryReservation& reservation) const;
    void reserve(NodeIndex node, const MemoryReservation& reservation) {
        nodes_[node].reservations.push_back(reservation);
    }
    void give_back(NodeIndex node, NodeIndex holder);
    /// Ends the reservations that an access of bytes concerns.
    void end_reservations(const EpiphanyPlace& place, std::size_t bytes, bool writes) const;
    /// Notes that the holder of a reservation takes the bank until `tick`.
    void note_access(const EpiphanyPlace& place, Tick tick) {
        Tick& busy_until = nodes_[place.node].bank_busy_until[bank_of(place.offset)];
        busy_until = std::max(busy_until, tick);
    }
    /// Makes read_at() find `data` at `place`, from an earlier time of the machine. Empty: no more.
    void set_past(const EpiphanyPlace& place, std::span<const std::byte> data) {
        past_ = place;
        past_data_ = data;
    }
    /// Writes for the holder of a reservation, in no time and unseen by guests.
    void write_reserved(const EpiphanyPlace& place, std::span<const std::byte> bytes);

private:
    struct Node {
        Memory memory;
        std::vector<MemoryReservation> reservations;
        EpiphanyGuest* guest = nullptr;  // holds the memory
        std::vector<Tick> bank_busy_until;
        std::array<bool, kNumDmaChannels> dma_is_active{};
    };

    [[nodiscard]] std::size_t bank_of(std::uint64_t offset) const {
        return static_cast<std::size_t>(offset / bank_bytes_);
    }
    /// Ends the reservations of a core's memory for which `concerns(reservation)` is true.
    template <class Concerns>
    void disturb(NodeIndex node, const Concerns& concerns) const {
        const std::vector<MemoryReservation>& reservations = nodes_[node].reservations;
        for (auto found = std::ranges::find_if(reservations, concerns); found != reservations.end();
             found = std::ranges::find_if(reservations, concerns)) {
            holder_->disturb(found->holder);
        }
    }
    /// True if a reservation and an access of the bank, which comes at `tick` and takes it until `end`, would delay
    /// each other.
    [[nodiscard]] bool clashes(const MemoryReservation& reservation, std::size_t bank, Tick tick, Tick end) const;

    std::uint64_t bank_bytes_;
    ReservationHolder* holder_ = nullptr;
    EpiphanyPlace past_;
    std::span<const std::byte> past_data_;
    Memory external_;
    std::vector<Node> nodes_;
};

}  // namespace nocbench
