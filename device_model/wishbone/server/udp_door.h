// Etherbone by UDP: each datagram is a message, answered to its sender.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "device_model/wishbone/server/service.h"

namespace nocbench::etherbone_server {

class UdpDoor {
public:
    /// Throws InputError if address or port is unavailable.
    UdpDoor(Service& service, const std::string& address, std::uint16_t port);
    ~UdpDoor();
    UdpDoor(const UdpDoor&) = delete;
    UdpDoor& operator=(const UdpDoor&) = delete;

    /// Returns "udp ADDRESS:PORT".
    [[nodiscard]] std::string description() const;

private:
    struct Batch;

    void wait();
    void serve();
    [[nodiscard]] int receive();
    void answer(int count);
    void answer_paced(int count);

    Service& service_;
    asio::ip::udp::socket socket_;
    std::unique_ptr<Batch> batch_;
};

}  // namespace nocbench::etherbone_server
