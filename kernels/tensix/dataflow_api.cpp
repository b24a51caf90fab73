#include "kernels/tensix/dataflow_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "device_model/sim/error.h"
#include "device_model/sim/narrow.h"
#include "device_model/tenstorrent/niu/network_interfaces.h"
#include "device_model/tenstorrent/risc.h"
#include "device_model/tenstorrent/tile/niu_command.h"
#include "kernels/tensix/program.h"

namespace nocbench::dataflow {

namespace {

// Command buffers by use. Source: tt-metal, noc_nonblocking_api.h, dedicated mode.
constexpr std::uint8_t kWriteBuffer = 0;
constexpr std::uint8_t kReadBuffer = 1;
constexpr std::uint8_t kSmallWriteBuffer = 2;
constexpr std::uint8_t kAtomicBuffer = 3;

/// Context of an API call.
struct Caller {
    Risc& risc;
    KernelContext& context;
    DeviceState& state;
    const char* call;

    explicit Caller(const char* call_)
        : risc(Risc::current()),
          context(*static_cast<KernelContext*>(risc.context())),
          state(risc.state()),
          call(call_) {}

    [[nodiscard]] const RiscConstants& cost() const { return state.architecture.risc; }

    /// Notifies observers of the call, by its name in traces of tt-metal's profiler.
    void show(std::string_view event, int noc, std::uint64_t noc_address = 0, std::uint32_t bytes = 0,
              std::uint8_t virtual_channel = 0, bool posted = false) const {
        if (state.observers.called) {
            state.observers.called({risc.identity().index, event, static_cast<std::uint8_t>(noc), virtual_channel,
                                    posted, bytes, noc_address, risc.now()});
        }
    }

    [[noreturn]] void fail(const std::string& message) const {
        throw KernelError(fmt::format("{}: {}: {}", risc.name(), call, message));
    }

    /// Returns the result of `check`, converting its errors to KernelError.
    template <class Check>
    auto checked(const Check& check) const {
        try {
            return check();
        } catch (const InputError& error) {
            fail(error.what());
        }
    }

    [[nodiscard]] int noc(std::uint8_t noc) const {
        if (noc == kNocOfKernel) {
            return context.noc;
        }
        if (noc >= kNumNocs) {
            fail(fmt::format("expected NoC 0 or 1, found {}", noc));
        }
        return noc;
    }

    /// Each RISC needs exclusive use of a NIU's counters and command buffers.
    /// Source: tt-metal, dedicated mode of the NoCs.
    void require_no_owner(int noc) const {
        for (const int index : state.riscs_of_node[risc.identity().node]) {
            if (index < 0) {
                continue;
            }
            const Risc& other = *state.riscs[static_cast<std::size_t>(index)];
            const auto* const its_context = static_cast<const KernelContext*>(other.context());
            if (&other != &risc && its_context != nullptr && its_context->noc == noc) {
                fail(fmt::format("expected a NoC that no other RISC of the tile uses, found NoC {}, which {} has", noc,
                                 other.name()));
            }
        }
    }

    void check_l1(const char* what, std::uint64_t address, std::uint64_t size) const {
        const L1Constants& l1 = state.architecture.l1;
        const std::uint64_t begin = semaphore_address(state.architecture, 0);
        const auto end = static_cast<std::uint64_t>(l1.size_bytes);
        if (address < begin || address > end || size > end - address) {
            fail(fmt::format("{}: expected a range within 0x{:x} to 0x{:x} of L1, found 0x{:x} to 0x{:x}", what, begin,
                             end, address, address + size));
        }
    }

