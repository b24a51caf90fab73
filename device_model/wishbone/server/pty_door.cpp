#include "device_model/wishbone/server/pty_door.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "device_model/sim/error.h"

namespace nocbench::etherbone_server {

namespace {

[[noreturn]] void fail(const std::string& what) {
    throw InputError(fmt::format("pty: expected a pseudo terminal, found that {} fails: {}", what,
                                 std::generic_category().message(errno)));
}

/// Returns whether `link` was left by a killed server: its terminal does not exist, is `own`, or is not locked by a
/// server.
bool is_left_over(const std::string& link, const std::string& own) {
    std::error_code error;
    const std::string target = std::filesystem::read_symlink(link, error).string();
    if (error || !target.starts_with("/dev/pts/") || target == own) {
        return !error && target == own;
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): the interface of the operating system
    const int terminal = ::open(target.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (terminal < 0) {
        return errno == ENOENT || errno == EIO || errno == ENXIO;
    }
    const bool is_locked = ::flock(terminal, LOCK_EX | LOCK_NB) != 0;
    ::close(terminal);
    return !is_locked;
}

}  // namespace

PtyDoor::PtyDoor(Service& service, const std::string& link)
    : service_(service), client_end_(service.io), events_(service.io) {
    asio::posix::stream_descriptor server_end(service.io);
    if (const int descriptor = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC); descriptor >= 0) {
        server_end.assign(descriptor);
    } else {
        fail("opening one");
    }
    std::array<char, 256> path{};
    if (::grantpt(server_end.native_handle()) != 0 || ::unlockpt(server_end.native_handle()) != 0 ||
        ::ptsname_r(server_end.native_handle(), path.data(), path.size()) != 0) {
        fail("unlocking one");
    }
    path_ = path.data();
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): the interface of the operating system
    const int client_end = ::open(path_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (client_end < 0) {
        fail("opening " + path_);
    }
    client_end_.assign(client_end);
    ::flock(client_end, LOCK_EX | LOCK_NB);  // marks it as in use by a server
    termios settings{};
    if (::tcgetattr(client_end, &settings) != 0) {
        fail("reading its settings");
    }
    ::cfmakeraw(&settings);
    if (::tcsetattr(client_end, TCSANOW, &settings) != 0) {
        fail("making it raw");
    }
    const int events = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (events < 0) {
        fail("watching it");
    }
    events_.assign(events);
    if (::inotify_add_watch(events, path_.c_str(), IN_OPEN | IN_CLOSE) < 0) {
        fail("watching it");
    }
    make_link(link);
    connection_ = std::make_shared<Connection>(service_, std::move(server_end), true);
    connection_->has_client_gone = [this] { return take_events(); };
    connection_->is_next_client_there = [this] { return num_open_ > 0; };
    connection_->ended = [this](std::string_view reason) {
        service_.end_client("pty", reason);
        connection_->ignore();
    };
    connection_->forgot = [this] {
        // Outgoing data first, then data that have arrived.
        ::tcflush(connection_->stream().native_handle(), TCOFLUSH);
        ::tcflush(client_end_.native_handle(), TCIFLUSH);
    };
    connection_->read();
    watch();
}

PtyDoor::~PtyDoor() {
    connection_->has_client_gone = nullptr;
    connection_->is_next_client_there = nullptr;
    connection_->ended = nullptr;
    connection_->forgot = nullptr;
    connection_->close();
    if (!link_.empty()) {
        ::unlink(link_.c_str());
    }
}

void PtyDoor::make_link(const std::string& link) {
    if (link.empty()) {
        return;
    }
    std::error_code error;
    if (is_left_over(link, path_)) {
        std::filesystem::remove(link, error);
    }
    std::filesystem::create_symlink(path_, link, error);
    if (error) {
        throw InputError(
            fmt::format("pty link: expected a path that is free, in a folder that can be written, found {}: {}", link,
                        error.message()));
    }
    link_ = link;
}

void PtyDoor::watch() {
    events_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const boost::system::error_code& error) {
        if (error) {
            return;
        }
        if (take_events()) {
            connection_->change_clients();
        }
        watch();
    });
}

bool PtyDoor::take_events() {
    bool has_client_gone = false;
    alignas(inotify_event) std::array<char, 4096> buffer{};
    ssize_t count = 0;
    while ((count = ::read(events_.native_handle(), buffer.data(), buffer.size())) > 0) {
        for (std::size_t at = 0; at + sizeof(inotify_event) <= static_cast<std::size_t>(count);) {
            inotify_event event{};
            std::memcpy(&event, &buffer[at], sizeof event);
            at += sizeof event + event.len;
            if ((event.mask & IN_OPEN) != 0) {
                ++num_open_;
                ++service_.counts.clients;
            }
            if ((event.mask & IN_CLOSE) != 0 && --num_open_ <= 0) {
                num_open_ = 0;
                has_client_gone = true;
            }
        }
    }
    return has_client_gone;
}

}  // namespace nocbench::etherbone_server
