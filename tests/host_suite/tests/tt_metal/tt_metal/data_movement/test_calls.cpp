// Calls for particular needs: stateful ones, transaction ids, single words, and increments.
#include <algorithm>
#include <numeric>

#include "dm_common.hpp"

namespace tt::tt_metal {

using dm::Sizes, dm::Trial, dm::Way, dm::Words;

namespace {

const std::vector<CoreCoord> kFirst{{0, 0}};
const std::vector<CoreCoord> kOther{{0, 1}};

/// Moves rows that lie `stride` bytes apart in L1 of the other core. The bytes between them stay the same.
void move_rows(const dm::Mesh& mesh, uint32_t test_id, Sizes sizes, Way way, uint32_t stride) {
    Trial trial(mesh, test_id, sizes);
    Words here = trial.data(0);
    Words there = trial.data(1, stride / sizes.bytes);
    trial.fill(kFirst[0], trial.block(0), here);
    trial.fill(kOther[0], trial.block(1), there);
    trial.kernel("move_rows.cpp", kFirst, way, {way == Way::read, stride},
                 [&](uint32_t) { return trial.with_coordinates({trial.block(0), trial.block(1)}, kOther); });
    trial.launch();
    for (uint32_t i = 0; i < sizes.count; ++i) {
        const auto row_here = here.begin() + i * sizes.bytes / sizeof(uint32_t);
        const auto row_there = there.begin() + i * stride / sizeof(uint32_t);
        const uint32_t words = sizes.bytes / sizeof(uint32_t);
        way == Way::read ? std::copy_n(row_there, words, row_here) : std::copy_n(row_here, words, row_there);
    }
    trial.expect(kFirst[0], trial.block(0), here);
    trial.expect(kOther[0], trial.block(1), there);
}

void move_with_ids(const dm::Mesh& mesh, uint32_t test_id, Sizes sizes, bool write_first) {
    const CoreCoord target{0, 4};
    const CoreCoord source{4, 0};
    Trial trial(mesh, test_id, sizes);
    trial.fill(kFirst[0], trial.block(0), trial.data(0));
    trial.fill(source, trial.block(1), trial.data(1));
    trial.kernel("transaction_ids.cpp", kFirst, Way::write, {write_first},
                 [&](uint32_t) { return trial.with_coordinates({trial.block(0), trial.block(1)}, {target, source}); });
    trial.launch();
    trial.expect(kFirst[0], trial.block(0), trial.data(1));
    trial.expect(target, trial.block(1), trial.data(write_first ? 0 : 1));
}

void increment(const dm::Mesh& mesh, uint32_t test_id, CoreCoord sender) {
    for (const Sizes sizes : {Sizes{16, 1}, Sizes{32, 4}}) {  // number of increments, and how much each of them adds
        Trial trial(mesh, test_id, sizes);
        const uint32_t semaphore = trial.semaphore({sender, kFirst[0]});
        trial.kernel("increment.cpp", {sender}, Way::write, {},
                     [&](uint32_t) { return trial.with_coordinates({semaphore}, kFirst); });
        trial.kernel("await_increments.cpp", kFirst, Way::read, {},
                     [&](uint32_t) { return Words{semaphore, trial.block(0)}; });
        trial.launch();
        trial.expect(kFirst[0], trial.block(0), {sizes.count * sizes.bytes});
    }
}

/// Writes a block to memory of the host, and reads it back into another place.
void move_over_pcie(const dm::Mesh& mesh, uint32_t test_id, Sizes sizes) {
    constexpr uint32_t host_address = 50 << 20;
    Trial trial(mesh, test_id, sizes);
    const auto tile = MetalContext::instance().get_cluster().get_soc_desc(0).get_cores(CoreType::PCIE).front();
    const uint32_t semaphore = trial.semaphore(kFirst);
    trial.fill(kFirst[0], trial.block(0), trial.data(0));
    for (const Way way : {Way::write, Way::read}) {
        const auto turn = way == Way::write ? dm::Turn::first : dm::Turn::second;
        const uint32_t local = trial.block(way == Way::write ? 0 : 1);
        trial.kernel("move_blocks.cpp", kFirst, way, {way == Way::read, uint32_t(turn), uint32_t(dm::Place::host), 1},
                     [&](uint32_t) {
                         return Words{semaphore, 1, local, host_address, 0, 0, uint32_t(tile.x), uint32_t(tile.y)};
                     });
    }
    trial.launch();
    trial.expect(kFirst[0], trial.block(1), trial.data(0));
}

}  // namespace

TEST_F(GenericMeshDeviceFixture, OnePacketReadSizes) {
    for (const Sizes sizes : {Sizes{1, 64}, Sizes{16, 2048}, Sizes{8, 8192}}) {
        move_rows(get_mesh_device(), 80, sizes, Way::read, sizes.bytes);
    }
}

TEST_F(GenericMeshDeviceFixture, OnePacketWriteSizes) {
    for (const Sizes sizes : {Sizes{1, 64}, Sizes{16, 2048}, Sizes{8, 8192}}) {
        move_rows(get_mesh_device(), 81, sizes, Way::write, sizes.bytes);
    }
}

TEST_F(GenericMeshDeviceFixture, DeinterleaveSingleCore) {
    for (const Sizes sizes : {Sizes{128, 64}, Sizes{64, 128}}) {
        move_rows(get_mesh_device(), 200, sizes, Way::read, 2 * sizes.bytes);
    }
}

TEST_F(GenericMeshDeviceFixture, TransactionIdReadAfterWrite) {
    for (const Sizes sizes : {Sizes{1, 64}, Sizes{4, 2048}, Sizes{15, 4096}}) {
        move_with_ids(get_mesh_device(), 600, sizes, true);
    }
}

TEST_F(GenericMeshDeviceFixture, TransactionIdWriteAfterRead) {
    for (const Sizes sizes : {Sizes{1, 64}, Sizes{4, 2048}, Sizes{15, 4096}}) {
        move_with_ids(get_mesh_device(), 610, sizes, false);
    }
}

TEST_F(GenericMeshDeviceFixture, PCIeWriteAndRead) {
    for (const Sizes sizes : {Sizes{1, 64}, Sizes{16, 2048}}) {
        move_over_pcie(get_mesh_device(), 603, sizes);
    }
}

TEST_F(GenericMeshDeviceFixture, InlineDirectWrite) {
    for (const bool stateful : {false, true}) {
        if (stateful && arch_ == ARCH::BLACKHOLE) {
            continue;  // its NIU must not write inline to L1: only calls without state avoid that
        }
        for (const uint32_t count : {16, 256}) {
            const Sizes sizes{count, sizeof(uint32_t)};
            Trial trial(get_mesh_device(), 500, sizes);
            Words words(count);
            std::iota(words.begin(), words.end(), trial.data(0)[0]);
            trial.kernel("write_words.cpp", kFirst, Way::write, {stateful},
                         [&](uint32_t) { return trial.with_coordinates({words[0], trial.block(0)}, kOther); });
            trial.launch();
            trial.expect(kOther[0], trial.block(0), words);
        }
    }
}

TEST_F(GenericMeshDeviceFixture, AtomicSemaphoreAdjacent) { increment(get_mesh_device(), 319, {0, 1}); }

TEST_F(GenericMeshDeviceFixture, AtomicSemaphoreNonAdjacent) { increment(get_mesh_device(), 320, {5, 5}); }

}  // namespace tt::tt_metal
