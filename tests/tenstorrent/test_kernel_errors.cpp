// Errors of kernels that violate the device's rules, or wait forever, compared exactly: the kernel, the call, the
// expected and the found value.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

#include "device_model/tenstorrent/risc.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/error_message.h"
#include "tests/support/machine.h"

namespace nocbench {

namespace {

using namespace nocbench::dataflow;
using test::error_message;
using test::kBuffer;
using test::Machine;
using test::without_times;

/// Returns the error of `kernel`, named 'mover', on riscv_1 of core (2, 3) of `board`, with NoC 1.
std::string told(const std::function<void()>& kernel, const std::string& board = "n150") {
    Machine machine(board);
    machine.add_kernel({{2, 3}, 1, 1}, kernel, "mover");
    return without_times(error_message([&] { machine.run(); }));
}

/// Returns an address on core (0, 0) of the board n150.
std::uint64_t there(std::uint32_t address) { return get_noc_addr(18, 18, address); }

// L1 addresses. Wormhole's L1 ends at 0x16e000; semaphores have the lowest addresses usable by kernels.

TEST(KernelErrors, SourceOfAWriteBeyondL1) {
    EXPECT_EQ(told([] { noc_async_write(0x16dff0, there(kBuffer), 64); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write: source: expected a range within 0xff00 to "
              "0x16e000 of L1, found 0x16dff0 to 0x16e030");
}

TEST(KernelErrors, DestinationOfAWriteBeyondL1) {
    EXPECT_EQ(told([] { noc_async_write_one_packet(kBuffer, there(0x16e000), 32); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_one_packet: destination: expected a range within "
              "0xff00 to 0x16e000 of L1, found 0x16e000 to 0x16e020");
}

TEST(KernelErrors, SourceOfAReadInTheFirmware) {
    EXPECT_EQ(told([] { noc_async_read(there(0x100), kBuffer, 32); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_read: source: expected a range within 0xff00 to "
              "0x16e000 of L1, found 0x100 to 0x120");
}

TEST(KernelErrors, DestinationOfAReadBeyondL1) {
    EXPECT_EQ(told([] { noc_async_read_one_packet(there(kBuffer), 0xffffffe0, 32); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_read_one_packet: destination: expected a range within "
              "0xff00 to 0x16e000 of L1, found 0xffffffe0 to 0x100000000");
}

TEST(KernelErrors, EndOfABlackholesL1) {
    EXPECT_EQ(told([] { noc_async_write(kBuffer, get_noc_addr(1, 2, 0x17fff0), 17); }, "p150"),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write: destination: expected a range within 0xff00 to "
              "0x180000 of L1, found 0x17fff0 to 0x180001");
    EXPECT_EQ(told([] { noc_async_write(kBuffer, get_noc_addr(1, 2, 0x17fff0), 16); }, "p150"), "no error");
}

TEST(KernelErrors, WordsOfL1) {
    EXPECT_EQ(
        told([] { load_l1_word(0x16e000); }),
        "kernel 'mover' on core (2, 3) riscv_1: load from L1: address: expected a range within 0xff00 to 0x16e000 "
        "of L1, found 0x16e000 to 0x16e004");
    EXPECT_EQ(told([] { store_l1_word(kBuffer + 2, 1); }),
              "kernel 'mover' on core (2, 3) riscv_1: store to L1: address: expected a multiple of 4, found 0x40002");
}

TEST(KernelErrors, MisalignedWrite) {
    EXPECT_EQ(
        told([] { noc_async_write(kBuffer + 4, there(kBuffer), 32); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write: source 0x40004 and destination 0x40000: expected "
        "the same remainder modulo 16, found 4 and 0");
}

TEST(KernelErrors, MisalignedReadOfDram) {
    EXPECT_EQ(
        told([] { noc_async_read(get_noc_addr_from_bank_id<true>(0, 16), kBuffer, 32); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_read: destination 0x40000 and source 0x10: expected the "
        "same remainder modulo 32, found 0 and 16");
    EXPECT_EQ(
        told([] { noc_async_read(get_noc_addr_from_bank_id<true>(0, 32), kBuffer, 32); }, "p100"),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_read: destination 0x40000 and source 0x20: expected the "
        "same remainder modulo 64, found 0 and 32");
}

TEST(KernelErrors, MisalignedWriteOfDram) {
    EXPECT_EQ(
        told([] { noc_async_write(kBuffer, get_noc_addr_from_bank_id<true>(0, 8), 32); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write: source 0x40000 and destination 0x8: expected the "
        "same remainder modulo 16, found 0 and 8");
    EXPECT_EQ(told([] { noc_async_write(kBuffer, get_noc_addr_from_bank_id<true>(0, 16), 32); }), "no error");
}

TEST(KernelErrors, MisalignedSemaphores) {
    EXPECT_EQ(told([] { noc_semaphore_inc(there(kBuffer + 1), 1); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_semaphore_inc: semaphore: expected a multiple of 4, found "
              "0x40001");
    EXPECT_EQ(told([] { noc_semaphore_wait(L1Pointer(kBuffer + 3), 1); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_semaphore_wait: address: expected a multiple of 4, found "
              "0x40003");
}

TEST(KernelErrors, NothingToMove) {
    EXPECT_EQ(told([] { noc_async_read(there(kBuffer), kBuffer, 0); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_read: size: expected at least 1 byte, found 0");
    EXPECT_EQ(told([] { noc_async_write(kBuffer, there(kBuffer), 0); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write: size: expected at least 1 byte, found 0");
}

TEST(KernelErrors, MoreThanOnePacket) {
    EXPECT_EQ(told([] { noc_async_read_one_packet(there(kBuffer), kBuffer, 8193); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_read_one_packet: size: expected at most one packet of "
              "8192 bytes, found 8193");
    EXPECT_EQ(told([] { noc_async_write_one_packet(kBuffer, get_noc_addr(1, 2, kBuffer), 32768); }, "p100"),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_one_packet: size: expected at most one packet of "
              "16384 bytes, found 32768");
}

TEST(KernelErrors, TileOutsideTheGrid) {
    EXPECT_EQ(told([] { noc_async_write(kBuffer, get_noc_addr(30, 12, kBuffer), 32); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write: NoC address: expected the translated coordinate "
              "of a tile of board n150, found (30, 12)");
}

TEST(KernelErrors, HarvestedTile) {
    // Core (1, 2), by either of its coordinates.
    EXPECT_EQ(told([] { noc_async_write(kBuffer, get_noc_addr(18, 27, kBuffer), 32); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write: NoC address of tile (18, 27): (1, 2) is "
              "harvested on board n150 (row 2)");
    EXPECT_EQ(told([] { noc_async_read(get_noc_addr(1, 2, kBuffer), kBuffer, 32); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_read: (1, 2) is harvested on board n150 "
              "(row 2)");
    EXPECT_EQ(told([] { noc_semaphore_inc(get_noc_addr(16, 5, kBuffer), 1); }, "p100"),
              "kernel 'mover' on core (2, 3) riscv_1: noc_semaphore_inc: NoC address of tile (16, 5): (7, 5) is "
              "harvested on board p100 (column 7)");
}

TEST(KernelErrors, TileWithoutMemory) {
    EXPECT_EQ(told([] { noc_async_write(kBuffer, get_noc_addr(9, 6, kBuffer), 32); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write: (9, 6) is not a Tensix tile of "
              "wormhole_b0 (Ethernet)");
    EXPECT_EQ(told([] { noc_async_read(get_noc_addr(0, 2, kBuffer), kBuffer, 32); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_read: (0, 2) is not a Tensix tile of "
              "wormhole_b0 (router only)");
}

TEST(KernelErrors, CoordinatesThatNoAddressHolds) {
    EXPECT_EQ(told([] { get_noc_addr(64, 0, kBuffer); }),
              "kernel 'mover' on core (2, 3) riscv_1: get_noc_addr: expected coordinates of at most 63, found (64, 0)");
}

TEST(KernelErrors, AtomicOnDram) {
    EXPECT_EQ(
        told([] { noc_semaphore_inc(get_noc_addr_from_bank_id<true>(0, 0), 1); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_semaphore_inc: (0, 11) is a DRAM tile; only L1 takes atomics");
}

TEST(KernelErrors, DramBank) {
    EXPECT_EQ(
        told([] { get_noc_addr_from_bank_id<true>(12, 0); }),
        "kernel 'mover' on core (2, 3) riscv_1: get_noc_addr_from_bank_id: DRAM bank: expected 0 to 11, found 12");
    EXPECT_EQ(told([] { get_noc_addr_from_bank_id<true>(7, 0); }, "p100"),
              "kernel 'mover' on core (2, 3) riscv_1: get_noc_addr_from_bank_id: DRAM bank: expected 0 to 6, found 7");
}

TEST(KernelErrors, HarvestedDramChannel) {
    Machine machine("p100");
    const Grid& grid = machine.device().grid();
    const TranslatedCoordinate tile = grid.translated(PhysicalCoordinate{9, 5});
    ASSERT_EQ(grid.tile_kind({9, 5}), TileKind::harvested);
    const auto message = told(
        [&] {
            noc_async_read(get_noc_addr(static_cast<std::uint32_t>(tile.x), static_cast<std::uint32_t>(tile.y), 0),
                           kBuffer, 64);
        },
        "p100");
    EXPECT_NE(message.find("is harvested on board p100 (DRAM channel 7)"), std::string::npos) << message;
}

TEST(KernelErrors, AddressBeyondDram) {
    // Each DRAM tile of Wormhole has two banks of 1 GiB.
    EXPECT_EQ(
        told([] { noc_async_read(get_noc_addr_from_bank_id<true>(0, 0x7fffffe0), kBuffer, 64); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_read: source: expected a range within 0x0 to 0x80000000 "
        "of DRAM, found 0x7fffffe0 to 0x80000020");
}

TEST(KernelErrors, NocThatDoesNotExist) {
    EXPECT_EQ(told([] { noc_async_write(kBuffer, there(kBuffer), 32, 2); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write: expected NoC 0 or 1, found 2");
    EXPECT_EQ(told([] { noc_async_read_barrier(3); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_read_barrier: expected NoC 0 or 1, found 3");
}

TEST(KernelErrors, VirtualChannelOfOthers) {
    EXPECT_EQ(
        told([] { noc_async_write(kBuffer, there(kBuffer), 32, kNocOfKernel, 4); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write: virtual channel of a unicast request: expected 0 "
        "to 3, found 4");
    EXPECT_EQ(told([] { noc_async_read(there(kBuffer), kBuffer, 32, kNocOfKernel, 7); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_read: virtual channel of a unicast request: expected 0 "
              "to 3, found 7");
    EXPECT_EQ(
        told([] { noc_async_write(kBuffer, there(kBuffer), 32, kNocOfKernel, NOC_DYNAMIC_VC | 5); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write: virtual channel of a unicast request: expected 0 "
        "to 3, found 5");
}

// Multicasts. Kernels run on core (2, 3) of the board n150, (20, 21) in kernel coordinates, with NoC 1, on which the
// first corner of the rectangle comes last.

/// Returns a multicast address of cores (0, 0) to (3, 3) of the board n150, 16 tiles including the kernel's own.
std::uint64_t square(std::uint32_t address = kBuffer) { return get_noc_multicast_addr(18, 18, 21, 21, address); }

TEST(KernelErrors, WrongNumberOfDestinations) {
    EXPECT_EQ(
        told([] { noc_async_write_multicast(kBuffer, square(), 64, 16); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast: num_dests: expected the 15 receivers of "
        "rectangle (21, 21) to (18, 18) on NoC 1, its source not counted, found 16; noc_async_write_barrier counts "
        "on it and would never end");
    EXPECT_EQ(
        told([] { noc_async_write_multicast_loopback_src(kBuffer, square(), 64, 15); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast_loopback_src: num_dests: expected the 16 "
        "receivers of rectangle (21, 21) to (18, 18) on NoC 1, found 15; noc_async_write_barrier counts on it and "
        "would end too early");
    EXPECT_EQ(told([] { noc_async_write_multicast(kBuffer, square(), 64, 15); }), "no error");
    EXPECT_EQ(told([] { noc_async_write_multicast_loopback_src(kBuffer, square(), 64, 16); }), "no error");
}

TEST(KernelErrors, WrongNumberOfDestinationsOfASemaphore) {
    EXPECT_EQ(
        told([] { noc_semaphore_set_multicast(kBuffer, square(), 17); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_semaphore_set_multicast: num_dests: expected the 15 receivers "
        "of rectangle (21, 21) to (18, 18) on NoC 1, its source not counted, found 17; noc_async_write_barrier "
        "counts on it and would never end");
    EXPECT_EQ(
        told([] { noc_semaphore_inc_multicast(square(), 1, 14); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_semaphore_inc_multicast: num_dests: expected the 15 receivers "
        "of rectangle (21, 21) to (18, 18) on NoC 1, its source not counted, found 14; noc_async_atomic_barrier "
        "counts on it and would end too early");
}

/// The number of destinations shows that the rectangle over the edge is unintended.
TEST(KernelErrors, RectangleOverTheEdge) {
    EXPECT_EQ(
        told([] { noc_async_write_multicast(kBuffer, get_noc_multicast_addr(21, 18, 18, 21, kBuffer), 64, 15); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast: num_dests: expected the 24 receivers of "
        "rectangle (18, 21) to (21, 18) on NoC 1, which runs over the edge of the grid, its source not counted, "
        "found 15; noc_async_write_barrier counts on it and would end too early");
    EXPECT_EQ(told([] { noc_async_write_multicast(kBuffer, get_noc_multicast_addr(21, 18, 18, 21, kBuffer), 64, 24); }),
              "no error");
}

TEST(KernelErrors, CornersThatAreNoTensixTiles) {
    EXPECT_EQ(
        told([] { noc_async_write_multicast(kBuffer, get_noc_multicast_addr(18, 18, 21, 27, kBuffer), 64, 15); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast: first corner (21, 27) of the rectangle: "
        "(4, 2) is harvested on board n150 (row 2)");
    EXPECT_EQ(told([] { noc_async_write_multicast(kBuffer, get_noc_multicast_addr(5, 3, 21, 21, kBuffer), 64, 15); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast: last corner (5, 3) of the rectangle: "
              "(5, 3) is not a Tensix tile of wormhole_b0 (DRAM)");
    EXPECT_EQ(
        told([] { noc_async_write_multicast(kBuffer, get_noc_multicast_addr(18, 18, 30, 12, kBuffer), 64, 15); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast: first corner (30, 12) of the rectangle: "
        "NoC address: expected the translated coordinate of a tile of board n150, found (30, 12)");
}

TEST(KernelErrors, CoordinatesThatNoMulticastAddressHolds) {
    EXPECT_EQ(
        told([] { get_noc_multicast_addr(18, 18, 21, 64, kBuffer); }),
        "kernel 'mover' on core (2, 3) riscv_1: get_noc_multicast_addr: expected coordinates of at most 63, found "
        "(18, 18) to (21, 64)");
}

TEST(KernelErrors, MulticastToItselfAlone) {
    EXPECT_EQ(
        told([] {
            noc_async_write_multicast_loopback_src(kBuffer, get_noc_multicast_addr(20, 21, 20, 21, kBuffer), 64, 1);
        }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast_loopback_src: rectangle (20, 21) to (20, 21) "
        "on NoC 1: expected a tile other than the source to send to, found none");
    EXPECT_EQ(told([] { noc_async_write_multicast(kBuffer, get_noc_multicast_addr(20, 21, 20, 21, kBuffer), 64, 0); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast: rectangle (20, 21) to (20, 21) on NoC "
              "1: expected a tile other than the source to send to, found none");
}

TEST(KernelErrors, MulticastThatIncludesASourceOutside) {
    EXPECT_EQ(
        told([] {
            noc_async_write_multicast_loopback_src(kBuffer, get_noc_multicast_addr(18, 18, 19, 19, kBuffer), 64, 4);
        }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast_loopback_src: rectangle (19, 19) to (18, 18) "
        "on NoC 1: expected the source in it, found it outside; noc_async_write_multicast is for that");
    EXPECT_EQ(told([] {
                  noc_semaphore_set_multicast_loopback_src(kBuffer, get_noc_multicast_addr(18, 18, 19, 19, kBuffer), 4);
              }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_semaphore_set_multicast_loopback_src: rectangle (19, 19) to "
              "(18, 18) "
              "on NoC 1: expected the source in it, found it outside; noc_semaphore_set_multicast is for that");
}

TEST(KernelErrors, AddressesOfOneTileAndOfMany) {
    EXPECT_EQ(
        told([] { noc_async_write_multicast(kBuffer, there(kBuffer), 64, 1); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast: expected the address of a multicast from "
        "get_noc_multicast_addr, found that of one tile");
    const std::string found_many =
        "expected the address of one tile, found that of a multicast; noc_async_write_multicast takes it, and nothing "
        "posts multicasts, since the hardware does not do that safely";
    EXPECT_EQ(told([] { noc_async_write(kBuffer, square(), 64); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write: " + found_many);
    EXPECT_EQ(told([] { noc_async_write<true>(kBuffer, square(), 64); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write: " + found_many);
    EXPECT_EQ(told([] { noc_async_write_one_packet<true>(kBuffer, square(), 64); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_one_packet: " + found_many);
    EXPECT_EQ(told([] { noc_async_write_one_packet_set_state<true>(square(), 64); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_one_packet_set_state: " + found_many);
    EXPECT_EQ(
        told([] { noc_async_read(square(), kBuffer, 64); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_read: expected the address of one tile, found that of a "
        "multicast; reads have one source");
    EXPECT_EQ(
        told([] { noc_semaphore_inc(square(), 1); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_semaphore_inc: expected the address of one tile, found that of "
        "a multicast; noc_semaphore_inc_multicast takes it");
}

TEST(KernelErrors, VirtualChannelThatIsNotForMulticasts) {
    EXPECT_EQ(
        told([] { noc_async_write_multicast(kBuffer, square(), 64, 15, false, kNocOfKernel, 1); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast: virtual channel of a multicast: expected "
        "4 to 5, found 1");
    EXPECT_EQ(told([] { noc_semaphore_inc_multicast(square(), 1, 15, kNocOfKernel, 6); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_semaphore_inc_multicast: virtual channel of a multicast: "
              "expected 4 to 5, found 6");
    // Multicasts cannot be dynamic: they reserve one virtual channel of each link.
    EXPECT_EQ(
        told([] { noc_async_write_multicast(kBuffer, square(), 64, 15, false, kNocOfKernel, NOC_DYNAMIC_VC | 4); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast: virtual channel of a multicast: expected "
        "4 to 5, found 132");
}

TEST(KernelErrors, MulticastsBeyondL1OrMisaligned) {
    EXPECT_EQ(told([] { noc_async_write_multicast(kBuffer, square(0x16dff0), 32, 15); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast: destination: expected a range within "
              "0xff00 to 0x16e000 of L1, found 0x16dff0 to 0x16e010");
    EXPECT_EQ(
        told([] { noc_async_write_multicast(kBuffer + 4, square(), 32, 15); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast: source 0x40004 and destination 0x40000: "
        "expected the same remainder modulo 16, found 4 and 0");
    EXPECT_EQ(
        told([] { noc_async_write_multicast(kBuffer, square(), 0, 15); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast: size: expected at least 1 byte, found 0");
    EXPECT_EQ(told([] { noc_async_write_multicast_one_packet(kBuffer, square(), 8193, 15); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast_one_packet: size: expected at most one "
              "packet of 8192 bytes, found 8193");
    EXPECT_EQ(
        told([] { noc_semaphore_inc_multicast(square(kBuffer + 2), 1, 15); }),
        "kernel 'mover' on core (2, 3) riscv_1: noc_semaphore_inc_multicast: semaphore: expected a multiple of 4, "
        "found 0x40002");
}

/// Returns the error of `call` while a chain is open on NoC 1, virtual channel 4.
std::string told_in_chain(const std::function<void()>& call) {
    return told([&] {
        noc_async_write_multicast(kBuffer, square(), 64, 15, true);
        call();
        noc_async_write_multicast(kBuffer, square(), 64, 15);
    });
}

TEST(KernelErrors, ChainsThatAreMixedWithSomethingElse) {
    const std::string open =
        "a chain of linked multicasts is open on NoC 1: expected its next call, to the same tiles on virtual channel "
        "4, found ";
    EXPECT_EQ(told_in_chain([] { noc_async_write_multicast(kBuffer, square(), 8192, 15, true); }), "no error");
    EXPECT_EQ(told_in_chain(
                  [] { noc_async_write_multicast(kBuffer, get_noc_multicast_addr(18, 18, 20, 21, kBuffer), 64, 11); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast: " + open + "other tiles");
    EXPECT_EQ(told_in_chain([] { noc_async_write_multicast_loopback_src(kBuffer, square(), 64, 16); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast_loopback_src: " + open + "other tiles");
    EXPECT_EQ(told_in_chain([] { noc_async_write_multicast(kBuffer, square(), 64, 15, true, kNocOfKernel, 5); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write_multicast: " + open + "virtual channel 5");
    EXPECT_EQ(told_in_chain([] { noc_async_read(there(kBuffer), kBuffer, 64); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_read: " + open + "no multicast");
    EXPECT_EQ(told_in_chain([] { noc_async_write<true>(kBuffer, there(kBuffer), 64); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_async_write: " + open + "no multicast");
    EXPECT_EQ(told_in_chain([] { noc_semaphore_inc(there(kBuffer), 1); }),
              "kernel 'mover' on core (2, 3) riscv_1: noc_semaphore_inc: " + open + "no multicast");
    // The error applies only to the NoC of the chain.
    EXPECT_EQ(told_in_chain([] { noc_async_write(kBuffer, there(kBuffer), 64, 0); }), "no error");
}

TEST(KernelErrors, ChainThatIsNeverClosed) {
    EXPECT_EQ(
        told([] {
            noc_async_write_multicast(kBuffer, square(), 64, 15);
            noc_async_write_multicast(kBuffer, square(), 64, 15, true);
            noc_async_write_barrier();
        }),
        "kernel 'mover' on core (2, 3) riscv_1: it ends with a chain of linked multicasts open on NoC 1: expected a "
        "last multicast that is not linked");
}

/// A second multicast cannot reserve a tree through a router of an open chain.
TEST(KernelErrors, ChainThatWaitsForOneBehindIt) {
    Machine machine("n150");
    machine.add_kernel(
        {{2, 3}, 1, 1},
        [] {
            noc_async_write_multicast(kBuffer, square(), 64, 15, true);
            noc_async_write_barrier();
            noc_semaphore_wait(L1Pointer(kBuffer), 1);
            noc_async_write_multicast(kBuffer, square(), 64, 15);
        },
        "holder");
    machine.add_kernel(
        {{1, 1}, 1, 1},
        [] {
            for (int load = 0; load < 200; ++load) {  // long enough for the other multicast to reserve its tree
                static_cast<void>(load_l1_word(kBuffer));
            }
            noc_semaphore_inc_multicast(square(), 1, 15);
        },
        "signaller");
    const std::string message = without_times(error_message([&] { machine.run(1'000'000); }));
    EXPECT_EQ(message,
              "the program still runs after 1000000 cycles, the limit of modeled time (cycles_max)\n"
              "  kernel 'holder' on core (2, 3) riscv_1 waits since cycle # in noc_semaphore_wait for the semaphore at "
              "0x40000 to be 1 (it is 0)");
}

// Arguments, semaphores and circular buffers that were never created.

TEST(KernelErrors, ArgumentsThatWereNeverSet) {
    EXPECT_EQ(told([] { get_arg_val<std::uint32_t>(0); }),
              "kernel 'mover' on core (2, 3) riscv_1: get_arg_val: argument 0 was never set; there are 0");
    EXPECT_EQ(told([] { get_common_arg_val<std::uint32_t>(2); }),
              "kernel 'mover' on core (2, 3) riscv_1: get_common_arg_val: argument 2 was never set; there are 0");
    EXPECT_EQ(told([] { get_compile_time_arg_val(5); }),
              "kernel 'mover' on core (2, 3) riscv_1: get_compile_time_arg_val: argument 5 was never set; there are 0");
}

TEST(KernelErrors, ArgumentAfterTheLast) {
    Machine machine("n150");
    machine.add_kernel(
        {{2, 3}, 1, 1},
        [] {
            get_arg_val<std::uint32_t>(1);
            get_arg_val<std::uint32_t>(2);
        },
        "mover");
    machine.program().set_runtime_args({2, 3}, 1, {5, 6});
    EXPECT_EQ(error_message([&] { machine.run(); }),
              "kernel 'mover' on core (2, 3) riscv_1: get_arg_val: argument 2 was never set; there are 2");
}

TEST(KernelErrors, SemaphoreThatDoesNotExist) {
    EXPECT_EQ(
        told([] { get_semaphore(0); }),
        "kernel 'mover' on core (2, 3) riscv_1: get_semaphore: semaphore 0 does not exist on this core; there are "
        "0");
}

TEST(KernelErrors, CircularBufferThatDoesNotExist) {
    EXPECT_EQ(told([] { cb_reserve_back(3, 1); }),
              "kernel 'mover' on core (2, 3) riscv_1: cb_reserve_back: circular buffer 3 does not exist on this core");
    EXPECT_EQ(told([] { get_write_ptr(32); }),
              "kernel 'mover' on core (2, 3) riscv_1: get_write_ptr: circular buffer 32 does not exist on this core");
}

/// Returns the error of a kernel on a core with circular buffer 5, of 4 pages.
std::string told_with_buffer(const std::function<void()>& kernel) {
    Machine machine("n150");
    machine.program().add_circular_buffer({2, 3}, 5, kBuffer, 64, 4);
    machine.add_kernel({{2, 3}, 1, 1}, kernel, "mover");
    return without_times(error_message([&] { machine.run(); }));
}

TEST(KernelErrors, MorePagesThanTheCircularBufferHas) {
    EXPECT_EQ(told_with_buffer([] { cb_wait_front(5, 5); }),
              "kernel 'mover' on core (2, 3) riscv_1: cb_wait_front: circular buffer 5: expected at most its 4 pages, "
              "found 5");
}

TEST(KernelErrors, MorePagesThanAreFree) {
    EXPECT_EQ(
        told_with_buffer([] {
            cb_push_back(5, 3);
            cb_push_back(5, 2);
        }),
        "kernel 'mover' on core (2, 3) riscv_1: cb_push_back: circular buffer 5: expected at most the 1 pages that "
        "are free, found 2");
}

TEST(KernelErrors, MorePagesThanAreFilled) {
    EXPECT_EQ(
        told_with_buffer([] { cb_pop_front(5, 1); }),
        "kernel 'mover' on core (2, 3) riscv_1: cb_pop_front: circular buffer 5: expected at most the 0 pages that "
        "are filled, found 1");
}

TEST(KernelErrors, ReadsThatWereNeverIssued) {
    EXPECT_EQ(told([] {
                  noc_async_read(there(kBuffer), kBuffer, 32);
                  noc_async_read_inc_num_issued(2);
                  noc_async_read_barrier();
              }),
              "deadlock: nothing moves any more after cycle #\n"
              "  kernel 'mover' on core (2, 3) riscv_1 waits since cycle # in noc_async_read_barrier for 3 reads to "
              "complete (1 have)");
}

TEST(KernelErrors, SemaphoreThatNobodySets) {
    EXPECT_EQ(told([] { noc_semaphore_wait(L1Pointer(kBuffer), 7); }),
              "deadlock: nothing moves any more after cycle #\n"
              "  kernel 'mover' on core (2, 3) riscv_1 waits since cycle # in noc_semaphore_wait for the semaphore at "
              "0x40000 to be 7 (it is 0)");
    EXPECT_EQ(told([] {
                  noc_semaphore_set(L1Pointer(kBuffer), 6);
                  noc_semaphore_wait_min(L1Pointer(kBuffer), 7);
              }),
              "deadlock: nothing moves any more after cycle #\n"
              "  kernel 'mover' on core (2, 3) riscv_1 waits since cycle # in noc_semaphore_wait_min for the semaphore "
              "at 0x40000 to be at least 7 (it is 6)");
}

TEST(KernelErrors, CircularBufferThatNobodyFills) {
    EXPECT_EQ(told_with_buffer([] {
                  cb_push_back(5, 1);
                  cb_wait_front(5, 2);
              }),
              "deadlock: nothing moves any more after cycle #\n"
              "  kernel 'mover' on core (2, 3) riscv_1 waits since cycle # in cb_wait_front for 2 filled pages of "
              "circular buffer 5 (1 are)");
}

TEST(KernelErrors, CircularBufferThatNobodyEmpties) {
    EXPECT_EQ(told_with_buffer([] {
                  cb_push_back(5, 4);
                  cb_reserve_back(5, 1);
              }),
              "deadlock: nothing moves any more after cycle #\n"
              "  kernel 'mover' on core (2, 3) riscv_1 waits since cycle # in cb_reserve_back for 1 free pages of "
              "circular buffer 5 (0 are)");
}

TEST(KernelErrors, PacketsThatWaitForEachOtherAreNamedWhereRingsHaveNoDatelines) {
    Machine machine("n150", {{"router.datelines", "0"}});
    for (int row = 0; row < 8; ++row) {
        for (int column = 0; column < 8; ++column) {
            machine.add_kernel({{column, row}, 0, 0}, [&machine, row] {
                for (int partner = 0; partner < 64; ++partner) {
                    const LogicalCoordinate to{(partner + row) / 8 % 8, (partner + row) % 8};
                    noc_async_write(kBuffer, get_noc_addr(machine.x(to), machine.y(to), 2 * kBuffer), 8192);
                }
                noc_async_write_barrier();
            });
        }
    }
    const std::string message = error_message([&] { machine.run(); });
    EXPECT_TRUE(message.starts_with("deadlock: nothing moves any more after cycle ")) << message;
    const std::string circle =
        "\n  packets on NoC 0 form a cycle in the wait-for graph:\n    write request from tile (";
    EXPECT_NE(message.find(circle), std::string::npos) << message;
}

TEST(KernelErrors, EveryoneWhoWaitsIsNamed) {
    Machine machine("n150");
    machine.add_kernel({{0, 0}, 0, 0}, [] { noc_semaphore_wait(L1Pointer(kBuffer), 1); }, "first");
    machine.add_kernel({{0, 0}, 1, 1}, [] { noc_async_write(kBuffer, there(kBuffer + 64), 32); }, "finishes");
    machine.add_kernel(
        {{1, 0}, 1, 1},
        [] {
            DeviceZoneScopedN("zone");
            noc_semaphore_wait_min(L1Pointer(kBuffer), 2);
        },
        "second");
    EXPECT_EQ(
        without_times(error_message([&] { machine.run(); })),
        "deadlock: nothing moves any more after cycle #\n"
        "  kernel 'first' on core (0, 0) riscv_0 waits since cycle # in noc_semaphore_wait for the semaphore at "
        "0x40000 to be 1 (it is 0)\n"
        "  kernel 'second' on core (1, 0) riscv_1 waits since cycle # in noc_semaphore_wait_min for the semaphore "
        "at 0x40000 to be at least 2 (it is 0)");
}

TEST(KernelErrors, KernelThatNeverEnds) {
    Machine machine("n150");
    machine.add_kernel(
        {{2, 3}, 1, 1},
        [] {
            while (true) {
                load_l1_word(kBuffer);
            }
        },
        "endless");
    machine.add_kernel({{0, 0}, 0, 0}, [] { noc_semaphore_wait(L1Pointer(kBuffer), 1); }, "patient");
    EXPECT_EQ(
        without_times(error_message([&] { machine.run(10'000); })),
        "the program still runs after 10000 cycles, the limit of modeled time (cycles_max)\n"
        "  kernel 'endless' on core (2, 3) riscv_1 has not finished\n"
        "  kernel 'patient' on core (0, 0) riscv_0 waits since cycle # in noc_semaphore_wait for the semaphore at "
        "0x40000 to be 1 (it is 0)");
}

TEST(KernelErrors, KernelThatMovesWithoutEnd) {
    Machine machine("n150");
    machine.add_kernel(
        {{2, 3}, 1, 1},
        [] {
            while (true) {
                noc_async_write(kBuffer, there(kBuffer), 8192);
            }
        },
        "endless");
    const std::string message = without_times(error_message([&] { machine.run(10'000); }));
    EXPECT_TRUE(
        message.starts_with("the program still runs after 10000 cycles, the limit of modeled time (cycles_max)\n"
                            "  kernel 'endless' on core (2, 3) riscv_1 "))
        << message;
}

TEST(KernelErrors, CallOutsideOfAKernel) {
    EXPECT_EQ(error_message([] { noc_async_read_barrier(); }),
              "a function of the kernel API was called outside of a kernel");
    EXPECT_EQ(error_message([] { DeviceZoneScopedN("zone"); }),
              "a function of the kernel API was called outside of a kernel");
}

TEST(KernelErrors, ExceptionsOfAKernelComeOutOfTheRun) {
    Machine machine("n150");
    machine.add_kernel({{0, 0}, 0, 0}, [] { throw std::runtime_error("the kernel's own"); });
    EXPECT_THROW(machine.run(), std::runtime_error);
}

TEST(KernelErrors, AnErrorLeavesKernelsThatWereWaitingBehind) {
    // The kernels' stacks are unwound when the device is destroyed.
    bool unwound = false;
    struct Guard {
        bool& flag;
        ~Guard() { flag = true; }
    };
    {
        Machine machine("n150");
        machine.add_kernel({{0, 0}, 0, 0}, [&] {
            const Guard guard{unwound};
            DeviceZoneScopedN("zone");
            noc_semaphore_wait(L1Pointer(kBuffer), 1);
        });
        machine.add_kernel({{1, 0}, 0, 0}, [] { get_semaphore(0); });
        EXPECT_THROW(machine.run(), KernelError);
        EXPECT_FALSE(unwound);
    }
    EXPECT_TRUE(unwound);
}

}  // namespace

}  // namespace nocbench
