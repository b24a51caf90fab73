#include "device_model/tenstorrent/tile/niu_registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "device_model/noc/topology.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/niu/network_interfaces.h"
#include "device_model/tenstorrent/risc.h"

namespace nocbench {

namespace {

// Register offsets within a command buffer.
constexpr std::uint32_t kTargetLow = 0x00;
constexpr std::uint32_t kReturnLow = 0x0C;
constexpr std::uint32_t kTag = 0x18;
constexpr std::uint32_t kControl = 0x1C;
constexpr std::uint32_t kLength = 0x20;

// Fields of the control register.
constexpr std::uint32_t kKindMask = 3;
constexpr std::uint32_t kRead = 0;
constexpr std::uint32_t kAtomic = 1;
constexpr std::uint32_t kWrite = 2;
constexpr std::uint32_t kByteEnables = 1 << 2;
constexpr std::uint32_t kInline = 1 << 3;
constexpr std::uint32_t kAcknowledged = 1 << 4;
constexpr std::uint32_t kMulticast = 1 << 5;
constexpr std::uint32_t kLinked = 1 << 6;
constexpr std::uint32_t kStaticVirtualChannel = 1 << 7;
constexpr unsigned kVirtualChannelBit = 13;
constexpr std::uint32_t kVirtualChannelMask = 7;
constexpr std::uint32_t kIncludesSource = 1 << 17;

constexpr unsigned kTransactionIdBit = 10;  // in the tag register
constexpr std::uint32_t kTransactionIdMask = 15;

// Fields of an atomic's length register.
constexpr unsigned kAtomicOperationBit = 12;
constexpr std::uint32_t kAtomicOperationMask = 15;
constexpr std::uint32_t kIncrement = 1;
constexpr unsigned kWrapBit = 2;
constexpr std::uint32_t kWrapMask = 31;

// Command buffers by use. Source: tt-metal, noc_nonblocking_api.h, dedicated mode.
constexpr std::size_t kWriteBuffer = 0;
constexpr std::size_t kReadBuffer = 1;
constexpr std::size_t kSmallWriteBuffer = 2;
constexpr std::size_t kAtomicBuffer = 3;

constexpr std::size_t kLogicalIdWord = 0x12;       // in the configuration registers: logical coordinates
constexpr std::uint32_t kAtomicResultAddress = 4;  // in L1
constexpr std::uint32_t kWordBytes = 4;

using Counter = NiuCounterIndex;

}  // namespace

const NiuRegisterLayout& NiuRegisterLayout::of(const std::string& architecture) {
    static const NiuRegisterLayout wormhole{0x400, false, 0x24, 0x28, 0x2C, 0x30, 0x50};
    static const NiuRegisterLayout blackhole{0x800, true, 0x28, 0x40, 0x44, 0x48, 0x60};
    if (architecture == "wormhole_b0") {
        return wormhole;
    }
    if (architecture == "blackhole") {
        return blackhole;
    }
    throw InputError(fmt::format(
        "compiled kernels: expected wormhole_b0 or blackhole, whose NIU registers are known, found {}", architecture));
}

NiuRegisters::NiuRegisters(DeviceState& state, NodeIndex node, int noc)
    : state_(state),
      initiator_(state.interfaces[static_cast<std::size_t>(noc)]->initiator(node)),
      node_(node),
      noc_(noc),
      layout_(NiuRegisterLayout::of(state.architecture.root)) {
    const TranslatedCoordinate own = state.grid.translated(state.grid.place_of_node(node));
    const auto coordinates =
        static_cast<std::uint32_t>(own.y) << kNocCoordinateBits | static_cast<std::uint32_t>(own.x);
    configuration_[kLogicalIdWord] = coordinates;
    // Index of the coordinate word, after the lower address word.
    const std::uint32_t place = layout_.has_coordinate_word ? 2 : 1;
    const std::uint32_t value = coordinates << layout_.coordinate_bit();
    buffers_[kWriteBuffer][kTargetLow / kWordBytes + place] = value;
    buffers_[kSmallWriteBuffer][kTargetLow / kWordBytes + place] = value;
    buffers_[kReadBuffer][kReturnLow / kWordBytes + place] = value;
    buffers_[kReadBuffer][kControl / kWordBytes] =
        kRead | kAcknowledged | kStaticVirtualChannel | 1U << kVirtualChannelBit;
    buffers_[kAtomicBuffer][kReturnLow / kWordBytes] = kAtomicResultAddress;
    buffers_[kAtomicBuffer][kReturnLow / kWordBytes + place] = value;
}

int NiuRegisters::go_register_of(std::uint32_t offset) const {
    const std::uint32_t buffer = offset / layout_.buffer_stride;
    return buffer < kNumCommandBuffers && offset % layout_.buffer_stride == layout_.go ? static_cast<int>(buffer) : -1;
}

bool NiuRegisters::is_ahead(std::uint32_t offset) const {
    const std::uint32_t index = (offset - kCounters) / kWordBytes;
    return is_counter(offset)
               ? index == Counter::kWritesSent || index == Counter::kPostedWritesSent ||
                     (index >= Counter::kFirstOutgoing && index < Counter::kFirstOutgoing + kNumTransactionIds)
               : go_register_of(offset) >= 0;
}

std::string NiuRegisters::name_of(std::uint32_t offset) const {
    if (const int buffer = go_register_of(offset); buffer >= 0) {
        return fmt::format("the go register of command buffer {}", buffer);
    }
    if (!is_counter(offset)) {
        return {};
    }
    const std::uint32_t index = (offset - kCounters) / kWordBytes;
    constexpr auto kIds = static_cast<std::uint32_t>(kNumTransactionIds);
    if (index >= Counter::kFirstOutstanding && index < Counter::kFirstOutstanding + kIds) {
        return fmt::format("the count of outstanding transactions of id {}", index - Counter::kFirstOutstanding);
    }
    if (index >= Counter::kFirstOutgoing && index < Counter::kFirstOutgoing + kIds) {
        return fmt::format("the count of outgoing writes of id {}", index - Counter::kFirstOutgoing);
    }
    switch (index) {
        case Counter::kAtomicsCompleted:
            return "the count of completed atomics";
        case Counter::kWritesAcknowledged:
            return "the count of acknowledged writes";
        case Counter::kReadsCompleted:
            return "the count of completed reads";
        case Counter::kWritesSent:
            return "the count of sent writes";
        case Counter::kPostedWritesSent:
            return "the count of sent posted writes";
        default:
            return {};
    }
}

std::uint32_t NiuRegisters::counter(std::uint32_t index, Cycle cycle) const {
    constexpr auto kIds = static_cast<std::uint32_t>(kNumTransactionIds);
    const NiuCounters& counters = initiator_.counters();
    const SentWrites& sent_writes = initiator_.sent_writes();
    const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
    switch (index) {
        case Counter::kAtomicsCompleted:
            return low(counters.atomics_completed);
        case Counter::kWritesAcknowledged:
            return low(counters.writes_acknowledged);
        case Counter::kReadsCompleted:
            return low(counters.reads_completed);
        case Counter::kReadsSent:
            return low(counters.reads_sent);
        case Counter::kWritesSent:
            return low(counters.writes_sent) - sent_writes.after(cycle, false);
        case Counter::kPostedWritesSent:
            return low(counters.posted_writes_sent) - sent_writes.after(cycle, true);
        default:
            break;
    }
    if (index >= Counter::kFirstOutstanding && index < Counter::kFirstOutstanding + kIds) {
        return counters.outstanding[index - Counter::kFirstOutstanding];
    }
    if (index >= Counter::kFirstOutgoing && index < Counter::kFirstOutgoing + kIds) {
        const auto id = static_cast<std::uint8_t>(index - Counter::kFirstOutgoing);
        return counters.writes_outgoing[id] + sent_writes.after(cycle, id);
    }
    throw InputError(
        fmt::format("counter {} of an NIU: it is not modeled; expected 0, 1, 2, 5, 10, 11, or 16 to 47", index));
}

std::uint32_t NiuRegisters::load(std::uint32_t offset, Cycle cycle) const {
    if (is_counter(offset)) {
        return counter((offset - kCounters) / kWordBytes, cycle);
    }
    if (offset >= kConfiguration && offset < kCounters) {
        return configuration_[(offset - kConfiguration) / kWordBytes];
    }
    const int go_buffer = go_register_of(offset);
    if (go_buffer >= 0) {
        return initiator_.buffer_was_busy(go_buffer, cycle) ? 1 : 0;
    }
    if (offset == layout_.node_id) {
        const NocCoordinate place = state_.grid.noc_coordinate(noc_, state_.grid.place_of_node(node_));
        return static_cast<std::uint32_t>(place.y) << kNocCoordinateBits | static_cast<std::uint32_t>(place.x);
    }
    const std::uint32_t buffer = offset / layout_.buffer_stride;
    const std::uint32_t place = offset % layout_.buffer_stride / kWordBytes;
    if (buffer < kNumCommandBuffers && place < kWordsOfBuffer) {
        return buffers_[buffer][place];
    }
    throw InputError(fmt::format("register 0x{:x} of an NIU: it is not modeled", offset));
}

void NiuRegisters::store(Risc& risc, std::uint32_t offset, std::uint32_t value) {
    if (clears_counters(offset)) {
        initiator_.clear_outstanding(value);
        return;
    }
    if (offset >= kConfiguration && offset < kCounters) {
        configuration_[(offset - kConfiguration) / kWordBytes] = value;
        return;
    }
    const std::uint32_t buffer = offset / layout_.buffer_stride;
    const std::uint32_t place = offset % layout_.buffer_stride / kWordBytes;
    if (buffer >= kNumCommandBuffers || place >= kWordsOfBuffer) {
        throw InputError(fmt::format("register 0x{:x} of an NIU: it is not modeled, or cannot be written", offset));
    }
    if (initiator_.buffer_is_busy(static_cast<int>(buffer))) {
        throw InputError(fmt::format(
            "command buffer {} of NoC {} still holds a command: expected a wait until its go register reads 0, before "
            "any of its registers is written",
            buffer, noc_));
    }
    buffers_[buffer][place] = value;
    const std::uint32_t coordinates = kTargetLow / kWordBytes + (layout_.has_coordinate_word ? 2 : 1);
    names_tile_[buffer] = names_tile_[buffer] || place == coordinates;
    if (go_register_of(offset) >= 0 && (value & 1U) != 0) {
        go(risc, static_cast<int>(buffer));
    }
}

std::uint64_t NiuRegisters::noc_address(int buffer, std::uint32_t offset) const {
    const std::uint64_t low = word(buffer, offset);
    const std::uint64_t mid = word(buffer, offset + kWordBytes);
    if (!layout_.has_coordinate_word) {
        return low | mid << 32;
    }
    // Upper address bits and the host memory bit; a separate word holds coordinates.
    constexpr std::uint64_t kUpperAddressMask = std::uint64_t{0xF} << 32;
    return low | (mid << 32 & (kUpperAddressMask | host_bit(state_))) |
           std::uint64_t{word(buffer, offset + 2 * kWordBytes)} << kNocAddressBits;
}

void NiuRegisters::require_own(std::uint64_t noc_address, const char* what) const {
    const auto [x, y] = noc_address_coordinates(noc_address, kNocAddressBits);
    const TranslatedCoordinate own = state_.grid.translated(state_.grid.place_of_node(node_));
    if (x != own.x || y != own.y) {
        throw InputError(fmt::format("{}: expected the coordinates ({}, {}) of the kernel's own tile, found ({}, {})",
                                     what, own.x, own.y, x, y));
    }
}

void NiuRegisters::set_target(NiuCommand& command, std::uint64_t noc_address) const {
    command.target = unicast_target(state_, noc_address);
    if (command.target.memory != MemoryKind::l1 && command.kind == TransactionKind::atomic_increment) {
        throw InputError(fmt::format("atomic increment of tile ({}, {}): it is a {} tile; only L1 takes atomics",
                                     command.target.place.x, command.target.place.y,
                                     to_string(state_.grid.tile_kind(command.target.place))));
    }
}

NiuCommand NiuRegisters::command(int buffer) const {
    const std::uint32_t control = word(buffer, kControl);
    const std::uint32_t kind = control & kKindMask;
    NiuCommand command;
    command.buffer = static_cast<std::uint8_t>(buffer);
    command.noc = noc_;
    command.virtual_channel = static_cast<std::uint8_t>(control >> kVirtualChannelBit & kVirtualChannelMask);
    command.is_dynamic = (control & kStaticVirtualChannel) == 0;
    command.posted = (control & kAcknowledged) == 0;
    command.id = static_cast<std::uint8_t>(word(buffer, kTag) >> kTransactionIdBit & kTransactionIdMask);
    command.bytes = word(buffer, kLength);
    const std::uint64_t target = noc_address(buffer, kTargetLow);
    const std::uint64_t returned = noc_address(buffer, kReturnLow);
    std::uint64_t remote = target;

    if (kind == kRead) {
        command.kind = TransactionKind::read;
        command.posted = false;
        require_own(returned, "return address of a read");
        command.own_address = returned & kNocAddressMask;
    } else if (kind == kAtomic) {
        command.kind = TransactionKind::atomic_increment;
        const std::uint32_t operation = command.bytes >> kAtomicOperationBit & kAtomicOperationMask;
        const std::uint32_t wrap = command.bytes >> kWrapBit & kWrapMask;
        if (operation != kIncrement || wrap != kWrapMask) {
            throw InputError(
                fmt::format("atomic operation {} with a wrap of {} bits: expected an increment, {}, of 32 "
                            "bits, {}; others are not modeled",
                            operation, wrap, kIncrement, kWrapMask));
        }
        command.bytes = 0;
        command.operand = word(buffer, layout_.inline_data);
    } else if (kind == kWrite && (control & kInline) != 0) {
        command.kind = TransactionKind::write;
        command.has_inline_data = true;
        command.operand = word(buffer, layout_.inline_data);
        command.bytes = kWordBytes;
        if ((control & kByteEnables) != 0 && std::popcount(word(buffer, kLength)) != static_cast<int>(kWordBytes)) {
            throw InputError(
                fmt::format("byte enables 0x{:x} of an inline write: expected those of one word of 4 bytes; "
                            "others are not modeled",
                            word(buffer, kLength)));
        }
    } else if (kind == kWrite) {
        command.kind = TransactionKind::write;
        require_own(target, "source of a write");
        command.own_address = target & kNocAddressMask;
        remote = returned;
    } else {
        throw InputError(
            fmt::format("control register 0x{:x}: expected a read, 0, an atomic, 1, or a write, 2, found "
                        "kind {}",
                        control, kind));
    }

    if ((control & kMulticast) != 0) {
        const bool includes_source = (control & kIncludesSource) != 0;
        if (command.posted || kind == kRead) {
            throw InputError(kind == kRead ? "multicast: reads have one source"
                                           : "multicast: expected one that is acknowledged; posted ones are not safe");
        }
        command.target = multicast_target(state_, node_, noc_, remote, includes_source, (control & kLinked) != 0);
        command.is_dynamic = false;
        if (includes_source && !reaches(state_, noc_, command.target, node_)) {
            throw InputError(
                fmt::format("{}: expected the source in it, found it outside", rectangle_name(state_, noc_, remote)));
        }
    } else {
        set_target(command, remote & ~kNocFirstCornerMask);
    }
    return command;
}

void NiuRegisters::go(Risc& risc, int buffer) {
    NiuCommand asked = command(buffer);
    asked.names_tile = std::exchange(names_tile_[static_cast<std::size_t>(buffer)], false);
    const bool is_read = asked.kind == TransactionKind::read;
    if (asked.kind == TransactionKind::atomic_increment || asked.has_inline_data) {
        require_target_range(state_, "destination", asked.target, kWordBytes);
        if (asked.target.address % kWordBytes != 0) {
            throw InputError(fmt::format("destination: expected a multiple of 4, found 0x{:x}", asked.target.address));
        }
    } else {
        const RouterConstants& router = state_.architecture.router;
        const auto packet_bytes = static_cast<std::uint32_t>(router.flit_bytes * router.max_packet_data_flits);
        if (asked.bytes == 0 || asked.bytes > packet_bytes) {
            throw InputError(
                fmt::format("length of a packet: expected 1 to {} bytes, found {}", packet_bytes, asked.bytes));
        }
        const auto l1_bytes = static_cast<std::uint64_t>(state_.architecture.l1.size_bytes);
        if (asked.own_address > l1_bytes || asked.bytes > l1_bytes - asked.own_address) {
            throw InputError(fmt::format("{}: expected a range within 0x0 to 0x{:x} of L1, found 0x{:x} to 0x{:x}",
                                         is_read ? "destination" : "source", l1_bytes, asked.own_address,
                                         asked.own_address + asked.bytes));
        }
        require_target_range(state_, is_read ? "source" : "destination", asked.target, asked.bytes);
        require_alignment(state_, asked);
    }
    require_virtual_channel(state_, asked);
    keep_chain(risc, asked);
    submit_command(risc, asked);
}

}  // namespace nocbench
