// Etherbone slave of an FPGA: receives requests, executes their operations on a bus, and answers.
//
// As in hardware, an answer matches its request slot for slot, with zeros in place of writes. Clients that do not
// expect slots for writes take the zeros for empty records. A message without reads has no answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "device_model/sim/simulated_time.h"
#include "device_model/wishbone/bus.h"
#include "device_model/wishbone/etherbone_codec.h"

namespace nocbench::wishbone {

/// Timing of the slave's work. Receives every slot of a request in order, and returns the times at which operations
/// reach the bus.
class Pacing {
public:
    Pacing() = default;
    virtual ~Pacing() = default;
    Pacing(const Pacing&) = delete;
    Pacing& operator=(const Pacing&) = delete;

    /// Passes bytes without an operation: a header, an address.
    virtual void pass(std::size_t bytes) = 0;
    /// Begins an operation on the bus or in configuration space, which has a slot of `bytes` bytes. Returns its time in
    /// nanoseconds since the FPGA started.
    virtual std::int64_t begin_operation(bool is_read, std::size_t bytes) = 0;
    /// Ends the operation. `acknowledge_cycles` is its time to acknowledgement.
    virtual void end_operation(Cycle acknowledge_cycles) = 0;
    /// Drops the cycle line.
    virtual void end_cycle() = 0;
};

/// Counts of a slave's work since its construction.
struct SlaveStatistics {
    std::uint64_t probes = 0;
    std::uint64_t messages = 0;  // without probes: datagrams, or records of streams
    std::uint64_t ignored = 0;   // not Etherbone, or of unsupported widths
    std::uint64_t reads = 0;     // on the bus
    std::uint64_t writes = 0;
    std::uint64_t bus_errors = 0;
};

class EtherboneSlave {
public:
    struct Options {
        WidthSet address_widths = 4;  // supported
        WidthSet port_widths = 4;
        std::uint64_t table_address = 0;     // of the bus's device table
        std::uint64_t mac_address = 0;       // 48 bits
        std::uint32_t internet_address = 0;  // IPv4
        std::uint16_t udp_port = 60368;      // registered port
        Cycle configuration_cycles = 1;      // until an access to the configuration space is acknowledged
    };

    EtherboneSlave(Bus& bus, const Options& options) : bus_(bus), options_(options) {}

    /// Returns the format of a datagram's records; nothing for a probe, for other protocols, or for unsupported widths.
    [[nodiscard]] std::optional<WireFormat> format_of(ByteView datagram) const;

    /// Executes a datagram. Returns the answer, or nothing. Clears the error status first.
    Bytes answer_datagram(ByteView datagram, Pacing& pacing);

    /// Answers a probe with the slave's own widths and the probe's identifier.
    [[nodiscard]] Bytes answer_probe(std::uint32_t identifier);

    /// Executes a record and appends its answer.
    void answer_record(const Record& record, const WireFormat& format, Bytes& answer, Pacing& pacing);

    void clear_error_status() { error_status_ = 0; }
    /// Access to the status, for servers of several clients with a status each.
    [[nodiscard]] std::uint64_t error_status() const { return error_status_; }
    void set_error_status(std::uint64_t status) { error_status_ = status; }
    [[nodiscard]] const Options& options() const { return options_; }
    [[nodiscard]] const SlaveStatistics& statistics() const { return statistics_; }
    [[nodiscard]] SlaveStatistics& statistics() { return statistics_; }

    /// Called, if set, for each failed bus operation. `is_owned` tells whether a device owns its address.
    std::function<void(const BusAccess&, bool is_owned)> refused;

private:
    std::uint64_t operate(BusAccess access, bool is_configuration, const WireFormat& format, Pacing& pacing);
    [[nodiscard]] std::uint64_t read_configuration(std::uint64_t address, const WireFormat& format) const;
    void write_configuration(std::uint64_t address, std::uint64_t value);

    Bus& bus_;
    Options options_;
    std::uint64_t error_status_ = 0;  // failure bits of bus operations, shifted in from the right
    bool wants_interrupts_ = false;
    SlaveStatistics statistics_;
};

/// Start of a byte stream: a header or a probe.
class StreamHeader {
public:
    explicit StreamHeader(EtherboneSlave& slave) : slave_(slave) {}

    /// Consumes the header from `bytes` once complete, and appends the answer to a probe. After a probe with
    /// unsupported widths, another header may follow. Returns false for a stream that is not Etherbone, and for a
    /// header without probe that has unsupported widths.
    [[nodiscard]] bool take(ByteView& bytes, Bytes& answer);

    /// Returns the agreed widths, once the header has been consumed.
    [[nodiscard]] const std::optional<WireFormat>& format() const { return format_; }

private:
    EtherboneSlave& slave_;
    std::optional<WireFormat> format_;
};

/// Connection without message boundaries: TCP, a character device. Only records follow its header.
class EtherboneStream {
public:
    explicit EtherboneStream(EtherboneSlave& slave) : slave_(slave), header_(slave) {}

    /// Consumes bytes, split anywhere, and appends the answers to complete records. Keeps an incomplete record, of less
    /// than 4,104 bytes. Returns false if the stream is not Etherbone: the connection is unusable from then on.
    [[nodiscard]] bool take(ByteView bytes, Bytes& answer, Pacing& pacing);

    /// Returns whether the last record left its cycle open: other clients must then wait for the end of the cycle.
    [[nodiscard]] bool is_in_cycle() const { return is_in_cycle_; }

    /// Returns the size of the incomplete request.
    [[nodiscard]] std::size_t waiting_bytes() const { return pending_.size(); }

private:
    EtherboneSlave& slave_;
    StreamHeader header_;
    Bytes pending_;
    bool is_broken_ = false;
    bool is_in_cycle_ = false;
};

}  // namespace nocbench::wishbone
