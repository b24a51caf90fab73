// Etherbone messages for Python: headers and records as plain structures.
#pragma once

#include <pybind11/pybind11.h>

namespace nocbench::bindings {

/// Returns the header at the beginning of `data`, or None.
pybind11::object decode_etherbone_header(const pybind11::bytes& data);

/// Returns the records at the beginning of `data`, and their size in bytes. In an answer, counts the zero words that
/// stand for writes.
pybind11::tuple decode_etherbone_records(const pybind11::bytes& data, int address_bytes, int port_bytes,
                                         bool is_answer);

/// Returns the length of the record at the beginning of `data`, or None if its counts are incomplete.
pybind11::object length_of_etherbone_record(const pybind11::bytes& data, int address_bytes, int port_bytes);

/// Returns the header of a message without probe.
pybind11::bytes encode_etherbone_header(int address_bytes, int port_bytes, bool has_no_reads);

}  // namespace nocbench::bindings
