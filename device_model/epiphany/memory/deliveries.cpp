#include "device_model/epiphany/memory/deliveries.h"

#include <array>
#include <bit>

namespace nocbench {

void EpiphanyDeliveries::enter(const Delivery& delivery, const EpiphanyPlace& place, std::span<std::byte> data,
                               Tick guest_tick) {
    if (simulation_.observers.tamper) {
        simulation_.observers.tamper(delivery, data);
    }
    memory_.write_at(place, data, guest_tick);
    bytes_delivered_[place.node] += data.size();
    if (simulation_.observers.delivered) {
        simulation_.observers.delivered(delivery);
    }
    spins_.notify(place.node, delivery.tick);
}

void EpiphanyDeliveries::deliver(TransactionKind kind, NodeIndex source, const EpiphanyPlace& place, std::size_t size,
                                 std::uint64_t value, Tick tick) {
    auto bytes = std::bit_cast<std::array<std::byte, sizeof(value)>>(value);
    const std::span<std::byte> data = std::span(bytes).first(size);
    // Accesses over the mesh take the bank first.
    static_cast<void>(memory_.take_bank(place, tick));
    enter({kind, 0, source, place.node, 0, place.offset, data, tick}, place, data, simulation_.event_tick);
}

void EpiphanyDeliveries::land(NodeIndex source, const EpiphanyPlace& place, std::size_t size, std::uint64_t value,
                              Tick tick) {
    if (!place.is_external && place.offset == kInterruptRegister) {
        interrupts_.request(place.node, tick);
    } else {
        deliver(TransactionKind::write, source, place, size, value, tick);
    }
}

void EpiphanyDeliveries::write_from_outside(const EpiphanyPlace& place, std::span<const std::byte> bytes, Tick tick) {
    std::vector<std::byte> data(bytes.begin(), bytes.end());
    enter({TransactionKind::write, 0, kOutside, place.node, 0, place.offset, data, tick}, place, data, tick);
}

}  // namespace nocbench
