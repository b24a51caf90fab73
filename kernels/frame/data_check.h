// Check of every test's data: compares each packet with the sent data on delivery, and memory at the end. All
// transactions of a test share buffers, so memory alone would only show the last one.
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

/// First address of a buffer: in a Tensix tile's L1, or in memory behind a DRAM or PCIe tile.
struct MemoryPlace {
    NodeIndex tile = 0;
    std::uint64_t address = 0;
    auto operator<=>(const MemoryPlace&) const = default;
};

MemoryPlace l1_place(const Grid& grid, LogicalCoordinate core, std::uint64_t address);
MemoryPlace l1_place(const Grid& grid, PhysicalCoordinate tile, std::uint64_t address);
/// Returns the place of a bank as kernels reach it on NoC `noc`.
MemoryPlace dram_place(const Grid& grid, std::uint32_t bank, int noc, std::uint64_t address);
/// Returns the same through another tile of the bank's channel.
MemoryPlace dram_place(const Grid& grid, std::uint32_t bank, PhysicalCoordinate tile, std::uint64_t address);
/// Returns a range of host memory. Throws InputError if it exceeds the range of the PCIe tile, or without such a tile.
MemoryPlace host_place(const Device& device, std::uint64_t address, std::size_t size);

/// Returns "byte 5: expected 0x12, found 0x34" for the first difference; empty if there is none. Requires equal sizes.
std::string first_difference(std::span<const std::byte> found, std::span<const std::byte> expected);

/// Data check of a point. Takes expected data from the test's own pattern, never from the device, where a fault may
/// have changed them. Make it before the device runs, query it afterwards.
class DataCheck {
public:
    /// Bytes of a buffer, usually those of one call.
    using Data = std::shared_ptr<const std::vector<std::byte>>;

    /// A kernel's copy of a buffer to another place.
    struct Copy {
        std::string kernel;
        TransactionKind kind = TransactionKind::write;
        MemoryPlace source;
        MemoryPlace destination;
        Data data;
        std::uint64_t times = kOncePerTransaction;
    };
    /// In place of a count: once per transaction of the point.
    static constexpr std::uint64_t kOncePerTransaction = 0;

    explicit DataCheck(const Point& point);
    ~DataCheck();
    DataCheck(const DataCheck&) = delete;
    DataCheck& operator=(const DataCheck&) = delete;

    /// Fills a buffer of call size with the pattern of its tile, which must be used only once.
    Data fill(MemoryPlace place) { return fill(place, place.tile); }
    /// Fills it with another tile's pattern, for several buffers on one tile.
    Data fill(MemoryPlace place, NodeIndex pattern_of);
    /// Fills a buffer of `size` bytes.
    Data fill(MemoryPlace place, NodeIndex pattern_of, std::size_t size);

    /// Expects a copy; unexpected copies are faults. Several copies of a kernel may share source and destination
    /// addresses with different lengths; all are then expected. Throws std::logic_error for any other overlap with a
    /// copy of the same kind at the same distance from source to destination.
    void expect(const Copy& copy);

    /// Returns the first fault in the copies of `kernel`. Empty if every byte arrived at its place, as often as
    /// expected, and nothing arrived elsewhere.
    [[nodiscard]] std::string fault(const std::string& kernel) const;

private:
    /// An expected copy and its arrivals. `data` are those of the longest copy that begins there.
    struct ExpectedCopy : Copy {
        std::size_t target = 0;
        std::vector<std::uint64_t> bytes_expected;  // by packet
        std::vector<std::uint64_t> bytes_arrived;   // likewise
        std::string fault;                          // first faulty packet
    };

    /// The bytes of a copy that arrived last in the place of one packet of a destination.
    struct LastArrival {
        const ExpectedCopy* copy = nullptr;
        std::size_t begin = 0;  // within its data
        std::size_t end = 0;    // within its data
    };

    /// A destination of one or more copies; the last packet stays.
    struct Target {
        MemoryPlace place;
        std::vector<LastArrival> arrivals;  // by packet
    };

    using Tiles = std::uint64_t;  // kind, source tile and destination tile in one number
    static Tiles tiles(TransactionKind kind, NodeIndex source, NodeIndex destination);
    /// Copies between two tiles, by distance from source to destination address, then by source address.
    using CopiesOfTiles = std::map<std::uint64_t, std::map<std::uint64_t, ExpectedCopy*>>;

    void see(const Delivery& delivery);
    /// True for a semaphore's word, which is test data only if expected: kernels meet by semaphores.
    [[nodiscard]] bool is_for_semaphore(const Delivery& delivery) const;
    [[nodiscard]] std::string difference(const ExpectedCopy& copy, const Delivery& delivery) const;
    [[nodiscard]] std::string missing(const ExpectedCopy& copy) const;
    [[nodiscard]] std::string wrong_contents(const Target& target) const;
    [[nodiscard]] std::string name(NodeIndex tile) const;
    [[nodiscard]] std::string route(NodeIndex source, NodeIndex destination) const;
    /// Returns the copy of a delivery between its tiles, or the closest one.
    static ExpectedCopy& copy_of(const CopiesOfTiles& copies, const Delivery& delivery);
    /// True if a copy begins at the delivery's source and destination.
    static bool expects(const CopiesOfTiles& copies, const Delivery& delivery);
    [[nodiscard]] std::size_t num_packets(std::size_t bytes) const;
    /// Returns the bytes of packet `packet` of a buffer of `bytes`.
    [[nodiscard]] std::uint64_t packet_bytes(std::size_t packet, std::size_t bytes) const;

    Device& device_;
    const Point& point_;
    std::uint64_t max_packet_bytes_;
    std::function<void(const Delivery&)> other_observer_;

    std::vector<std::unique_ptr<ExpectedCopy>> copies_;
    std::unordered_map<Tiles, CopiesOfTiles> copies_of_tiles_;
    std::map<MemoryPlace, std::size_t> target_of_place_;
    std::vector<Target> targets_;
    std::string stray_;  // first unexpected delivery
};

}  // namespace nocbench
