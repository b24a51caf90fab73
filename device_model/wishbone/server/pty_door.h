// Etherbone by a pseudo terminal, in place of a driver's character device: a stream that clients use one after the
// other. The operating system reports when clients open and close the terminal.
#pragma once

#include <memory>
#include <string>

#include "device_model/wishbone/server/service.h"
#include "device_model/wishbone/server/stream_connection.h"

namespace nocbench::etherbone_server {

class PtyDoor {
public:
    /// Opens a terminal. `link` is the path of a symbolic link to it; empty: no link. Throws InputError if either
    /// cannot be made.
    PtyDoor(Service& service, const std::string& link);
    ~PtyDoor();
    PtyDoor(const PtyDoor&) = delete;
    PtyDoor& operator=(const PtyDoor&) = delete;

    [[nodiscard]] std::string description() const { return "pty " + path_; }

private:
    using Connection = StreamConnection<asio::posix::stream_descriptor>;

    void make_link(const std::string& link);
    void watch();
    /// Reads the operating system's events of clients. Returns whether all clients have closed the terminal since the
    /// last call, at least briefly.
    [[nodiscard]] bool take_events();

    Service& service_;
    std::string path_;
    std::string link_;                           // created link
    asio::posix::stream_descriptor client_end_;  // kept open, so that the terminal stays raw
    asio::posix::stream_descriptor events_;
    std::shared_ptr<Connection> connection_;
    int num_open_ = 0;  // number of times that clients have it open
};

}  // namespace nocbench::etherbone_server
