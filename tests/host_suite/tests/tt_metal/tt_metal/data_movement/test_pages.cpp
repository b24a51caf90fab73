// Blocks of banks of DRAM, and pages of buffers: interleaved and sharded, and from one layout to another.
#include "dm_common.hpp"

namespace tt::tt_metal {

using dm::copy_pages, dm::cores_of, dm::interleaved, dm::sharded, dm::Sizes;

namespace {

const std::vector<CoreCoord> kFirst{{0, 0}};
const std::vector<Sizes> kPoints{{1, 64}, {16, 2048}};

/// Reads pages of an interleaved buffer, writes them, or copies them to another one.
void sweep(const dm::Mesh& mesh, uint32_t test_id, BufferType type, bool reads, bool writes,
           const std::vector<CoreCoord>& cores = kFirst) {
    for (const Sizes sizes : kPoints) {
        const auto buffer = [&](bool is_used) {
            return is_used ? interleaved(mesh, type, sizes.count * cores.size(), sizes.bytes) : nullptr;
        };
        copy_pages(mesh, test_id, sizes, cores, buffer(reads), buffer(writes));
    }
}

/// Pages of a tensor of 16 rows of 4 pages, in shards on 2 x 2 cores.
dm::Pages in_blocks(const dm::Mesh& mesh, uint32_t bytes) {
    return sharded(mesh, BufferType::L1, TensorMemoryLayout::BLOCK_SHARDED, CoreRange({0, 0}, {1, 1}), {16, 4}, {8, 2},
                   bytes);
}

dm::Pages in_rows(const dm::Mesh& mesh, BufferType type, uint32_t cores, uint32_t bytes) {
    return sharded(mesh, type, TensorMemoryLayout::HEIGHT_SHARDED, CoreRange({0, 0}, {cores - 1, 0}), {64, 1},
                   {64 / cores, 1}, bytes);
}

/// Copies a block of a bank of DRAM to another place in the same bank.
void copy_in_bank(const dm::Mesh& mesh, uint32_t test_id, dm::Sizes sizes, uint32_t bank) {
    const std::vector<CoreCoord> cores{{0, 0}};
    dm::Trial trial(mesh, test_id, sizes);
    const uint32_t source = MetalContext::instance().hal().get_dev_addr(HalDramMemAddrType::UNRESERVED);
    const uint32_t target = source + trial.block_bytes();
    detail::WriteToDeviceDRAMChannel(trial.chip(), bank, source, trial.data(0));
    const uint32_t semaphore = trial.semaphore(cores);
    const auto move = [&](dm::Way way, dm::Turn turn, uint32_t address) {
        trial.kernel("move_blocks.cpp", cores, way,
                     {way == dm::Way::read, uint32_t(turn), uint32_t(dm::Place::bank), 1},
                     [&](uint32_t) { return dm::Words{semaphore, 1, trial.block(0), address, 0, 0, bank, 0}; });
    };
    move(dm::Way::read, dm::Turn::first, source);
    move(dm::Way::write, dm::Turn::second, target);
    trial.launch();
    dm::Words found;
    detail::ReadFromDeviceDRAMChannel(trial.chip(), bank, target, trial.block_bytes(), found);
    EXPECT_TRUE(found == trial.data(0)) << "bank " << bank;
}

}  // namespace

TEST_F(GenericMeshDeviceFixture, DRAMPacketSizes) {
    for (const dm::Sizes sizes : {dm::Sizes{1, 64}, dm::Sizes{16, 2048}, dm::Sizes{4, 16384}}) {
        copy_in_bank(get_mesh_device(), 0, sizes, 0);
    }
}

TEST_F(GenericMeshDeviceFixture, DRAMChannels) {
    for (uint32_t bank = 0; bank < uint32_t(get_mesh_device()->num_dram_channels()); bank += 3) {
        copy_in_bank(get_mesh_device(), 2, {16, 2048}, bank);
    }
}

TEST_F(GenericMeshDeviceFixture, DRAMInterleavedPageNumbers) {
    sweep(get_mesh_device(), 61, BufferType::DRAM, true, true);
}

TEST_F(GenericMeshDeviceFixture, DRAMInterleavedPageReadNumbers) {
    sweep(get_mesh_device(), 63, BufferType::DRAM, true, false);
}

TEST_F(GenericMeshDeviceFixture, DRAMInterleavedPageWriteNumbers) {
    sweep(get_mesh_device(), 64, BufferType::DRAM, false, true);
}

TEST_F(GenericMeshDeviceFixture, L1InterleavedPageNumbers) { sweep(get_mesh_device(), 66, BufferType::L1, true, true); }

TEST_F(GenericMeshDeviceFixture, L1InterleavedPageReadNumbers) {
    sweep(get_mesh_device(), 68, BufferType::L1, true, false);
}

TEST_F(GenericMeshDeviceFixture, L1InterleavedPageWriteNumbers) {
    sweep(get_mesh_device(), 69, BufferType::L1, false, true);
}

TEST_F(GenericMeshDeviceFixture, MultiInterleaved2x2Sizes) {
    sweep(get_mesh_device(), 117, BufferType::DRAM, true, true, cores_of(get_mesh_device(), 2, 2));
}

TEST_F(GenericMeshDeviceFixture, MultiInterleaved6x6ReadSizes) {
    sweep(get_mesh_device(), 125, BufferType::DRAM, true, false, cores_of(get_mesh_device(), 6, 6));
}

TEST_F(GenericMeshDeviceFixture, MultiInterleavedWriteSizes) {
    sweep(get_mesh_device(), 115, BufferType::DRAM, false, true, cores_of(get_mesh_device()));
}

TEST_F(GenericMeshDeviceFixture, DRAMShardedReadBankNumbers) {
    for (const uint32_t banks : {1, 2, 4}) {
        copy_pages(get_mesh_device(), 86, {64, 2048}, kFirst, in_rows(get_mesh_device(), BufferType::DRAM, banks, 2048),
                   nullptr);
    }
}

TEST_F(GenericMeshDeviceFixture, ReshardRows) {
    for (const uint32_t bytes : {256, 2048}) {
        copy_pages(get_mesh_device(), 17, {16, bytes}, cores_of(get_mesh_device(), 4, 1),
                   in_rows(get_mesh_device(), BufferType::L1, 2, bytes),
                   in_rows(get_mesh_device(), BufferType::L1, 4, bytes));
    }
}

TEST_F(GenericMeshDeviceFixture, ReshardBlocksToRows) {
    for (const uint32_t bytes : {256, 2048}) {
        copy_pages(get_mesh_device(), 18, {16, bytes}, cores_of(get_mesh_device(), 2, 2),
                   in_blocks(get_mesh_device(), bytes), in_rows(get_mesh_device(), BufferType::L1, 4, bytes));
    }
}

TEST_F(GenericMeshDeviceFixture, InterleavedToShardedDRAM) {
    for (const uint32_t bytes : {512, 2048}) {
        copy_pages(get_mesh_device(), 402, {16, bytes}, cores_of(get_mesh_device(), 4, 1),
                   interleaved(get_mesh_device(), BufferType::DRAM, 64, bytes),
                   in_rows(get_mesh_device(), BufferType::L1, 4, bytes));
    }
}

TEST_F(GenericMeshDeviceFixture, InterleavedToShardedL1) {
    for (const uint32_t bytes : {512, 2048}) {
        copy_pages(get_mesh_device(), 403, {16, bytes}, cores_of(get_mesh_device(), 2, 2),
                   interleaved(get_mesh_device(), BufferType::L1, 64, bytes), in_blocks(get_mesh_device(), bytes));
    }
}

TEST_F(GenericMeshDeviceFixture, StridedPagesOfShards) {
    for (const uint32_t bytes : {64, 1024}) {
        copy_pages(get_mesh_device(), 201, {8, bytes}, cores_of(get_mesh_device(), 4, 2),
                   in_rows(get_mesh_device(), BufferType::L1, 2, bytes), nullptr, /*strided=*/true);
    }
}

}  // namespace tt::tt_metal
