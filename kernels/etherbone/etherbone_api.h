// API for host programs that access a Wishbone bus by Etherbone, in the terms of the hardware's library: a socket, a
// device opened on it, and cycles of reads and writes, blocking or with a callback.
//
//     etherbone::Socket socket(host);
//     etherbone::Device device(socket);
//     std::uint64_t high = 0, low = 0;
//     etherbone::Cycle cycle(device);
//     cycle.read(0x40018, &high);
//     cycle.read(0x4001c, &low);
//     cycle.close();  // blocks until the answer has arrived
//
// Calls take the host's time: library time for each cycle and operation, system calls, and the round trip to the FPGA.
// Misuse throws KernelError that names the kernel and the call.
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

/// Result of a cycle. `errors` has an entry for each bus operation in order, true if the bus refused the operation.
/// Empty for cycles closed silently.
struct CycleResult {
    std::vector<bool> errors;

    [[nodiscard]] bool is_ok() const;
};

/// Called by Socket::run() when a cycle is answered or, if it needs no answer, sent.
using Callback = std::function<void(const CycleResult&)>;

struct Operation {
    bool is_write = false;
    bool is_configuration = false;  // in the Etherbone slave's configuration space
    Address address = 0;
    int size_bytes = 4;
    Value value = 0;          // of a write
    Value* result = nullptr;  // of a read; null: discarded
};

/// Cycle as records, and the layout of its answers.
struct EncodedCycle {
    wishbone::Bytes records;
    std::size_t num_results = 0;   // returned values, including configuration registers
    std::size_t num_statuses = 0;  // returned words of error status
    bool has_reads = false;
};

/// Encodes a cycle as the library does: writes in sequence or to one address form a record, together with the following
/// reads of the same lanes. A checked cycle reads the error status at the end, and whenever all of its bits are in use.
/// Results return to `return_address`, statuses to the next address.
EncodedCycle encode_cycle(const std::vector<Operation>& operations, bool is_checked, std::uint64_t return_address,
                          const wishbone::WireFormat& format);

class Device;

/// Event loop of a host program.
class Socket {
public:
    explicit Socket(WishboneHost& host) : host_(host) {}

    [[nodiscard]] WishboneHost& host() { return host_; }

    /// Sends queued cycles, and handles answers until all are complete.
    void run();

private:
    friend class Device;

    WishboneHost& host_;
    Device* device_ = nullptr;
};

/// Connection to an FPGA. Opening it sends a probe, which negotiates the widths of addresses and data.
class Device {
public:
    /// Negotiates widths: `address_widths` and `port_widths` are those of the program, and the widest common ones are
    /// used. Throws KernelError if there are none, or if the socket already has a device.
    explicit Device(Socket& socket, wishbone::WidthSet address_widths = 0xf, wishbone::WidthSet port_widths = 0xf);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] Socket& socket() { return socket_; }
    [[nodiscard]] const wishbone::WireFormat& format() const { return format_; }

    /// Execute a blocking, checked cycle of one operation. Throw KernelError if the bus refuses the operation.
    Value read(Address address, int size_bytes = 4);
    void write(Address address, Value value, int size_bytes = 4);

    /// Finds a device in the bus's device table, with one blocking cycle per table record. Returns its first address.
    /// Throws KernelError if there is none.
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

/// Sequence of operations, executed without operations of other clients in between.
class Cycle {
public:
    /// Opens a cycle. With a callback, close() queues the cycle, and Socket::run() sends it; otherwise close() blocks.
    explicit Cycle(Device& device, Callback callback = {}) : device_(device), callback_(std::move(callback)) {}

    /// Add an operation. `size_bytes` is 1, 2, 4 or 8, at most the port's width; `address` is a multiple of it.
    /// `result` must live until the cycle is answered. Throw KernelError for invalid arguments or a closed cycle.
    void read(Address address, Value* result, int size_bytes = 4);
    void write(Address address, Value value, int size_bytes = 4);
    /// Access a register of the configuration space, as wide as the port.
    void read_configuration(Address address, Value* result);
    void write_configuration(Address address, Value value);

    /// Ends the cycle. Returns failed operations. Throws KernelError, and sends nothing, if the cycle does not fit into
    /// a datagram.
    CycleResult close() { return close(true); }
    /// Ends the cycle without checking for failed operations.
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
