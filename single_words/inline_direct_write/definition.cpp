// One core writes words from its registers to another core.
#include <fmt/format.h>

#include <cstring>
#include <functional>
#include <utility>

#include "device_model/sim/error.h"
#include "device_model/tenstorrent/device_state.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/tensix/program.h"

namespace nocbench::inline_direct_write {

namespace {

constexpr std::uint32_t kWordBytes = sizeof(std::uint32_t);
constexpr std::uint32_t kDistanceBytes = 16;  // distance between words at different addresses

/// Values and addresses of the words.
struct Words {
    bool same_destination = false;
    bool same_value = false;

    [[nodiscard]] std::uint32_t value(std::uint32_t index) const { return same_value ? 1 : index + 1; }
    [[nodiscard]] std::uint32_t address(std::uint32_t index) const {
        return kL1BufferAddress + (same_destination ? 0 : index * kDistanceBytes);
    }
};

/// Checks that each word arrives once, in order, at its address.
class WordCheck {
public:
    WordCheck(Device& device, LogicalCoordinate receiver, const Words& words)
        : device_(device),
          words_(words),
          receiver_(static_cast<NodeIndex>(device.grid().node_index(device.grid().physical(receiver)))),
          other_observer_(device.observers().delivered) {
        device.observers().delivered = [this](const Delivery& delivery) { see(delivery); };
    }
    WordCheck(const WordCheck&) = delete;
    WordCheck& operator=(const WordCheck&) = delete;
    ~WordCheck() { device_.observers().delivered = std::move(other_observer_); }

    [[nodiscard]] std::string fault(std::uint32_t num_words) const {
        if (!fault_.empty() || num_arrived_ == num_words) {
            return fault_;
        }
        return fmt::format("expected {} words, found {}", num_words, num_arrived_);
    }

private:
    void see(const Delivery& delivery) {
        if (other_observer_) {
            other_observer_(delivery);
        }
        if (!fault_.empty()) {
            return;
        }
        const std::uint32_t value = words_.value(num_arrived_);
        const std::uint32_t address = words_.address(num_arrived_);
        std::uint32_t found = 0;
        if (delivery.bytes.size() == kWordBytes) {
            std::memcpy(&found, delivery.bytes.data(), kWordBytes);
        }
        if (delivery.destination != receiver_ || delivery.destination_address != address ||
            delivery.bytes.size() != kWordBytes || found != value) {
            fault_ =
                fmt::format("word {}: expected 0x{:x} at 0x{:x}, found {} bytes, 0x{:x}, at 0x{:x}", num_arrived_ + 1,
                            value, address, delivery.bytes.size(), found, delivery.destination_address);
        }
        ++num_arrived_;
    }

    Device& device_;
    Words words_;
    NodeIndex receiver_;
    std::function<void(const Delivery&)> other_observer_;
    std::uint32_t num_arrived_ = 0;
    std::string fault_;
};

std::vector<KernelReport> run(const Point& point) {
    Device& device = point.device();
    const Grid& grid = device.grid();
    const LogicalCoordinate sender = point.core("source");
    const LogicalCoordinate receiver = point.core("destination");
    const int noc = point.noc();
    const bool posted = point.flag("posted");
    const bool stateful = point.flag("stateful");
    const Words words{point.flag("same_destination"), point.flag("same_value")};
    point.require_word();
    const auto l1_bytes = static_cast<std::uint64_t>(device.architecture().l1.size_bytes);
    const std::uint64_t words_max = (l1_bytes - kL1BufferAddress) / kDistanceBytes;
    if (!words.same_destination && point.num_transactions() > words_max) {
        throw InputError(
            fmt::format("parameter num_transactions: expected at most {} words at different addresses, found {}",
                        words_max, point.num_transactions()));
    }
    const WordCheck check(device, receiver, words);

    const TranslatedCoordinate place = grid.translated(receiver);
    Program program(device);
    program.add_kernel({sender}, {"sender",
                                  nullptr,
                                  0,
                                  noc,
                                  {point.num_transactions(), kL1BufferAddress, posted ? 1U : 0U,
                                   words.same_destination ? 1U : 0U, words.same_value ? 1U : 0U},
                                  stateful ? "single_words/inline_direct_write/kernels/device/stateful_sender.cpp"
                                           : "single_words/inline_direct_write/kernels/device/sender.cpp",
                                  1});
    program.set_runtime_args(sender, 0, {static_cast<std::uint32_t>(place.x), static_cast<std::uint32_t>(place.y)});
    program.run();
    return {{.label = "Sender",
             .kernel = "sender",
             .zone = "RISCV0",
             .riscv = 0,
             .noc = noc,
             .transaction_size_bytes = kWordBytes,
             .data_fault = check.fault(point.num_transactions())}};
}

Sweep sweep_of(Tier tier, std::vector<SweptParameter> parameters) {
    Sweep sweep{powers_of_two(1, 1024), {kWordBytes}, std::move(parameters)};
    if (tier == Tier::quick) {
        sweep.num_transactions = {16};
    }
    return sweep;
}

Sweep performance_sweep(const Architecture& /*architecture*/, Tier tier) {
    return sweep_of(tier, {{"stateful", {"0", "1"}}, {"posted", {"0", "1"}}});
}

Sweep pattern_sweep(const Architecture& /*architecture*/, Tier tier) {
    return sweep_of(tier, {{"same_destination", {"0", "1"}}, {"same_value", {"0", "1"}}});
}

std::vector<ParameterDefinition> parameters(bool sweeps_addresses) {
    return {
        core_parameter("source", "0,0", "logical core that writes"),
        core_parameter("destination", "1,1", "logical core that is written to"),
        {"noc", "0", "NoC that is used"},
        {"stateful", "0", "1: what calls have in common is set up once", false, !sweeps_addresses},
        {"posted", "0", "1: nothing acknowledges the writes", false, !sweeps_addresses},
        {"same_destination", "1", "1: all words go to one address; 0: one after the other", false, sweeps_addresses},
        {"same_value", "0", "1: all words are equal; 0: each is different", false, sweeps_addresses}};
}

TestDefinition definition(int id, const std::string& name, const std::string& description, bool sweeps_addresses,
                          Sweep (*sweep)(const Architecture&, Tier)) {
    return {.id = id,
            .name = name,
            .primitive = "inline_direct_write",
            .description = description,
            .headings = {"Inline Direct Write", name},
            .kernels = {"Sender"},
            .parameters = parameters(sweeps_addresses),
            .sweep = sweep,
            .run = &run,
            .kernels_are_compiled = true};
}

const RegisterTests registration{{
    definition(500, "Inline Direct Write Performance Comparison",
               "One core writes words into another one: stateful or not, posted or not.", false, &performance_sweep),
    definition(501, "Inline Direct Write Address Pattern",
               "One core writes words into another one: to one address or several, equal words or different ones.",
               true, &pattern_sweep),
}};

}  // namespace

}  // namespace nocbench::inline_direct_write
