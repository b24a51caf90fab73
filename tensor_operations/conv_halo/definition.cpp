// Gathering of a convolution's windows from the pixels of an image. Most pixels are in the shard of the gathering core;
// those at the edge, the halo, are in the neighbour's shard.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "device_model/sim/error.h"
#include "kernels/frame/pages/row_reads.h"
#include "kernels/frame/primitive.h"

namespace nocbench::conv_halo {

namespace {

constexpr std::uint32_t kCoresMax = 64;
constexpr std::uint32_t kWindowsMax = 1024;  // maximum number of distinct windows

/// Returns the bytes per pixel, the distance between windows.
std::uint32_t pixel_bytes_of(const Point& point) {
    constexpr std::uint32_t kPixelBytesMax = 65536;
    const std::uint32_t bytes = point.number("pixel_bytes", 16, kPixelBytesMax);
    const auto alignment = static_cast<std::uint32_t>(point.device().architecture().l1.alignment_bytes);
    if (bytes % alignment != 0) {
        throw InputError(
            fmt::format("parameter pixel_bytes: expected a multiple of {} bytes, found {}", alignment, bytes));
    }
    return bytes;
}

std::vector<KernelReport> run(const Point& point) {
    const std::uint32_t pixel_bytes = pixel_bytes_of(point);
    const std::uint32_t halo_percent = point.number("halo_percent", 0, 100);
    const std::uint32_t num_cores = point.number("cores", 1, kCoresMax);
    const std::vector<LogicalCoordinate> cores = cores_in_order(point, "cores", 0, num_cores + 1);
    const std::uint32_t windows = std::min(point.num_transactions(), kWindowsMax);
    const std::uint32_t stride = point.buffer_bytes();
    // The image extends to the end of the last window, rounded up to align the gathered data behind it.
    const std::uint32_t image_bytes = (windows * pixel_bytes / stride + 2) * stride;
    require_l1_room(point, image_bytes + std::uint64_t{windows} * stride);

    RowPlan plan;
    plan.device_source = "tensor_operations/conv_halo/kernels/device/row_reader.cpp";
    plan.num_rounds = rounds_of_rows(point, windows);
    const std::uint32_t in_halo = windows * halo_percent / 100;
    for (std::uint32_t index = 0; index < num_cores; ++index) {
        RowReader reader{cores[index], {}};
        const auto gather = [&](LogicalCoordinate from, std::uint32_t first, std::uint32_t count) {
            if (count != 0) {
                reader.blocks.push_back({.from = from,
                                         .source_address = kL1BufferAddress + first * pixel_bytes,
                                         .source_stride_bytes = pixel_bytes,
                                         .target_address = kL1BufferAddress + image_bytes + first * stride,
                                         .target_stride_bytes = stride,
                                         .num_rows = count});
            }
        };
        gather(cores[index], 0, windows - in_halo);
        gather(cores[index + 1], windows - in_halo, in_halo);
        plan.readers.push_back(std::move(reader));
    }
    return run_rows(point, plan);
}

template <std::int64_t num_windows, std::int64_t window_bytes>
Sweep sweep(const Architecture& /*architecture*/, Tier tier) {
    const std::int64_t most = tier == Tier::quick ? std::int64_t{kWindowsMax} : num_windows;
    return {{std::min(num_windows, most)}, {window_bytes}};
}

TestDefinition test(int id, const std::string& name, const std::string& cores, const std::string& pixel_bytes,
                    const std::string& halo_percent, Sweep (*sweep_of_test)(const Architecture&, Tier)) {
    return {.id = id,
            .name = fmt::format("Conv {}", name),
            .primitive = "conv_halo",
            .description = "Cores gather windows of an image from their own L1 and from that of the next core.",
            .headings = {"Conv", name},
            .kernels = {"Receiver"},
            .parameters = {{"cores", cores, "cores that gather; the halo of the last one is on one core more"},
                           {"pixel_bytes", pixel_bytes, "bytes from the begin of a window to that of the next"},
                           {"halo_percent", halo_percent, "share of the windows that the next core has, in percent"}},
            .sweep = sweep_of_test,
            .run = &run,
            .kernels_are_compiled = true};
}

const RegisterTests registration{{
    test(21, "Halo 3x3", "2", "64", "10", &sweep<9216, 192>),
    test(22, "Halo Small", "2", "16", "10", &sweep<49152, 16>),
    test(23, "Halo Gather", "1", "2048", "100", &sweep<11, 2048>),
}};

}  // namespace

}  // namespace nocbench::conv_halo
