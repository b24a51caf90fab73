// Etherbone messages as Python sees them: headers and records as plain structures.
#pragma once

#include <pybind11/pybind11.h>

namespace nocbench::bindings {

/// The header at the beginning of `data`, or None if there is none.
pybind11::object decode_etherbone_header(const pybind11::bytes& data);

/// The records at the beginning of `data`, and how many bytes they take. In an answer, words of zeros stand in place of
/// writes, and are counted.
pybind11::tuple decode_etherbone_records(const pybind11::bytes& data, int address_bytes, int port_bytes,
                                         bool is_answer);

/// The length of the record at the beginning of `data`, or None if not even its counts are there.
pybind11::object length_of_etherbone_record(const pybind11::bytes& data, int address_bytes, int port_bytes);

/// The header of a message that is no probe.
pybind11::bytes encode_etherbone_header(int address_bytes, int port_bytes, bool has_no_reads);

}  // namespace nocbench::bindings
