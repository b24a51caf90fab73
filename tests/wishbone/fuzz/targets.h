// What must hold whatever bytes come: for fuzzers, which look for bytes that go new ways, and for tests, which go
// through what the fuzzers have found (tests/wishbone/fuzz/corpus) and through bytes at random.
//
// The first byte of an input says which widths the slave has, 0 in a nibble being all of them; bit 0 of the second one
// whether its bus has memories, whose contents are known, or one device of each kind.
#pragma once

#include <cstddef>
#include <string>

#include "device_model/wishbone/etherbone_codec.h"

namespace nocbench::wishbone::test {

inline constexpr std::size_t kInputHeadBytes = 2;

/// The rest is a datagram, which the slave takes twice. Returns what is wrong with its answers, or nothing.
std::string fault_with_datagram(ByteView input);

/// The rest is what comes over a connection. Its last byte says in how many pieces more than one, 15 at most, and each
/// byte before how long the next piece is. Returns what is wrong, or nothing.
std::string fault_with_stream(ByteView input);

}  // namespace nocbench::wishbone::test
