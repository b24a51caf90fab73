// One point of a test: its checked parameters and its device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device_model/tenstorrent/device.h"
#include "kernels/tensix/rectangle.h"

namespace nocbench {

/// Parameters whose values depend on the architecture; see TestDefinition::parameters_on().
enum class ParameterRole : std::uint8_t { plain, noc, unicast_channel, multicast_channel, core_count };

/// Parameter of a test, with its default. The two axes of every sweep are separate.
struct ParameterDefinition {
    std::string name;
    std::string default_value;
    std::string meaning;
    bool holds_commas = false;  // values contain commas, like those of cores
    bool is_swept = false;      // varied by the test's sweeps; stated in every result row
    ParameterRole role = ParameterRole::plain;
};

/// Parameters `riscv`, `noc` and `vc` of a kernel that issues calls.
struct Issuer {
    int riscv = 0;
    int noc = 0;
    std::uint32_t virtual_channel = 0;
};

/// Name of the axis of transactions.
inline constexpr std::string_view kNumTransactions = "num_transactions";

/// L1 buffer address in the published tests.
inline constexpr std::uint32_t kL1BufferAddress = 0x40000;

/// Requested values of a test at one point: the two axes and the test's parameters.
class PointParameters {
public:
    /// Takes `values` of num_transactions, call_size and any parameters of the test. Throws InputError for unknown
    /// names.
    PointParameters(const std::vector<ParameterDefinition>& parameters,
                    const std::map<std::string, std::string>& values, std::uint32_t largest_call_bytes);

    [[nodiscard]] std::uint32_t num_transactions() const { return num_transactions_; }
    [[nodiscard]] std::uint32_t call_size_bytes() const { return call_size_bytes_; }

    // Parameters by name. Invalid values throw InputError that names the parameter, the expected and the found value.

    /// Returns a number within [minimum, maximum].
    [[nodiscard]] std::uint32_t number(const std::string& name, std::uint32_t minimum, std::uint32_t maximum) const;
    /// Returns a number within [minimum, maximum], decimals allowed. `alternative` names other valid values in the
    /// error message.
    [[nodiscard]] double decimal(const std::string& name, double minimum, double maximum,
                                 std::string_view alternative = {}) const;
    /// Returns two numbers with `separator` between them; `expected` describes them in the error message.
    [[nodiscard]] std::pair<int, int> two_numbers(const std::string& name, char separator,
                                                  std::string_view expected) const;
    /// Returns a flag, written 1 or 0.
    [[nodiscard]] bool flag(const std::string& name) const { return number(name, 0, 1) == 1; }
    /// Returns the index of the value in `words`.
    [[nodiscard]] std::size_t choice(const std::string& name, const std::vector<std::string_view>& words) const;
    /// Returns the value as written.
    [[nodiscard]] const std::string& text(const std::string& name) const { return value(name); }
    [[nodiscard]] bool says(const std::string& name, std::string_view word) const { return value(name) == word; }
    /// Returns whether the parameter has a value: its default may be empty.
    [[nodiscard]] bool is_given(const std::string& name) const { return !value(name).empty(); }
    /// Returns whether the test has a parameter of this name.
    [[nodiscard]] bool defines(const std::string& name) const { return values_.contains(name); }

    /// Returns the parameters that are swept or differ from their defaults, "name=value" joined by ";", in the order of
    /// the test's definition.
    [[nodiscard]] std::string changed_parameters() const;

protected:
    [[nodiscard]] const std::string& value(const std::string& name) const;
    [[nodiscard]] bool is_changed(const std::string& name) const;

private:
    const std::vector<ParameterDefinition>& parameters_;
    std::map<std::string, std::string> values_;
    std::uint32_t num_transactions_ = 0;
    std::uint32_t call_size_bytes_ = 0;
};

/// One point of a test on a device: its parameters and data.
class Point : public PointParameters {
public:
    Point(Device& device, const std::vector<ParameterDefinition>& parameters,
          const std::map<std::string, std::string>& values);

    [[nodiscard]] Device& device() const { return device_; }

    /// Returns a parameter that is a core, written "x,y".
    [[nodiscard]] LogicalCoordinate core(const std::string& name) const;

    /// Returns a parameter that is a NoC of the device.
    [[nodiscard]] int noc(const std::string& name = "noc") const;
    /// Returns a parameter that is a virtual channel of unicast requests.
    [[nodiscard]] std::uint32_t unicast_channel(const std::string& name = "vc") const;

    /// Return the parameters `riscv`, `noc` and `vc` of a kernel that issues unicasts, or multicasts.
    [[nodiscard]] Issuer unicast_issuer() const;
    [[nodiscard]] Issuer multicast_issuer() const;

    /// Returns a parameter that is a grid: columns and rows from core (0, 0) on, written "2x2", or "all" for the
    /// board's compute grid.
    [[nodiscard]] LogicalRectangle grid(const std::string& name) const;

    /// Returns the area given by the parameters `grid`, as above, and `rectangle`, by corners: "1,1-4,4" or
    /// "(1,1)-(4,4)". The rectangle overrides the grid. It may wrap around the grid's edge only in tests with the
    /// parameter `wrap`.
    [[nodiscard]] LogicalRectangle rectangle() const;

    /// Throws InputError unless `call_size` is a multiple of `unit_bytes` and fits into a packet, for single-packet
    /// calls. `what` names the transferred unit in the message: "a row".
    void require_one_packet(std::string_view what, std::int64_t unit_bytes = 1) const;
    /// Throws InputError unless `call_size` is the size of a word.
    void require_word() const;

    /// Returns call_size_bytes() rounded up to the alignment of the memories: the stride of buffers.
    [[nodiscard]] std::uint32_t buffer_bytes() const;
    /// Return addresses of the test's contiguous L1 buffers. Throw InputError if they do not fit.
    [[nodiscard]] std::uint32_t l1_buffer(std::uint32_t index) const;
    [[nodiscard]] std::uint32_t first_l1_buffer() const { return l1_buffer(0); }
    [[nodiscard]] std::uint32_t second_l1_buffer() const { return l1_buffer(1); }

    /// Returns `size` bytes that differ between points and tiles, but not between runs.
    [[nodiscard]] std::vector<std::byte> pattern(std::size_t size, NodeIndex tile) const;

private:
    [[nodiscard]] LogicalCoordinate parse_core(const std::string& name, std::string_view text,
                                               std::string_view expected) const;
    [[nodiscard]] LogicalRectangle parse_rectangle(const std::string& text) const;
    [[nodiscard]] Issuer issuer(std::int64_t first_channel, std::int64_t end_of_channels) const;

    Device& device_;
};

}  // namespace nocbench
