// Arithmetic on words that have a byte for each cycle of a window, or for each packet of an output: what a loop over
// cycles or packets would do, in a few instructions. Bytes are below 0x80 unless something else is said.
#pragma once

#include <bit>
#include <cstdint>

namespace nocbench::window_arithmetic {

inline constexpr std::uint64_t kLowBits = 0x0101010101010101;
inline constexpr std::uint64_t kHighBits = 0x80 * kLowBits;

/// The number of cycles from the begin of a window to the end of each of its cycles.
inline constexpr std::uint64_t kCyclesUntil = 0x0807060504030201;

/// A 1 in each byte that is not zero.
constexpr std::uint64_t nonzero_bytes(std::uint64_t bytes) { return ((bytes + 0x7f * kLowBits) >> 7) & kLowBits; }

/// The number of bytes that are 1 in a word whose bytes are 0 or 1.
constexpr int count_ones(std::uint64_t bytes) { return static_cast<int>((bytes * kLowBits) >> 56); }

/// The smaller byte at each place.
constexpr std::uint64_t smaller_bytes(std::uint64_t left, std::uint64_t right) {
    const std::uint64_t left_is_not_less = ((left | kHighBits) - right) >> 7 & kLowBits;
    const std::uint64_t mask = left_is_not_less * 0xff;
    return (right & mask) | (left & ~mask);
}

/// The highest bit of each byte that is not less than `least`, which is 0x80 at most.
constexpr std::uint64_t bytes_from(std::uint64_t bytes, int least) {
    return (bytes + static_cast<std::uint64_t>(0x80 - least) * kLowBits) & kHighBits;
}

/// The bytes of a word, which are 0 or 1, as bits of a byte.
constexpr std::uint64_t bits_of_bytes(std::uint64_t bytes) { return (bytes * 0x0102040810204080) >> 56; }

/// The bits of a byte as bytes, 0 or 1, of a word.
constexpr std::uint64_t bytes_of_bits(std::uint64_t bits) {
    return nonzero_bytes(bits * kLowBits & 0x8040201008040201);
}

/// A bit for each cycle in which the byte of any packet has one.
constexpr std::uint64_t any_byte(std::uint64_t bytes) {
    for (const int distance : {4, 2, 1}) {
        bytes |= bytes >> (8 * distance);
    }
    return bytes & 0xff;
}

/// The virtual channel of the first flit or credit that a link brings: its byte, less 1. There must be one.
constexpr int first_channel(std::uint64_t bytes) {
    return static_cast<int>(bytes >> (std::countr_zero(bytes) / 8 * 8) & 0xff) - 1;
}

/// A 1 in the byte of each cycle in which a link brings something of a virtual channel.
constexpr std::uint64_t bytes_of_channel(std::uint64_t bytes, int channel) {
    return nonzero_bytes(bytes ^ static_cast<std::uint64_t>(channel + 1) * kLowBits) ^ kLowBits;
}

/// A 1 in the byte of each cycle in which a flit is sent, where nothing but flits and space downstream can be missing:
/// `flits` are at hand and `space` is there, and one more of each for every 1 in `arriving` and in `credits`. None of
/// them grows by more than one in a cycle. So the flits sent until a cycle are as many as the least of the flits until
/// then, the space until then, and the cycles until then in which the link does not idle.
constexpr std::uint64_t sent_in_window(int flits, std::uint64_t arriving, int space, std::uint64_t credits,
                                       std::uint64_t cycles_until = kCyclesUntil) {
    const std::uint64_t flits_until = (static_cast<std::uint64_t>(flits) + arriving) * kLowBits;
    const std::uint64_t space_until = (static_cast<std::uint64_t>(space) + credits) * kLowBits;
    const std::uint64_t sent_until = smaller_bytes(smaller_bytes(flits_until, space_until), cycles_until);
    return sent_until - (sent_until << 8);
}

/// Whether flits are sent in each of the first `cycles` cycles, and in the one after them.
constexpr bool sends_through(std::uint64_t sent, int cycles) {
    const std::uint64_t all = kLowBits >> (8 * (7 - cycles));
    return (sent & all) == all;
}

/// `kCyclesUntil` without the cycle `idle`, from 0 on.
constexpr std::uint64_t cycles_until_without(int idle) { return kCyclesUntil - (kLowBits << (8 * idle)); }

/// Cycles at the end of a window of `cycles` in each of which a flit is sent.
constexpr int sent_last(std::uint64_t sent, int cycles) {
    const std::uint64_t gaps = (sent ^ kLowBits) << (64 - 8 * cycles);
    return gaps == 0 ? cycles : std::countl_zero(gaps) / 8;
}

}  // namespace nocbench::window_arithmetic
