#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

#include "device_model/tenstorrent/risc.h"
#include "kernels/tensix/dataflow/caller.h"
#include "kernels/tensix/dataflow_api.h"
#include "kernels/tensix/program.h"

namespace nocbench::dataflow {

namespace {

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

}  // namespace nocbench::dataflow
