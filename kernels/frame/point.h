// One point of a test: its parameters, read and checked, and the device that it runs on.
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

/// A parameter of a test, beyond the two axes of every sweep, with the value it has unless the user sets another.
struct ParameterDefinition {
    std::string name;
    std::string default_value;
    std::string meaning;
    bool holds_commas = false;  // a value is written with commas, as that of a core is
    bool is_swept = false;      // the test's sweeps have values for it; every result row names its own
};

/// What a kernel uses to issue its calls: parameters `riscv`, `noc` and `vc`.
struct Issuer {
    int riscv = 0;
    int noc = 0;
    std::uint32_t virtual_channel = 0;
};

/// Name of the axis of transactions.
inline constexpr std::string_view kNumTransactions = "num_transactions";

/// Where the published tests put their L1 buffers.
inline constexpr std::uint32_t kL1BufferAddress = 0x40000;

/// What is asked of a test at one point: the values of the two axes and of the test's parameters, to be read and
/// checked.
class PointParameters {
public:
    /// `values` holds num_transactions, call_size and any parameters of the test. Throws InputError for what does not
    /// exist.
    PointParameters(const std::vector<ParameterDefinition>& parameters,
                    const std::map<std::string, std::string>& values, std::uint32_t largest_call_bytes);

    [[nodiscard]] std::uint32_t num_transactions() const { return num_transactions_; }
    [[nodiscard]] std::uint32_t call_size_bytes() const { return call_size_bytes_; }

    // Parameters by name. A value that is none of those that are allowed throws InputError that names the parameter,
    // what was expected and what was found.

    /// A number within [minimum, maximum].
    [[nodiscard]] std::uint32_t number(const std::string& name, std::uint32_t minimum, std::uint32_t maximum) const;
    /// A number within [minimum, maximum], decimals allowed. `alternative` is for the complaint: what else it may be.
    [[nodiscard]] double decimal(const std::string& name, double minimum, double maximum,
                                 std::string_view alternative = {}) const;
    /// Two numbers with `separator` between them; `expected` says in the complaint what they are.
    [[nodiscard]] std::pair<int, int> two_numbers(const std::string& name, char separator,
                                                  std::string_view expected) const;
    /// Yes or no, written 1 or 0.
    [[nodiscard]] bool flag(const std::string& name) const { return number(name, 0, 1) == 1; }
    /// One of `words`; returns which.
    [[nodiscard]] std::size_t choice(const std::string& name, const std::vector<std::string_view>& words) const;
    /// The value as it is written.
    [[nodiscard]] const std::string& text(const std::string& name) const { return value(name); }
    /// Whether the value is this word.
    [[nodiscard]] bool says(const std::string& name, std::string_view word) const { return value(name) == word; }
    /// Whether there is a value: the default of a parameter may be none.
    [[nodiscard]] bool is_given(const std::string& name) const { return !value(name).empty(); }
    /// Whether the test has a parameter of this name.
    [[nodiscard]] bool defines(const std::string& name) const { return values_.contains(name); }

    /// Parameters that are swept or differ from their defaults, "name=value" joined by ";", in the order of the test's
    /// definition.
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

/// One point of a test on a device, while it runs: its parameters, and the data that it moves.
class Point : public PointParameters {
public:
    Point(Device& device, const std::vector<ParameterDefinition>& parameters,
          const std::map<std::string, std::string>& values);

    [[nodiscard]] Device& device() const { return device_; }

    /// A parameter that is a core, written "x,y".
    [[nodiscard]] LogicalCoordinate core(const std::string& name) const;

    /// Parameters `riscv`, `noc` and `vc` of a kernel of unicasts, or of multicasts.
    [[nodiscard]] Issuer unicast_issuer() const;
    [[nodiscard]] Issuer multicast_issuer() const;

    /// A parameter that is a grid, written "2x2", columns and rows from core (0, 0) on, or "all" for the compute grid
    /// of the board.
    [[nodiscard]] LogicalRectangle grid(const std::string& name) const;

    /// Parameters `grid` and `rectangle`: a grid as above; the rectangle "1,1-4,4" or "(1,1)-(4,4)" by its corners. The
    /// rectangle counts where both are given. Only with the parameter `wrap`, of tests that have it, may it run over
    /// the edge of the grid.
    [[nodiscard]] LogicalRectangle rectangle() const;

    /// Throws InputError unless `call_size` is a multiple of `unit_bytes` and fits into a packet, as single-packet
    /// calls need. `what` a call moves is for the complaint: "a row".
    void require_one_packet(std::string_view what, std::int64_t unit_bytes = 1) const;
    /// Throws InputError unless `call_size` is that of a word, of tests whose calls move nothing else.
    void require_word() const;

    /// call_size_bytes(), rounded up to the alignment of the memories: how far apart buffers are.
    [[nodiscard]] std::uint32_t buffer_bytes() const;
    /// Addresses of the test's L1 buffers, which have been found to fit: each one is right behind the one before it.
    [[nodiscard]] std::uint32_t l1_buffer(std::uint32_t index) const;
    [[nodiscard]] std::uint32_t first_l1_buffer() const { return l1_buffer(0); }
    [[nodiscard]] std::uint32_t second_l1_buffer() const { return l1_buffer(1); }

    /// `size` bytes that differ from point to point and from tile to tile, but not from run to run.
    [[nodiscard]] std::vector<std::byte> pattern(std::size_t size, NodeIndex tile) const;

private:
    [[nodiscard]] LogicalCoordinate parse_core(const std::string& name, std::string_view text,
                                               std::string_view expected) const;
    [[nodiscard]] LogicalRectangle parse_rectangle(const std::string& text) const;
    [[nodiscard]] Issuer issuer(std::uint32_t first_channel, std::uint32_t last_channel) const;

    Device& device_;
};

}  // namespace nocbench
