// Base of primitives for operations on sharded tensors: cores read rows of bytes from their own L1 or that of other
// cores. Host side of kernels/frame/device/row_reads.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/frame/primitive.h"

namespace nocbench {

/// Rows of `call_size` bytes, at constant strides in the L1 of source and reader.
struct RowBlock {
    LogicalCoordinate from;
    std::uint32_t source_address = 0;
    std::uint32_t source_stride_bytes = 0;
    std::uint32_t target_address = 0;
    std::uint32_t target_stride_bytes = 0;
    std::uint32_t num_rows = 0;
};

struct RowReader {
    LogicalCoordinate core;
    std::vector<RowBlock> blocks;
};

struct RowPlan {
    std::string device_source;  // source of a kernel that calls read_rows()
    std::vector<RowReader> readers;
    std::uint32_t num_rounds = 1;           // over all rows
    std::uint32_t rows_before_barrier = 0;  // 0: one barrier at the end
};

/// Fills the sources, runs the kernels on riscv_1 and NoC 0, and checks the data. A transaction is a row.
std::vector<KernelReport> run_rows(const Point& point, const RowPlan& plan);

/// Returns the number of rounds over `rows` rows that make up the point's transactions. Throws InputError unless the
/// number of transactions is a multiple of `rows`.
std::uint32_t rounds_of_rows(const Point& point, std::uint32_t rows);

/// Throws InputError unless a core's L1 has space for `bytes` behind its buffer address.
void require_l1_room(const Point& point, std::uint64_t bytes);

/// Returns `count` cores of the compute grid, row by row, from index `first`. Throws InputError, naming `parameter`, if
/// there are fewer.
std::vector<LogicalCoordinate> cores_in_order(const Point& point, const std::string& parameter, std::uint32_t first,
                                              std::uint32_t count);

}  // namespace nocbench
