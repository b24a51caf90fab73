// What kernels of Epiphany cores are written against: loads and stores by address, block copies, DMA, synchronization
// and the timer. Functions block and take time as they do on the core; what a kernel computes besides is stated in
// instructions.
//
// Misuse (a misaligned access, an address of no core, a descriptor outside of the core's memory) throws KernelError
// that names the core and the call.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <type_traits>

#include "device_model/epiphany/dma_descriptor.h"
#include "device_model/epiphany/epiphany_shape.h"

namespace nocbench::epiphany {

using Address = std::uint32_t;

// Who and where

/// Number of this core, row by row, and how many there are.
int core_number();
int num_cores();
/// The address by which every core reaches `offset` of the memory of core `number`. By that of its own memory, a core
/// reaches it over the mesh.
Address global_address(int number, Address offset);
/// The address of `offset` in external memory.
Address external_address(std::uint32_t offset);

// Time

/// Cycles since the start of the device.
std::uint64_t timer();
/// Cycles of the core's clock in a second.
std::int64_t clock_hz();
/// The call of a routine between two reads of the timer. `is_cold`: the core was idle before.
void enter_routine(bool is_cold);
/// Times what follows, until close_zone().
void open_zone(const char* name);
void close_zone();
/// Integer instructions that the kernel does besides what these functions do.
void instructions(int count);
/// A branch that is taken.
void taken_branch();
/// What a round of a dissemination barrier computes: partner, addresses, loop.
void prepare_barrier_round();
/// Sets up a hardware loop, whose iterations need no branch. Throws KernelError unless its body has at least 8
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

/// Loads a value. A core stalls until it is there. `instructions_meanwhile` that do not need it are done first.
template <Accessible Value>
Value load(Address address, int instructions_meanwhile = 0) {
    return detail::value_of<Value>(detail::load("load", address, sizeof(Value), instructions_meanwhile));
}

/// Loads a value that is used so much later that a core does not stall for one of its own memory.
template <Accessible Value>
Value load_ahead(Address address) {
    return detail::value_of<Value>(detail::load_ahead("load_ahead", address, sizeof(Value)));
}

/// Stores a value. It leaves at once unless the one before still waits for the mesh.
template <Accessible Value>
void store(Address address, Value value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(Value));
    detail::store(address, sizeof(Value), bits);
}

/// How a copy loop was compiled.
struct CopyLoop {
    int element_bytes = 8;
    int instructions = 2;        // of an iteration, besides load, store and branch: counters and addresses
    bool is_descending = false;  // from the last element to the first one
};

/// Copies `bytes`, a multiple of the element size, one element after the other.
void copy(Address destination, Address source, std::uint32_t bytes, const CopyLoop& loop = {});

/// What an unrolled copy loop does for an element.
enum class CopyStep : std::uint8_t {
    staggered,  // a load and a store; loads are so early that the stores do not wait for those of the own memory
    in_turn     // a load and the store of what it brought
};

/// Copies `count` elements of `element_bytes` by loads and stores only, as an unrolled loop does: its other
/// instructions are the caller's to state.
void copy_elements(Address destination, Address source, std::uint32_t count, std::uint32_t element_bytes,
                   CopyStep step);

// DMA

/// Where the descriptor of a channel is kept, unless a kernel puts its own elsewhere.
inline constexpr Address kDmaDescriptorAddress = 0x7f80;

/// A descriptor that copies `bytes` in dwords.
DmaDescriptor block_descriptor(Address destination, Address source, std::uint32_t bytes);
/// Writes a descriptor to the core's own memory. Takes no time of its own: it is part of dma_start().
void put_descriptor(Address address, const DmaDescriptor& descriptor);
/// Fills a descriptor and starts the channel with it, as the library function does: about 300 cycles before data move.
void dma_start(int channel, const DmaDescriptor& descriptor, Address descriptor_address = kDmaDescriptorAddress);
/// Starts a channel with a descriptor that is in place.
void dma_start_at(int channel, Address descriptor_address);
[[nodiscard]] bool dma_is_busy(int channel);
/// Polls the channel's status over the mesh, as the library function does, until it is idle.
void dma_wait(int channel);
/// Both of it: a block copy by channel 0.
void dma_copy(Address destination, Address source, std::uint32_t bytes);

// Synchronization

/// Lets other cores catch up: after it, what the kernel sees or does without taking time is in order with them.
void synchronize();
/// Waits until all that this core has stored elsewhere, itself or by DMA, has arrived.
void wait_for_stores(std::string_view call);
/// Looks at a word of the core's own memory, in a loop, until `is_met(value)`; returns it. `call` and `waiting_for` are
/// for the report of a deadlock.
std::uint32_t spin_until(std::string_view call, Address address, const std::function<bool(std::uint32_t)>& is_met,
                         std::string_view waiting_for = "another core to write there");

/// Atomically sets a word to 1 if it is 0; returns what it was.
std::uint32_t test_and_set(Address address);
/// A mutex is a word that is 0 while free.
void lock_mutex(Address mutex);
[[nodiscard]] bool try_lock_mutex(Address mutex);
void unlock_mutex(Address mutex);

/// Memory that barrier() uses on each core: a word per core and one more.
inline constexpr Address kBarrierAddress = 0x7e00;

/// All cores, by counters: each reports to the first one, which lets all go on.
void barrier();
/// All cores, by the wired-AND of the chip.
void wired_and_barrier();
/// Lets all cores go on that wait in wired_and_barrier(), although not all have reached it: for the end of a program.
void release_wired_and();

/// Requests the user interrupt of core `number`.
void interrupt(int number);
/// From now on, this core calls `handler` when its interrupt is requested; empty: it does not.
void set_interrupt_handler(std::function<void()> handler);
/// Waits for an interrupt of this core.
void wait_for_interrupt();

}  // namespace nocbench::epiphany
