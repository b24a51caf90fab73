// Properties for any input: for fuzzers, which look for new paths, and for tests with the fuzzers' findings
// (tests/wishbone/fuzz/corpus) and random bytes.
//
// The first byte of an input selects the slave's widths, with 0 in a nibble for all of them. Bit 0 of the second
// selects a bus with memories of known contents, or with one device of each kind.
#pragma once

#include <cstddef>
#include <string>

#include "device_model/wishbone/etherbone_codec.h"

namespace nocbench::wishbone::test {

inline constexpr std::size_t kInputHeadBytes = 2;

/// Sends the rest twice as a datagram. Returns a fault of the answers, or nothing.
std::string fault_with_datagram(ByteView input);

/// Sends the rest over a connection. Its last byte is the number of cuts, 15 at most; the byte before each is the
/// length of a piece. Returns a fault, or nothing.
std::string fault_with_stream(ByteView input);

}  // namespace nocbench::wishbone::test
