// Properties of answers to any input. They are checked by fuzzers, which search for new paths, and by tests with the
// fuzzers' findings (tests/wishbone/fuzz/corpus) and random bytes.
//
// The first byte of an input selects the slave's widths; a nibble of 0 selects all. Bit 0 of the second byte selects a
// bus with memories of known contents, or with one device of each kind.
#pragma once

#include <cstddef>
#include <string>

#include "device_model/wishbone/etherbone_codec.h"

namespace nocbench::wishbone::test {

inline constexpr std::size_t kInputHeadBytes = 2;

/// Sends the remaining bytes twice as a datagram. Returns a fault of the answers, or an empty string.
std::string fault_with_datagram(ByteView input);

/// Sends the remaining bytes over a connection in pieces. The last byte is the number of cuts (at most 15), and each
/// byte before it the length of a piece. Returns a fault, or an empty string.
std::string fault_with_stream(ByteView input);

}  // namespace nocbench::wishbone::test
