// An FPGA that programs outside of the simulator reach, its time, and the cost of a request.
//
// With modeled time, the FPGA's clock stands still between requests. Each message moves it on by what the message takes
// a host that waits for the answer: the library and three calls of the operating system (write, wait, read), the
// bridge, the slave and the bus, and the way back. So the clock does not depend on the computer that serves, and a
// client that does the same again reads the same digits. Clients share one host: their messages come one after the
// other.
//
// On a stream, a message is what a client sends at once: all cycles up to one that nothing follows. TCP and terminals
// cut bytes as they like, but a client that sends whole cycles ends with one, so that cuts within cycles change
// nothing.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/wishbone/bridge_path.h"
#include "device_model/wishbone/devices/bus_device.h"
#include "device_model/wishbone/etherbone_codec.h"
#include "device_model/wishbone/fpga.h"

namespace nocbench::etherbone_server {

enum class TimeSource {
    modeled,  // the FPGA's clock moves with messages, by what they would take
    host,     // it is the computer's own, since the start
};

class ServedFpga {
public:
    /// Throws InputError as wishbone::Fpga does.
    ServedFpga(Board board, std::vector<std::unique_ptr<wishbone::BusDevice>> further, TimeSource time_source);
    ServedFpga(const ServedFpga&) = delete;
    ServedFpga& operator=(const ServedFpga&) = delete;

    /// Carries out a datagram and returns the answer; empty: there is none.
    wishbone::Bytes answer_datagram(wishbone::ByteView datagram);

    /// Carries out records of a stream that were sent at once and took so many bytes, and appends the answer. Returns
    /// whether a client waits for it: nobody waits for the zeros that answer writes alone.
    bool answer_records(std::span<const wishbone::Record> records, const wishbone::WireFormat& format,
                        std::size_t bytes, wishbone::Bytes& answer);

    [[nodiscard]] wishbone::EtherboneSlave& slave() { return fpga_.slave(); }
    [[nodiscard]] const wishbone::SlaveStatistics& statistics() { return fpga_.slave().statistics(); }
    [[nodiscard]] bool is_modeled() const { return time_source_ == TimeSource::modeled; }

    /// Nanoseconds since the FPGA has started.
    [[nodiscard]] std::int64_t now_ns() const;

private:
    /// The work that a message is to the library.
    struct Load {
        std::size_t bytes = 0;
        std::int64_t ended_cycles = 0;
        std::int64_t operations = 0;
        bool is_open = false;  // a cycle, which ends with the message
        bool is_understood = false;

        void add(const wishbone::Record& record);
        [[nodiscard]] std::int64_t num_cycles() const { return ended_cycles + (is_open ? 1 : 0); }
    };

    /// The slave's work on a message. Returns the length of the answer that a client waits for, or 0.
    using Work = std::function<std::size_t(wishbone::Pacing&)>;

    [[nodiscard]] Load load_of(wishbone::ByteView datagram);
    void carry_out(const Load& load, const Work& work);

    Board board_;
    wishbone::BoardClock clock_;
    wishbone::Fpga fpga_;
    wishbone::SlaveOccupation occupation_;
    wishbone::BridgePath path_;
    TimeSource time_source_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    Tick now_ = 0;  // modeled
};

}  // namespace nocbench::etherbone_server
