// FPGA for programs outside the simulator: its time, and the cost of requests.
//
// With modeled time, the FPGA's clock stops between requests. Each message advances the clock by its modeled time for a
// host that waits for the answer: the library and three system calls (write, wait, read), the bridge, the slave and the
// bus, and the way back. The clock is therefore independent of the serving computer, and a client that repeats its
// requests reads identical values. All clients share one host, which sends their messages one after the other.
//
// A client that queues cycles sends one datagram behind the other, and then waits for all answers. The library fills a
// datagram with whole cycles before it begins the next: the host sends on at once after a datagram of several cycles to
// which its last cycle would not have fitted once more.
//
// On a stream, a message is the bytes that a client sends at once, up to the end of a cycle. TCP and terminals may
// split bytes anywhere; splits within a cycle have no effect, provided that the client sends whole cycles.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "device_model/wishbone/arch/constants.h"
#include "device_model/wishbone/bridge_path.h"
#include "device_model/wishbone/devices/bus_device.h"
#include "device_model/wishbone/etherbone_codec.h"
#include "device_model/wishbone/fpga.h"

namespace nocbench::etherbone_server {

enum class TimeSource {
    modeled,  // the FPGA's clock advances by the modeled time of messages
    host,     // the computer's clock, since the start
};

class ServedFpga {
public:
    /// Throws InputError like wishbone::Fpga.
    ServedFpga(WishboneBoard board, std::vector<std::unique_ptr<wishbone::BusDevice>> further, TimeSource time_source);
    ServedFpga(const ServedFpga&) = delete;
    ServedFpga& operator=(const ServedFpga&) = delete;

    /// Executes a datagram. Returns the answer, or nothing.
    wishbone::Bytes answer_datagram(wishbone::ByteView datagram);

    /// Executes records of a stream that were sent at once, in `bytes` bytes, and appends the answer. Returns whether a
    /// client waits for the answer: clients do not wait for zeros that answer only writes.
    bool answer_records(std::span<const wishbone::Record> records, const wishbone::WireFormat& format,
                        std::size_t bytes, wishbone::Bytes& answer);

    [[nodiscard]] wishbone::EtherboneSlave& slave() { return fpga_.slave(); }
    [[nodiscard]] const wishbone::SlaveStatistics& statistics() { return fpga_.slave().statistics(); }
    [[nodiscard]] bool is_modeled() const { return time_source_ == TimeSource::modeled; }

    /// Returns nanoseconds since the FPGA started.
    [[nodiscard]] std::int64_t now_ns() const;

private:
    /// Work of the library for a message.
    struct Load {
        std::size_t bytes = 0;
        std::int64_t ended_cycles = 0;
        std::int64_t operations = 0;
        std::size_t last_cycle_bytes = 0;
        bool is_open = false;  // the message ends within a cycle, and ends it
        bool is_understood = false;

        void add(const wishbone::Record& record, std::size_t record_bytes);
        [[nodiscard]] std::int64_t num_cycles() const { return ended_cycles + (is_open ? 1 : 0); }
    };

    /// Function that executes the slave's work on a message. Returns the length of the answer that a client waits for,
    /// or 0.
    using Work = std::function<std::size_t(wishbone::Pacing&)>;

    [[nodiscard]] Load load_of(wishbone::ByteView datagram);
    void carry_out(const Load& load, const Work& work);

    WishboneBoard board_;
    wishbone::BoardClock clock_;
    wishbone::Fpga fpga_;
    wishbone::SlaveOccupation occupation_;
    wishbone::BridgePath path_;
    TimeSource time_source_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    Tick now_ = 0;              // modeled
    Tick next_begins_ = 0;      // the host, with a datagram behind the last message
    bool more_follow_ = false;  // datagrams behind the last one, before its answer is awaited
};

}  // namespace nocbench::etherbone_server
