// Arithmetic on words with a byte for each cycle of a window, or for each packet of an output. Replaces loops over
// cycles or packets by a few instructions. Bytes must be below 0x80 unless stated otherwise.
#pragma once

#include <bit>
#include <cstdint>

namespace nocbench::window_arithmetic {

inline constexpr std::uint64_t kLowBits = 0x0101010101010101;
inline constexpr std::uint64_t kHighBits = 0x80 * kLowBits;

/// Cycles from the begin of a window to the end of each of its cycles.
inline constexpr std::uint64_t kCyclesUntil = 0x0807060504030201;

/// Returns a 1 in each byte that is not zero.
constexpr std::uint64_t nonzero_bytes(std::uint64_t bytes) { return ((bytes + 0x7f * kLowBits) >> 7) & kLowBits; }

/// Returns the number of bytes that are 1. All bytes must be 0 or 1.
constexpr int count_ones(std::uint64_t bytes) { return static_cast<int>((bytes * kLowBits) >> 56); }

/// Returns the bytewise minimum.
constexpr std::uint64_t smaller_bytes(std::uint64_t left, std::uint64_t right) {
    const std::uint64_t left_is_not_less = ((left | kHighBits) - right) >> 7 & kLowBits;
    const std::uint64_t mask = left_is_not_less * 0xff;
    return (right & mask) | (left & ~mask);
}

/// Returns the highest bit of each byte that is not less than `least` (at most 0x80).
constexpr std::uint64_t bytes_from(std::uint64_t bytes, int least) {
    return (bytes + static_cast<std::uint64_t>(0x80 - least) * kLowBits) & kHighBits;
}

/// Returns the bytes of a word, which must be 0 or 1, as bits of a byte.
constexpr std::uint64_t bits_of_bytes(std::uint64_t bytes) { return (bytes * 0x0102040810204080) >> 56; }

/// Returns the bits of a byte as bytes 0 or 1 of a word.
constexpr std::uint64_t bytes_of_bits(std::uint64_t bits) {
    return nonzero_bytes(bits * kLowBits & 0x8040201008040201);
}

/// Returns a bit for each cycle in which any packet's byte has its bit set.
constexpr std::uint64_t any_byte(std::uint64_t bytes) {
    for (const int distance : {4, 2, 1}) {
        bytes |= bytes >> (8 * distance);
    }
    return bytes & 0xff;
}

/// Returns the virtual channel of the first flit or credit in a word. The word must not be 0.
constexpr int first_channel(std::uint64_t bytes) {
    return static_cast<int>(bytes >> (std::countr_zero(bytes) / 8 * 8) & 0xff) - 1;
}

/// Returns a 1 in the byte of each cycle that has a flit or credit of `channel`.
constexpr std::uint64_t bytes_of_channel(std::uint64_t bytes, int channel) {
    return nonzero_bytes(bytes ^ static_cast<std::uint64_t>(channel + 1) * kLowBits) ^ kLowBits;
}

/// Returns a 1 in the byte of each cycle in which a flit is sent, if only flits and space downstream limit sending.
/// `flits` and `space` are available at the begin; each 1 in `arriving` adds a flit, each 1 in `credits` adds space.
/// Each of these grows by at most one per cycle. The number of flits sent until a cycle is therefore the minimum of the
/// flits, the space and the cycles without an idling link, each until that cycle.
constexpr std::uint64_t sent_in_window(int flits, std::uint64_t arriving, int space, std::uint64_t credits,
                                       std::uint64_t cycles_until = kCyclesUntil) {
    const std::uint64_t flits_until = (static_cast<std::uint64_t>(flits) + arriving) * kLowBits;
    const std::uint64_t space_until = (static_cast<std::uint64_t>(space) + credits) * kLowBits;
    const std::uint64_t sent_until = smaller_bytes(smaller_bytes(flits_until, space_until), cycles_until);
    return sent_until - (sent_until << 8);
}

/// Returns whether flits are sent in each of the first `cycles` cycles and in the following one.
constexpr bool sends_through(std::uint64_t sent, int cycles) {
    const std::uint64_t all = kLowBits >> (8 * (7 - cycles));
    return (sent & all) == all;
}

/// Returns `kCyclesUntil` without the cycle `idle`, counted from 0.
constexpr std::uint64_t cycles_until_without(int idle) { return kCyclesUntil - (kLowBits << (8 * idle)); }

/// Returns the number of consecutive cycles with a sent flit at the end of a window of `cycles`.
constexpr int sent_last(std::uint64_t sent, int cycles) {
    const std::uint64_t gaps = (sent ^ kLowBits) << (64 - 8 * cycles);
    return gaps == 0 ? cycles : std::countl_zero(gaps) / 8;
}

}  // namespace nocbench::window_arithmetic
