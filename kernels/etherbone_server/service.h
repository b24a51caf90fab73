// The doors of a server share the loop of events, the FPGA, the counts, and the lines for the user.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/etherbone_server/asio.h"
#include "kernels/etherbone_server/served_fpga.h"

namespace nocbench::etherbone_server {

namespace asio = boost::asio;

struct Counts {
    std::uint64_t datagrams = 0;
    std::uint64_t answers_lost = 0;  // datagrams that the operating system did not take
    std::uint64_t clients = 0;       // of streams
    std::uint64_t clients_dropped = 0;
};

struct Service {
    asio::io_context io{1};
    ServedFpga fpga;
    bool is_paced = false;
    std::function<void(const std::string&)> say;  // a line for the user
    Counts counts;
    std::chrono::steady_clock::time_point last_release;
    std::size_t num_held = 0;  // answers that are held back

    Service(const Board& board, std::vector<std::unique_ptr<wishbone::BusDevice>> devices, TimeSource time_source)
        : fpga(board, std::move(devices), time_source) {}

    /// Does `act` when the time that has been modeled since `begin_ns` has passed in real time, too; at once if the
    /// server is not paced.
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
