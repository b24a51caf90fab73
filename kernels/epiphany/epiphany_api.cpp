#include "kernels/epiphany/epiphany_api.h"

#include <fmt/format.h>

#include <utility>

#include "device_model/epiphany/epiphany_state.h"
#include "device_model/sim/error.h"
#include "device_model/sim/narrow.h"

namespace nocbench::epiphany {

namespace {

constexpr int kHardwareLoopInstructionsMin = 8;
constexpr int kHardwareLoopSetUpInstructions = 3;  // start, end and count
// Load, compare and taken branch of a loop that spins on the core's own memory.
constexpr Tick kSpinTicks = ticks_from_cycles(7);

EpiphanyCore& core() { return EpiphanyCore::current(); }
EpiphanyState& device() { return core().state(); }
const EpiphanyConstants& constants() { return device().constants; }
const EpiphanyShape& shape() { return device().shape; }

}  // namespace

int core_number() { return core().identity().node; }

int num_cores() { return shape().num_cores(); }

Address global_address(int number, Address offset) { return shape().global_address(shape().core_at(number), offset); }

Address external_address(std::uint32_t offset) { return static_cast<Address>(kExternalMemoryAddress) + offset; }

std::uint64_t timer() { return static_cast<std::uint64_t>(cycle_containing(core().now())); }

std::int64_t clock_hz() { return shape().clock_hz; }

void enter_routine(bool is_cold) {
    core().spend(is_cold ? constants().core.cold_call_ticks : constants().core.warm_call_ticks);
}

void open_zone(const char* name) { core().open_zone(name); }

void close_zone() { core().close_zone(); }

void instructions(int count) { device().interrupts.compute(core(), count * constants().core.instruction_ticks); }

void prepare_barrier_round() { device().interrupts.compute(core(), constants().core.barrier_round_ticks); }

void taken_branch() { core().spend(constants().core.instruction_ticks + constants().core.taken_branch_ticks); }

bool sleep(Cycle cycles) {
    const Cycle longest = cycle_containing(kNever / 2);
    if (cycles > longest - cycle_containing(core().now())) {
        throw KernelError(fmt::format("{}: sleep: expected an end within {} cycles of modeled time, found {} cycles",
                                      core().name(), longest, cycles));
    }
    return device().interrupts.sleep(core(), ticks_from_cycles(cycles));
}

void wake(int number) { device().interrupts.wake(static_cast<NodeIndex>(number), core().now()); }

void begin_hardware_loop(int body_instructions) {
    if (body_instructions < kHardwareLoopInstructionsMin) {
        throw KernelError(fmt::format("{}: begin_hardware_loop: expected a body of at least {} instructions, found {}",
                                      core().name(), kHardwareLoopInstructionsMin, body_instructions));
    }
    instructions(kHardwareLoopSetUpInstructions);
}

std::uint64_t detail::load(const char* call, Address address, std::size_t size, int instructions_meanwhile) {
    return device().accesses.load(core(), call, address, size, instructions_meanwhile);
}

std::uint64_t detail::load_ahead(const char* call, Address address, std::size_t size) {
    return device().accesses.load(core(), call, address, size, 0, CoreAccesses::ReadKind::load_ahead);
}

void detail::store(Address address, std::size_t size, std::uint64_t value) {
    device().accesses.store(core(), "store", address, size, value);
}

void copy(Address destination, Address source, std::uint32_t bytes, const CopyLoop& loop) {
    const auto size = static_cast<std::uint32_t>(loop.element_bytes);
    if (bytes % size != 0) {
        throw KernelError(
            fmt::format("{}: copy: expected a multiple of {} bytes, found {}", core().name(), size, bytes));
    }
    const bool is_own = source >> 20U == 0;
    for (std::uint32_t done = 0; done < bytes; done += size) {
        const std::uint32_t offset = loop.is_descending ? bytes - size - done : done;
        // The loop's counting overlaps with a load from another memory.
        const std::uint64_t value = detail::load("copy", source + offset, size, is_own ? 0 : loop.instructions);
        if (is_own) {
            instructions(loop.instructions);
        }
        detail::store(destination + offset, size, value);
        taken_branch();
    }
}

void copy_elements(Address destination, Address source, std::uint32_t count, std::uint32_t element_bytes,
                   CopyStep step) {
    const auto kind = step == CopyStep::staggered ? CoreAccesses::ReadKind::load_ahead : CoreAccesses::ReadKind::load;
    device().copies.copy(core(), "copy_elements", destination, source, count, element_bytes, kind);
}

DmaDescriptor block_descriptor(Address destination, Address source, std::uint32_t bytes) {
    DmaDescriptor descriptor;
    descriptor.source = source;
    descriptor.destination = destination;
    descriptor.inner_count = narrow<std::uint16_t>(bytes / 8, "doublewords of a block that a DMA channel copies");
    return descriptor;
}

void put_descriptor(Address address, const DmaDescriptor& descriptor) {
    const auto bytes = descriptor.encoded();
    device().memory.write(device().addresses.place_of({core().identity().core, address}, bytes.size()), bytes);
}

void dma_start(int channel, const DmaDescriptor& descriptor, Address descriptor_address) {
    put_descriptor(descriptor_address, descriptor);
    core().spend(constants().dma.setup_ticks);
    dma_start_at(channel, descriptor_address);
    core().spend(constants().dma.setup_tail_ticks);
}

void dma_start_at(int channel, Address descriptor_address) {
    device().engines.start(core(), "dma_start", channel, descriptor_address);
}

bool dma_is_busy(int channel) { return device().engines.poll(core(), "dma_is_busy", channel); }

void dma_wait(int channel) {
    for (Tick begin = core().now(); device().engines.poll(core(), "dma_wait", channel); begin = core().now()) {
        if (!device().engines.skip_polls(core(), "dma_wait", channel, begin)) {
            return;
        }
    }
}

void dma_copy(Address destination, Address source, std::uint32_t bytes) {
    dma_start(0, block_descriptor(destination, source, bytes));
    dma_wait(0);
}

void synchronize() { core().synchronize(); }

void wait_for_stores(std::string_view call) { device().writes.wait(core(), call); }

std::uint32_t spin_until(std::string_view call, Address address, const std::function<bool(std::uint32_t)>& is_met,
                         std::string_view waiting_for) {
    return device().spins.spin(core(), call, address, kSpinTicks, is_met, waiting_for);
}

std::uint32_t test_and_set(Address address) {
    return static_cast<std::uint32_t>(
        device().accesses.load(core(), "test_and_set", address, 4, 0, CoreAccesses::ReadKind::testset));
}

bool try_lock_mutex(Address mutex) { return test_and_set(mutex) == 0; }

void lock_mutex(Address mutex) {
    while (!try_lock_mutex(mutex)) {
        taken_branch();
    }
}

void poll_mutex(std::string_view call, Address mutex, const std::function<bool()>& may_skip) {
    for (Tick begin = core().now(); !try_lock_mutex(mutex); begin = core().now()) {
        const bool skips = may_skip();
        taken_branch();
        if (skips) {
            device().interrupts.skip_polls(core(), {call, "the lock to become free", mutex}, core().now() - begin);
        }
    }
}

void unlock_mutex(Address mutex) { store<std::uint32_t>(mutex, 0); }

void barrier() {
    constexpr Address kWordBytes = 4;
    const int cores = num_cores();
    const Address release = kBarrierAddress + static_cast<Address>(cores) * kWordBytes;
    const auto slot = [](int number) { return kBarrierAddress + static_cast<Address>(number) * kWordBytes; };
    const auto is_set = [](std::uint32_t value) { return value != 0; };
    // Time as in the vendor's compiled library: each iteration of its three loops recomputes its address.
    const auto step = [] { core().spend(constants().core.barrier_step_ticks); };
    if (core_number() == 0) {
        for (int other = 1; other < cores; ++other) {
            device().spins.spin(core(), "barrier", slot(other), kSpinTicks, is_set);
            step();
        }
        for (int other = 0; other < cores; ++other) {
            store<std::uint32_t>(slot(other), 0);
            step();
        }
        for (int other = 1; other < cores; ++other) {
            store<std::uint32_t>(global_address(other, release), 1);
            step();
        }
        return;
    }
    store<std::uint32_t>(global_address(0, slot(core_number())), 1);
    device().spins.spin(core(), "barrier", release, kSpinTicks, is_set);
    store<std::uint32_t>(release, 0);
}

void wired_and_barrier() { device().wired_and.wait(core(), "wired_and_barrier"); }

void release_wired_and() { device().wired_and.release(core()); }

void interrupt(int number) { detail::store(global_address(number, static_cast<Address>(kInterruptRegister)), 4, 1); }

void set_interrupt_handler(std::function<void()> handler) {
    device().interrupts.set_handler(core(), std::move(handler));
}

void wait_for_interrupt() { device().interrupts.idle(core(), "wait_for_interrupt"); }

}  // namespace nocbench::epiphany
