#include "bindings/etherbone/messages.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/from_python.h"
#include "device_model/wishbone/etherbone_codec.h"

namespace py = pybind11;

namespace nocbench::bindings {

namespace {

using wishbone::ByteView;
using wishbone::WireFormat;

/// Returns a view of `data`, which must outlive it.
ByteView bytes_of(const py::bytes& data) { return std::as_bytes(std::span(std::string_view(data))); }

WireFormat format_of(int address_bytes, int port_bytes) {
    const auto is_width = [](int bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; };
    if (!is_width(address_bytes) || !is_width(port_bytes)) {
        throw py::value_error("expected widths of 1, 2, 4 or 8 bytes");
    }
    return {.address_bytes = address_bytes, .port_bytes = port_bytes};
}

/// Returns the widths of a set in bits.
std::vector<int> bits_of(wishbone::WidthSet widths) {
    std::vector<int> bits;
    for (int bytes = 1; bytes <= 8; bytes *= 2) {
        if ((widths & bytes) != 0) {
            bits.push_back(8 * bytes);
        }
    }
    return bits;
}

py::dict describe(const wishbone::Record& record, const WireFormat& format) {
    py::dict result;
    result["returns_to_configuration"] = record.returns_to_configuration;
    result["reads_configuration"] = record.reads_configuration;
    result["returns_to_one_address"] = record.returns_to_one_address;
    result["ends_cycle"] = record.ends_cycle;
    result["writes_configuration"] = record.writes_configuration;
    result["writes_to_one_address"] = record.writes_to_one_address;
    result["select"] = record.select;
    result["is_select_valid"] = wishbone::lanes_of(record.select, format.port_bytes).has_value();
    result["write_address"] = record.write_address;
    result["writes"] = record.writes;
    result["return_address"] = record.return_address;
    result["read_addresses"] = record.read_addresses;
    return result;
}

/// Returns the number of zero slots at the beginning.
std::size_t num_zero_slots(ByteView bytes, std::size_t slot_bytes) {
    const auto zeros = static_cast<std::size_t>(
        std::ranges::find_if(bytes, [](std::byte byte) { return byte != std::byte{0}; }) - bytes.begin());
    return zeros / slot_bytes;
}

}  // namespace

py::object decode_etherbone_header(const py::bytes& data) {
    const ByteView bytes = bytes_of(data);
    const std::optional<wishbone::Header> header = wishbone::decode_header(bytes);
    if (!header) {
        return py::none();
    }
    const bool is_of_probe = header->is_probe || header->is_probe_response;
    const std::optional<WireFormat> format = header->format();
    const std::size_t length = is_of_probe ? wishbone::kProbeBytes
                               : format    ? format->header_bytes()
                                           : wishbone::kShortHeaderBytes;
    py::dict result;
    result["version"] = header->version;
    result["has_no_reads"] = header->has_no_reads;
    result["is_probe"] = header->is_probe;
    result["is_probe_response"] = header->is_probe_response;
    result["address_bits"] = bits_of(header->address_widths);
    result["port_bits"] = bits_of(header->port_widths);
    result["num_bytes"] = length;
    result["probe_identifier"] = py::none();
    if (is_of_probe && bytes.size() >= wishbone::kProbeBytes) {
        result["probe_identifier"] = wishbone::decode_probe_identifier(bytes);
    }
    return result;
}

py::tuple decode_etherbone_records(const py::bytes& data, int address_bytes, int port_bytes, bool is_answer) {
    const WireFormat format = format_of(address_bytes, port_bytes);
    const ByteView bytes = bytes_of(data);
    std::size_t at = 0;
    py::list records;
    while (at < bytes.size()) {
        const ByteView rest = bytes.subspan(at);
        py::dict entry;
        // With slots of two bytes, writes may leave an odd number of slots, which cannot be empty records.
        if (const std::size_t zeros = is_answer ? num_zero_slots(rest, format.slot_bytes()) : 0; zeros > 0) {
            entry["num_zero_slots"] = zeros;
            entry["num_bytes"] = zeros * format.slot_bytes();
        } else if (const std::optional<wishbone::Record> record = wishbone::decode_record(rest, format)) {
            entry = describe(*record, format);
            entry["num_zero_slots"] = 0;
            entry["num_bytes"] = wishbone::record_bytes(*record, format);
        } else {
            break;
        }
        entry["at"] = at;
        at += entry["num_bytes"].cast<std::size_t>();
        records.append(entry);
    }
    return py::make_tuple(records, at);
}

py::object length_of_etherbone_record(const py::bytes& data, int address_bytes, int port_bytes) {
    return py::cast(wishbone::length_of_record(bytes_of(data), format_of(address_bytes, port_bytes)));
}

py::bytes encode_etherbone_header(int address_bytes, int port_bytes, bool has_no_reads) {
    wishbone::Bytes header;
    wishbone::append_header(header, format_of(address_bytes, port_bytes), has_no_reads);
    return to_python(header);
}

}  // namespace nocbench::bindings
