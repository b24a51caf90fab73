#pragma once

namespace nocbench::dram_unary {

/// Reads the same part of a DRAM bank into a page of a circular buffer again and again, and pushes the page.
/// Compile-time arguments: number of transactions, bytes per call, bank, address in the bank, circular buffer, virtual
/// channel.
void reader();

/// Waits for the page, writes it to the same part of a DRAM bank again and again, and pops it. Arguments as for the
/// reader.
void writer();

}  // namespace nocbench::dram_unary
