#pragma once

namespace nocbench::pcie_transfer {

/// Reads the same part of the memory of the host into an L1 buffer again and again. Compile-time arguments: number of
/// transactions, bytes per call, address of the L1 buffer, address in the memory of the host, virtual channel.
void reader();

/// Writes an L1 buffer to the same part of the memory of the host again and again. Arguments as for the reader.
void writer();

}  // namespace nocbench::pcie_transfer
