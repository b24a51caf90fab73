// Modeled FPGA behind real sockets and a pseudo terminal, for programs written for the hardware.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device_model/wishbone/arch/constants.h"
#include "device_model/wishbone/server/served_devices.h"
#include "device_model/wishbone/server/served_fpga.h"

namespace nocbench::etherbone_server {

struct ServerOptions {
    std::string address = "127.0.0.1";      // of sockets
    std::optional<std::uint16_t> udp_port;  // 0: any free port
    std::optional<std::uint16_t> tcp_port;
    bool has_pty = false;
    std::string pty_link;  // empty: no link
    TimeSource time_source = TimeSource::modeled;
    bool is_paced = false;  // holds answers back until the modeled time has passed in real time
    /// Receives a line for the user: a warning, or the counts of requests served.
    std::function<void(const std::string&)> say;
};

class EtherboneServer {
public:
    /// Opens the sockets and the terminal. Throws InputError if one is unavailable, or a device does not fit on the
    /// bus.
    EtherboneServer(const WishboneBoard& board, std::vector<DeviceDescription> devices, ServerOptions options);
    ~EtherboneServer();
    EtherboneServer(const EtherboneServer&) = delete;
    EtherboneServer& operator=(const EtherboneServer&) = delete;

    /// Returns the addresses for clients: "udp 127.0.0.1:60368", "tcp 127.0.0.1:1234", "pty /dev/pts/3".
    [[nodiscard]] const std::vector<std::string>& doors() const;

    /// Serves until SIGTERM, SIGINT or SIGHUP. Reports the counts of requests at SIGUSR1 and at the end. Signals take
    /// effect from the server's construction on. Returns false if a device's file could not be written at the end,
    /// after a message to the user.
    [[nodiscard]] bool serve();

private:
    class Implementation;

    std::unique_ptr<Implementation> implementation_;
};

}  // namespace nocbench::etherbone_server
