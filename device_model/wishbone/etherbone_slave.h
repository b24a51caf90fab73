// The Etherbone slave of an FPGA: it takes requests, carries their operations out on a bus, and answers.
//
// An answer has the length of what it answers, slot for slot, as that of the hardware has: where the request has
// writes, the answer has zeros. Clients that expect no trace of writes take zeros for empty records. A message without
// any read is not answered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "device_model/sim/simulated_time.h"
#include "device_model/wishbone/bus.h"
#include "device_model/wishbone/etherbone_codec.h"

namespace nocbench::wishbone {

/// When the slave does what it does. It is told of every slot of a request, in order, and says when operations reach
/// the bus.
class Pacing {
public:
    Pacing() = default;
    virtual ~Pacing() = default;
    Pacing(const Pacing&) = delete;
    Pacing& operator=(const Pacing&) = delete;

    /// Bytes that are no operation: a header, an address.
    virtual void pass(std::size_t bytes) = 0;
    /// A slot of so many bytes that is an operation, of the bus or of the configuration space: nanoseconds since the
    /// FPGA has started at which it takes place.
    virtual std::int64_t begin_operation(bool is_read, std::size_t bytes) = 0;
    /// The same operation: how long it takes to be acknowledged.
    virtual void end_operation(Cycle acknowledge_cycles) = 0;
    /// The cycle line drops.
    virtual void end_cycle() = 0;
};

/// What a slave has done since it was made.
struct SlaveStatistics {
    std::uint64_t probes = 0;
    std::uint64_t messages = 0;  // that are no probes: datagrams, or records of streams
    std::uint64_t ignored = 0;   // what is no Etherbone, or of widths that the slave does not have
    std::uint64_t reads = 0;     // of the bus
    std::uint64_t writes = 0;
    std::uint64_t bus_errors = 0;
};

class EtherboneSlave {
public:
    struct Options {
        WidthSet address_widths = 4;  // that it has
        WidthSet port_widths = 4;
        std::uint64_t table_address = 0;     // of the bus's table of devices
        std::uint64_t mac_address = 0;       // 48 bits
        std::uint32_t internet_address = 0;  // IPv4
        std::uint16_t udp_port = 60368;      // the registered one
        Cycle configuration_cycles = 1;      // until an access to the configuration space is acknowledged
    };

    EtherboneSlave(Bus& bus, const Options& options) : bus_(bus), options_(options) {}

    /// The format of a datagram's records; nothing if it is a probe, no Etherbone, or of widths that the slave does not
    /// have.
    [[nodiscard]] std::optional<WireFormat> format_of(ByteView datagram) const;

    /// Carries out a datagram and returns the answer; empty: there is none. The error status begins at zero with each.
    Bytes answer_datagram(ByteView datagram, Pacing& pacing);

    /// The answer to a probe with these widths; the slave's own widths, and the probe's identifier.
    [[nodiscard]] Bytes answer_probe(std::uint32_t identifier);

    /// Carries out a record and appends its answer.
    void answer_record(const Record& record, const WireFormat& format, Bytes& answer, Pacing& pacing);

    void clear_error_status() { error_status_ = 0; }
    /// For whoever serves several clients, each with a status of its own.
    [[nodiscard]] std::uint64_t error_status() const { return error_status_; }
    void set_error_status(std::uint64_t status) { error_status_ = status; }
    [[nodiscard]] const Options& options() const { return options_; }
    [[nodiscard]] const SlaveStatistics& statistics() const { return statistics_; }
    [[nodiscard]] SlaveStatistics& statistics() { return statistics_; }

    /// Sees each operation of the bus that fails, and whether a device owns its address; may be left empty.
    std::function<void(const BusAccess&, bool is_owned)> refused;

private:
    std::uint64_t operate(BusAccess access, bool is_configuration, const WireFormat& format, Pacing& pacing);
    [[nodiscard]] std::uint64_t read_configuration(std::uint64_t address, const WireFormat& format) const;
    void write_configuration(std::uint64_t address, std::uint64_t value);

    Bus& bus_;
    Options options_;
    std::uint64_t error_status_ = 0;  // a bit for each operation of the bus, shifted in from the right: 1 if it failed
    bool wants_interrupts_ = false;
    SlaveStatistics statistics_;
};

/// The beginning of a connection over which bytes come without borders: a header, or a probe.
class StreamHeader {
public:
    explicit StreamHeader(EtherboneSlave& slave) : slave_(slave) {}

    /// Takes the header from the front of `bytes` if all of it is there, and appends the answer to a probe. A probe
    /// whose widths the slave does not have is answered, and another header may follow. Returns false if this is no
    /// Etherbone, or is a header without a probe of widths that the slave does not have.
    [[nodiscard]] bool take(ByteView& bytes, Bytes& answer);

    /// The widths that both sides have agreed on, once the header has been taken.
    [[nodiscard]] const std::optional<WireFormat>& format() const { return format_; }

private:
    EtherboneSlave& slave_;
    std::optional<WireFormat> format_;
};

/// One connection over which bytes come without borders: TCP, a character device. Behind its header, there are records
/// only.
class EtherboneStream {
public:
    explicit EtherboneStream(EtherboneSlave& slave) : slave_(slave), header_(slave) {}

    /// Takes bytes, cut anywhere, and appends the answers to what is complete now. Keeps less than the longest record
    /// (4,104 bytes) of what is not. Returns false if this is no Etherbone: the connection is of no use any more.
    [[nodiscard]] bool take(ByteView bytes, Bytes& answer, Pacing& pacing);

    /// Whether the last record left its cycle open: more of it is to come, and nobody else's operations before.
    [[nodiscard]] bool is_in_cycle() const { return is_in_cycle_; }

    /// Bytes of a request that is not complete.
    [[nodiscard]] std::size_t waiting_bytes() const { return pending_.size(); }

private:
    EtherboneSlave& slave_;
    StreamHeader header_;
    Bytes pending_;
    bool is_broken_ = false;
    bool is_in_cycle_ = false;
};

}  // namespace nocbench::wishbone
