// Transfers of a PE: blocks, strided elements, values, and atomic operations.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "kernels/epiphany/epiphany_api.h"
#include "kernels/shmem/library_data.h"
#include "kernels/shmem/pe.h"

namespace nocbench::shmem {

namespace {

constexpr std::uint32_t kDwordBytes = 8;
using library_data::kWordBytes;

/// Returns the widest access, 1, 2, 4 or 8 bytes, that divides all addresses and sizes or-ed into `together`.
std::uint32_t widest_access(std::uint64_t together) {
    return std::uint32_t{1} << std::min(std::countr_zero(together | kDwordBytes), 3);
}

std::uint64_t load_bits(Address address, std::uint32_t bytes) {
    switch (bytes) {
        case 1:
            return epiphany::load<std::uint8_t>(address);
        case 2:
            return epiphany::load<std::uint16_t>(address);
        case 4:
            return epiphany::load<std::uint32_t>(address);
        default:
            return epiphany::load<std::uint64_t>(address);
    }
}

void store_bits(Address address, std::uint32_t bytes, std::uint64_t bits) {
    switch (bytes) {
        case 1:
            epiphany::store(address, static_cast<std::uint8_t>(bits));
            return;
        case 2:
            epiphany::store(address, static_cast<std::uint16_t>(bits));
            return;
        case 4:
            epiphany::store(address, static_cast<std::uint32_t>(bits));
            return;
        default:
            epiphany::store(address, bits);
            return;
    }
}

}  // namespace

// Blocks

void Pe::copy_part(Address& destination, Address& source, std::uint32_t bytes, std::uint32_t element_bytes) {
    const auto in_a_round = static_cast<std::uint32_t>(costs().copy_loop_elements);
    const std::uint32_t count = bytes / element_bytes;
    const std::uint32_t in_loop = count / in_a_round * in_a_round;
    if (in_loop != 0) {
        epiphany::instructions(costs().copy_loop_entry);
        epiphany::begin_hardware_loop(costs().copy_loop_instructions);
        epiphany::copy_elements(destination, source, in_loop, element_bytes, epiphany::CopyStep::staggered);
    }
    // Copies the rest behind the loop, element by element.
    const Address done = in_loop * element_bytes;
    epiphany::copy_elements(destination + done, source + done, count - in_loop, element_bytes,
                            epiphany::CopyStep::in_turn);
    destination += count * element_bytes;
    source += count * element_bytes;
}

/// Copies dwords if both addresses have the same alignment within a dword, otherwise bytes. Source: the copy routine of
/// USArmyResearchLab/openshmem-epiphany ed18554.
void Pe::copy(Address destination, Address source, std::uint32_t bytes) {
    epiphany::instructions(costs().copy_entry);
    if ((destination ^ source) % kDwordBytes == 0) {
        const std::uint32_t head = std::min((kDwordBytes - source % kDwordBytes) % kDwordBytes, bytes);
        copy_part(destination, source, head, 1);
        const std::uint32_t whole = (bytes - head) / kDwordBytes * kDwordBytes;
        // NOLINTNEXTLINE(readability-suspicious-call-argument): bytes, as dwords
        copy_part(destination, source, whole, kDwordBytes);
        bytes -= head + whole;
        for (const std::uint32_t rest : {4U, 2U}) {
            if (bytes >= rest) {
                copy_part(destination, source, rest, rest);
                bytes -= rest;
            }
        }
    }
    copy_part(destination, source, bytes, 1);
}

Pe::Ends Pe::ends_of_put(const Transfer& transfer, std::uint64_t destination_bytes, std::uint64_t source_bytes) const {
    require_pe(transfer.pe);
    const Address destination = symmetric("dest", transfer.destination, destination_bytes, 1);
    const Address source = local("source", transfer.source, source_bytes, 1);
    epiphany::instructions(costs().call);
    return {on(transfer.pe, destination), source, static_cast<std::uint32_t>(source_bytes)};
}

Pe::Ends Pe::ends_of_get(const Transfer& transfer, std::uint64_t destination_bytes, std::uint64_t source_bytes) const {
    require_pe(transfer.pe);
    const Address destination = local("dest", transfer.destination, destination_bytes, 1);
    const Address source = symmetric("source", transfer.source, source_bytes, 1);
    epiphany::instructions(costs().call);
    return {destination, on(transfer.pe, source), static_cast<std::uint32_t>(source_bytes)};
}

void Pe::put(const Transfer& transfer, std::uint32_t element_bytes) {
    const std::uint64_t bytes = std::uint64_t{transfer.count} * element_bytes;
    const Ends ends = ends_of_put(transfer, bytes, bytes);
    copy(ends.destination, ends.source, ends.bytes);
}

void Pe::get(const Transfer& transfer, std::uint32_t element_bytes) {
    const std::uint64_t bytes = std::uint64_t{transfer.count} * element_bytes;
    const Ends ends = ends_of_get(transfer, bytes, bytes);
    const bool is_own = ends.destination >> kCoreIdShift == 0;
    if (job_.options().ipi_get && bytes > job_.options().ipi_get_turnover_bytes && transfer.pe != number_ && is_own) {
        get_by_interrupt(ends, transfer.pe);
    } else {
        copy(ends.destination, ends.source, ends.bytes);
    }
}

void Pe::get_by_interrupt(const Ends& ends, int pe) {
    using namespace library_data;
    epiphany::instructions(costs().interrupt_request);
    lock_on(pe, kInterruptLock);
    if (job_.has_ended(pe)) {
        epiphany::store<std::uint32_t>(on(pe, kInterruptLock), 0);
        copy(ends.destination, ends.source, ends.bytes);
        return;
    }
    const std::array<Address, kNumInterruptArguments> arguments{
        on(number_, ends.destination), ends.source & kOffsetMask, ends.bytes, on(number_, kInterruptDone)};
    for (Address place = 0; place < kNumInterruptArguments; ++place) {
        epiphany::store(on(pe, kInterruptArguments + place * kWordBytes), arguments[place]);
    }
    epiphany::interrupt(pe);
    await_signal(kInterruptDone, pe);
}

void Pe::serve_get() {
    using namespace library_data;
    epiphany::instructions(costs().interrupt_service);
    const auto argument = [](Address place) {
        return epiphany::load_ahead<Address>(kInterruptArguments + place * kWordBytes);
    };
    const Address destination = argument(0);
    const Address source = argument(1);
    const Address bytes = argument(2);
    const Address done = argument(3);
    copy(destination, source, bytes);
    epiphany::store<std::uint8_t>(done, 1);
    epiphany::store<std::uint32_t>(kInterruptLock, 0);
}

void Pe::start_dma(const Ends& ends) {
    auto [destination, source, bytes] = ends;
    const std::uint32_t element_bytes = widest_access(std::uint64_t{destination} | source | bytes);
    for (std::uint32_t elements_left = bytes / element_bytes; elements_left != 0;) {
        // A descriptor's count is limited.
        const std::uint32_t elements = std::min<std::uint32_t>(elements_left, UINT16_MAX);
        start_dma(destination, source, elements, element_bytes);
        destination += elements * element_bytes;
        source += elements * element_bytes;
        elements_left -= elements;
    }
}

void Pe::start_dma(Address destination, Address source, std::uint32_t elements, std::uint32_t element_bytes) {
    const auto channel = static_cast<std::size_t>(next_channel_);
    next_channel_ = (next_channel_ + 1) % static_cast<int>(channel_was_used_.size());
    if (channel_was_used_[channel]) {
        epiphany::dma_wait(static_cast<int>(channel));
    }
    epiphany::instructions(costs().dma_start);
    DmaDescriptor descriptor = epiphany::block_descriptor(destination, source, 0);
    descriptor.element_bytes = static_cast<std::uint8_t>(element_bytes);
    descriptor.inner_source_stride = static_cast<std::int16_t>(element_bytes);
    descriptor.inner_destination_stride = static_cast<std::int16_t>(element_bytes);
    descriptor.inner_count = static_cast<std::uint16_t>(elements);
    const Address place = library_data::kDescriptors + static_cast<Address>(channel) * library_data::kDescriptorStride;
    epiphany::put_descriptor(place, descriptor);
    epiphany::dma_start_at(static_cast<int>(channel), place);
    channel_was_used_[channel] = true;
}

void Pe::put_nbi(const Transfer& transfer, std::uint32_t element_bytes) {
    const std::uint64_t bytes = std::uint64_t{transfer.count} * element_bytes;
    start_dma(ends_of_put(transfer, bytes, bytes));
}

void Pe::get_nbi(const Transfer& transfer, std::uint32_t element_bytes) {
    const std::uint64_t bytes = std::uint64_t{transfer.count} * element_bytes;
    start_dma(ends_of_get(transfer, bytes, bytes));
}

// Strided elements

void Pe::copy_strided(const StridedTransfer& transfer, Address destination, Address source,
                      std::uint32_t element_bytes) {
    const std::uint32_t piece = widest_access(std::uint64_t{destination} | source | element_bytes);
    for (std::uint32_t element = 0; element < transfer.count; ++element) {
        const auto offset = [&](std::int32_t stride) { return static_cast<Address>(stride) * element * element_bytes; };
        const Address to = destination + offset(transfer.destination_stride);
        const Address from = source + offset(transfer.source_stride);
        epiphany::instructions(costs().strided_element);
        for (std::uint32_t done = 0; done < element_bytes; done += piece) {
            store_bits(to + done, piece, load_bits(from + done, piece));
        }
        epiphany::taken_branch();
    }
}

namespace {

/// Returns the bytes from the first to the end of the last element of a strided array.
std::uint64_t extent(std::uint32_t count, std::int32_t stride, std::uint32_t element_bytes) {
    return count == 0 ? 0 : (std::uint64_t{count - 1} * static_cast<std::uint32_t>(stride) + 1) * element_bytes;
}

}  // namespace

void Pe::require_strides(std::int32_t destination_stride, std::int32_t source_stride) const {
    if (destination_stride < 1 || source_stride < 1) {
        fail(fmt::format("expected strides of 1 or more, found {} and {}", destination_stride, source_stride));
    }
}

void Pe::put_strided(const StridedTransfer& transfer, std::uint32_t element_bytes) {
    require_pe(transfer.pe);
    require_strides(transfer.destination_stride, transfer.source_stride);
    const Ends ends = ends_of_put({transfer.destination, transfer.source, transfer.count, transfer.pe},
                                  extent(transfer.count, transfer.destination_stride, element_bytes),
                                  extent(transfer.count, transfer.source_stride, element_bytes));
    copy_strided(transfer, ends.destination, ends.source, element_bytes);
}

void Pe::get_strided(const StridedTransfer& transfer, std::uint32_t element_bytes) {
    require_pe(transfer.pe);
    require_strides(transfer.destination_stride, transfer.source_stride);
    const Ends ends = ends_of_get({transfer.destination, transfer.source, transfer.count, transfer.pe},
                                  extent(transfer.count, transfer.destination_stride, element_bytes),
                                  extent(transfer.count, transfer.source_stride, element_bytes));
    copy_strided(transfer, ends.destination, ends.source, element_bytes);
}

// Values

void Pe::put_value(Address destination, std::span<const std::byte> value, int pe) {
    require_pe(pe);
    const auto bytes = static_cast<std::uint32_t>(value.size());
    const std::uint32_t piece = std::min(bytes, kDwordBytes);
    const Address offset = symmetric("dest", destination, bytes, piece);
    epiphany::instructions(costs().call);
    for (std::uint32_t done = 0; done < bytes; done += piece) {
        std::uint64_t bits = 0;
        std::ranges::copy(value.subspan(done, piece), std::as_writable_bytes(std::span(&bits, 1)).begin());
        store_bits(on(pe, offset + done), piece, bits);
    }
}

void Pe::get_value(std::span<std::byte> value, Address source, int pe) {
    require_pe(pe);
    const auto bytes = static_cast<std::uint32_t>(value.size());
    const std::uint32_t piece = std::min(bytes, kDwordBytes);
    const Address offset = symmetric("source", source, bytes, piece);
    epiphany::instructions(costs().call);
    for (std::uint32_t done = 0; done < bytes; done += piece) {
        const std::uint64_t bits = load_bits(on(pe, offset + done), piece);
        std::ranges::copy(std::as_bytes(std::span(&bits, 1)).first(piece), value.begin() + done);
    }
}

// Atomic operations

std::uint64_t Pe::change_atomically(AtomicType type, Address target, std::uint32_t bytes, int pe,
                                    const Change& change) {
    require_pe(pe);
    const Address offset = symmetric("dest", target, bytes, bytes);
    epiphany::instructions(costs().locked_atomic);
    const Address lock = library_data::kAtomicLocks + static_cast<Address>(type) * kWordBytes;
    lock_on(pe, lock);
    const std::uint64_t old = load_bits(on(pe, offset), bytes);
    if (const std::optional<std::uint64_t> changed = change(old)) {
        store_bits(on(pe, offset), bytes, *changed);
    }
    epiphany::store<std::uint32_t>(on(pe, lock), 0);
    return old;
}

std::uint64_t Pe::fetch_atomically(Address target, std::uint32_t bytes, int pe) {
    require_pe(pe);
    const Address offset = symmetric("source", target, bytes, bytes);
    epiphany::instructions(costs().plain_atomic);
    return load_bits(on(pe, offset), bytes);
}

void Pe::set_atomically(AtomicType type, Address target, std::uint32_t bytes, std::uint64_t value, int pe) {
    if (!job_.options().unlocked_set) {
        static_cast<void>(change_atomically(type, target, bytes, pe, [&](std::uint64_t) { return value; }));
        return;
    }
    require_pe(pe);
    const Address offset = symmetric("dest", target, bytes, bytes);
    epiphany::instructions(costs().plain_atomic);
    store_bits(on(pe, offset), bytes, value);
}

}  // namespace nocbench::shmem
