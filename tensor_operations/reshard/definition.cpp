// Resharding of a tensor: every core reads the pages of its new shard from the cores that have the old shards.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/frame/pages/row_reads.h"
#include "kernels/frame/primitive.h"

namespace nocbench::reshard {

namespace {

constexpr std::uint32_t kCoresMax = 64;

/// Returns the pages of new shard `shard` as blocks, each within one old shard.
std::vector<RowBlock> blocks_of(const Point& point, const std::vector<LogicalCoordinate>& old_cores,
                                std::uint32_t shard, std::uint32_t pages_per_old_shard) {
    const std::uint32_t num_pages = point.num_transactions();
    const std::uint32_t stride = point.buffer_bytes();
    std::vector<RowBlock> blocks;
    for (std::uint32_t page = 0; page < num_pages;) {
        const std::uint32_t in_tensor = shard * num_pages + page;
        const std::uint32_t in_old_shard = in_tensor % pages_per_old_shard;
        const std::uint32_t in_block = std::min(num_pages - page, pages_per_old_shard - in_old_shard);
        // Old shards begin at the buffer address, and new shards behind the longest old shard.
        blocks.push_back({.from = old_cores[in_tensor / pages_per_old_shard],
                          .source_address = kL1BufferAddress + in_old_shard * stride,
                          .source_stride_bytes = stride,
                          .target_address = kL1BufferAddress + (pages_per_old_shard + page) * stride,
                          .target_stride_bytes = stride,
                          .num_rows = in_block});
        page += in_block;
    }
    return blocks;
}

std::vector<KernelReport> run(const Point& point) {
    const std::uint32_t num_cores = point.number("cores", 1, kCoresMax);
    const std::uint32_t num_old_cores = point.number("old_cores", 1, kCoresMax);
    const std::vector<LogicalCoordinate> cores = cores_in_order(point, "cores", 0, num_cores);
    const std::vector<LogicalCoordinate> old_cores = cores_in_order(point, "old_cores", num_cores, num_old_cores);
    const std::uint64_t all_pages = std::uint64_t{num_cores} * point.num_transactions();
    const std::uint64_t pages_per_old_shard = (all_pages + num_old_cores - 1) / num_old_cores;
    require_l1_room(point, (pages_per_old_shard + point.num_transactions()) * point.buffer_bytes());
    RowPlan plan;
    plan.device_source = "tensor_operations/reshard/kernels/device/row_reader.cpp";
    for (std::uint32_t shard = 0; shard < num_cores; ++shard) {
        plan.readers.push_back(
            {cores[shard], blocks_of(point, old_cores, shard, static_cast<std::uint32_t>(pages_per_old_shard))});
    }
    return run_rows(point, plan);
}

template <std::int64_t num_pages, std::int64_t page_bytes>
Sweep sweep(const Architecture& /*architecture*/, Tier /*tier*/) {
    return {{num_pages}, {page_bytes}};
}

TestDefinition test(int id, const std::string& name, const std::string& old_cores, const std::string& cores,
                    Sweep (*sweep_of_test)(const Architecture&, Tier)) {
    return {.id = id,
            .name = fmt::format("Reshard {}", name),
            .primitive = "reshard",
            .description = fmt::format("A tensor on {} cores is moved to {} others, which read it.", old_cores, cores),
            .headings = {"Reshard", name},
            .kernels = {"Receiver"},
            .parameters = {{"old_cores", old_cores, "cores that have the tensor, behind those that read it"},
                           {"cores", cores, "cores that read it, each as many pages as there are transactions"}},
            .sweep = sweep_of_test,
            .run = &run,
            .kernels_are_compiled = true};
}

const RegisterTests registration{{
    test(17, "Small", "2", "2", &sweep<2, 2048>),
    test(18, "Medium", "2", "2", &sweep<12, 4096>),
    test(19, "Many", "8", "8", &sweep<8, 4096>),
    test(20, "2 to Many", "2", "5", &sweep<1, 4096>),
}};

}  // namespace

}  // namespace nocbench::reshard
