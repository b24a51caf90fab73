#include "tests/wishbone/fuzz/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "device_model/wishbone/devices/memory_devices.h"
#include "device_model/wishbone/devices/timing_devices.h"
#include "device_model/wishbone/etherbone_slave.h"
#include "device_model/wishbone/self_describing_bus.h"
#include "tests/wishbone/hex.h"
#include "tests/wishbone/plain_slave.h"
#include "tests/wishbone/slave_rig.h"

namespace nocbench::wishbone::test {

namespace {

constexpr std::size_t kRecordBytesMax = 4104;

void add_one_of_each_kind(Bus& bus) {
    const auto identity = [](std::string name, std::uint64_t first_address) {
        return DeviceIdentity{
            .name = std::move(name), .first_address = first_address, .last_address = first_address + 0x7f};
    };
    bus.add(std::make_unique<EventUnit>(identity("event unit", 0x00)));
    bus.add(std::make_unique<LatchUnit>(identity("latch unit", 0x80)));
    bus.add(std::make_unique<CounterDevice>(identity("counter", 0x100)));
    bus.add(std::make_unique<PulseGenerator>(identity("pulses", 0x180)));
    bus.add(std::make_unique<Endpoint>(identity("endpoint", 0x200), 0x0200'1122'3344));
    add_device_table(bus, 0x280, 1);
}

struct Input {
    explicit Input(ByteView input) : options(kRigOptions) {
        if (input.size() < kInputHeadBytes) {
            return;
        }
        const auto widths = std::to_integer<std::uint8_t>(input[0]);
        options.address_widths = widths >> 4 == 0 ? kAllWidths : static_cast<WidthSet>(widths >> 4);
        options.port_widths = (widths & 0xf) == 0 ? kAllWidths : static_cast<WidthSet>(widths & 0xf);
        has_memories = (input[1] & std::byte{1}) == std::byte{0};
        rest = input.subspan(kInputHeadBytes);
    }

    EtherboneSlave::Options options;
    bool has_memories = true;
    ByteView rest;
};

void add_devices(SlaveRig& rig, const Input& input) {
    if (input.has_memories) {
        add_memories(rig.bus);
        return;
    }
    add_one_of_each_kind(rig.bus);
    rig.pacing.step_ns = 300'000'000;  // a pulse every few operations
}

std::string differing(const char* what, ByteView found, ByteView expected) {
    return std::ranges::equal(found, expected)
               ? ""
               : fmt::format("{}: expected {}, found {}", what, to_hex(expected), to_hex(found));
}

std::string differing_memory(const SlaveRig& rig, const PlainSlave& plain) {
    for (std::size_t index = 0; index < kMemories.size(); ++index) {
        const auto* memory = dynamic_cast<const MemoryDevice*>(rig.bus.devices()[index].get());
        if (memory == nullptr) {
            return "device: expected a memory";
        }
        const std::string fault = differing("memory", memory->bytes(), plain.memory().bytes(index));
        if (!fault.empty()) {
            return fault;
        }
    }
    return "";
}

std::string fault_with_pacing(const CountingPacing& pacing, bool may_be_in_cycle) {
    if (pacing.open_operations != 0) {
        return fmt::format("operations that are begun and not ended: expected 0, found {}", pacing.open_operations);
    }
    return pacing.is_in_cycle && !may_be_in_cycle ? "cycle line: expected that it has dropped" : "";
}

}  // namespace

std::string fault_with_datagram(ByteView input) {
    const Input parts(input);
    SlaveRig rig(parts.options);
    add_devices(rig, parts);
    PlainSlave plain(parts.options);
    for (int time = 0; time < 2; ++time) {
        const Bytes answer = rig.answer(parts.rest);
        const std::size_t length = parts.rest.size();
        // A probe has 8 bytes; bytes behind it, or an incomplete record header at the end, are ignored.
        const bool is_probe = answer.size() == kProbeBytes && (answer[2] & std::byte{2}) != std::byte{0};
        if (!answer.empty() && (answer.size() > length || (!is_probe && length - answer.size() >= 8))) {
            return fmt::format("length of an answer: expected {} bytes, found {}", length, answer.size());
        }
        const std::size_t told = std::exchange(rig.pacing.bytes, 0);
        if (!answer.empty() && told != (is_probe ? 0 : answer.size())) {
            return fmt::format("bytes that the pacing is told of: expected {}, found {}", answer.size(), told);
        }
        std::string fault = fault_with_pacing(rig.pacing, false);
        if (fault.empty() && parts.has_memories) {
            fault = differing("answer", answer, plain.answer_datagram(parts.rest));
            fault = fault.empty() ? differing_memory(rig, plain) : fault;
        }
        if (!fault.empty()) {
            return fault;
        }
    }
    return "";
}

std::string fault_with_stream(ByteView input) {
    const Input parts(input);
    ByteView rest = parts.rest;
    const auto take_last = [&rest] {
        const std::size_t last = rest.empty() ? 0 : std::to_integer<std::size_t>(rest.back());
        rest = rest.first(rest.size() - (rest.empty() ? 0 : 1));
        return last;
    };
    std::vector<std::size_t> lengths(take_last() % 16);
    std::ranges::generate(lengths, take_last);
    SlaveRig rig(parts.options);
    add_devices(rig, parts);
    EtherboneStream stream(rig.slave);
    Bytes answer;
    bool is_etherbone = true;
    std::size_t taken = 0;
    lengths.push_back(rest.size());
    for (const std::size_t length : lengths) {
        const ByteView piece = rest.subspan(taken, std::min(length, rest.size() - taken));
        const bool goes_on = stream.take(piece, answer, rig.pacing);
        if (goes_on && !is_etherbone) {
            return "connection: expected that what is no Etherbone stays none";
        }
        is_etherbone = goes_on;
        taken += piece.size();
        if (stream.waiting_bytes() >= kRecordBytesMax) {
            return fmt::format("waiting bytes: expected fewer than {}, found {}", kRecordBytesMax,
                               stream.waiting_bytes());
        }
    }
    if (answer.size() + stream.waiting_bytes() > rest.size()) {
        return fmt::format("answer and waiting bytes: expected {} bytes at most, found {} and {}", rest.size(),
                           answer.size(), stream.waiting_bytes());
    }
    std::string fault = fault_with_pacing(rig.pacing, true);
    if (!fault.empty()) {
        return fault;
    }
    if (parts.has_memories) {
        PlainSlave plain(parts.options);
        const PlainSlave::StreamAnswer expected = plain.answer_stream(rest);
        if (is_etherbone != expected.is_etherbone || stream.waiting_bytes() != expected.waiting_bytes) {
            return fmt::format("connection: expected Etherbone {} and {} waiting bytes, found {} and {}",
                               expected.is_etherbone, expected.waiting_bytes, is_etherbone, stream.waiting_bytes());
        }
        fault = differing("answer", answer, expected.bytes);
        return fault.empty() ? differing_memory(rig, plain) : fault;
    }
    // Repeats the input in one piece.
    SlaveRig whole(parts.options);
    add_devices(whole, parts);
    EtherboneStream whole_stream(whole.slave);
    Bytes expected;
    if (whole_stream.take(rest, expected, whole.pacing) != is_etherbone) {
        return "connection: expected the same whether it comes in pieces or not";
    }
    return differing("answer", answer, expected);
}

}  // namespace nocbench::wishbone::test
