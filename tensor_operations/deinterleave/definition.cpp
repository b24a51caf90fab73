// Reads of every second row of a shard, as when splitting an image with interleaved columns into halves.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/frame/pages/row_reads.h"
#include "kernels/frame/primitive.h"

namespace nocbench::deinterleave {

namespace {

/// Makes each core read the even rows of the next core's shard, cyclically.
std::vector<KernelReport> run(const Point& point) {
    constexpr std::uint32_t kRowsMax = 65535;
    constexpr std::uint32_t kInterleaved = 2;
    point.require_one_packet("a row");
    const Grid& grid = point.device().grid();
    const auto all_cores = static_cast<std::uint32_t>(grid.compute_columns() * grid.compute_rows());
    const std::uint32_t num_cores = point.says("cores", "all") ? all_cores : point.number("cores", 1, all_cores);
    const std::vector<LogicalCoordinate> cores = cores_in_order(point, "cores", 0, num_cores);
    const std::uint32_t num_rows = point.num_transactions();
    const std::uint32_t stride = point.buffer_bytes();
    require_l1_room(point, std::uint64_t{kInterleaved + 1} * num_rows * stride);
    RowPlan plan;
    plan.device_source = "tensor_operations/deinterleave/kernels/device/row_reader.cpp";
    plan.rows_before_barrier = point.says("barrier_every", "end") ? 0 : point.number("barrier_every", 1, kRowsMax);
    for (std::uint32_t index = 0; index < num_cores; ++index) {
        const LogicalCoordinate from =
            num_cores == 1 ? cores_in_order(point, "cores", 1, 1).front() : cores[(index + 1) % num_cores];
        plan.readers.push_back({cores[index],
                                {{.from = from,
                                  .source_address = kL1BufferAddress,
                                  .source_stride_bytes = kInterleaved * stride,
                                  .target_address = kL1BufferAddress + kInterleaved * num_rows * stride,
                                  .target_stride_bytes = stride,
                                  .num_rows = num_rows}}});
    }
    return run_rows(point, plan);
}

template <std::int64_t row_bytes>
Sweep sweep(const Architecture& /*architecture*/, Tier tier) {
    std::vector<std::string> steps{"end", "16", "65535"};
    if (tier == Tier::full) {
        steps = {"end"};
        for (int rows = 16; rows <= 240; rows += 16) {
            steps.push_back(std::to_string(rows));
        }
        steps.emplace_back("65535");
    }
    return {{1024}, {row_bytes}, {{"barrier_every", steps}}};
}

TestDefinition test(int id, const std::string& name, const std::string& cores,
                    Sweep (*sweep_of_test)(const Architecture&, Tier)) {
    return {
        .id = id,
        .name = fmt::format("Deinterleave {}", name),
        .primitive = "deinterleave",
        .description = "Cores read every other row of a shard of another core.",
        .headings = {"Deinterleave", name},
        .kernels = {"Receiver"},
        .parameters = {{"cores", cores, "cores that read, or all of the compute grid"},
                       {"barrier_every", "end", "rows after which a core waits for those before, or end", false, true}},
        .sweep = sweep_of_test,
        .run = &run,
        .kernels_are_compiled = true};
}

const RegisterTests registration{{
    test(200, "Single Core", "1", &sweep<64>),
    test(201, "Multi Core", "all", &sweep<128>),
}};

}  // namespace

}  // namespace nocbench::deinterleave
