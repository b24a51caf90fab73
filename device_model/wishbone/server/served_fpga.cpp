#include "device_model/wishbone/server/served_fpga.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace nocbench::etherbone_server {

using wishbone::Bytes;
using wishbone::ByteView;
using wishbone::Record;
using wishbone::WireFormat;

namespace {

/// Takes times of operations from the host's clock, at their execution.
class HostPacing final : public wishbone::Pacing {
public:
    explicit HostPacing(const ServedFpga& fpga) : fpga_(fpga) {}

    void pass(std::size_t /*bytes*/) override {}
    std::int64_t begin_operation(bool /*is_read*/, std::size_t /*bytes*/) override { return fpga_.now_ns(); }
    void end_operation(Cycle /*acknowledge_cycles*/) override {}
    void end_cycle() override {}

private:
    const ServedFpga& fpga_;
};

}  // namespace

void ServedFpga::Load::add(const Record& record, std::size_t record_bytes) {
    const std::size_t count = record.writes.size() + record.read_addresses.size();
    last_cycle_bytes = (is_open ? last_cycle_bytes : 0) + record_bytes;
    operations += static_cast<std::int64_t>(count);
    ended_cycles += record.ends_cycle ? 1 : 0;
    is_open = !record.ends_cycle && (is_open || count > 0);
}

ServedFpga::ServedFpga(WishboneBoard board, std::vector<std::unique_ptr<wishbone::BusDevice>> further,
                       TimeSource time_source)
    : board_(std::move(board)),
      clock_(board_),
      fpga_(board_.wishbone.fpga, std::move(further)),
      path_(board_, occupation_),
      time_source_(time_source) {}

std::int64_t ServedFpga::now_ns() const {
    if (is_modeled()) {
        return clock_.nanoseconds(now_);
    }
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start_).count();
}

Bytes ServedFpga::answer_datagram(ByteView datagram) {
    Bytes answer;
    const Load load = load_of(datagram);
    carry_out(load, [&](wishbone::Pacing& pacing) {
        answer = fpga_.slave().answer_datagram(datagram, pacing);
        return answer.size();
    });
    const auto bytes_max = static_cast<std::size_t>(board_.wishbone.bridge.message_bytes_max);
    more_follow_ = load.num_cycles() > 1 && load.bytes + load.last_cycle_bytes > bytes_max;
    return answer;
}

bool ServedFpga::answer_records(std::span<const Record> records, const WireFormat& format, std::size_t bytes,
                                Bytes& answer) {
    Load load{.bytes = bytes, .is_understood = true};
    bool has_reads = false;
    for (const Record& record : records) {
        load.add(record, wishbone::record_bytes(record, format));
        has_reads = has_reads || !record.read_addresses.empty();
    }
    carry_out(load, [&](wishbone::Pacing& pacing) {
        const std::size_t before = answer.size();
        for (const Record& record : records) {
            ++fpga_.slave().statistics().messages;
            fpga_.slave().answer_record(record, format, answer, pacing);
        }
        return has_reads ? answer.size() - before : 0;
    });
    return has_reads;
}

ServedFpga::Load ServedFpga::load_of(ByteView datagram) {
    Load load{.bytes = datagram.size()};
    // Probes take no time: the number of a client's repetitions depends on the computer.
    const std::optional<WireFormat> format = fpga_.slave().format_of(datagram);
    if (!format || !is_modeled()) {
        return load;
    }
    load.is_understood = true;
    ByteView rest = datagram.subspan(format->header_bytes());
    while (const std::optional<Record> record = wishbone::decode_record(rest, *format)) {
        const std::size_t bytes_of_record = wishbone::record_bytes(*record, *format);
        load.add(*record, bytes_of_record);
        rest = rest.subspan(bytes_of_record);
    }
    return load;
}

void ServedFpga::carry_out(const Load& load, const Work& work) {
    if (!is_modeled() || !load.is_understood) {
        HostPacing pacing(*this);
        work(pacing);
        return;
    }
    const BridgeHostConstants& host = board_.wishbone.host;
    const Tick call = clock_.ticks(host.system_call_ns);
    const Tick written =
        (more_follow_ ? next_begins_ : now_) +
        clock_.ticks(load.num_cycles() * host.library_cycle_ns + load.operations * host.library_operation_ns) + call;
    path_.send(written, load.bytes);
    path_.take_message();
    const std::size_t answer_bytes = work(path_);
    const wishbone::Passage passage = path_.finish_message(answer_bytes);
    // The library makes all cycles before it sends the first datagram. Later datagrams are not known yet: their cycles
    // are made once this one has left, which ends at the same time.
    next_begins_ = passage.written + passage.frame;
    now_ = std::max({now_, written, answer_bytes == 0 ? passage.written : passage.answered + 2 * call});
    more_follow_ = false;
}

}  // namespace nocbench::etherbone_server
