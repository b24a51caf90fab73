#include "device_model/wishbone/bridge_path.h"

#include <algorithm>

namespace nocbench::wishbone {

namespace {

constexpr PhaseKind kGoesDown{"driver", "{which} goes down through the host's driver", "leaves the host"};
constexpr PhaseKind kWaitsForWire{"waits for the wire", "{which} waits for the wire", "on the wire"};
constexpr PhaseKind kTravels{"request on its way", "{which} is on its way to the FPGA", "first word at the slave"};
constexpr PhaseKind kComesIn{"request comes in", "{which} comes in, word by word", "last word at the slave"};
constexpr PhaseKind kIsCarriedOut{"on the bus", "the last operations of {which} are carried out", "answered"};
constexpr PhaseKind kIsRead{"reads across the bus",
                            "the driver carries {which} out, with a read of the bus for each word", "carried out"};
constexpr PhaseKind kAnswerLeaves{"answer on the wire", "the answer to {which} leaves", "answer sent"};
constexpr PhaseKind kAnswerTravels{"answer on its way", "the answer to {which} is on its way", "answer at the host"};
constexpr PhaseKind kGoesUp{"driver", "the answer to {which} goes up through the host's driver", "done"};

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr std::int64_t kPicosecondsPerNanosecond = 1000;
constexpr std::size_t kWordOfWire = 4;

}  // namespace

Tick BoardClock::ticks(std::int64_t nanoseconds) const {
    const std::int64_t seconds = nanoseconds / kNanosecondsPerSecond;
    const std::int64_t billionths_of_cycles = nanoseconds % kNanosecondsPerSecond * clock_hz_;
    const std::int64_t part = billionths_of_cycles % kNanosecondsPerSecond * kTicksPerCycle + kNanosecondsPerSecond / 2;
    return ticks_from_cycles(seconds * clock_hz_ + billionths_of_cycles / kNanosecondsPerSecond) +
           part / kNanosecondsPerSecond;
}

std::int64_t BoardClock::nanoseconds(Tick ticks) const {
    const std::int64_t ticks_per_second = ticks_from_cycles(clock_hz_);
    return ticks / ticks_per_second * kNanosecondsPerSecond +
           ticks % ticks_per_second * (kNanosecondsPerSecond / kTicksPerCycle) / clock_hz_;
}

BridgePath::BridgePath(const WishboneBoard& board, SlaveOccupation& slave)
    : board_(board),
      host_(board.wishbone.host),
      bridge_(board.wishbone.bridge),
      fpga_(board.wishbone.fpga),
      clock_(board),
      slave_(slave) {}

Tick BridgePath::half_of_software() const {
    return nanoseconds(bridge_.carries_datagrams != 0 ? host_.network_ns : host_.driver_ns) / 2;
}

Tick BridgePath::latency() const {
    const std::int64_t fibre_ns = board_.fibre_metres * bridge_.fibre_picoseconds_per_metre / kPicosecondsPerNanosecond;
    return nanoseconds(bridge_.latency_ns + board_.switches * bridge_.switch_ns + fibre_ns);
}

Tick BridgePath::send(Tick tick, std::size_t bytes) {
    Message message{.sent = tick, .departure = tick + half_of_software()};
    if (streams()) {
        const auto payload = std::max(static_cast<std::int64_t>(bytes), bridge_.frame_payload_bytes_min);
        message.on_the_wire = std::max(message.departure, request_wire_free_);
        message.frame = bytes_on_wire(bridge_.frame_head_bytes + payload + bridge_.frame_tail_bytes);
        request_wire_free_ = message.on_the_wire + message.frame;
        message.arrival = message.on_the_wire + latency() +
                          bytes_on_wire(bridge_.frame_head_bytes + static_cast<std::int64_t>(kWordOfWire));
    } else {
        message.on_the_wire = message.departure;
        message.arrival = std::max(message.departure, slave_.free_at);
    }
    on_the_way_.push_back(message);
    return message.arrival;
}

Tick BridgePath::take_message(std::size_t left_over_bytes) {
    message_ = on_the_way_.front();
    on_the_way_.pop_front();
    now_ = std::max(message_.arrival, slave_.free_at);
    last_taken_ = now_ - bytes_on_wire(static_cast<std::int64_t>(kWordOfWire));
    taken_bytes_ = -static_cast<std::int64_t>(left_over_bytes);
    acknowledgements_.clear();
    last_acknowledgement_ = now_;
    waiting_.clear();
    sent_bytes_ = 0;
    last_answer_ = std::max(answer_wire_free_, now_);
    return message_.sent;
}

Tick BridgePath::take(std::size_t bytes) {
    taken_bytes_ += static_cast<std::int64_t>(bytes);
    const std::int64_t words = std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes / kWordOfWire));
    const std::int64_t behind_first = std::max<std::int64_t>(0, taken_bytes_ - static_cast<std::int64_t>(kWordOfWire));
    Tick there = message_.arrival + bytes_on_wire(behind_first);
    if (bridge_.directions_share != 0) {
        // The wire continues with the request, unless an answer was ready first.
        send_waiting_answers(std::max(last_taken_, last_answer_));
        there = std::max(last_taken_, last_answer_) + bytes_on_wire(static_cast<std::int64_t>(bytes));
    }
    now_ = std::max(there, now_ + ticks_from_cycles(words * fpga_.slave_word_cycles));
    last_taken_ = now_;
    return now_;
}

void BridgePath::pass(std::size_t bytes) {
    if (streams()) {
        const Tick taken = take(bytes);
        answer(taken + ticks_from_cycles(fpga_.answer_cycles), bytes);
    }
}

