#include "device_model/wishbone/server/udp_door.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <utility>
#include <vector>

#include "device_model/wishbone/server/addresses.h"

namespace nocbench::etherbone_server {

using wishbone::Bytes;
using wishbone::ByteView;

namespace {

// Datagrams per system call: bursts are received and sent together, since calls take most of the time of a short
// message.
constexpr std::size_t kBatch = 64;
constexpr std::size_t kDatagramBytesMax = 65'536;
constexpr std::size_t kControlBytes = 64;
// Batches before other sockets are served.
constexpr int kBatchesAtOnce = 16;
constexpr int kSocketBufferBytes = 1 << 21;
constexpr int kPatienceMilliseconds = 100;
// Limit of answers held back; further answers are lost.
constexpr std::size_t kHeldMax = 1024;

/// Sets an answer's source to the address that the datagram was sent to, as clients require.
void answer_from_same_address(msghdr& message) {
    for (cmsghdr* control = CMSG_FIRSTHDR(&message); control != nullptr; control = CMSG_NXTHDR(&message, control)) {
        if (control->cmsg_level == IPPROTO_IP && control->cmsg_type == IP_PKTINFO) {
            // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the interface of the operating system
            reinterpret_cast<in_pktinfo*>(CMSG_DATA(control))->ipi_ifindex = 0;
        }
    }
}

}  // namespace

struct UdpDoor::Batch {
    std::vector<std::byte> buffers = std::vector<std::byte>(kBatch * kDatagramBytesMax);
    std::array<iovec, kBatch> parts{};
    std::array<sockaddr_storage, kBatch> clients{};
    alignas(cmsghdr) std::array<std::array<std::byte, kControlBytes>, kBatch> controls{};
    std::array<mmsghdr, kBatch> messages{};
    std::array<Bytes, kBatch> answers;
};

UdpDoor::UdpDoor(Service& service, const std::string& address, std::uint16_t port)
    : service_(service), socket_(service.io), batch_(std::make_unique<Batch>()) {
    const asio::ip::udp::endpoint endpoint(address_of(address), port);
    open(socket_, endpoint, "udp", [&] {
        if (endpoint.address().is_unspecified()) {
            const int yes = 1;
            const bool is_v4 = endpoint.address().is_v4();
            ::setsockopt(socket_.native_handle(), is_v4 ? IPPROTO_IP : IPPROTO_IPV6,
                         is_v4 ? IP_PKTINFO : IPV6_RECVPKTINFO, &yes, sizeof yes);
        }
        boost::system::error_code ignored;
        socket_.set_option(asio::socket_base::receive_buffer_size(kSocketBufferBytes), ignored);
        socket_.set_option(asio::socket_base::send_buffer_size(kSocketBufferBytes), ignored);
    });
    socket_.native_non_blocking(true);
    wait();
}

UdpDoor::~UdpDoor() = default;

std::string UdpDoor::description() const { return described("udp", socket_.local_endpoint()); }

void UdpDoor::wait() {
    socket_.async_wait(asio::socket_base::wait_read, [this](const boost::system::error_code& error) {
        if (error) {
            return;
        }
        serve();
        wait();
    });
}

void UdpDoor::serve() {
    for (int turn = 0; turn < kBatchesAtOnce; ++turn) {
        const int count = receive();
        if (count <= 0) {
            break;
        }
        service_.counts.datagrams += static_cast<std::uint64_t>(count);
        if (service_.is_paced) {
            answer_paced(count);
        } else {
            answer(count);
        }
        if (static_cast<std::size_t>(count) < kBatch) {
            break;
        }
    }
}

int UdpDoor::receive() {
    Batch& batch = *batch_;
    for (std::size_t index = 0; index < kBatch; ++index) {
        batch.parts[index] = {.iov_base = &batch.buffers[index * kDatagramBytesMax], .iov_len = kDatagramBytesMax};
        batch.messages[index].msg_hdr = {.msg_name = &batch.clients[index],
                                         .msg_namelen = sizeof(sockaddr_storage),
                                         .msg_iov = &batch.parts[index],
                                         .msg_iovlen = 1,
                                         .msg_control = batch.controls[index].data(),
                                         .msg_controllen = kControlBytes,
                                         .msg_flags = 0};
    }
    return ::recvmmsg(socket_.native_handle(), batch.messages.data(), kBatch, MSG_DONTWAIT, nullptr);
}

/// Answers a batch in place: the received messages hold the senders' addresses.
void UdpDoor::answer(int count) {
    Batch& batch = *batch_;
    std::size_t num_answers = 0;
    for (std::size_t index = 0; index < static_cast<std::size_t>(count); ++index) {
        mmsghdr& request = batch.messages[index];
        const ByteView datagram(static_cast<const std::byte*>(batch.parts[index].iov_base), request.msg_len);
        batch.answers[index] = service_.fpga.answer_datagram(datagram);
        if (batch.answers[index].empty()) {
            continue;
        }
        batch.parts[index] = {.iov_base = batch.answers[index].data(), .iov_len = batch.answers[index].size()};
        answer_from_same_address(request.msg_hdr);
        batch.messages[num_answers] = request;
        ++num_answers;
    }
    std::size_t sent = 0;
    while (sent < num_answers) {
        const int taken = ::sendmmsg(socket_.native_handle(), &batch.messages[sent],
                                     static_cast<unsigned>(num_answers - sent), MSG_DONTWAIT);
        if (taken > 0) {
            sent += static_cast<std::size_t>(taken);
            continue;
        }
        pollfd descriptor{.fd = socket_.native_handle(), .events = POLLOUT, .revents = 0};
        if ((errno == EAGAIN || errno == ENOBUFS) && ::poll(&descriptor, 1, kPatienceMilliseconds) > 0) {
            continue;
        }
        ++service_.counts.answers_lost;  // e.g. to an unreachable client
        ++sent;
    }
}

void UdpDoor::answer_paced(int count) {
    Batch& batch = *batch_;
    for (std::size_t index = 0; index < static_cast<std::size_t>(count); ++index) {
        mmsghdr& request = batch.messages[index];
        const std::int64_t begin_ns = service_.fpga.now_ns();
        Bytes answer = service_.fpga.answer_datagram(
            ByteView(static_cast<const std::byte*>(batch.parts[index].iov_base), request.msg_len));
        if (answer.empty()) {
            continue;
        }
        if (service_.num_held >= kHeldMax) {
            ++service_.counts.answers_lost;
            continue;
        }
        answer_from_same_address(request.msg_hdr);
        service_.release(begin_ns, [this, client = batch.clients[index], client_bytes = request.msg_hdr.msg_namelen,
                                    control = batch.controls[index], control_bytes = request.msg_hdr.msg_controllen,
                                    answer = std::move(answer)]() mutable {
            iovec part{.iov_base = answer.data(), .iov_len = answer.size()};
            msghdr message{};
            message.msg_name = &client;
            message.msg_namelen = client_bytes;
            message.msg_iov = &part;
            message.msg_iovlen = 1;
            message.msg_control = control.data();
            message.msg_controllen = control_bytes;
            if (::sendmsg(socket_.native_handle(), &message, MSG_DONTWAIT) < 0) {
                ++service_.counts.answers_lost;
            }
        });
    }
}

}  // namespace nocbench::etherbone_server
