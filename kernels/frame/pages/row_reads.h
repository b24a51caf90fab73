// What primitives of operations on sharded tensors have in common: cores read rows of bytes from the L1 of others, or
// from their own; the host's side of kernels/frame/device/row_reads.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/frame/primitive.h"

namespace nocbench {

/// Rows of `call_size` bytes, at equal distances in the L1 of a core and in that of the one that reads them.
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
    std::string device_source;  // a kernel that calls read_rows()
    std::vector<RowReader> readers;
    std::uint32_t num_rounds = 1;           // that read all rows
    std::uint32_t rows_before_barrier = 0;  // 0: the kernel waits at the end only
};

/// Fills what is read, runs the kernels on riscv_1 and NoC 0, and checks the data. A transaction is a row.
std::vector<KernelReport> run_rows(const Point& point, const RowPlan& plan);

/// How often `rows` different rows are read so that the point's transactions come out. Throws InputError unless these
/// are a multiple of the rows.
std::uint32_t rounds_of_rows(const Point& point, std::uint32_t rows);

/// Throws InputError unless the L1 of a core has room for `bytes` behind the address of its buffers.
void require_l1_room(const Point& point, std::uint64_t bytes);

/// The first `count` cores of the compute grid, row by row, from the core of index `first` on. Throws InputError if
/// there are not so many; `parameter` is what asked for them.
std::vector<LogicalCoordinate> cores_in_order(const Point& point, const std::string& parameter, std::uint32_t first,
                                              std::uint32_t count);

}  // namespace nocbench
