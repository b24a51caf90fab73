// Etherbone by TCP: each connection is a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "device_model/wishbone/server/service.h"
#include "device_model/wishbone/server/stream_connection.h"

namespace nocbench::etherbone_server {

class TcpDoor {
public:
    /// Limit of connections; further ones are closed at once.
    static constexpr std::size_t kConnectionsMax = 256;

    /// Throws InputError if address or port is unavailable.
    TcpDoor(Service& service, const std::string& address, std::uint16_t port);
    ~TcpDoor();
    TcpDoor(const TcpDoor&) = delete;
    TcpDoor& operator=(const TcpDoor&) = delete;

    /// Returns "tcp ADDRESS:PORT".
    [[nodiscard]] std::string description() const;

private:
    using Connection = StreamConnection<asio::ip::tcp::socket>;

    void accept();
    void begin(asio::ip::tcp::socket socket);

    Service& service_;
    asio::ip::tcp::acceptor acceptor_;
    asio::steady_timer timer_;
    std::set<std::shared_ptr<Connection>> connections_;
};

}  // namespace nocbench::etherbone_server
