// The calls by which a program on a host reaches a Wishbone bus by Etherbone. Their vocabulary is that of the library
// for the hardware: a socket, a device opened on it, cycles of reads and writes, blocking or with a callback.
//
//     etherbone::Socket socket(host);
//     etherbone::Device device(socket);
//     std::uint64_t high = 0, low = 0;
//     etherbone::Cycle cycle(device);
//     cycle.read(0x40018, &high);
//     cycle.read(0x4001c, &low);
//     cycle.close();  // blocks until the answer is there
//
// Calls take the time that they take on the host: for each cycle and operation in the library, for the calls of the
// operating system, and for the way to the FPGA and back. Misuse throws KernelError that names the kernel and the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "device_model/wishbone/etherbone_codec.h"
#include "device_model/wishbone/wishbone_host.h"

namespace nocbench::etherbone {

using Address = std::uint64_t;
using Value = std::uint64_t;

/// The result of a cycle. `errors` has a value for each operation of the bus, in order; true: the bus refused it. It is
/// empty after a cycle that was closed silently.
struct CycleResult {
    std::vector<bool> errors;

    [[nodiscard]] bool is_ok() const;
};

/// Is called by Socket::run() when a cycle has been answered, or, if it asks for no answer, sent.
using Callback = std::function<void(const CycleResult&)>;

/// An operation of a cycle.
struct Operation {
    bool is_write = false;
    bool is_configuration = false;  // of the configuration space of the Etherbone slave
    Address address = 0;
    int size_bytes = 4;
    Value value = 0;          // of a write
    Value* result = nullptr;  // of a read; null: it is not wanted
};

/// A cycle as records, and where its answers go.
struct EncodedCycle {
    wishbone::Bytes records;
    std::size_t num_results = 0;   // values that come back, those of configuration registers included
    std::size_t num_statuses = 0;  // words of error status that come back
    bool has_reads = false;
};

/// Puts a cycle into records as the library does: writes in sequence or to one address make one record, with the reads
/// behind them that are of the same lanes. In a checked cycle, the error status is read after as many operations of the
/// bus as it has bits, and at the end. Results come back to `return_address`, statuses to the address behind it.
EncodedCycle encode_cycle(const std::vector<Operation>& operations, bool is_checked, std::uint64_t return_address,
                          const wishbone::WireFormat& format);

class Device;

/// The event loop of a program on a host.
class Socket {
public:
    explicit Socket(WishboneHost& host) : host_(host) {}

    [[nodiscard]] WishboneHost& host() { return host_; }

    /// Sends what is queued, and handles answers until all cycles are answered.
    void run();

private:
    friend class Device;

    WishboneHost& host_;
    Device* device_ = nullptr;
};

/// The way to an FPGA. Opening it sends a probe, which agrees on widths of addresses and data.
class Device {
public:
    /// `widths`: what the program can do; the widest that both sides have is used. Throws KernelError if there is none,
    /// or the socket has a device already.
    explicit Device(Socket& socket, wishbone::WidthSet address_widths = 0xf, wishbone::WidthSet port_widths = 0xf);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] Socket& socket() { return socket_; }
    [[nodiscard]] const wishbone::WireFormat& format() const { return format_; }

    /// A blocking cycle of one operation, whose status is checked. Throws KernelError if the bus refuses it.
    Value read(Address address, int size_bytes = 4);
    void write(Address address, Value value, int size_bytes = 4);

    /// Finds a device in the bus's table of devices, as programs do first. Blocking cycles read the table, one for each
    /// of its records. Returns the first address. Throws KernelError if there is none.
    Address find(std::uint64_t vendor, std::uint32_t product);

private:
    friend class Cycle;
    friend class Socket;

    struct PendingCycle {
        EncodedCycle encoded;
        std::uint64_t return_address = 0;
        std::vector<Operation> operations;
        Callback callback;
        std::vector<Value> results;
        std::vector<Value> statuses;
        bool is_checked = true;

        [[nodiscard]] bool is_answered() const {
            return results.size() == encoded.num_results && statuses.size() == encoded.num_statuses;
        }
    };

    void queue(std::vector<Operation> operations, bool is_checked, Callback callback);
    void flush();
    void handle_answer();
    void take_answer(const wishbone::Record& record);
    void finish(PendingCycle cycle);
    [[nodiscard]] CycleResult result_of(const PendingCycle& cycle) const;

    Socket& socket_;
    wishbone::WireFormat format_;
    std::uint64_t next_return_address_;
    std::deque<PendingCycle> queued_;
    std::deque<PendingCycle> sent_;
    wishbone::Bytes received_;  // of a stream: less than a record
};

/// Operations that are carried out in order, with nobody else's between them.
class Cycle {
public:
    /// Opens a cycle. With a callback, close() queues it, and Socket::run() sends it; without one, close() blocks.
    explicit Cycle(Device& device, Callback callback = {}) : device_(device), callback_(std::move(callback)) {}

    /// `size_bytes`: 1, 2, 4 or 8, the port's width at most; `address`: a multiple of it. `result` must live until the
    /// cycle is answered. Throws KernelError for what is not so, or if the cycle is closed.
    void read(Address address, Value* result, int size_bytes = 4);
    void write(Address address, Value value, int size_bytes = 4);
    /// A register of the configuration space, as wide as the port.
    void read_configuration(Address address, Value* result);
    void write_configuration(Address address, Value value);

    /// Ends the cycle. The program learns which operations failed. Throws KernelError if it does not fit into a
    /// datagram; nothing is sent then.
    CycleResult close() { return close(true); }
    /// The same, but nobody asks whether operations failed.
    void close_silently() { static_cast<void>(close(false)); }

private:
    CycleResult close(bool is_checked);
    void add(std::string_view call, const Operation& operation);

    Device& device_;
    Callback callback_;
    std::vector<Operation> operations_;
    bool is_closed_ = false;
};

}  // namespace nocbench::etherbone