    void check_alignment(const char* what, std::uint64_t address, std::int64_t alignment) const {
        if (address % static_cast<std::uint64_t>(alignment) != 0) {
            fail(fmt::format("{}: expected a multiple of {}, found 0x{:x}", what, alignment, address));
        }
    }
};

/// Returns the alternative for a multicast address in a unicast call.
std::string_view instead_of_unicast(std::string_view call) {
    if (call.starts_with("noc_async_read")) {
        return "reads have one source";
    }
    if (call == "noc_semaphore_inc") {
        return "noc_semaphore_inc_multicast takes it";
    }
    if (call == "noc_semaphore_set_remote") {
        return "noc_semaphore_set_multicast takes it";
    }
    return "noc_async_write_multicast takes it, and nothing posts multicasts, since the hardware does not do that "
           "safely";
}

CommandTarget decode(const Caller& caller, std::uint64_t noc_address) {
    if (has_rectangle(noc_address)) {
        caller.fail(fmt::format("expected the address of one tile, found that of a multicast; {}",
                                instead_of_unicast(caller.call)));
    }
    return caller.checked([&] { return unicast_target(caller.state, noc_address); });
}

CommandTarget decode_multicast(const Caller& caller, std::uint64_t noc_address, int noc, bool includes_source,
                               std::uint32_t num_dests, bool linked) {
    if (!has_rectangle(noc_address)) {
        caller.fail("expected the address of a multicast from get_noc_multicast_addr, found that of one tile");
    }
    const CommandTarget target = caller.checked([&] {
        return multicast_target(caller.state, caller.risc.identity().node, noc, noc_address, includes_source, linked);
    });
    if (includes_source && !reaches(caller.state, noc, target, caller.risc.identity().node)) {
        const std::string_view call(caller.call);
        caller.fail(fmt::format("{}: expected the source in it, found it outside; {} is for that",
                                rectangle_name(caller.state, noc, noc_address),
                                call.substr(0, call.find("_loopback_src"))));
    }
    if (num_dests != target.num_receivers) {
        caller.fail(fmt::format("num_dests: expected the {} receivers of {}{}, found {}; {} counts on it and would {}",
                                target.num_receivers, rectangle_name(caller.state, noc, noc_address),
                                includes_source ? "" : ", its source not counted", num_dests,
                                std::string_view(caller.call) == "noc_semaphore_inc_multicast"
                                    ? "noc_async_atomic_barrier"
                                    : "noc_async_write_barrier",
                                num_dests > target.num_receivers ? "never end" : "end too early"));
    }
    return target;
}

void check_target(const Caller& caller, const char* what, const CommandTarget& target, std::uint64_t size) {
    if (target.memory != MemoryKind::l1) {
        caller.checked([&] { require_target_range(caller.state, what, target, size); });
    } else {
        caller.check_l1(what, target.address, size);
    }
}

struct Command {
    TransactionKind kind = TransactionKind::read;
    std::uint8_t buffer = 0;
    std::uint8_t vc = 0;
    int noc = 0;
    bool posted = false;
    std::uint32_t operand = 0;
    bool is_stateful = false;
    bool has_inline_data = false;
};

/// Marks the registers of stateful calls as overwritten.
void overwrite_state(const Caller& caller, const Command& command) {
    const auto noc = static_cast<std::size_t>(command.noc);
    if (command.buffer == kWriteBuffer) {
        caller.context.write_state[noc].reset();
    } else if (command.buffer == kReadBuffer) {
        caller.context.read_state[noc].reset();
    }
}

/// Returns the extra cost of a new target, or of the first repeat of a target, for calls of one kind: code around the
/// calls, or a loop to enter.
Tick target_ticks(const Caller& caller, const Command& command, const CommandTarget& target) {
    const bool is_read = command.kind == TransactionKind::read;
    const RiscConstants& cost = caller.cost();
    KernelContext::LastCall& last = caller.context.last_calls[static_cast<std::size_t>(command.kind)];
    const bool is_same = last.count != 0 && last.node == target.node && last.tree == target.tree;
    const bool is_first = last.count == 0;
    last = {target.node, target.tree, is_same ? last.count + 1 : 1};
    if (is_same) {
        return last.count != 2 ? 0 : is_read ? cost.read_first_repeat_ticks : cost.write_first_repeat_ticks;
    }
    return is_first ? 0 : is_read ? cost.read_new_target_ticks : cost.write_new_target_ticks;
}

/// Waits for the command buffer, writes the NIU's registers and submits the command.
void issue(const Caller& caller, const Command& command, const CommandTarget& target, std::uint64_t own_address,
           std::uint32_t bytes, Tick call_ticks) {
    const bool is_dynamic = target.tree == kNoTree && (command.vc & NOC_DYNAMIC_VC) != 0;
    NiuCommand asked;
    asked.kind = command.kind;
    asked.buffer = command.buffer;
    asked.virtual_channel = static_cast<std::uint8_t>(command.vc & ~(is_dynamic ? NOC_DYNAMIC_VC : 0));
    asked.is_dynamic = is_dynamic;
    asked.noc = command.noc;
    asked.posted = command.posted;
    asked.operand = command.operand;
    asked.has_inline_data = command.has_inline_data;
    asked.names_tile = !command.is_stateful;
    asked.bytes = bytes;
    asked.own_address = own_address;
    asked.target = target;
    Risc& risc = caller.risc;
    caller.checked([&] { require_virtual_channel(asked); });
    caller.require_no_owner(command.noc);
    caller.checked([&] { keep_chain(risc, asked); });
    if (!command.is_stateful) {
        overwrite_state(caller, command);
    }
    risc.wait_for_command_buffer(command.noc, command.buffer);
    risc.spend(call_ticks - caller.cost().register_load_ticks);
    risc.spend(target_ticks(caller, command, target));
    submit_command(risc, asked);
}

std::uint32_t max_packet_bytes(const DeviceState& state) {
    const RouterConstants& router = state.architecture.router;
    return static_cast<std::uint32_t>(router.flit_bytes * router.max_packet_data_flits);
}

void check_transfer(const Caller& caller, const CommandTarget& target, std::uint32_t own_address, std::uint32_t size,
                    bool is_read) {
    if (size == 0) {
        caller.fail("size: expected at least 1 byte, found 0");
    }
    const char* const own_name = is_read ? "destination" : "source";
    const char* const target_name = is_read ? "source" : "destination";
    caller.check_l1(own_name, own_address, size);
    check_target(caller, target_name, target, size);
    NiuCommand moved;
    moved.kind = is_read ? TransactionKind::read : TransactionKind::write;
    moved.own_address = own_address;
    moved.target = target;
    caller.checked([&] { require_alignment(caller.state, moved); });
}

void check_is_one_packet(const Caller& caller, std::uint32_t size) {
    const std::uint32_t packet_bytes = max_packet_bytes(caller.state);
    if (size > packet_bytes) {
        caller.fail(fmt::format("size: expected at most one packet of {} bytes, found {}", packet_bytes, size));
    }
}

void read(const char* call, std::uint64_t source, std::uint32_t destination, std::uint32_t size, std::uint8_t noc,
          std::uint8_t vc, bool one_packet) {
    const Caller caller(call);
    const int number = caller.noc(noc);
    CommandTarget target = decode(caller, source);
    check_transfer(caller, target, destination, size, true);
    caller.show("READ", number, source, size, vc);
    if (one_packet) {
        check_is_one_packet(caller, size);
    }
    const std::uint32_t packet_bytes = max_packet_bytes(caller.state);
    const Command command{TransactionKind::read, kReadBuffer, vc, number, false, 0};
    while (size > 0) {
        const std::uint32_t bytes = std::min(size, packet_bytes);
        issue(caller, command, target, destination, bytes, caller.cost().read_call_ticks);
        ++caller.context.issued[static_cast<std::size_t>(number)].reads;
        target.address += bytes;
        destination += bytes;
        size -= bytes;
    }
}

/// Counts a write for the barriers.
void count_write(const Caller& caller, const Command& command, const CommandTarget& target) {
    KernelContext::IssuedCounters& issued = caller.context.issued[static_cast<std::size_t>(command.noc)];
    if (command.posted) {
        ++issued.posted_writes;
    } else {
        ++issued.writes;
        issued.writes_to_be_acknowledged += std::max<std::uint64_t>(1, target.num_receivers);
    }
}

/// Writes `size` bytes at `source` to `target`, packet by packet.
void write(const Caller& caller, std::uint32_t source, CommandTarget target, std::uint32_t size, const Command& command,
           bool one_packet) {
    check_transfer(caller, target, source, size, false);
    if (one_packet) {
        check_is_one_packet(caller, size);
    }
    const std::uint32_t packet_bytes = max_packet_bytes(caller.state);
    while (size > 0) {
        const std::uint32_t bytes = std::min(size, packet_bytes);
        issue(caller, command, target, source, bytes, caller.cost().write_call_ticks);
        count_write(caller, command, target);
        target.address += bytes;
        source += bytes;
        size -= bytes;
    }
}

void write_unicast(const char* call, std::uint32_t source, std::uint64_t destination, std::uint32_t size,
                   std::uint8_t noc, std::uint8_t vc, bool posted, bool one_packet, std::uint8_t buffer) {
    const Caller caller(call);
    const Command command{TransactionKind::write, buffer, vc, caller.noc(noc), posted, 0};
    const CommandTarget target = decode(caller, destination);
    caller.show("WRITE_", command.noc, destination, size, vc, posted);
    write(caller, source, target, size, command, one_packet);
}

/// Writes the registers shared by stateful calls through `buffer`.
KernelContext::CommandState set_state(const Caller& caller, std::uint64_t noc_address, std::uint32_t size, int noc,
                                      std::uint8_t vc, bool posted, std::uint8_t buffer) {
    static_cast<void>(decode(caller, noc_address));
    check_is_one_packet(caller, size);
    caller.show(buffer == kReadBuffer ? "READ_SET_STATE" : "WRITE_SET_STATE", noc, noc_address, size, vc, posted);
    caller.risc.wait_for_command_buffer(noc, buffer);
    caller.risc.spend(caller.cost().set_state_ticks - caller.cost().register_load_ticks);
    return {noc_address, size, vc, posted};
}

const KernelContext::CommandState& require_state(const Caller& caller,
                                                 const std::optional<KernelContext::CommandState>& state,
                                                 const char* set_state_call) {
    if (!state.has_value()) {
        caller.fail(fmt::format("expected {} before it, with no other such call since, found none", set_state_call));
    }
    return *state;
}

/// Returns the NoC address of a call's `address` on the tile of the state.
std::uint64_t address_of_state(const KernelContext::CommandState& state, std::uint32_t address) {
    constexpr std::uint64_t kLowBits = ~std::uint32_t{0};
    return (state.noc_address & ~kLowBits) | address;
}

void increment_semaphore(const Caller& caller, const CommandTarget& target, const Command& command) {
    caller.check_l1("semaphore", target.address, sizeof(std::uint32_t));
    caller.check_alignment("semaphore", target.address, sizeof(std::uint32_t));
    issue(caller, command, target, 0, 0, caller.cost().semaphore_call_ticks);
    caller.context.issued[static_cast<std::size_t>(command.noc)].atomics +=
        std::max<std::uint64_t>(1, target.num_receivers);
}

/// Arguments common to all data multicasts.
struct Multicast {
    std::uint64_t destinations = 0;
    std::uint32_t num_dests = 0;
    bool linked = false;
    bool includes_source = false;
    std::uint8_t noc = kNocOfKernel;
    std::uint8_t vc = NOC_MULTICAST_WRITE_VC;
};

void write_multicast(const char* call, std::uint32_t source, std::uint32_t size, const Multicast& multicast,
                     bool one_packet, std::uint8_t buffer) {
    const Caller caller(call);
    const int noc = caller.noc(multicast.noc);
    const CommandTarget target = decode_multicast(caller, multicast.destinations, noc, multicast.includes_source,
                                                  multicast.num_dests, multicast.linked);
    caller.show("WRITE_MULTICAST", noc, multicast.destinations, size, multicast.vc);
    write(caller, source, target, size, {TransactionKind::write, buffer, multicast.vc, noc, false, 0}, one_packet);
}

/// Waits for a NIU counter to reach the kernel's issued count, less an allowed rest.
class CounterCondition final : public WaitCondition {
public:
    CounterCondition(const char* call, const char* what, const std::uint64_t& counter, std::uint64_t wanted)
        : call_(call), what_(what), counter_(counter), wanted_(wanted) {}
    [[nodiscard]] bool is_met() const override { return counter_ >= wanted_; }
    [[nodiscard]] std::string description() const override {
        return fmt::format("{} for {} {} ({} have)", call_, wanted_, what_, counter_);
    }

private:
    const char* call_;
    const char* what_;
    const std::uint64_t& counter_;
    std::uint64_t wanted_;
};

void wait_for_counter(const Caller& caller, const char* what, const std::uint64_t& counter, std::uint64_t wanted) {
    const RiscConstants& cost = caller.cost();
    caller.risc.wait_until(CounterCondition(caller.call, what, counter, wanted), Cause::round_trip,
                           cost.register_load_ticks, cost.barrier_poll_ticks);
    caller.risc.spend(cost.barrier_exit_ticks);
}

const NiuCounters& counters(const Caller& caller, int noc) {
    return caller.state.interfaces[static_cast<std::size_t>(noc)]->initiator(caller.risc.identity().node).counters();
}

std::uint32_t peek_l1_word(const Caller& caller, std::uint32_t address) {
    std::uint32_t value = 0;
    caller.state.memory(caller.risc.identity().node).read(address, std::as_writable_bytes(std::span(&value, 1)));
    return value;
}

void check_l1_word(const Caller& caller, std::uint32_t address) {
    caller.check_l1("address", address, sizeof(std::uint32_t));
    caller.check_alignment("address", address, sizeof(std::uint32_t));
}

class SemaphoreCondition final : public WaitCondition {
public:
    SemaphoreCondition(const Caller& caller, std::uint32_t address, std::uint32_t wanted, bool at_least)
        : caller_(caller), address_(address), wanted_(wanted), at_least_(at_least) {}
    [[nodiscard]] bool is_met() const override {
        const std::uint32_t value = peek_l1_word(caller_, address_);
        return at_least_ ? value >= wanted_ : value == wanted_;
    }
    [[nodiscard]] std::string description() const override {
        return fmt::format("{} for the semaphore at 0x{:x} to be {}{} (it is {})", caller_.call, address_,
                           at_least_ ? "at least " : "", wanted_, peek_l1_word(caller_, address_));
    }

private:
    const Caller& caller_;
    std::uint32_t address_;
    std::uint32_t wanted_;
    bool at_least_;
};

void wait_for_semaphore(const Caller& caller, L1Pointer semaphore, std::uint32_t value, bool at_least) {
    check_l1_word(caller, semaphore.address());
    caller.show("SEMAPHORE_WAIT", caller.context.noc);
    const Tick load = caller.cost().l1_load_ticks;
    caller.risc.wait_until(SemaphoreCondition(caller, semaphore.address(), value, at_least), Cause::semaphore, load,
                           load);
}

CircularBuffer& circular_buffer(const Caller& caller, std::uint32_t id) {
    if (id < kNumCircularBuffers) {
        if (std::optional<CircularBuffer>& buffer = caller.context.core->circular_buffers[id]; buffer.has_value()) {
            return *buffer;
        }
    }
    caller.fail(fmt::format("circular buffer {} does not exist on this core", id));
}

CircularBuffer& circular_buffer_of_pages(const Caller& caller, std::uint32_t id, std::uint32_t pages) {
    CircularBuffer& buffer = circular_buffer(caller, id);
    if (pages > buffer.num_pages) {
        caller.fail(
            fmt::format("circular buffer {}: expected at most its {} pages, found {}", id, buffer.num_pages, pages));
    }
    return buffer;
}

class PagesCondition final : public WaitCondition {
public:
    PagesCondition(const Caller& caller, std::uint32_t id, const CircularBuffer& buffer, std::uint32_t pages, bool free)
        : caller_(caller), id_(id), buffer_(buffer), pages_(pages), free_(free) {}
    [[nodiscard]] bool is_met() const override { return available() >= pages_; }
    [[nodiscard]] std::string description() const override {
        return fmt::format("{} for {} {} pages of circular buffer {} ({} are)", caller_.call, pages_,
                           free_ ? "free" : "filled", id_, available());
    }

private:
    [[nodiscard]] std::uint32_t available() const {
        const std::uint32_t filled = buffer_.pages_received - buffer_.pages_acknowledged;
        return free_ ? buffer_.num_pages - filled : filled;
    }

