// A core copies the pages of an interleaved tensor into its shard, or its shard into the pages of such a tensor.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "kernels/frame/pages/page_transfers.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"

namespace nocbench::interleaved_to_sharded {

namespace {

constexpr std::uint32_t kShardPages = 128;

template <BankMemory memory, TransactionKind kind>
std::vector<KernelReport> run(const Point& point) {
    PagePlan plan;
    plan.memory = memory;
    plan.cores = {point.core("source")};
    plan.pages_max = kShardPages;
    plan.l1_pages = kShardPages;
    if (kind == TransactionKind::read) {
        plan.reader = {.device_source = "tensor_operations/interleaved_to_sharded/kernels/device/page_reader.cpp",
                       .riscv = 1,
                       .noc = 0};
    } else {
        plan.writer = {.device_source = "tensor_operations/interleaved_to_sharded/kernels/device/page_writer.cpp",
                       .riscv = 0,
                       .noc = 1};
    }
    return run_pages(point, plan);
}

template <std::int64_t num_pages, std::int64_t page_bytes>
Sweep sweep(const Architecture& /*architecture*/, Tier /*tier*/) {
    return {{num_pages}, {page_bytes}};
}

TestDefinition test(int id, const std::string& name, bool reads, Sweep (*sweep_of_test)(const Architecture&, Tier),
                    std::vector<KernelReport> (*run_point)(const Point&)) {
    return {.id = id,
            .name = fmt::format("Interleaved to Sharded {}", name),
            .primitive = "interleaved_to_sharded",
            .description = reads ? "A core reads the pages of an interleaved tensor into its shard."
                                 : "A core writes its shard into the pages of an interleaved tensor.",
            .headings = {"Interleaved to Sharded", name},
            .kernels = {reads ? "Receiver" : "Sender"},
            .parameters = {core_parameter("source", "0,0", "logical core that has the shard")},
            .sweep = sweep_of_test,
            .run = run_point,
            .kernels_are_compiled = true};
}

constexpr auto kRead = TransactionKind::read;
constexpr auto kWrite = TransactionKind::write;

const RegisterTests registration{{
    test(400, "DRAM Row Major Writer", false, &sweep<128, 256>, &run<BankMemory::dram, kWrite>),
    test(401, "DRAM Tile Writer", false, &sweep<8, 4096>, &run<BankMemory::dram, kWrite>),
    test(402, "DRAM Tile Reader", true, &sweep<4, 2048>, &run<BankMemory::dram, kRead>),
    test(403, "L1 Tile Reader", true, &sweep<4, 2048>, &run<BankMemory::l1, kRead>),
    test(404, "DRAM Row Major Reader", true, &sweep<128, 512>, &run<BankMemory::dram, kRead>),
    test(405, "L1 Row Major Reader", true, &sweep<128, 512>, &run<BankMemory::l1, kRead>),
}};

}  // namespace

}  // namespace nocbench::interleaved_to_sharded