std::int64_t BridgePath::begin_operation(bool is_read, std::size_t bytes) {
    operation_bytes_ = bytes;
    if (streams()) {
        now_ = take(bytes);
        if (acknowledgements_.size() >= static_cast<std::size_t>(fpga_.operations_in_flight_max)) {
            now_ = std::max(now_, acknowledgements_.front());
            acknowledgements_.pop_front();
        }
        operation_ = now_ + ticks_from_cycles(fpga_.crossbar_cycles);
    } else {
        // A read makes a round trip; a posted write goes one way.
        const Tick read = nanoseconds(host_.word_read_ns);
        operation_ = now_ + read / 2;
        now_ += is_read ? read : 0;
    }
    return clock_.nanoseconds(operation_);
}

void BridgePath::end_operation(Cycle acknowledge_cycles) {
    if (!streams()) {
        return;
    }
    last_acknowledgement_ =
        std::max(last_acknowledgement_, operation_ + ticks_from_cycles(acknowledge_cycles + fpga_.crossbar_cycles));
    acknowledgements_.push_back(last_acknowledgement_);
    answer(last_acknowledgement_, operation_bytes_);
}

void BridgePath::end_cycle() {
    if (streams()) {
        now_ = std::max(now_, last_acknowledgement_);
    }
}

void BridgePath::answer(Tick ready, std::size_t bytes) {
    waiting_.push_back({ready, bytes});
    if (bridge_.directions_share == 0) {
        send_waiting_answers(kNever);
    }
}

void BridgePath::send_waiting_answers(Tick until) {
    while (!waiting_.empty() && waiting_.front().ready <= until) {
        const auto [ready, bytes] = waiting_.front();
        waiting_.pop_front();
        const auto length = static_cast<std::int64_t>(bytes);
        if (bridge_.driver_reads_answers != 0) {
            last_answer_ = std::max(last_answer_, ready) +
                           nanoseconds(host_.word_read_ns) * static_cast<Tick>(std::max<std::size_t>(1, bytes / 4));
        } else {
            const Tick head = sent_bytes_ == 0 ? bytes_on_wire(bridge_.frame_head_bytes) : 0;
            last_answer_ = std::max(last_answer_, ready) + head + bytes_on_wire(length);
        }
        if (bridge_.directions_share != 0) {
            until = std::max(until, last_answer_ - bytes_on_wire(length));
        }
        sent_bytes_ += bytes;
    }
}

Passage BridgePath::finish_message(std::size_t answer_bytes) {
    return streams() ? finish_stream(answer_bytes) : finish_in_driver();
}

Passage BridgePath::finish_in_driver() {
    slave_.free_at = now_;
    // The call that writes the message lasts until the whole message is executed.
    const Tick done = now_ + half_of_software();
    return {.written = done,
            .answered = done,
            .frame = message_.frame,
            .stages = {{&kGoesDown, Cause::driver, message_.departure},
                       {&kWaitsForWire, Cause::contention, message_.arrival},
                       {&kIsRead, Cause::round_trip, now_},
                       {&kGoesUp, Cause::driver, done}}};
}

Passage BridgePath::finish_stream(std::size_t answer_bytes) {
    const bool has_answer = answer_bytes > 0;
    if (has_answer) {
        send_waiting_answers(kNever);
    }
    waiting_.clear();
    slave_.free_at = std::max(now_, last_acknowledgement_);
    Passage passage;
    std::vector<Stage>& stages = passage.stages;
    const auto reach = [&](const PhaseKind& kind, Cause cause, Tick end) {
        stages.push_back({&kind, cause, std::max(end, stages.empty() ? end : stages.back().end)});
    };
    reach(kGoesDown, Cause::driver, message_.departure);
    reach(kWaitsForWire, Cause::link, message_.on_the_wire);
    reach(kTravels, Cause::round_trip, message_.arrival);
    reach(kComesIn, Cause::link, last_taken_);
    reach(kIsCarriedOut, Cause::bus, std::max(now_, last_acknowledgement_));
    Tick there = stages.back().end;
    if (has_answer) {
        const std::int64_t padding =
            std::max<std::int64_t>(0, bridge_.frame_payload_bytes_min - static_cast<std::int64_t>(answer_bytes));
        answer_wire_free_ = last_answer_ + bytes_on_wire(padding + bridge_.frame_tail_bytes);
        reach(kAnswerLeaves, bridge_.driver_reads_answers != 0 ? Cause::round_trip : Cause::link, answer_wire_free_);
        there = stages.back().end + (bridge_.driver_reads_answers != 0 ? 0 : latency());
        reach(kAnswerTravels, Cause::round_trip, there);
    }
    if (bridge_.completes_by_interrupt != 0) {
        there = completed_by_interrupt(last_taken_, there, has_answer);
    }
    passage.answered = there + half_of_software();
    reach(kGoesUp, Cause::driver, passage.answered);
    passage.written = message_.sent;
    passage.frame = message_.frame;
    return passage;
}

/// Returns the time of the interrupt that reports the answer. The end of the request also requests an interrupt, which
/// delays the next one by the minimum interval.
Tick BridgePath::completed_by_interrupt(Tick request_taken, Tick answer_there, bool has_answer) {
    const Tick interval = nanoseconds(host_.interrupt_interval_ns);
    const Tick for_request = std::max(request_taken, last_interrupt_ + interval);
    last_interrupt_ =
        !has_answer || answer_there <= for_request ? for_request : std::max(answer_there, for_request + interval);
    return last_interrupt_;
}

}  // namespace nocbench::wishbone
