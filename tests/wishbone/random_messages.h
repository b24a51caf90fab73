// Records and messages at random, of the kinds that meet something.
#pragma once

#include <random>

#include "device_model/wishbone/etherbone_codec.h"

namespace nocbench::wishbone::test {

/// A record whose numbers fit in `format`; one of `long_one_of` has up to 255 writes and reads, the others a few.
Record random_record(std::mt19937& random, const WireFormat& format, unsigned long_one_of = 64);

/// A header and a few records, most of whose addresses lie near what kMemories and the configuration space have.
Bytes random_message(std::mt19937& random, const WireFormat& format);

/// Changes, cuts, inserts or repeats a few bytes.
void mutate(std::mt19937& random, Bytes& bytes);

WireFormat random_format(std::mt19937& random);

}  // namespace nocbench::wishbone::test
