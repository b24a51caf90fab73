// Expected answers of a slave, computed byte by byte from documented facts of the wire format. Only the options are
// shared with the model. An answer is the request with some bytes replaced.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "device_model/wishbone/etherbone_slave.h"
#include "tests/wishbone/slave_rig.h"

namespace nocbench::wishbone::test {

/// Bytes of the memories in kMemories, by address.
class PlainMemory {
public:
    PlainMemory();

    /// Executes one operation. `value` holds the port's bytes, most significant first. Returns true on success; failed
    /// reads and unselected byte lanes give 0.
    bool access(bool is_write, std::uint64_t address, std::uint8_t select, std::span<std::byte> value);

    [[nodiscard]] std::span<const std::byte> bytes(std::size_t range) const { return bytes_[range]; }

private:
    std::array<std::vector<std::byte>, kMemories.size()> bytes_;
};

class PlainSlave {
public:
    explicit PlainSlave(const EtherboneSlave::Options& options) : options_(options) {}

    Bytes answer_datagram(ByteView request);

    struct StreamAnswer {
        Bytes bytes;
        std::size_t waiting_bytes = 0;
        bool is_etherbone = true;
    };
    /// Returns the answer to all bytes of a connection.
    StreamAnswer answer_stream(ByteView request);

    [[nodiscard]] const PlainMemory& memory() const { return memory_; }

private:
    struct Format {
        std::size_t address_bytes;
        std::size_t port_bytes;
        std::size_t slot_bytes;
        std::size_t record_header_bytes;
    };
    struct Outcome {
        std::size_t end = 0;  // end of the last complete record
        bool has_reads = false;
        bool is_cut = false;  // the next record is truncated
    };

    static Format format_of(std::size_t address_bytes, std::size_t port_bytes);
    /// Executes the records from `begin` on, and replaces each by its answer.
    Outcome answer_records(Bytes& message, std::size_t begin, const Format& format);
    void operate(bool is_write, bool is_configuration, std::uint64_t address, std::uint8_t select,
                 std::span<std::byte> value);

    EtherboneSlave::Options options_;
    PlainMemory memory_;
    std::uint64_t error_status_ = 0;
    bool wants_interrupts_ = false;
};

}  // namespace nocbench::wishbone::test
