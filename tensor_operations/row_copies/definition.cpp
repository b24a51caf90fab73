// Copies of rows within the L1 of one core, with a read per row: narrow rows without their padding, and strided tiles.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "device_model/sim/error.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/primitive.h"
#include "kernels/tensix/kernel_sources.h"
#include "kernels/tensix/program.h"
#include "tensor_operations/row_copies/kernels/kernels.h"

namespace nocbench::row_copies {

namespace {

constexpr std::uint32_t kTileRowBytes = 64;  // 32 values of 16 bits
constexpr std::uint32_t kStrideMax = 1U << 20;
constexpr int kRiscv = 0;
constexpr int kNoc = 0;

/// Returns a stride: that of rows end to end, of rows of whole tiles, or a number of bytes.
std::uint32_t stride_bytes(const Point& point, const std::string& name) {
    const std::uint32_t row_bytes = point.call_size_bytes();
    if (point.says(name, "dense")) {
        return row_bytes;
    }
    if (point.says(name, "tiles")) {
        return (row_bytes + kTileRowBytes - 1) / kTileRowBytes * kTileRowBytes;
    }
    const std::uint32_t stride = point.number(name, 1, kStrideMax);
    if (stride < row_bytes) {
        throw InputError(
            fmt::format("parameter {}: expected at least a row of {} bytes, found {}", name, row_bytes, stride));
    }
    return stride;
}

std::vector<KernelReport> run(const Point& point) {
    Device& device = point.device();
    const LogicalCoordinate core = point.core("core");
    const auto alignment = static_cast<std::uint32_t>(device.architecture().l1.alignment_bytes);
    point.require_one_packet("a row", alignment);
    const std::uint32_t rows = point.num_transactions();
    const std::uint32_t row_bytes = point.call_size_bytes();
    const std::uint32_t source_stride = stride_bytes(point, "source_stride");
    const std::uint32_t target_stride = stride_bytes(point, "target_stride");
    const std::uint64_t target = kL1BufferAddress + std::uint64_t{rows} * source_stride;
    const std::uint64_t end = target + std::uint64_t{rows} * target_stride;
    if (const auto l1_bytes = static_cast<std::uint64_t>(device.architecture().l1.size_bytes); end > l1_bytes) {
        throw InputError(
            fmt::format("parameters num_transactions and call_size: expected rows that end within the {} "
                        "bytes of L1, found an end at {}",
                        l1_bytes, end));
    }

    DataCheck check(point);
    const MemoryPlace first = l1_place(device.grid(), core, kL1BufferAddress);
    const DataCheck::Data content = check.fill(first, first.tile, std::size_t{rows} * source_stride);
    for (std::uint32_t row = 0; row < rows; ++row) {
        const auto begin = content->begin() + std::ptrdiff_t{row} * source_stride;
        check.expect({"reader", TransactionKind::read,
                      l1_place(device.grid(), core, kL1BufferAddress + std::uint64_t{row} * source_stride),
                      l1_place(device.grid(), core, target + std::uint64_t{row} * target_stride),
                      std::make_shared<const std::vector<std::byte>>(begin, begin + row_bytes), 1});
    }

    Program program(device);
    program.add_kernel({core}, {"reader",
                                &row_reader,
                                kRiscv,
                                kNoc,
                                {rows, row_bytes, kL1BufferAddress, source_stride, static_cast<std::uint32_t>(target),
                                 target_stride}});
    program.run();
    return {{.label = "Receiver",
             .kernel = "reader",
             .zone = "RISCV0",
             .riscv = kRiscv,
             .noc = kNoc,
             .transaction_size_bytes = row_bytes,
             .data_fault = check.fault("reader")}};
}

/// The rows of a row of tiles, of which the last one is narrow.
Sweep narrow_sweep(const Architecture& /*architecture*/, Tier tier) {
    return tier == Tier::quick ? Sweep{{32}, {16, 496}} : Sweep{{32}, {16, 48, 64, 80, 112, 176, 240, 304, 368, 496}};
}

/// Tiles of 32 x 32 values of 16 bits.
Sweep tile_sweep(const Architecture& /*architecture*/, Tier tier) {
    return {tier == Tier::quick ? std::vector<std::int64_t>{8} : std::vector<std::int64_t>{1, 8, 64}, {2048}};
}

const RegisterKernelSources kernel_sources{{
    {&row_reader, "tensor_operations/row_copies/kernels/row_reader.cpp", "nocbench::row_copies::row_reader"},
}};

TestDefinition test(int id, const std::string& name, const std::string& description, const std::string& source_stride,
                    const std::string& target_stride, Sweep (*sweep)(const Architecture&, Tier)) {
    const std::string strides =
        "bytes from a row to the next one; dense: no gaps; tiles: rows of whole tiles of 64 bytes";
    return {.id = id,
            .name = name,
            .primitive = "row_copies",
            .description = description,
            .headings = {"Row Copies", name},
            .kernels = {"Receiver"},
            .parameters = {{"core", "0,0", "logical core that copies", true},
                           {"source_stride", source_stride, strides},
                           {"target_stride", target_stride, "the same of the copies"}},
            .sweep = sweep,
            .run = &run,
            .only_on = "quasar"};
}

const RegisterTests registration{{
    test(918, "Narrow Row", "One core copies narrow rows within its L1, without the padding behind each.", "tiles",
         "dense", &narrow_sweep),
    test(923, "Strided Tiles", "One core copies every second tile within its L1, to every second place.", "4096",
         "4096", &tile_sweep),
}};

}  // namespace

}  // namespace nocbench::row_copies
