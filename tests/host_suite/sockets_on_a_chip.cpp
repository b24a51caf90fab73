// Sockets between cores of one chip: data, counts from kernel to kernel, and messages for mistakes.
#include <numeric>
#include <string>
#include <tt-metalium/experimental/sockets/mesh_socket.hpp>

#include "multi_device_fixture.hpp"

namespace tt::tt_metal::distributed {

namespace {

const CoreCoord kSender(0, 0);
const std::vector<CoreCoord> kReceivers{{1, 0}, {0, 1}, {3, 2}};

/// Returns a sender that gives each receiver the same pages: the socket's header, and the place of a page.
std::string sender_with(const std::string& header, const std::string& place) {
    return "#include \"" + header + R"("
void kernel_main() {
    SocketSenderInterface socket = create_sender_socket_interface(get_arg_val<uint32_t>(0));
    uint32_t source = get_arg_val<uint32_t>(1);
    const uint32_t page_bytes = get_arg_val<uint32_t>(2);
    set_sender_socket_page_size(socket, page_bytes);
    for (uint32_t page = 0; page < get_arg_val<uint32_t>(3); ++page) {
        socket_reserve_pages(socket, 1);
        for (uint32_t number = 0; number < socket.num_downstreams; ++number) {
            const sender_downstream_encoding receiver = get_downstream_encoding(socket, number);
            noc_async_write(source, get_noc_addr()" +
           place + R"(), page_bytes);
        }
        socket_push_pages(socket, 1);
        socket_notify_receiver(socket);
        source += page_bytes;
    }
    socket_barrier(socket);
    update_socket_config(socket);
    noc_async_write_barrier();
})";
}

const std::string kSend = sender_with("api/socket_api.h",
                                      "receiver.d2d.downstream_noc_x, receiver.d2d.downstream_noc_y, "
                                      "socket.downstream_fifo_addr + socket.write_ptr");
// In releases of 2025, the pointer is an address.
const std::string kSendOf2025 =
    sender_with("socket_api.h", "receiver.downstream_noc_x, receiver.downstream_noc_y, socket.write_ptr");

const char* const kReceive = R"(
#include "api/socket_api.h"
void kernel_main() {
    SocketReceiverInterface socket = create_receiver_socket_interface(get_arg_val<uint32_t>(0));
    uint64_t target = get_noc_addr(get_arg_val<uint32_t>(1));
    const uint32_t page_bytes = get_arg_val<uint32_t>(2);
    set_receiver_socket_page_size(socket, page_bytes);
    for (uint32_t page = 0; page < get_arg_val<uint32_t>(3); ++page) {
        while (!socket_wait_for_pages(socket, 1, 10)) {
        }
        noc_async_write(socket.read_ptr, target, page_bytes);
        noc_async_write_barrier();
        socket_pop_pages(socket, 1);
        socket_notify_sender(socket);
        target += page_bytes;
    }
    update_socket_config(socket);
    noc_async_write_barrier();
})";

// Copies tiles through a circular buffer that lies on the socket.
const char* const kCompute = R"(
#include "api/compute/common.h"
#include "api/compute/tile_move_copy.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/socket_api.h"
void kernel_main() {
    SocketReceiverInterface socket = create_receiver_socket_interface(get_arg_val<uint32_t>(0));
    set_receiver_socket_page_size(socket, get_arg_val<uint32_t>(2));
    assign_local_cb_to_socket(socket, 0);
    unary_op_init_common(0, 1);
    copy_tile_init(0);
    for (uint32_t page = 0; page < get_arg_val<uint32_t>(3); ++page) {
        socket_wait_for_pages(socket, 1);
        cb_reserve_back(1, 1);
        tile_regs_acquire();
        copy_tile(0, 0, 0);
        tile_regs_commit();
        tile_regs_wait();
        pack_tile(0, 1);
        tile_regs_release();
        cb_push_back(1, 1);
        cb_pop_front(0, 1);
        socket_pop_pages(socket, 1);
    }
})";

const char* const kDrain = R"(
#include "api/socket_api.h"
void kernel_main() {
    SocketReceiverInterface socket = create_receiver_socket_interface(get_arg_val<uint32_t>(0));
    uint64_t target = get_noc_addr(get_arg_val<uint32_t>(1));
    const uint32_t page_bytes = get_arg_val<uint32_t>(2);
    set_receiver_socket_page_size(socket, page_bytes);
    for (uint32_t page = 0; page < get_arg_val<uint32_t>(3); ++page) {
        cb_wait_front(1, 1);
        socket_pop_pages(socket, 1);
        socket_notify_sender(socket);
        noc_async_write(get_read_ptr(1), target, page_bytes);
        noc_async_write_barrier();
        cb_pop_front(1, 1);
        target += page_bytes;
    }
    update_socket_config(socket);
    noc_async_write_barrier();
})";

SocketConnection between(const CoreCoord& sender, const CoreCoord& receiver) {
    return {MeshCoreCoord(MeshCoordinate(0, 0), sender), MeshCoreCoord(MeshCoordinate(0, 0), receiver)};
}

