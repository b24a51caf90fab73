// Data check of every test: compares each packet with the sent data on delivery, and memory at the end. All
// transactions of a test share buffers; memory alone would only show the last one.
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
/// Returns the place of a bank as reached on NoC `noc`.
MemoryPlace dram_place(const Grid& grid, std::uint32_t bank, int noc, std::uint64_t address);
/// Returns the place of a bank as reached through `tile` of the bank's channel.
MemoryPlace dram_place(const Grid& grid, std::uint32_t bank, PhysicalCoordinate tile, std::uint64_t address);
/// Returns a range of host memory. Throws InputError if there is no PCIe tile, or if its range is too small.
MemoryPlace host_place(const Device& device, std::uint64_t address, std::size_t size);

/// Returns the first difference as "byte 5: expected 0x12, found 0x34"; empty if there is none. Requires equal sizes.
std::string first_difference(std::span<const std::byte> found, std::span<const std::byte> expected);

/// Data check of a point. Expected data come from the test's own pattern instead of the device, where a fault may have
/// changed them. Must be created before the device runs.
class DataCheck {
public:
    /// Bytes of a buffer, usually those of one call.
    using Data = std::shared_ptr<const std::vector<std::byte>>;

    /// A kernel's copy of a buffer.
    struct Copy {
        std::string kernel;
        TransactionKind kind = TransactionKind::write;
        MemoryPlace source;
        MemoryPlace destination;
        Data data;
        std::uint64_t times = kOncePerTransaction;
    };
    /// Value of `times` for one copy per transaction of the point.
    static constexpr std::uint64_t kOncePerTransaction = 0;

    explicit DataCheck(const Point& point);
    ~DataCheck();
    DataCheck(const DataCheck&) = delete;
    DataCheck& operator=(const DataCheck&) = delete;

    /// Fills a buffer of call size with the pattern of its tile. Each pattern must be used only once.
    Data fill(MemoryPlace place) { return fill(place, place.tile); }
    /// Fills a buffer with another tile's pattern, for several buffers on one tile.
    Data fill(MemoryPlace place, NodeIndex pattern_of);
    /// Fills a buffer of `size` bytes.
    Data fill(MemoryPlace place, NodeIndex pattern_of, std::size_t size);

    /// Expects a copy; unexpected copies are faults. Copies of one kernel may share source and destination addresses
    /// with different lengths; all of them are then expected. Throws std::logic_error for any other overlap with a copy
    /// of the same kind and the same distance from source to destination.
    void expect(const Copy& copy);

    /// Returns the first fault in the copies of `kernel`. Empty if every byte arrived at its place, as often as
    /// expected, and nothing arrived elsewhere.
    [[nodiscard]] std::string fault(const std::string& kernel) const;

private:
    /// Expected copy and its arrivals. If several copies begin at the same addresses, `data` are those of the longest.
    struct ExpectedCopy : Copy {
        std::size_t target = 0;
        std::vector<std::uint64_t> bytes_expected;  // by packet
        std::vector<std::uint64_t> bytes_arrived;   // by packet
        std::string fault;                          // first faulty packet
    };

    /// Bytes of the copy whose packet arrived last in one packet's place of a destination.
    struct LastArrival {
        const ExpectedCopy* copy = nullptr;
        std::size_t begin = 0;  // within its data
        std::size_t end = 0;    // within its data
    };

    /// Destination of one or more copies; memory keeps the last packet.
    struct Target {
        MemoryPlace place;
        std::vector<LastArrival> arrivals;  // by packet
    };

    using Tiles = std::uint64_t;  // kind, source tile and destination tile in one number
    static Tiles tiles(TransactionKind kind, NodeIndex source, NodeIndex destination);
    /// Copies between two tiles, by distance from source to destination address, then by source address.
    using CopiesOfTiles = std::map<std::uint64_t, std::map<std::uint64_t, ExpectedCopy*>>;

    void see(const Delivery& delivery);
    /// Returns whether a delivery is for a semaphore's word. Semaphores synchronize kernels and are test data only if
    /// expected.
    [[nodiscard]] bool is_for_semaphore(const Delivery& delivery) const;
    [[nodiscard]] std::string difference(const ExpectedCopy& copy, const Delivery& delivery) const;
    [[nodiscard]] std::string missing(const ExpectedCopy& copy) const;
    [[nodiscard]] std::string wrong_contents(const Target& target) const;
    [[nodiscard]] std::string name(NodeIndex tile) const;
    [[nodiscard]] std::string route(NodeIndex source, NodeIndex destination) const;
    /// Returns the copy of a delivery between its tiles, or the closest one.
    static ExpectedCopy& copy_of(const CopiesOfTiles& copies, const Delivery& delivery);
    /// Returns whether a copy begins at the delivery's source and destination.
    static bool expects(const CopiesOfTiles& copies, const Delivery& delivery);
    [[nodiscard]] std::size_t num_packets(std::size_t bytes) const;
    /// Returns the size of one packet of a buffer of `bytes`.
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
