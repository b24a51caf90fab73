#include "device_model/wishbone/server/tcp_door.h"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <utility>

#include "device_model/wishbone/server/addresses.h"

namespace nocbench::etherbone_server {

namespace {

// Time until the next attempt after the operating system has run out of descriptors.
constexpr std::chrono::milliseconds kPause{100};

// Drops clients two minutes after their computer or network has vanished.
constexpr int kSilenceSeconds = 60;
constexpr int kSecondsBetweenQuestions = 10;
constexpr int kQuestionsMax = 6;

void notice_if_client_vanishes(asio::ip::tcp::socket& socket) {
    boost::system::error_code ignored;
    socket.set_option(asio::socket_base::keep_alive(true), ignored);
    for (const auto& [option, value] : {std::pair{TCP_KEEPIDLE, kSilenceSeconds},
                                        {TCP_KEEPINTVL, kSecondsBetweenQuestions},
                                        {TCP_KEEPCNT, kQuestionsMax}}) {
        ::setsockopt(socket.native_handle(), IPPROTO_TCP, option, &value, sizeof value);
    }
}

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
            service_.end_client("tcp", fmt::format("there are {} already", kConnectionsMax));
        }
        accept();
    });
}

void TcpDoor::begin(asio::ip::tcp::socket socket) {
    boost::system::error_code ignored;
    socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    notice_if_client_vanishes(socket);
    ++service_.counts.clients;
    const auto connection = std::make_shared<Connection>(service_, std::move(socket), false);
    connections_.insert(connection);
    connection->ended = [this, connection = std::weak_ptr(connection)](std::string_view reason) {
        if (const auto ended = connection.lock()) {
            service_.end_client("tcp", reason);
            ended->close();
            connections_.erase(ended);
        }
    };
    connection->read();
}

}  // namespace nocbench::etherbone_server
