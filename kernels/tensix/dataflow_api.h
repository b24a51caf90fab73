// Data-movement API for kernels, in tt-metal's vocabulary. A kernel is a plain function that calls it; each call takes
// the simulated time of the RISC on the device.
//
// L1 addresses have 32 bits. NoC addresses have 64 bits: the address within a tile in bits 0 to 35, x in bits 36 to 41,
// y in bits 42 to 47, in coordinates that the device's firmware translates ("virtual" ones for Tensix tiles). A
// multicast address has the last corner of its rectangle there and the first in bits 48 to 59.
// Functions throw KernelError, which ends the run, when the kernel violates the device's rules.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "device_model/tenstorrent/device.h"

namespace nocbench::dataflow {

/// In place of a NoC's number: the kernel's own NoC.
inline constexpr std::uint8_t kNocOfKernel = 0xff;

/// Default virtual channel of unicast requests. Source: tt-metal, NOC_UNICAST_WRITE_VC.
inline constexpr std::uint8_t NOC_UNICAST_WRITE_VC = 1;

/// Added to the virtual channel of a unicast request: the request is dynamic. At each router it takes any free one of
/// the channel and its buddies, so that requests may overtake each other. Without it, a request stays on its channel,
/// as those of tt-metal, which set NOC_CMD_VC_STATIC. Source: Tenstorrent ISA documentation, NoC routing paths.
inline constexpr std::uint8_t NOC_DYNAMIC_VC = 0x80;

/// Default virtual channel of multicasts: the first one for them, 4 on Wormhole and Blackhole. Source: tt-metal,
/// NOC_MULTICAST_WRITE_VC.
inline constexpr std::uint8_t NOC_MULTICAST_WRITE_VC = 0x7f;

/// The longest packet in bytes. Source: tt-metal, NOC_MAX_BURST_SIZE.
std::uint32_t noc_max_burst_size();

// Arguments and position.

std::uint32_t get_compile_time_arg_val(std::uint32_t index);
std::uint32_t load_runtime_arg(std::uint32_t index);
std::uint32_t load_common_runtime_arg(std::uint32_t index);

template <class Value>
Value get_arg_val(std::uint32_t index) {
    static_assert(sizeof(Value) == sizeof(std::uint32_t));
    return static_cast<Value>(load_runtime_arg(index));
}
template <class Value>
Value get_common_arg_val(std::uint32_t index) {
    static_assert(sizeof(Value) == sizeof(std::uint32_t));
    return static_cast<Value>(load_common_runtime_arg(index));
}

std::uint8_t noc_index();
std::uint32_t get_absolute_logical_x();
std::uint32_t get_absolute_logical_y();
std::uint32_t my_x(std::uint8_t noc = kNocOfKernel);
std::uint32_t my_y(std::uint8_t noc = kNocOfKernel);

// Addresses.

/// Returns an address on the tile (x, y).
std::uint64_t get_noc_addr(std::uint32_t noc_x, std::uint32_t noc_y, std::uint32_t address,
                           std::uint8_t noc = kNocOfKernel);
/// Returns an address on the kernel's own tile.
std::uint64_t get_noc_addr(std::uint32_t address, std::uint8_t noc = kNocOfKernel);
/// Returns an address on all Tensix tiles of a rectangle, corners included. Corners are in the direction of the NoC: on
/// NoC 1 they are swapped. The rectangle wraps around the edge of the grid if the first corner is beyond the last.
std::uint64_t get_noc_multicast_addr(std::uint32_t noc_x_start, std::uint32_t noc_y_start, std::uint32_t noc_x_end,
                                     std::uint32_t noc_y_end, std::uint32_t address, std::uint8_t noc = kNocOfKernel);
/// Returns an address in a DRAM bank, by the endpoint that serves this NoC.
template <bool is_dram>
std::uint64_t get_noc_addr_from_bank_id(std::uint32_t bank, std::uint32_t offset, std::uint8_t noc = kNocOfKernel);
/// Return the coordinates of the PCIe tile: PCIE_NOC_X and PCIE_NOC_Y in kernels.
std::uint32_t pcie_noc_x();
std::uint32_t pcie_noc_y();
/// Returns coordinates of the PCIe tile in register format, with the address bit of host memory.
std::uint32_t NOC_XY_PCIE_ENCODING(std::uint32_t noc_x, std::uint32_t noc_y);
/// Returns an address on the tile encoded in `noc_xy`: in host memory, from the start of the PCIe tile's range.
std::uint64_t get_noc_addr_helper(std::uint32_t noc_xy, std::uint32_t address);

// Reads. They return once the NIU has the command; the barrier waits until all data are in L1. Reads of more than a
// packet are split.

void noc_async_read(std::uint64_t source, std::uint32_t destination_l1, std::uint32_t size,
                    std::uint8_t noc = kNocOfKernel, std::uint8_t vc = NOC_UNICAST_WRITE_VC);
void noc_async_read_one_packet(std::uint64_t source, std::uint32_t destination_l1, std::uint32_t size,
                               std::uint8_t noc = kNocOfKernel, std::uint8_t vc = NOC_UNICAST_WRITE_VC);
void noc_async_read_barrier(std::uint8_t noc = kNocOfKernel);
/// Sets up reads of `size` bytes, at most a packet, from the tile of `source`. Each read then takes only an address
/// there, and less time. Any other read of this kernel on the same NoC ends the set-up.
void noc_async_read_one_packet_set_state(std::uint64_t source, std::uint32_t size, std::uint8_t noc = kNocOfKernel,
                                         std::uint8_t vc = NOC_UNICAST_WRITE_VC);
void noc_async_read_one_packet_with_state(std::uint32_t source_address, std::uint32_t destination_l1,
                                          std::uint8_t noc = kNocOfKernel);
/// Makes the next barrier wait for `count` additional reads.
void noc_async_read_inc_num_issued(std::uint32_t count, std::uint8_t noc = kNocOfKernel);

// Writes. They return once the NIU has the command; `flushed` waits until the source may be reused, the barrier until
// all data have been acknowledged. Writes of more than a packet are split.

template <bool posted = false>
void noc_async_write(std::uint32_t source_l1, std::uint64_t destination, std::uint32_t size,
                     std::uint8_t noc = kNocOfKernel, std::uint8_t vc = NOC_UNICAST_WRITE_VC);
template <bool posted = false>
void noc_async_write_one_packet(std::uint32_t source_l1, std::uint64_t destination, std::uint32_t size,
                                std::uint8_t noc = kNocOfKernel, std::uint8_t vc = NOC_UNICAST_WRITE_VC);
/// Sets up writes of `size` bytes, at most a packet, to the tile of `destination`. Each write then takes only an
/// address there, and less time. Any other write of data by this kernel on the same NoC, including multicasts, ends the
/// set-up.
template <bool posted = false>
void noc_async_write_one_packet_set_state(std::uint64_t destination, std::uint32_t size,
                                          std::uint8_t noc = kNocOfKernel, std::uint8_t vc = NOC_UNICAST_WRITE_VC);
template <bool posted = false>
void noc_async_write_one_packet_with_state(std::uint32_t source_l1, std::uint32_t destination_address,
                                           std::uint8_t noc = kNocOfKernel);

// Multicasts: writes of one tile to all other live Tensix tiles of a rectangle, including itself with `_loopback_src`.
// They pass through a tree of routers reserved for each packet, or once for a chain of linked ones: a linked call keeps
// the tree reserved, and the last call of the chain must not be linked. Until then its NIU accepts nothing else.
// `num_dests` is the number of acknowledgements that the barrier expects.

void noc_async_write_multicast(std::uint32_t source_l1, std::uint64_t destinations, std::uint32_t size,
                               std::uint32_t num_dests, bool linked = false, std::uint8_t noc = kNocOfKernel,
                               std::uint8_t vc = NOC_MULTICAST_WRITE_VC);
void noc_async_write_multicast_one_packet(std::uint32_t source_l1, std::uint64_t destinations, std::uint32_t size,
                                          std::uint32_t num_dests, bool linked = false, std::uint8_t noc = kNocOfKernel,
                                          std::uint8_t vc = NOC_MULTICAST_WRITE_VC);
void noc_async_write_multicast_loopback_src(std::uint32_t source_l1, std::uint64_t destinations, std::uint32_t size,
                                            std::uint32_t num_dests, bool linked = false,
                                            std::uint8_t noc = kNocOfKernel, std::uint8_t vc = NOC_MULTICAST_WRITE_VC);

void noc_async_writes_flushed(std::uint8_t noc = kNocOfKernel);
void noc_async_posted_writes_flushed(std::uint8_t noc = kNocOfKernel);
void noc_async_write_barrier(std::uint8_t noc = kNocOfKernel);
void noc_async_atomic_barrier(std::uint8_t noc = kNocOfKernel);
void noc_async_full_barrier(std::uint8_t noc = kNocOfKernel);

// Wait until at most `packets` packets of this kernel are outstanding; a multicast counts once per receiver. Not in
// tt-metal's API, where kernels with a window of calls poll the counters themselves.

void limit_outstanding_reads(std::uint64_t packets, std::uint8_t noc = kNocOfKernel);
void limit_outstanding_writes(std::uint64_t packets, std::uint8_t noc = kNocOfKernel);

// The kernel's own L1.

std::uint32_t load_l1_word(std::uint32_t address);
void store_l1_word(std::uint32_t address, std::uint32_t value);

/// Pointer to a word of the kernel's own L1, in place of `volatile tt_l1_ptr uint32_t*` on the device.
class L1Pointer {
public:
    class Word {
    public:
        explicit Word(std::uint32_t address) : address_(address) {}
        operator std::uint32_t() const { return load_l1_word(address_); }  // NOLINT(google-explicit-constructor)
        Word& operator=(std::uint32_t value) {
            store_l1_word(address_, value);
            return *this;
        }

