#include "device_model/wishbone/wishbone_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "device_model/sim/error.h"
#include "device_model/wishbone/wishbone_machine.h"

namespace nocbench {

WishboneHost::WishboneHost(WishboneMachine& machine, Simulation& simulation, const std::string& name,
                           std::function<void(WishboneHost&)> kernel, Tick start)
    : Processor(
          simulation, Identity::outside(name), [this, kernel = std::move(kernel)] { kernel(*this); }, start),
      machine_(machine),
      path_(machine.board(), machine.slave_),
      stream_(machine.fpga().slave()) {}

WishboneHost::~WishboneHost() { abandon(); }

const WishboneBoard& WishboneHost::board() const { return machine_.board(); }

bool WishboneHost::sends_datagrams() const { return board().wishbone.bridge.carries_datagrams != 0; }

std::size_t WishboneHost::message_bytes_max() const {
    return static_cast<std::size_t>(board().wishbone.bridge.message_bytes_max);
}

std::int64_t WishboneHost::now_ns() const { return machine_.clock().nanoseconds(now()); }

void WishboneHost::compute_ns(std::int64_t nanoseconds) { spend(machine_.clock().ticks(nanoseconds)); }

void WishboneHost::call_system() { spend(machine_.clock().ticks(board().wishbone.host.system_call_ns), Cause::host); }

void WishboneHost::write(wishbone::ByteView message) {
    if (message.size() > message_bytes_max()) {
        throw KernelError(fmt::format("{}: write: expected a message of at most {} bytes, found {}", name(),
                                      message_bytes_max(), message.size()));
    }
    call_system();
    synchronize();
    under_way_.emplace_back(message.begin(), message.end());
    machine_.expect(*this, path_.send(now(), message.size()));
    if (!sends_datagrams() && board().wishbone.bridge.executes_in_driver != 0) {
        waits_for_ = "the driver, which carries a message out";
        waits_for_write_ = true;
        suspend();
        catch_up_with(written_);
    }
}

wishbone::Bytes WishboneHost::read() {
    call_system();
    synchronize();
    if (answers_.empty()) {
        if (under_way_.empty()) {
            throw KernelError(fmt::format(
                "{}: read: it waits for an answer, but every message that asked for one has been answered", name()));
        }
        waits_for_ = "an answer of the FPGA";
        waits_for_answer_ = true;
        suspend();
    }
    Answer answer = std::move(answers_.front());
    answers_.pop_front();
    advance_to(answer.passage.answered);
    catch_up_with(answer.passage);
    call_system();
    return std::move(answer.bytes);
}

/// Books the time up to now to the stages of `passage`.
void WishboneHost::catch_up_with(const wishbone::Passage& passage) {
    for (const wishbone::Stage& stage : passage.stages) {
        const Tick end = std::min(stage.end, now());
        if (end > booked_until()) {
            book(open_zone_index(), stage.cause, end - booked_until());
        }
    }
    book_until_now(Cause::driver);
}

void WishboneHost::finish(wishbone::Bytes answer, wishbone::Passage passage) {
    if (std::exchange(waits_for_write_, false)) {
        written_ = passage;
        resume_at(passage.written);
    }
    if (!answer.empty()) {
        answers_.push_back({std::move(answer), std::move(passage)});
        if (std::exchange(waits_for_answer_, false)) {
            resume_at(answers_.front().passage.answered);
        }
    }
}

std::string WishboneHost::waiting_description() const { return fmt::format("{} waits for {}", name(), waits_for_); }

}  // namespace nocbench
