#pragma once

namespace nocbench::pcie_transfer {

/// Reads one part of host memory into an L1 buffer repeatedly. Compile-time arguments: number of transactions, bytes
/// per call, address of the L1 buffer, address in host memory, virtual channel.
void reader();

/// Writes an L1 buffer to one part of host memory repeatedly. Arguments as for the reader.
void writer();

}  // namespace nocbench::pcie_transfer
