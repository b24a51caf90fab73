// State shared by a server's sockets and terminal: event loop, FPGA, counts, and messages to the user.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device_model/wishbone/server/asio.h"
#include "device_model/wishbone/server/served_fpga.h"

namespace nocbench::etherbone_server {

namespace asio = boost::asio;

/// Rate-limited messages to the user about clients: a few per second, and the number of suppressed ones.
class Warnings {
public:
    /// Receives a message; may be empty.
    std::function<void(const std::string&)> say;

    void warn(const std::string& line) {
        const auto now = std::chrono::steady_clock::now();
        if (now - begin_ >= kPeriod) {
            say_suppressed();
            begin_ = now;
            num_said_ = 0;
        }
        if (num_said_ == kWarningsPerPeriod) {
            ++num_suppressed_;
            return;
        }
        ++num_said_;
        say("warning: " + line);
    }

    void say_suppressed() {
        if (num_suppressed_ > 0) {
            say(fmt::format("warning: {} more like these", std::exchange(num_suppressed_, 0)));
        }
    }

private:
    static constexpr std::chrono::seconds kPeriod{1};
    static constexpr int kWarningsPerPeriod = 5;

    std::chrono::steady_clock::time_point begin_;
    int num_said_ = 0;
    std::uint64_t num_suppressed_ = 0;
};

struct Counts {
    std::uint64_t datagrams = 0;
    std::uint64_t answers_lost = 0;  // datagrams refused by the operating system
    std::uint64_t clients = 0;       // of streams
    std::uint64_t clients_dropped = 0;
};

struct Service {
    asio::io_context io{1};
    ServedFpga fpga;
    bool is_paced = false;
    std::function<void(const std::string&)> say;  // receives a message for the user
    Warnings warnings;
    Counts counts;
    std::chrono::steady_clock::time_point last_release;
    std::size_t num_held = 0;  // answers held back

    Service(const WishboneBoard& board, std::vector<std::unique_ptr<wishbone::BusDevice>> devices,
            TimeSource time_source)
        : fpga(board, std::move(devices), time_source) {}

    /// Ends a stream's client. `reason` tells why it was dropped; empty: not dropped.
    void end_client(std::string_view door, std::string_view reason) {
        if (!reason.empty()) {
            ++counts.clients_dropped;
            warnings.warn(fmt::format("{}: a client is dropped: {}", door, reason));
        }
    }

    /// Runs `act` once the modeled time since `begin_ns` has passed in real time; at once if the server is not paced.
    template <typename Act>
    void release(std::int64_t begin_ns, Act act) {
        const std::chrono::nanoseconds taken(is_paced ? fpga.now_ns() - begin_ns : 0);
        if (taken.count() <= 0) {
            act();
            return;
        }
        last_release = std::max(last_release, std::chrono::steady_clock::now()) + taken;
        const auto timer = std::make_shared<asio::steady_timer>(io, last_release);
        ++num_held;
        timer->async_wait([this, timer, act = std::move(act)](const boost::system::error_code& error) mutable {
            --num_held;
            if (!error) {
                act();
            }
        });
    }
};

}  // namespace nocbench::etherbone_server
