#include "kernels/etherbone_server/tcp_door.h"

#include <utility>

#include "kernels/etherbone_server/addresses.h"

namespace nocbench::etherbone_server {

namespace {

// Until the next try, when the operating system has no descriptor left for a connection.
constexpr std::chrono::milliseconds kPause{100};

}  // namespace

TcpDoor::TcpDoor(Service& service, const std::string& address, std::uint16_t port)
    : service_(service), acceptor_(service.io), timer_(service.io) {
    const asio::ip::tcp::endpoint endpoint(address_of(address), port);
    open(acceptor_, endpoint, "tcp", [&] { acceptor_.set_option(asio::socket_base::reuse_address(true)); });
    boost::system::error_code error;
    acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
        throw InputError(
            fmt::format("{}: expected a port that can be had, found: {}", described("tcp", endpoint), error.message()));
    }
    accept();
}

TcpDoor::~TcpDoor() {
    for (const std::shared_ptr<Connection>& connection : connections_) {
        connection->ended = nullptr;
        connection->close();
    }
}

std::string TcpDoor::description() const { return described("tcp", acceptor_.local_endpoint()); }

void TcpDoor::accept() {
    acceptor_.async_accept([this](const boost::system::error_code& error, asio::ip::tcp::socket socket) {
        if (error == asio::error::operation_aborted) {
            return;
        }
        if (error) {
            timer_.expires_after(kPause);
            timer_.async_wait([this](const boost::system::error_code& failure) {
                if (!failure) {
                    accept();
                }
            });
            return;
        }
        if (connections_.size() < kConnectionsMax) {
            begin(std::move(socket));
        } else {
            ++service_.counts.clients_dropped;
        }
        accept();
    });
}

void TcpDoor::begin(asio::ip::tcp::socket socket) {
    boost::system::error_code ignored;
    socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    ++service_.counts.clients;
    const auto connection = std::make_shared<Connection>(service_, std::move(socket), false);
    connections_.insert(connection);
    connection->ended = [this, connection = std::weak_ptr(connection)](bool is_dropped) {
        if (const auto ended = connection.lock()) {
            service_.counts.clients_dropped += is_dropped ? 1 : 0;
            ended->close();
            connections_.erase(ended);
        }
    };
    connection->read();
}

}  // namespace nocbench::etherbone_server