class SocketsOnAChip : public GenericMeshDeviceFixture {
protected:
    std::pair<MeshSocket, MeshSocket> sockets(const std::vector<CoreCoord>& receivers, std::uint32_t fifo_bytes) {
        SocketConfig config{.socket_mem_config = SocketMemoryConfig(BufferType::L1, fifo_bytes)};
        for (const CoreCoord& receiver : receivers) {
            config.socket_connection_config.push_back(between(kSender, receiver));
        }
        const auto mesh = get_mesh_device()->create_submesh(MeshShape(1, 1), MeshCoordinate(0, 0));
        return MeshSocket::create_socket_pair(mesh, mesh, config);
    }

    /// Sends pages, and expects all receivers to have got them.
    void send(const std::pair<MeshSocket, MeshSocket>& sockets, const std::string& sender, std::uint32_t page_bytes,
              std::uint32_t num_pages, bool has_compute = false) {
        const auto& [from, to] = sockets;
        const auto device = get_mesh_device();
        const auto buffer = [&] {
            return CreateBuffer(InterleavedBufferConfig{device.get(), DeviceAddr{page_bytes} * num_pages,
                                                        DeviceAddr{page_bytes} * num_pages, BufferType::L1});
        };
        const auto source = buffer();
        const auto target = buffer();
        std::vector<std::uint32_t> words(page_bytes * num_pages / 4);
        std::iota(words.begin(), words.end(), ++first_word_ * 1'000'000);
        detail::WriteToDeviceL1(device.get(), kSender, source->address(), words);

        Program program = CreateProgram();
        const auto start = [&](const std::string& text, const CoreCoord& core, const KernelConfig& config,
                               const MeshSocket& socket, std::uint32_t address) {
            const KernelHandle kernel = CreateKernelFromString(program, text, core, config);
            SetRuntimeArgs(
                program, kernel, core,
                {static_cast<std::uint32_t>(socket.get_config_buffer()->address()), address, page_bytes, num_pages});
        };
        start(sender, kSender, DataMovementConfig{}, from, source->address());
        for (const MeshCoreCoord& receiver : to.get_active_cores()) {
            const CoreCoord& core = receiver.core_coord;
            start(has_compute ? kDrain : kReceive, core, DataMovementConfig{}, to, target->address());
            if (has_compute) {
                for (const std::uint8_t index : {0, 1}) {
                    CreateCircularBuffer(program, core,
                                         CircularBufferConfig(2 * page_bytes, {{index, DataFormat::UInt32}})
                                             .set_page_size(index, page_bytes));
                }
                start(kCompute, core, ComputeConfig{}, to, 0);
            }
        }
        detail::LaunchProgram(device.get(), program);
        for (const MeshCoreCoord& receiver : to.get_active_cores()) {
            std::vector<std::uint32_t> received;
            detail::ReadFromDeviceL1(device.get(), receiver.core_coord, target->address(), page_bytes * num_pages,
                                     received);
            EXPECT_EQ(received, words);
        }
    }

private:
    std::uint32_t first_word_ = 0;
};

}  // namespace

TEST_F(SocketsOnAChip, SendPagesFromProgramToProgram) {
    const auto pair = sockets(kReceivers, 4096);
    EXPECT_EQ(pair.first.get_socket_endpoint_type(), SocketEndpoint::SENDER);
    EXPECT_EQ(pair.second.get_active_cores().size(), kReceivers.size());
    send(pair, kSend, 64, 3);
    send(pair, kSendOf2025, 1088, 11);  // 832 bytes are behind the last page
    send(pair, kSend, 512, 20);
}

TEST_F(SocketsOnAChip, FeedComputeKernels) { send(sockets({{1, 0}}, 5 * 4096), kSend, 4096, 12, true); }

TEST_F(SocketsOnAChip, NameMistakes) {
    const auto mesh = get_mesh_device();
    const auto expect_of = [&](const std::string& part, const std::vector<SocketConnection>& connections,
                               const SocketMemoryConfig& memory = {BufferType::L1, 1024}) {
        std::string message;
        try {
            MeshSocket::create_socket_pair(mesh, mesh, {connections, memory});
        } catch (const std::exception& error) {
            message = error.what();
        }
        EXPECT_NE(message.find(part), std::string::npos) << message;
        EXPECT_NE(message.find("sockets_on_a_chip.cpp:"), std::string::npos) << message;
    };
    expect_of("at least one connection", {});
    expect_of("found core (1, 0) again", {between({0, 0}, {1, 0}), between({2, 0}, {1, 0})});
    expect_of("several chips are not modeled",
              {{MeshCoreCoord(MeshCoordinate(0, 0), kSender), MeshCoreCoord(MeshCoordinate(0, 1), {1, 0})}});
    expect_of("found (50, 0)", {between({0, 0}, {50, 0})});
    expect_of("in each bank of L1", {between({0, 0}, {1, 0})}, {BufferType::L1, 2'000'000});
    EXPECT_THROW(static_cast<void>(sockets({{1, 0}}, 1024).first.get_data_buffer()), std::exception);
    EXPECT_THROW(mesh->create_submesh(MeshShape(1, 2)), std::exception);
}

}  // namespace tt::tt_metal::distributed
