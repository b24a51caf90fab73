// The check that every test's data pass: each packet is compared with what was sent when it is delivered, and memory
// when all is over. All transactions of a test use the same buffers, so a look at the end sees only the last one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "device_model/sim/observers.h"
#include "kernels/frame/point.h"

namespace nocbench {

/// Where a buffer begins: in the L1 of a Tensix tile, or in the memory behind a DRAM tile or the PCIe tile.
struct MemoryPlace {
    NodeIndex tile = 0;
    std::uint64_t address = 0;
    auto operator<=>(const MemoryPlace&) const = default;
};

MemoryPlace l1_place(const Grid& grid, LogicalCoordinate core, std::uint64_t address);
MemoryPlace l1_place(const Grid& grid, PhysicalCoordinate tile, std::uint64_t address);
/// As kernels reach a bank on NoC `noc`.
MemoryPlace dram_place(const Grid& grid, std::uint32_t bank, int noc, std::uint64_t address);
/// The same through another tile of the bank's channel.
MemoryPlace dram_place(const Grid& grid, std::uint32_t bank, PhysicalCoordinate tile, std::uint64_t address);
/// A range in the memory of the host. Throws InputError if it is not within what the PCIe tile reaches, or there is no
/// such tile.
MemoryPlace host_place(const Device& device, std::uint64_t address, std::size_t size);

/// "byte 5: expected 0x12, found 0x34" of the first byte that differs; empty if none does. Both are of the same size.
std::string first_difference(std::span<const std::byte> found, std::span<const std::byte> expected);

/// Knows the data by the test's own pattern and never reads them back from the device, where a fault may have changed
/// them. Made before the device runs, asked afterwards.
class DataCheck {
public:
    /// The bytes of a buffer, usually those of one call.
    using Data = std::shared_ptr<const std::vector<std::byte>>;

    /// A buffer that a kernel moves to another place.
    struct Copy {
        std::string kernel;
        TransactionKind kind = TransactionKind::write;
        MemoryPlace source;
        MemoryPlace destination;
        Data data;
        std::uint64_t times = kOncePerTransaction;
    };
    /// Instead of a number of times: as often as the point has transactions.
    static constexpr std::uint64_t kOncePerTransaction = 0;

    explicit DataCheck(const Point& point);
    ~DataCheck();
    DataCheck(const DataCheck&) = delete;
    DataCheck& operator=(const DataCheck&) = delete;

    /// Fills a buffer of the size of a call with the pattern of its tile, which nothing else is filled with.
    Data fill(MemoryPlace place) { return fill(place, place.tile); }
    /// Fills it with the pattern of another tile: of several buffers on a tile, each with one of its own.
    Data fill(MemoryPlace place, NodeIndex pattern_of);
    /// The same with a buffer of `size` bytes.
    Data fill(MemoryPlace place, NodeIndex pattern_of, std::size_t size);

    /// Adds a copy to those that have to happen. Others must not happen. A copy may begin where an earlier one of the
    /// same kernel begins, here and there, and be longer or shorter: both have to happen. Throws std::logic_error if it
    /// overlaps another one of the same kind in any other way, at the same distance from source to destination.
    void expect(const Copy& copy);

    /// What was wrong first with the copies of `kernel`; empty if every byte arrived as often as
    /// expected, at its place, and nothing arrived anywhere else.
    [[nodiscard]] std::string fault(const std::string& kernel) const;

private:
    /// A copy, and what has arrived of it. `data` are those of the longest one that begins there.
    struct ExpectedCopy : Copy {
        std::size_t target = 0;
        std::vector<std::uint64_t> bytes_expected;  // by packet
        std::vector<std::uint64_t> bytes_arrived;   // likewise
        std::string fault;                          // of the first packet that was wrong
    };

    /// What arrived last at a packet of a destination.
    struct LastArrival {
        const ExpectedCopy* copy = nullptr;
        std::size_t begin = 0;  // in its data
        std::size_t end = 0;    // likewise
    };

    /// A destination; several copies may go to it, and the last packet stays.
    struct Target {
        MemoryPlace place;
        std::vector<LastArrival> arrivals;  // by packet
    };

    using Tiles = std::uint64_t;  // kind, source tile and destination tile in one number
    static Tiles tiles(TransactionKind kind, NodeIndex source, NodeIndex destination);
    /// Copies between two tiles: by the distance from source address to destination address, and by source address.
    using CopiesOfTiles = std::map<std::uint64_t, std::map<std::uint64_t, ExpectedCopy*>>;

    void see(const Delivery& delivery);
    /// Kernels meet by semaphores, whose words are data only of tests that expect them.
    [[nodiscard]] bool is_for_semaphore(const Delivery& delivery) const;
    [[nodiscard]] std::string difference(const ExpectedCopy& copy, const Delivery& delivery) const;
    [[nodiscard]] std::string missing(const ExpectedCopy& copy) const;
    [[nodiscard]] std::string wrong_contents(const Target& target) const;
    [[nodiscard]] std::string name(NodeIndex tile) const;
    [[nodiscard]] std::string route(NodeIndex source, NodeIndex destination) const;
    /// The copy that a delivery between its tiles belongs to, or one that it should have belonged to.
    static ExpectedCopy& copy_of(const CopiesOfTiles& copies, const Delivery& delivery);
    /// Whether a delivery between its tiles begins in one of the copies, here and there.
    static bool expects(const CopiesOfTiles& copies, const Delivery& delivery);
    [[nodiscard]] std::size_t num_packets(std::size_t bytes) const;
    /// Bytes of packet `packet` of a buffer of `bytes`.
    [[nodiscard]] std::uint64_t packet_bytes(std::size_t packet, std::size_t bytes) const;

    Device& device_;
    const Point& point_;
    std::uint64_t max_packet_bytes_;
    std::function<void(const Delivery&)> other_observer_;

    std::vector<std::unique_ptr<ExpectedCopy>> copies_;
    std::unordered_map<Tiles, CopiesOfTiles> copies_of_tiles_;
    std::map<MemoryPlace, std::size_t> target_of_place_;
    std::vector<Target> targets_;
    std::string stray_;  // the first delivery that nothing expected
};

}  // namespace nocbench
