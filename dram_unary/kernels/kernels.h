#pragma once

namespace nocbench::dram_unary {

/// Reads one part of a DRAM bank repeatedly into a page of a circular buffer, and pushes the page. Compile-time
/// arguments: number of transactions, bytes per call, bank, address in the bank, circular buffer, virtual channel.
void reader();

/// Waits for the page, writes it repeatedly to one part of a DRAM bank, and pops it. Arguments as for the reader.
void writer();

/// Reads one part of DRAM into an L1 buffer repeatedly. Compile-time arguments: number of transactions, bytes per call,
/// address of the L1 buffer, virtual channel, maximum number of packets in flight (0: no limit). Runtime arguments: x
/// and y of a DRAM tile, address within DRAM.
void channel_reader();

/// Writes an L1 buffer to one part of DRAM repeatedly. Arguments as for the channel reader.
void channel_writer();

}  // namespace nocbench::dram_unary
