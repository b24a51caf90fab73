// Constants of a host that reaches a Wishbone bus in an FPGA across a bridge, as read from archs/*.yaml of kind
// `wishbone_bridge`. A board names a host, a bridge and an FPGA; their constants stand once, under these names.
// fields.cpp declares the meaning of each field, its unit, its range and its key in the file.
#pragma once

#include <cstdint>
#include <string>

#include "device_model/sim/simulated_time.h"

namespace nocbench {

struct Board;

/// The bus moves so much at once.
inline constexpr std::int64_t kBusWordBytes = 4;

/// A computer and its software: the Etherbone library, the operating system and its drivers.
struct BridgeHostConstants {
    std::int64_t library_operation_ns = 0;
    std::int64_t library_cycle_ns = 0;
    std::int64_t system_call_ns = 0;
    std::int64_t driver_ns = 0;              // a message through a character device, there and back
    std::int64_t network_ns = 0;             // the same through the network's stack and card
    std::int64_t interrupt_interval_ns = 0;  // of the USB controller
    std::int64_t word_read_ns = 0;           // over the processor's bus
};

/// A bridge joins a host to an FPGA. Flags are 0 or 1.
struct BridgeConstants {
    std::int64_t carries_datagrams = 0;        // through the network's stack
    std::int64_t executes_in_driver = 0;       // the host's driver is the Etherbone slave
    std::int64_t driver_reads_answers = 0;     // word by word
    std::int64_t completes_by_interrupt = 0;   // of a USB controller
    std::int64_t directions_share = 0;         // words of both directions take turns
    std::int64_t byte_ns = 0;                  // on the wire
    std::int64_t frame_head_bytes = 0;         // before the payload
    std::int64_t frame_tail_bytes = 0;         // behind it, the gap to the next frame included
    std::int64_t frame_payload_bytes_min = 0;  // shorter ones are padded
    std::int64_t message_bytes_max = 0;        // a datagram, or what a library hands over at once
    std::int64_t latency_ns = 0;               // each way, of the bridge and its hardware
    std::int64_t switch_ns = 0;                // of each switch on the way
    std::int64_t fibre_picoseconds_per_metre = 0;
};

/// The FPGA: the Etherbone slave, the crossbar and the devices behind it.
struct FpgaConstants {
    Cycle slave_word_cycles = 1;  // between two words that it takes
    Cycle answer_cycles = 0;      // from a word of a request to its word of the answer, if it asks for nothing
    std::int64_t operations_in_flight_max = 1;
    Cycle crossbar_cycles = 0;  // each way
    Cycle memory_cycles = 1;    // until an access is acknowledged
    Cycle register_cycles = 1;  // the same, of registers
    Cycle configuration_cycles = 1;
    std::int64_t memory_bytes = 0;
};

/// The parts of a board.
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
    WishboneConstants wishbone;  // of these parts

    // As of the Board.
    std::string name;
    std::int64_t clock_hz = 0;
};

/// The constants of a board of this kind. Throws InputError for one of another kind.
const WishboneBoard& wishbone_of(const Board& board);
WishboneBoard& wishbone_of(Board& board);

}  // namespace nocbench
