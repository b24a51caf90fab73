#include "kernels/etherbone_server/pty_door.h"

#include <fcntl.h>
#include <fmt/format.h>
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
    connection_->before_read = [this] { take_events(); };
    connection_->ended = [this](bool is_dropped) {
        service_.counts.clients_dropped += is_dropped ? 1 : 0;
        connection_->ignore();
    };
    connection_->forgot = [this] { ::tcflush(client_end_.native_handle(), TCIFLUSH); };
    connection_->read();
    watch();
}

PtyDoor::~PtyDoor() {
    connection_->before_read = nullptr;
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
    if (std::filesystem::is_symlink(link, error)) {  // left by a server that was killed
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
        take_events();
        watch();
    });
}

void PtyDoor::take_events() {
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
                connection_->change_clients();
            }
        }
    }
}

}  // namespace nocbench::etherbone_server
