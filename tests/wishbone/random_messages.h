// Random records and messages with probable effects.
#pragma once

#include <random>

#include "device_model/wishbone/etherbone_codec.h"

namespace nocbench::wishbone::test {

/// Returns a record whose numbers fit `format`. One in `long_one_of` records has up to 255 writes and reads, the others
/// a few.
Record random_record(std::mt19937& random, const WireFormat& format, unsigned long_one_of = 64);

/// Returns a header and a few records, with most addresses near those of kMemories and the configuration space.
Bytes random_message(std::mt19937& random, const WireFormat& format);

/// Changes, removes, inserts or repeats a few bytes.
void mutate(std::mt19937& random, Bytes& bytes);

WireFormat random_format(std::mt19937& random);

}  // namespace nocbench::wishbone::test
