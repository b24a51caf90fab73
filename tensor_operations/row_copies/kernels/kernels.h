#pragma once

namespace nocbench::row_copies {

/// Reads rows from the L1 of its own core into another buffer there, by stateful calls. Compile-time arguments: number
/// of rows, bytes of a row, address of the first row, its stride, address of the first copy, its stride.
void row_reader();

}  // namespace nocbench::row_copies
