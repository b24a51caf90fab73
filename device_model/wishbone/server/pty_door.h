// Etherbone by a pseudo terminal, which stands for the character device of a driver: a stream for one client after the
// other. The operating system says when one opens and closes it.
#pragma once

#include <memory>
#include <string>

#include "device_model/wishbone/server/service.h"
#include "device_model/wishbone/server/stream_connection.h"

namespace nocbench::etherbone_server {

class PtyDoor {
public:
    /// `link`: where a symbolic link to it is made; empty for none. Throws InputError if one of the two cannot be had.
    PtyDoor(Service& service, const std::string& link);
    ~PtyDoor();
    PtyDoor(const PtyDoor&) = delete;
    PtyDoor& operator=(const PtyDoor&) = delete;

    /// "pty PATH".
    [[nodiscard]] std::string description() const { return "pty " + path_; }

private:
    using Connection = StreamConnection<asio::posix::stream_descriptor>;

    void make_link(const std::string& link);
    void watch();
    /// Takes what the operating system says of clients, and returns whether all of them have closed the terminal since
    /// the last call, at least for a moment.
    [[nodiscard]] bool take_events();

    Service& service_;
    std::string path_;
    std::string link_;                           // that was made
    asio::posix::stream_descriptor client_end_;  // kept open, so that the terminal stays raw
    asio::posix::stream_descriptor events_;
    std::shared_ptr<Connection> connection_;
    int num_open_ = 0;  // by clients
};

}  // namespace nocbench::etherbone_server
