// Constants of a host that reaches a Wishbone bus in an FPGA across a bridge, from archs/*.yaml of kind
// `wishbone_bridge`. A board names a host, a bridge and an FPGA; the constants of each are listed once under its name.
// fields.cpp declares meaning, unit, range and key of each field.
#pragma once

#include <cstdint>
#include <string>

#include "device_model/sim/simulated_time.h"

namespace nocbench {

struct Board;

/// Bytes moved by one bus operation.
inline constexpr std::int64_t kBusWordBytes = 4;

/// Computer with its software: the Etherbone library, the operating system and its drivers.
struct BridgeHostConstants {
    std::int64_t library_operation_ns = 0;
    std::int64_t library_cycle_ns = 0;
    std::int64_t system_call_ns = 0;
    std::int64_t driver_ns = 0;              // a message through a character device, both ways
    std::int64_t network_ns = 0;             // a message through the network stack and card, both ways
    std::int64_t interrupt_interval_ns = 0;  // of the USB controller
    std::int64_t word_read_ns = 0;           // over the processor's bus
};

/// Bridge between a host and an FPGA. Flags are 0 or 1.
struct BridgeConstants {
    std::int64_t carries_datagrams = 0;        // through the network stack
    std::int64_t executes_in_driver = 0;       // the host's driver is the Etherbone slave
    std::int64_t driver_reads_answers = 0;     // word by word
    std::int64_t completes_by_interrupt = 0;   // of a USB controller
    std::int64_t directions_share = 0;         // words of both directions share the wire alternately
    std::int64_t byte_ns = 0;                  // on the wire
    std::int64_t frame_head_bytes = 0;         // before the payload
    std::int64_t frame_tail_bytes = 0;         // behind the payload, including the gap to the next frame
    std::int64_t frame_payload_bytes_min = 0;  // shorter payloads are padded
    std::int64_t message_bytes_max = 0;        // of a datagram, or of one call of a library
    std::int64_t latency_ns = 0;               // each way, of the bridge and its hardware
    std::int64_t switch_ns = 0;                // of each switch on the way
    std::int64_t fibre_picoseconds_per_metre = 0;
};

/// FPGA: the Etherbone slave, the crossbar and the devices behind it.
struct FpgaConstants {
    Cycle slave_word_cycles = 1;  // between two words that the slave accepts
    Cycle answer_cycles = 0;      // from a word of a request to its word of the answer, without a bus operation
    std::int64_t operations_in_flight_max = 1;
    Cycle crossbar_cycles = 0;  // each way
    Cycle memory_cycles = 1;    // until an access is acknowledged
    Cycle register_cycles = 1;  // until an access to a register is acknowledged
    Cycle configuration_cycles = 1;
    std::int64_t memory_bytes = 0;
};

/// Constants of a board's parts.
struct WishboneConstants {
    BridgeHostConstants host;
    BridgeConstants bridge;
    FpgaConstants fpga;
};

struct WishboneBoard {
    std::string host;  // names of parts
    std::string bridge;
    std::string fpga;
    std::int64_t switches = 0;
    std::int64_t fibre_metres = 0;
    WishboneConstants wishbone;  // constants of these parts

    // Copied from the Board.
    std::string name;
    std::int64_t clock_hz = 0;
};

/// Return the constants of a board of this kind. Throw InputError for another kind.
const WishboneBoard& wishbone_of(const Board& board);
WishboneBoard& wishbone_of(Board& board);

}  // namespace nocbench