    private:
        std::uint32_t address_;
    };

    explicit L1Pointer(std::uint32_t address) : address_(address) {}
    [[nodiscard]] std::uint32_t address() const { return address_; }
    Word operator*() const { return Word(address_); }
    Word operator[](std::uint32_t index) const {
        return Word(address_ + index * static_cast<std::uint32_t>(sizeof(std::uint32_t)));
    }

private:
    std::uint32_t address_;
};

// Semaphores: words in L1 for signals between kernels.

/// Returns the L1 address of a semaphore of the program, the same on every core.
std::uint32_t get_semaphore(std::uint32_t id);
void noc_semaphore_inc(std::uint64_t semaphore, std::uint32_t increment, std::uint8_t noc = kNocOfKernel,
                       std::uint8_t vc = NOC_UNICAST_WRITE_VC);
/// Copies the word at `source_l1` to the semaphore of another core.
void noc_semaphore_set_remote(std::uint32_t source_l1, std::uint64_t semaphore, std::uint8_t noc = kNocOfKernel);
/// Writes `value` to a word of another core; the command carries the value.
void noc_inline_dw_write(std::uint64_t address, std::uint32_t value, std::uint8_t noc = kNocOfKernel,
                         std::uint8_t vc = NOC_UNICAST_WRITE_VC);
/// Copy the word at `source_l1` to the semaphores of all tiles of a rectangle.
void noc_semaphore_set_multicast(std::uint32_t source_l1, std::uint64_t semaphores, std::uint32_t num_dests,
                                 bool linked = false, std::uint8_t noc = kNocOfKernel);
void noc_semaphore_set_multicast_loopback_src(std::uint32_t source_l1, std::uint64_t semaphores,
                                              std::uint32_t num_dests, bool linked = false,
                                              std::uint8_t noc = kNocOfKernel);
void noc_semaphore_inc_multicast(std::uint64_t semaphores, std::uint32_t increment, std::uint32_t num_dests,
                                 std::uint8_t noc = kNocOfKernel, std::uint8_t vc = NOC_MULTICAST_WRITE_VC);
void noc_semaphore_set(L1Pointer semaphore, std::uint32_t value);
void noc_semaphore_wait(L1Pointer semaphore, std::uint32_t value);
void noc_semaphore_wait_min(L1Pointer semaphore, std::uint32_t value);

// Circular buffers between the RISCs of a tile.

void cb_reserve_back(std::uint32_t id, std::uint32_t pages);
void cb_push_back(std::uint32_t id, std::uint32_t pages);
void cb_wait_front(std::uint32_t id, std::uint32_t pages);
void cb_pop_front(std::uint32_t id, std::uint32_t pages);
std::uint32_t get_write_ptr(std::uint32_t id);
std::uint32_t get_read_ptr(std::uint32_t id);

// The profiler.

/// Opens a profiler zone until the end of the scope.
class ScopedZone {
public:
    explicit ScopedZone(const char* name);
    ~ScopedZone();
    ScopedZone(const ScopedZone&) = delete;
    ScopedZone& operator=(const ScopedZone&) = delete;

private:
    Risc& risc_;
};

void record_timestamped_data(const char* name, std::uint64_t value);

}  // namespace nocbench::dataflow

#define NOCBENCH_JOIN_NAMES_(left, right) left##right
#define NOCBENCH_JOIN_NAMES(left, right) NOCBENCH_JOIN_NAMES_(left, right)
#define PCIE_NOC_X ::nocbench::dataflow::pcie_noc_x()
#define PCIE_NOC_Y ::nocbench::dataflow::pcie_noc_y()
#define DeviceZoneScopedN(name) const ::nocbench::dataflow::ScopedZone NOCBENCH_JOIN_NAMES(device_zone_, __LINE__)(name)
#define DeviceTimestampedData(name, value) ::nocbench::dataflow::record_timestamped_data(name, value)
