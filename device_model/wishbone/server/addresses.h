// Listening addresses, and errors for unavailable ones.
#pragma once

#include <fmt/format.h>

#include <string>

#include "device_model/sim/error.h"
#include "device_model/wishbone/server/asio.h"
#include "device_model/wishbone/server/service.h"

namespace nocbench::etherbone_server {

/// Parses a numeric address. Throws InputError if invalid.
inline asio::ip::address address_of(const std::string& text) {
    boost::system::error_code error;
    const asio::ip::address address = asio::ip::make_address(text, error);
    if (error) {
        throw InputError(fmt::format("bind: expected an address as 127.0.0.1, 0.0.0.0 or ::1, found '{}'", text));
    }
    return address;
}

template <typename Endpoint>
std::string described(const char* door, const Endpoint& endpoint) {
    const std::string address = endpoint.address().to_string();
    const char* const form = endpoint.address().is_v4() ? "{} {}:{}" : "{} [{}]:{}";
    return fmt::format(fmt::runtime(form), door, address, endpoint.port());
}

/// Opens and binds a socket; `prepare` sets options between both steps. Throws InputError on failure.
template <typename Socket, typename Endpoint, typename Prepare>
void open(Socket& socket, const Endpoint& endpoint, const char* door, const Prepare& prepare) {
    boost::system::error_code error;
    socket.open(endpoint.protocol(), error);
    if (!error) {
        prepare();
        socket.bind(endpoint, error);
    }
    if (error) {
        throw InputError(
            fmt::format("{}: expected a port that can be had, found: {}", described(door, endpoint), error.message()));
    }
}

}  // namespace nocbench::etherbone_server
