// API for kernels on Epiphany cores: loads and stores by address, block copies, DMA, synchronization and the timer.
// Functions block and take time as on the core; a kernel states its other computation in instructions.
//
// Misuse throws KernelError that names the core and the call: a misaligned access, an address of no core, or a
// descriptor outside the core's memory.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <type_traits>

#include "device_model/epiphany/dma/dma_descriptor.h"
#include "device_model/epiphany/epiphany_shape.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench::epiphany {

using Address = std::uint32_t;

// Identity

/// Return the number of this core, row by row, and the number of cores.
int core_number();
int num_cores();
/// Returns the address by which every core reaches `offset` in the memory of core `number`. Accesses by this address go
/// over the mesh, even from that core itself.
Address global_address(int number, Address offset);
Address external_address(std::uint32_t offset);

// Time

/// Returns cycles since the start of the device.
std::uint64_t timer();
/// Returns the core's clock cycles per second.
std::int64_t clock_hz();
/// Takes the time of a routine's call between two reads of the timer. `is_cold`: the core was idle before.
void enter_routine(bool is_cold);
/// Opens a profiler zone, until close_zone().
void open_zone(const char* name);
void close_zone();
/// Takes the time of integer instructions other than those of the functions here.
void instructions(int count);
/// Takes the time of a taken branch.
void taken_branch();
/// Takes the time of setting up a round of a dissemination barrier: partner, addresses, loop.
void prepare_barrier_round();
/// Sleeps for `cycles`, which is no runaway however long. Returns false if wake() ended the sleep.
bool sleep(Cycle cycles);
/// Ends a sleep of core `number`, or its skipping of polls in poll_mutex(), now.
void wake(int number);
/// Sets up a hardware loop, whose iterations need no branch. Throws KernelError if its body has fewer than 8
/// instructions. Source: Epiphany Architecture Reference, hardware loops.
void begin_hardware_loop(int body_instructions);

// Memory

template <typename Value>
concept Accessible = std::is_trivially_copyable_v<Value> &&
                     (sizeof(Value) == 1 || sizeof(Value) == 2 || sizeof(Value) == 4 || sizeof(Value) == 8);

namespace detail {

std::uint64_t load(const char* call, Address address, std::size_t size, int instructions_meanwhile);
std::uint64_t load_ahead(const char* call, Address address, std::size_t size);
void store(Address address, std::size_t size, std::uint64_t value);

template <Accessible Value>
Value value_of(std::uint64_t bits) {
    Value value;
    std::memcpy(&value, &bits, sizeof(Value));
    return value;
}

}  // namespace detail

/// Loads a value, and stalls until it arrives. `instructions_meanwhile` independent instructions overlap with the load.
template <Accessible Value>
Value load(Address address, int instructions_meanwhile = 0) {
    return detail::value_of<Value>(detail::load("load", address, sizeof(Value), instructions_meanwhile));
}

/// Loads a value that is used late enough to hide the latency of the core's own memory.
template <Accessible Value>
Value load_ahead(Address address) {
    return detail::value_of<Value>(detail::load_ahead("load_ahead", address, sizeof(Value)));
}

/// Stores a value. The store leaves at once unless the previous one still waits for the mesh.
template <Accessible Value>
void store(Address address, Value value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(Value));
    detail::store(address, sizeof(Value), bits);
}

/// Properties of a compiled copy loop.
struct CopyLoop {
    int element_bytes = 8;
    int instructions = 2;        // per iteration, besides load, store and branch: counters and addresses
    bool is_descending = false;  // from the last element to the first
};

/// Copies `bytes`, a multiple of the element size, element by element.
void copy(Address destination, Address source, std::uint32_t bytes, const CopyLoop& loop = {});

/// Schedule of an unrolled copy loop.
enum class CopyStep : std::uint8_t {
    staggered,  // loads run ahead, so that stores do not wait for those from own memory
    in_turn     // each load is followed by its store
};

/// Copies `count` elements of `element_bytes` by loads and stores only, as an unrolled loop does. The caller states the
/// loop's other instructions.
void copy_elements(Address destination, Address source, std::uint32_t count, std::uint32_t element_bytes,
                   CopyStep step);

// DMA

/// Default address of a channel's descriptor.
inline constexpr Address kDmaDescriptorAddress = 0x7f80;

/// Returns a descriptor that copies `bytes` in dwords.
DmaDescriptor block_descriptor(Address destination, Address source, std::uint32_t bytes);
/// Writes a descriptor to the core's own memory. Takes no time: the time of dma_start() includes it.
void put_descriptor(Address address, const DmaDescriptor& descriptor);
/// Writes a descriptor and starts the channel, as the library function does: about 300 cycles before data move.
void dma_start(int channel, const DmaDescriptor& descriptor, Address descriptor_address = kDmaDescriptorAddress);
/// Starts a channel with a descriptor in memory.
void dma_start_at(int channel, Address descriptor_address);
[[nodiscard]] bool dma_is_busy(int channel);
/// Polls the channel's status over the mesh, as the library function does, until it is idle.
void dma_wait(int channel);
/// Copies a block by channel 0: start and wait.
void dma_copy(Address destination, Address source, std::uint32_t bytes);

// Synchronization

/// Lets other cores catch up, so that this kernel's next instantaneous actions are ordered with theirs.
void synchronize();
/// Waits until all of this core's stores to other memory, including by DMA, have arrived.
void wait_for_stores(std::string_view call);
/// Polls a word of the core's own memory until `is_met(value)`. Returns the word. `call` and `waiting_for` appear in
/// deadlock reports.
std::uint32_t spin_until(std::string_view call, Address address, const std::function<bool(std::uint32_t)>& is_met,
                         std::string_view waiting_for = "another core to write there");

/// Atomically sets a word to 1 if it is 0. Returns the old value.
std::uint32_t test_and_set(Address address);
/// Operate on a mutex: a word that is 0 while free.
void lock_mutex(Address mutex);
[[nodiscard]] bool try_lock_mutex(Address mutex);
void unlock_mutex(Address mutex);
/// Locks a mutex as lock_mutex() does. After a poll that fails, `may_skip()` tells whether further polls would fail
/// until wake(): they are not simulated then. The first poll after that has the time that it would have had.
void poll_mutex(std::string_view call, Address mutex, const std::function<bool()>& may_skip);

/// Memory of barrier() on each core: a word per core and one more.
inline constexpr Address kBarrierAddress = 0x7e00;

/// Waits for all cores, by flags in memory: each core reports to the first core, which releases all.
void barrier();
/// Waits for all cores, by the chip's wired-AND.
void wired_and_barrier();
/// Releases all cores in wired_and_barrier() even if others are missing, for the end of a program.
void release_wired_and();

/// Requests the user interrupt of core `number`.
void interrupt(int number);
/// Sets this core's interrupt handler; empty: none.
void set_interrupt_handler(std::function<void()> handler);
void wait_for_interrupt();

}  // namespace nocbench::epiphany
