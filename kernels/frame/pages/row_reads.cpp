#include "kernels/frame/pages/row_reads.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "device_model/sim/error.h"
#include "kernels/frame/data_check.h"
#include "kernels/tensix/program.h"

namespace nocbench {

namespace {

constexpr int kRiscv = 1;
constexpr int kNoc = 0;

/// Range of a core's L1.
struct Extent {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

/// Returns a range per core that covers all reads from the core.
std::map<LogicalCoordinate, Extent> sources_of(const RowPlan& plan, std::uint32_t row_bytes) {
    std::map<LogicalCoordinate, Extent> sources;
    for (const RowReader& reader : plan.readers) {
        for (const RowBlock& block : reader.blocks) {
            const std::uint32_t end =
                block.source_address + (block.num_rows - 1) * block.source_stride_bytes + row_bytes;
            const auto [found, is_new] = sources.try_emplace(block.from, Extent{block.source_address, end});
            found->second.begin = std::min(found->second.begin, block.source_address);
            found->second.end = std::max(found->second.end, end);
        }
    }
    return sources;
}

void expect_rows(DataCheck& check, const Point& point, const RowPlan& plan) {
    const Grid& grid = point.device().grid();
    const std::uint32_t row_bytes = point.call_size_bytes();
    const std::map<LogicalCoordinate, Extent> sources = sources_of(plan, row_bytes);
    std::map<LogicalCoordinate, DataCheck::Data> contents;
    for (const auto& [core, extent] : sources) {
        const MemoryPlace place = l1_place(grid, core, extent.begin);
        contents[core] = check.fill(place, place.tile, extent.end - extent.begin);
    }
    for (const RowReader& reader : plan.readers) {
        for (const RowBlock& block : reader.blocks) {
            const std::vector<std::byte>& content = *contents.at(block.from);
            for (std::uint32_t row = 0; row < block.num_rows; ++row) {
                const std::uint32_t source = block.source_address + row * block.source_stride_bytes;
                const auto begin = content.begin() + (source - sources.at(block.from).begin);
                check.expect({"reader", TransactionKind::read, l1_place(grid, block.from, source),
                              l1_place(grid, reader.core, block.target_address + row * block.target_stride_bytes),
                              std::make_shared<const std::vector<std::byte>>(begin, begin + row_bytes),
                              plan.num_rounds});
            }
        }
    }
}

}  // namespace

std::vector<KernelReport> run_rows(const Point& point, const RowPlan& plan) {
    const Grid& grid = point.device().grid();
    DataCheck check(point);
    expect_rows(check, point, plan);
    Program program(point.device());
    for (const RowReader& reader : plan.readers) {
        std::vector<std::uint32_t> arguments{plan.num_rounds, plan.rows_before_barrier,
                                             static_cast<std::uint32_t>(reader.blocks.size())};
        for (const RowBlock& block : reader.blocks) {
            const TranslatedCoordinate from = grid.translated(block.from);
            arguments.insert(arguments.end(), {static_cast<std::uint32_t>(from.x), static_cast<std::uint32_t>(from.y),
                                               block.source_address, block.source_stride_bytes, block.target_address,
                                               block.target_stride_bytes, block.num_rows});
        }
        program.add_kernel({reader.core},
                           {"reader", nullptr, kRiscv, kNoc, {point.call_size_bytes()}, plan.device_source});
        program.set_runtime_args(reader.core, kRiscv, arguments);
    }
    program.run();
    return {{.label = "Receiver",
             .kernel = "reader",
             .zone = "READ",
             .riscv = kRiscv,
             .noc = kNoc,
             .transaction_size_bytes = point.call_size_bytes(),
             .data_fault = check.fault("reader")}};
}

std::uint32_t rounds_of_rows(const Point& point, std::uint32_t rows) {
    if (point.num_transactions() % rows != 0) {
        throw InputError(
            fmt::format("parameter num_transactions: expected a multiple of the {} different rows, found {}", rows,
                        point.num_transactions()));
    }
    return point.num_transactions() / rows;
}

void require_l1_room(const Point& point, std::uint64_t bytes) {
    const auto l1_bytes = static_cast<std::uint64_t>(point.device().architecture().l1.size_bytes);
    if (kL1BufferAddress + bytes > l1_bytes) {
        throw InputError(
            fmt::format("parameters num_transactions and call_size: {} bytes at 0x{:x} do not fit into L1, "
                        "which ends at 0x{:x}",
                        bytes, kL1BufferAddress, l1_bytes));
    }
}

std::vector<LogicalCoordinate> cores_in_order(const Point& point, const std::string& parameter, std::uint32_t first,
                                              std::uint32_t count) {
    const Grid& grid = point.device().grid();
    const auto columns = static_cast<std::uint32_t>(grid.compute_columns());
    const std::uint32_t all = columns * static_cast<std::uint32_t>(grid.compute_rows());
    if (first + count > all) {
        throw InputError(fmt::format("parameter {}: expected at most {}, with the {} cores of board {}, found {}",
                                     parameter, all - first, all, point.device().board().name, count));
    }
    std::vector<LogicalCoordinate> cores;
    for (std::uint32_t index = first; index < first + count; ++index) {
        cores.push_back({.x = static_cast<int>(index % columns), .y = static_cast<int>(index / columns)});
    }
    return cores;
}

}  // namespace nocbench