    const Caller& caller_;
    std::uint32_t id_;
    const CircularBuffer& buffer_;
    std::uint32_t pages_;
    bool free_;
};

void wait_for_pages(const Caller& caller, std::uint32_t id, std::uint32_t pages, bool free) {
    const CircularBuffer& buffer = circular_buffer_of_pages(caller, id, pages);
    const Tick load = caller.cost().register_load_ticks;
    caller.risc.wait_until(PagesCondition(caller, id, buffer, pages, free), Cause::circular_buffer, load, load);
}

void move_pages(const Caller& caller, std::uint32_t id, std::uint32_t pages, bool push) {
    CircularBuffer& buffer = circular_buffer_of_pages(caller, id, pages);
    caller.risc.spend(caller.cost().circular_buffer_call_ticks);
    caller.risc.synchronize();
    const std::uint32_t filled = buffer.pages_received - buffer.pages_acknowledged;
    const std::uint32_t available = push ? buffer.num_pages - filled : filled;
    if (pages > available) {
        caller.fail(fmt::format("circular buffer {}: expected at most the {} pages that are {}, found {}", id,
                                available, push ? "free" : "filled", pages));
    }
    (push ? buffer.pages_received : buffer.pages_acknowledged) += pages;
    caller.state.notify_tile(caller.risc.identity().node, caller.risc.now(), nullptr);
}

}  // namespace

namespace {

void spend_on_argument(const Caller& caller) {
    const RiscConstants& cost = caller.cost();
    const bool is_first = !std::exchange(caller.context.has_loaded_argument, true);
    caller.risc.spend(is_first ? cost.first_argument_load_ticks : cost.argument_load_ticks);
}

}  // namespace

std::uint32_t noc_max_burst_size() { return max_packet_bytes(Caller("noc_max_burst_size").state); }

std::uint32_t get_compile_time_arg_val(std::uint32_t index) {
    const Caller caller("get_compile_time_arg_val");
    if (index >= caller.context.compile_time_args.size()) {
        caller.fail(
            fmt::format("argument {} was never set; there are {}", index, caller.context.compile_time_args.size()));
    }
    return caller.context.compile_time_args[index];
}

std::uint32_t load_runtime_arg(std::uint32_t index) {
    const Caller caller("get_arg_val");
    if (index >= caller.context.runtime_args.size()) {
        caller.fail(fmt::format("argument {} was never set; there are {}", index, caller.context.runtime_args.size()));
    }
    spend_on_argument(caller);
    return caller.context.runtime_args[index];
}

std::uint32_t load_common_runtime_arg(std::uint32_t index) {
    const Caller caller("get_common_arg_val");
    if (index >= caller.context.common_runtime_args.size()) {
        caller.fail(
            fmt::format("argument {} was never set; there are {}", index, caller.context.common_runtime_args.size()));
    }
    spend_on_argument(caller);
    return caller.context.common_runtime_args[index];
}

std::uint8_t noc_index() { return static_cast<std::uint8_t>(Caller("noc_index").context.noc); }

std::uint32_t get_absolute_logical_x() {
    return static_cast<std::uint32_t>(Caller("get_absolute_logical_x").risc.identity().core.x);
}

std::uint32_t get_absolute_logical_y() {
    return static_cast<std::uint32_t>(Caller("get_absolute_logical_y").risc.identity().core.y);
}

std::uint32_t my_x(std::uint8_t noc) {
    const Caller caller("my_x");
    static_cast<void>(caller.noc(noc));
    return static_cast<std::uint32_t>(caller.state.grid.translated(caller.risc.identity().physical).x);
}

std::uint32_t my_y(std::uint8_t noc) {
    const Caller caller("my_y");
    static_cast<void>(caller.noc(noc));
    return static_cast<std::uint32_t>(caller.state.grid.translated(caller.risc.identity().physical).y);
}

std::uint64_t get_noc_addr(std::uint32_t noc_x, std::uint32_t noc_y, std::uint32_t address, std::uint8_t noc) {
    const Caller caller("get_noc_addr");
    static_cast<void>(caller.noc(noc));
    if (noc_x > kNocCoordinateMask || noc_y > kNocCoordinateMask) {
        caller.fail(
            fmt::format("expected coordinates of at most {}, found ({}, {})", kNocCoordinateMask, noc_x, noc_y));
    }
    caller.risc.spend(caller.cost().address_ticks);
    return noc_address_of({static_cast<int>(noc_x), static_cast<int>(noc_y)}, address);
}

std::uint64_t get_noc_multicast_addr(std::uint32_t noc_x_start, std::uint32_t noc_y_start, std::uint32_t noc_x_end,
                                     std::uint32_t noc_y_end, std::uint32_t address, std::uint8_t noc) {
    const Caller caller("get_noc_multicast_addr");
    const int number = caller.noc(noc);
    if (std::max({noc_x_start, noc_y_start, noc_x_end, noc_y_end}) > kNocCoordinateMask) {
        caller.fail(fmt::format("expected coordinates of at most {}, found ({}, {}) to ({}, {})", kNocCoordinateMask,
                                noc_x_start, noc_y_start, noc_x_end, noc_y_end));
    }
    caller.risc.spend(caller.cost().address_ticks);
    TranslatedCoordinate first{static_cast<int>(noc_x_start), static_cast<int>(noc_y_start)};
    TranslatedCoordinate last{static_cast<int>(noc_x_end), static_cast<int>(noc_y_end)};
    if (number == 1) {
        std::swap(first, last);
    }
    return noc_address_of(first, last, address);
}

std::uint64_t get_noc_addr(std::uint32_t address, std::uint8_t noc) {
    return get_noc_addr(my_x(noc), my_y(noc), address, noc);
}

template <bool is_dram>
std::uint64_t get_noc_addr_from_bank_id(std::uint32_t bank, std::uint32_t offset, std::uint8_t noc) {
    static_assert(is_dram, "L1 banks need the allocator's map of banks to cores");
    const Caller caller("get_noc_addr_from_bank_id");
    const auto number = static_cast<std::size_t>(caller.noc(noc));
    const std::span<const DramBank> banks = caller.state.grid.dram_banks();
    if (bank >= banks.size()) {
        caller.fail(fmt::format("DRAM bank: expected 0 to {}, found {}", banks.size() - 1, bank));
    }
    caller.risc.spend(caller.cost().address_ticks);
    return noc_address_of(caller.state.grid.translated(banks[bank].endpoint[number]),
                          static_cast<std::uint64_t>(banks[bank].offset_bytes) + offset);
}

template std::uint64_t get_noc_addr_from_bank_id<true>(std::uint32_t, std::uint32_t, std::uint8_t);

std::uint32_t pcie_noc_x() {
    const Caller caller("PCIE_NOC_X");
    return static_cast<std::uint32_t>(caller.checked([&] { return host_tile(caller.state); }).x);
}

std::uint32_t pcie_noc_y() {
    const Caller caller("PCIE_NOC_Y");
    return static_cast<std::uint32_t>(caller.checked([&] { return host_tile(caller.state); }).y);
}

std::uint32_t NOC_XY_PCIE_ENCODING(std::uint32_t noc_x, std::uint32_t noc_y) {
    const Caller caller("NOC_XY_PCIE_ENCODING");
    const unsigned first_bit = encoding_bit(caller.state);
    const TranslatedCoordinate tile{.x = static_cast<int>(noc_x), .y = static_cast<int>(noc_y)};
    return static_cast<std::uint32_t>((noc_address_of(tile, 0) | host_bit(caller.state)) >> first_bit);
}

std::uint64_t get_noc_addr_helper(std::uint32_t noc_xy, std::uint32_t address) {
    const Caller caller("get_noc_addr_helper");
    caller.risc.spend(caller.cost().address_ticks);
    return std::uint64_t{noc_xy} << encoding_bit(caller.state) | address;
}

void noc_async_read(std::uint64_t source, std::uint32_t destination_l1, std::uint32_t size, std::uint8_t noc,
                    std::uint8_t vc) {
    read("noc_async_read", source, destination_l1, size, noc, vc, false);
}

void noc_async_read_one_packet(std::uint64_t source, std::uint32_t destination_l1, std::uint32_t size, std::uint8_t noc,
                               std::uint8_t vc) {
    read("noc_async_read_one_packet", source, destination_l1, size, noc, vc, true);
}

void noc_async_read_barrier(std::uint8_t noc) {
    const Caller caller("noc_async_read_barrier");
    const int number = caller.noc(noc);
    caller.show("READ_BARRIER_START", number);
    wait_for_counter(caller, "reads to complete", counters(caller, number).reads_completed,
                     caller.context.issued[static_cast<std::size_t>(number)].reads);
    caller.show("READ_BARRIER_END", number);
}

void noc_async_read_inc_num_issued(std::uint32_t count, std::uint8_t noc) {
    const Caller caller("noc_async_read_inc_num_issued");
    caller.context.issued[static_cast<std::size_t>(caller.noc(noc))].reads += count;
}

template <bool posted>
void noc_async_write(std::uint32_t source_l1, std::uint64_t destination, std::uint32_t size, std::uint8_t noc,
                     std::uint8_t vc) {
    write_unicast("noc_async_write", source_l1, destination, size, noc, vc, posted, false, kWriteBuffer);
}

template <bool posted>
void noc_async_write_one_packet(std::uint32_t source_l1, std::uint64_t destination, std::uint32_t size,
                                std::uint8_t noc, std::uint8_t vc) {
    write_unicast("noc_async_write_one_packet", source_l1, destination, size, noc, vc, posted, true, kWriteBuffer);
}

template void noc_async_write<false>(std::uint32_t, std::uint64_t, std::uint32_t, std::uint8_t, std::uint8_t);
template void noc_async_write<true>(std::uint32_t, std::uint64_t, std::uint32_t, std::uint8_t, std::uint8_t);
template void noc_async_write_one_packet<false>(std::uint32_t, std::uint64_t, std::uint32_t, std::uint8_t,
                                                std::uint8_t);
template void noc_async_write_one_packet<true>(std::uint32_t, std::uint64_t, std::uint32_t, std::uint8_t, std::uint8_t);

void noc_async_write_multicast(std::uint32_t source_l1, std::uint64_t destinations, std::uint32_t size,
                               std::uint32_t num_dests, bool linked, std::uint8_t noc, std::uint8_t vc) {
    write_multicast("noc_async_write_multicast", source_l1, size, {destinations, num_dests, linked, false, noc, vc},
                    false, kWriteBuffer);
}

void noc_async_write_multicast_one_packet(std::uint32_t source_l1, std::uint64_t destinations, std::uint32_t size,
                                          std::uint32_t num_dests, bool linked, std::uint8_t noc, std::uint8_t vc) {
    write_multicast("noc_async_write_multicast_one_packet", source_l1, size,
                    {destinations, num_dests, linked, false, noc, vc}, true, kWriteBuffer);
}

void noc_async_write_multicast_loopback_src(std::uint32_t source_l1, std::uint64_t destinations, std::uint32_t size,
                                            std::uint32_t num_dests, bool linked, std::uint8_t noc, std::uint8_t vc) {
    write_multicast("noc_async_write_multicast_loopback_src", source_l1, size,
                    {destinations, num_dests, linked, true, noc, vc}, false, kWriteBuffer);
}

void noc_async_read_one_packet_set_state(std::uint64_t source, std::uint32_t size, std::uint8_t noc, std::uint8_t vc) {
    const Caller caller("noc_async_read_one_packet_set_state");
    const int number = caller.noc(noc);
    caller.context.read_state[static_cast<std::size_t>(number)] =
        set_state(caller, source, size, number, vc, false, kReadBuffer);
}

void noc_async_read_one_packet_with_state(std::uint32_t source_address, std::uint32_t destination_l1,
                                          std::uint8_t noc) {
    const Caller caller("noc_async_read_one_packet_with_state");
    const int number = caller.noc(noc);
    const KernelContext::CommandState& state = require_state(
        caller, caller.context.read_state[static_cast<std::size_t>(number)], "noc_async_read_one_packet_set_state");
    const std::uint64_t source = address_of_state(state, source_address);
    caller.show("READ_WITH_STATE", number, source);
    const CommandTarget target = decode(caller, source);
    check_transfer(caller, target, destination_l1, state.bytes, true);
    issue(caller, {TransactionKind::read, kReadBuffer, state.virtual_channel, number, false, 0, true}, target,
          destination_l1, state.bytes, caller.cost().stateful_read_call_ticks);
    ++caller.context.issued[static_cast<std::size_t>(number)].reads;
}

template <bool posted>
void noc_async_write_one_packet_set_state(std::uint64_t destination, std::uint32_t size, std::uint8_t noc,
                                          std::uint8_t vc) {
    const Caller caller("noc_async_write_one_packet_set_state");
    const int number = caller.noc(noc);
    caller.context.write_state[static_cast<std::size_t>(number)] =
        set_state(caller, destination, size, number, vc, posted, kWriteBuffer);
}

template <bool posted>
void noc_async_write_one_packet_with_state(std::uint32_t source_l1, std::uint32_t destination_address,
                                           std::uint8_t noc) {
    const Caller caller("noc_async_write_one_packet_with_state");
    const int number = caller.noc(noc);
    const KernelContext::CommandState& state = require_state(
        caller, caller.context.write_state[static_cast<std::size_t>(number)], "noc_async_write_one_packet_set_state");
    const std::uint64_t destination = address_of_state(state, destination_address);
    caller.show("WRITE_WITH_STATE", number, destination, 0, 0, posted);
    const CommandTarget target = decode(caller, destination);
    if (state.posted != posted) {
        caller.fail(fmt::format("expected {} writes, as they were set up, found {} ones",
                                state.posted ? "posted" : "non-posted", posted ? "posted" : "non-posted"));
    }
    check_transfer(caller, target, source_l1, state.bytes, false);
    const Command command{TransactionKind::write, kWriteBuffer, state.virtual_channel, number, posted, 0, true};
    issue(caller, command, target, source_l1, state.bytes, caller.cost().stateful_write_call_ticks);
    count_write(caller, command, target);
}

template void noc_async_write_one_packet_set_state<false>(std::uint64_t, std::uint32_t, std::uint8_t, std::uint8_t);
template void noc_async_write_one_packet_set_state<true>(std::uint64_t, std::uint32_t, std::uint8_t, std::uint8_t);
template void noc_async_write_one_packet_with_state<false>(std::uint32_t, std::uint32_t, std::uint8_t);
template void noc_async_write_one_packet_with_state<true>(std::uint32_t, std::uint32_t, std::uint8_t);

void noc_async_writes_flushed(std::uint8_t noc) {
    const Caller caller("noc_async_writes_flushed");
    const int number = caller.noc(noc);
    caller.show("WRITE_FLUSH", number);
    wait_for_counter(caller, "writes to be sent", counters(caller, number).writes_sent,
                     caller.context.issued[static_cast<std::size_t>(number)].writes);
}

void noc_async_posted_writes_flushed(std::uint8_t noc) {
    const Caller caller("noc_async_posted_writes_flushed");
    const int number = caller.noc(noc);
    wait_for_counter(caller, "posted writes to be sent", counters(caller, number).posted_writes_sent,
                     caller.context.issued[static_cast<std::size_t>(number)].posted_writes);
}

void noc_async_write_barrier(std::uint8_t noc) {
    const Caller caller("noc_async_write_barrier");
    const int number = caller.noc(noc);
    caller.show("WRITE_BARRIER_START", number);
    wait_for_counter(caller, "writes to be acknowledged", counters(caller, number).writes_acknowledged,
                     caller.context.issued[static_cast<std::size_t>(number)].writes_to_be_acknowledged);
    caller.show("WRITE_BARRIER_END", number);
}

void noc_async_atomic_barrier(std::uint8_t noc) {
    const Caller caller("noc_async_atomic_barrier");
    const int number = caller.noc(noc);
    caller.show("ATOMIC_BARRIER", number);
    wait_for_counter(caller, "atomics to complete", counters(caller, number).atomics_completed,
                     caller.context.issued[static_cast<std::size_t>(number)].atomics);
}

void limit_outstanding_reads(std::uint64_t packets, std::uint8_t noc) {
    const Caller caller("limit_outstanding_reads");
    const int number = caller.noc(noc);
    const std::uint64_t issued = caller.context.issued[static_cast<std::size_t>(number)].reads;
    wait_for_counter(caller, "reads to complete", counters(caller, number).reads_completed,
                     issued - std::min(issued, packets));
}

void limit_outstanding_writes(std::uint64_t packets, std::uint8_t noc) {
    const Caller caller("limit_outstanding_writes");
    const int number = caller.noc(noc);
    const std::uint64_t issued = caller.context.issued[static_cast<std::size_t>(number)].writes_to_be_acknowledged;
    wait_for_counter(caller, "writes to be acknowledged", counters(caller, number).writes_acknowledged,
                     issued - std::min(issued, packets));
}

void noc_async_full_barrier(std::uint8_t noc) {
    noc_async_read_barrier(noc);
    noc_async_writes_flushed(noc);
    noc_async_write_barrier(noc);
    noc_async_atomic_barrier(noc);
    noc_async_posted_writes_flushed(noc);
}

std::uint32_t load_l1_word(std::uint32_t address) {
    const Caller caller("load from L1");
    check_l1_word(caller, address);
    caller.risc.synchronize();
    const std::uint32_t value = peek_l1_word(caller, address);
    caller.risc.spend(caller.cost().l1_load_ticks);
    return value;
}

void store_l1_word(std::uint32_t address, std::uint32_t value) {
    const Caller caller("store to L1");
    check_l1_word(caller, address);
    caller.risc.spend(caller.cost().l1_store_ticks);
    caller.risc.synchronize();
    const NodeIndex node = caller.risc.identity().node;
    caller.state.memory(node).write(address, std::as_bytes(std::span(&value, 1)));
    caller.state.notify_tile(node, caller.risc.now(), nullptr);
}

std::uint32_t get_semaphore(std::uint32_t id) {
    const Caller caller("get_semaphore");
    if (id >= caller.context.core->num_semaphores) {
        caller.fail(fmt::format("semaphore {} does not exist on this core; there are {}", id,
                                caller.context.core->num_semaphores));
    }
    return semaphore_address(caller.state.architecture, id);
}

void noc_semaphore_inc(std::uint64_t semaphore, std::uint32_t increment, std::uint8_t noc, std::uint8_t vc) {
    const Caller caller("noc_semaphore_inc");
    const int number = caller.noc(noc);
    const CommandTarget target = decode(caller, semaphore);
    if (target.memory != MemoryKind::l1) {
        caller.fail(fmt::format("({}, {}) is a {} tile; only L1 takes atomics", target.place.x, target.place.y,
                                to_string(caller.state.grid.tile_kind(target.place))));
    }
    caller.show("SEMAPHORE_INC", number, semaphore, 0, vc);
    increment_semaphore(caller, target,
                        {TransactionKind::atomic_increment, kAtomicBuffer, vc, number, false, increment});
}

void noc_semaphore_set_remote(std::uint32_t source_l1, std::uint64_t semaphore, std::uint8_t noc) {
    write_unicast("noc_semaphore_set_remote", source_l1, semaphore, sizeof(std::uint32_t), noc, NOC_UNICAST_WRITE_VC,
                  false, true, kSmallWriteBuffer);
}

void noc_inline_dw_write(std::uint64_t address, std::uint32_t value, std::uint8_t noc, std::uint8_t vc) {
    const Caller caller("noc_inline_dw_write");
    const CommandTarget target = decode(caller, address);
    check_target(caller, "address", target, sizeof(value));
    caller.check_alignment("address", target.address, sizeof(value));
    caller.show("WRITE_INLINE", caller.noc(noc), address, sizeof(value), vc);
    Command command{TransactionKind::write, kSmallWriteBuffer, vc, caller.noc(noc), false, value};
    command.has_inline_data = true;
    issue(caller, command, target, 0, sizeof(value), caller.cost().write_call_ticks);
    count_write(caller, command, target);
}

void noc_semaphore_set_multicast(std::uint32_t source_l1, std::uint64_t semaphores, std::uint32_t num_dests,
                                 bool linked, std::uint8_t noc) {
    write_multicast("noc_semaphore_set_multicast", source_l1, sizeof(std::uint32_t),
                    {semaphores, num_dests, linked, false, noc, NOC_MULTICAST_WRITE_VC}, true, kSmallWriteBuffer);
}

void noc_semaphore_set_multicast_loopback_src(std::uint32_t source_l1, std::uint64_t semaphores,
                                              std::uint32_t num_dests, bool linked, std::uint8_t noc) {
    write_multicast("noc_semaphore_set_multicast_loopback_src", source_l1, sizeof(std::uint32_t),
                    {semaphores, num_dests, linked, true, noc, NOC_MULTICAST_WRITE_VC}, true, kSmallWriteBuffer);
}

void noc_semaphore_inc_multicast(std::uint64_t semaphores, std::uint32_t increment, std::uint32_t num_dests,
                                 std::uint8_t noc, std::uint8_t vc) {
    const Caller caller("noc_semaphore_inc_multicast");
    const int number = caller.noc(noc);
    const CommandTarget target = decode_multicast(caller, semaphores, number, false, num_dests, false);
    caller.show("SEMAPHORE_INC", number, semaphores, 0, vc);
    increment_semaphore(caller, target,
                        {TransactionKind::atomic_increment, kAtomicBuffer, vc, number, false, increment});
}

void noc_semaphore_set(L1Pointer semaphore, std::uint32_t value) {
    const Caller caller("noc_semaphore_set");
    caller.show("SEMAPHORE_SET", caller.context.noc);
    *semaphore = value;
}

void noc_semaphore_wait(L1Pointer semaphore, std::uint32_t value) {
    wait_for_semaphore(Caller("noc_semaphore_wait"), semaphore, value, false);
}

void noc_semaphore_wait_min(L1Pointer semaphore, std::uint32_t value) {
    wait_for_semaphore(Caller("noc_semaphore_wait_min"), semaphore, value, true);
}

void cb_reserve_back(std::uint32_t id, std::uint32_t pages) {
    wait_for_pages(Caller("cb_reserve_back"), id, pages, true);
}

void cb_push_back(std::uint32_t id, std::uint32_t pages) { move_pages(Caller("cb_push_back"), id, pages, true); }

void cb_wait_front(std::uint32_t id, std::uint32_t pages) { wait_for_pages(Caller("cb_wait_front"), id, pages, false); }

void cb_pop_front(std::uint32_t id, std::uint32_t pages) { move_pages(Caller("cb_pop_front"), id, pages, false); }

std::uint32_t get_write_ptr(std::uint32_t id) {
    const Caller caller("get_write_ptr");
    const CircularBuffer& buffer = circular_buffer(caller, id);
    return buffer.address + buffer.pages_received % buffer.num_pages * buffer.page_bytes;
}

std::uint32_t get_read_ptr(std::uint32_t id) {
    const Caller caller("get_read_ptr");
    const CircularBuffer& buffer = circular_buffer(caller, id);
    return buffer.address + buffer.pages_acknowledged % buffer.num_pages * buffer.page_bytes;
}

ScopedZone::ScopedZone(const char* name) : risc_(Risc::current()) {
    risc_.open_zone(name);
    risc_.spend(risc_.state().architecture.risc.zone_ticks);
}

ScopedZone::~ScopedZone() { risc_.close_zone(); }

void record_timestamped_data(const char* name, std::uint64_t value) { Risc::current().record(name, value); }

}  // namespace nocbench::dataflow
