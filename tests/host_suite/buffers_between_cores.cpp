// Circular buffers between cores: data, pointers from program to program, and messages for mistakes.
#include <numeric>
#include <tt-metalium/global_circular_buffer.hpp>
#include <tt-metalium/program_descriptors.hpp>

#include "multi_device_fixture.hpp"

namespace tt::tt_metal {

using experimental::CreateGlobalCircularBuffer;
using experimental::GlobalCircularBuffer;

namespace {

constexpr std::uint8_t kRemote = 31;
constexpr std::uint8_t kLocal = 2;
constexpr std::uint32_t kRows = 2;  // of packets in a page
const CoreCoord kSender(0, 0);
const CoreRangeSet kReceivers(CoreRange({1, 0}, {2, 1}));
const CoreRangeSet kAll = kReceivers.merge(CoreRangeSet(kSender));

/// Pages of a size, in the order in which they are sent.
struct Part {
    std::uint32_t page_bytes;
    std::uint32_t num_pages;
};

const char* const kSend = R"(
#include "api/remote_circular_buffer.h"
void kernel_main() {
    constexpr uint32_t id = get_compile_time_arg_val(0), rows = get_compile_time_arg_val(1);
    uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t num_receivers = get_remote_sender_cb_interface(id).num_receivers;
    for (uint32_t argument = 2; argument < 2 + 2 * get_arg_val<uint32_t>(1); argument += 2) {
        const uint32_t page_bytes = get_arg_val<uint32_t>(argument);
        experimental::resize_remote_sender_cb_interface<true>(id, page_bytes, noc_index);
        for (uint32_t page = 0; page < get_arg_val<uint32_t>(argument + 1); ++page) {
            experimental::remote_cb_reserve_back(id, 1);
            experimental::remote_cb_push_back_and_write_pages(id, source, 1, rows, 1, page_bytes / rows);
            source += page_bytes * num_receivers;
        }
    }
    experimental::remote_cb_sender_barrier(id);
    experimental::update_remote_cb_config_in_l1(id);
    noc_async_posted_writes_flushed();
    noc_async_atomic_barrier();
})";

const char* const kReceive = R"(
#include "remote_circular_buffer_api.h"
#include "experimental/noc.h"
void kernel_main() {
    constexpr uint32_t id = get_compile_time_arg_val(0);
    uint64_t target = get_noc_addr(get_arg_val<uint32_t>(0));
    experimental::Noc noc;
    experimental::RemoteCircularBuffer buffer(id);
    for (uint32_t argument = 2; argument < 2 + 2 * get_arg_val<uint32_t>(1); argument += 2) {
        const uint32_t page_bytes = get_arg_val<uint32_t>(argument);
        buffer.set_sender_page_size(noc, page_bytes);
        for (uint32_t page = 0; page < get_arg_val<uint32_t>(argument + 1); ++page) {
            buffer.wait_front(1);
            noc_async_write(get_remote_receiver_cb_interface(id).fifo_rd_ptr, target, page_bytes);
            noc_async_write_barrier();
            buffer.pop_front(noc, 1);
            target += page_bytes;
        }
    }
    buffer.commit();
    noc_async_atomic_barrier();
})";

// A local buffer on a remote one begins where the remote one does, on every RISC.
const char* const kLook = R"(
#if defined(COMPILE_FOR_TRISC)
#include "api/compute/common.h"
#else
#include "api/dataflow/dataflow_api.h"
#endif
void kernel_main() {
    const auto& local = get_local_cb_interface(get_compile_time_arg_val(1));
    const auto& remote = get_remote_receiver_cb_interface(get_compile_time_arg_val(0));
    ASSERT(remote.config_ptr == get_arg_val<uint32_t>(0));
    ASSERT(remote.fifo_page_size == get_arg_val<uint32_t>(1));
    ASSERT(remote.fifo_rd_ptr == get_arg_val<uint32_t>(2));
    ASSERT(remote.fifo_limit_page_aligned == get_arg_val<uint32_t>(3));
    ASSERT(local.fifo_rd_ptr << cb_addr_shift == remote.fifo_rd_ptr && local.fifo_wr_ptr == local.fifo_rd_ptr);
    ASSERT(local.fifo_limit << cb_addr_shift == remote.fifo_limit_page_aligned);
    ASSERT(local.fifo_size << cb_addr_shift == remote.fifo_limit_page_aligned - remote.fifo_start_addr);
    ASSERT(local.fifo_num_pages == local.fifo_size / local.fifo_page_size);
})";

CircularBufferConfig remote_config(std::uint32_t page_bytes) {
    CircularBufferConfig config(page_bytes);
    config.remote_index(kRemote).set_page_size(page_bytes).set_data_format(DataFormat::UInt32);
    return config;
}

CircularBufferConfig with_local_one(std::uint32_t page_bytes) {
    CircularBufferConfig config = remote_config(page_bytes);
    config.index(kLocal).set_page_size(page_bytes).set_data_format(DataFormat::UInt32);
    return config;
}

class BuffersBetweenCores : public GenericMeshDeviceFixture {
protected:
    void launch(Program& program) { detail::LaunchProgram(get_mesh_device().get(), program); }

    GlobalCircularBuffer global_buffer(std::uint32_t size) {
        return CreateGlobalCircularBuffer(get_mesh_device().get(), {{kSender, kReceivers}}, size);
    }

    /// Streams pages to all receivers, and expects each to have got its own.
    void stream(const GlobalCircularBuffer& global, const std::vector<Part>& parts) {
        std::uint32_t bytes = 0;
        std::vector<std::uint32_t> of_parts{static_cast<std::uint32_t>(parts.size())};
        for (const Part& part : parts) {
            bytes += part.page_bytes * part.num_pages;
            of_parts.insert(of_parts.end(), {part.page_bytes, part.num_pages});
        }
        const auto num_receivers = static_cast<std::uint32_t>(kReceivers.num_cores());
        const auto source = on_each(CoreRangeSet(kSender), bytes * num_receivers);
        const auto target = on_each(kReceivers, bytes);
        std::vector<std::uint32_t> sent(bytes * num_receivers / 4);
        std::iota(sent.begin(), sent.end(), ++first_word_ * 1'000'000);
        detail::WriteToBuffer(source, sent);

        Program program = CreateProgram();
        experimental::CreateCircularBuffer(program, kAll, remote_config(parts[0].page_bytes), global);
        const auto start = [&](const char* text, const CoreRangeSet& cores, std::uint32_t address) {
            const KernelHandle kernel =
                CreateKernelFromString(program, text, cores, DataMovementConfig{.compile_args = {kRemote, kRows}});
            std::vector<std::uint32_t> args{address};
            args.insert(args.end(), of_parts.begin(), of_parts.end());
            SetRuntimeArgs(program, kernel, cores, args);
        };
        start(kSend, CoreRangeSet(kSender), source->address());
        start(kReceive, kReceivers, target->address());
        launch(program);

        std::vector<std::uint32_t> received;
        detail::ReadFromBuffer(target, received);
        EXPECT_EQ(received, in_order_of_receivers(sent, parts, num_receivers));
    }

private:
    std::shared_ptr<Buffer> on_each(const CoreRangeSet& cores, std::uint32_t bytes) {
        const auto num_cores = static_cast<std::uint32_t>(cores.num_cores());
        return CreateBuffer(
            ShardedBufferConfig{get_mesh_device().get(), DeviceAddr{bytes} * num_cores, bytes, BufferType::L1,
                                TensorMemoryLayout::HEIGHT_SHARDED,
                                ShardSpecBuffer(cores, {1, 1}, ShardOrientation::ROW_MAJOR, {1, 1}, {num_cores, 1})});
    }

    /// Returns the words as receivers get them, receiver by receiver. They are sent page by page, row by row.
    static std::vector<std::uint32_t> in_order_of_receivers(const std::vector<std::uint32_t>& sent,
                                                            const std::vector<Part>& parts,
                                                            std::uint32_t num_receivers) {
        // Receivers are counted column by column, and the result has them row by row.
        const std::vector<CoreCoord> counted = corerange_to_cores(kReceivers);
        std::vector<std::uint32_t> received;
        for (const CoreCoord& core : corerange_to_cores(kReceivers, {}, true)) {
            const auto number = static_cast<std::uint32_t>(std::ranges::find(counted, core) - counted.begin());
            std::size_t place = 0;
            for (const Part& part : parts) {
                const std::uint32_t packet_words = part.page_bytes / kRows / 4;
                for (std::uint32_t row = 0; row < part.num_pages * kRows; ++row) {
                    const auto begin = sent.begin() + static_cast<std::ptrdiff_t>(place + number * packet_words);
                    received.insert(received.end(), begin, begin + packet_words);
                    place += std::size_t{packet_words} * num_receivers;
                }
            }
        }
        return received;
    }

    std::uint32_t first_word_ = 0;
};

}  // namespace

TEST_F(BuffersBetweenCores, StreamPagesFromProgramToProgram) {
    const GlobalCircularBuffer global = global_buffer(5 * 256 + 48);
    stream(global, {{256, 3}});
    stream(global, {{256, 29}});             // begins again, past the 48 bytes behind the last page
    stream(global, {{96, 1}, {640, 7}});     // pages of another size are set up before the kernels, and by them
    stream(global, {{1312, 3}, {32, 100}});  // a page that is all but 16 bytes of the buffer

    // All that was sent is acknowledged, on both cores.
    const auto device = get_mesh_device();
    const auto word = [&](const CoreCoord& core, DeviceAddr address) {
        std::vector<std::uint32_t> words;
        detail::ReadFromDeviceL1(device.get(), core, static_cast<std::uint32_t>(address), 4, words);
        return words.at(0);
    };
    const std::vector<CoreCoord> receivers = corerange_to_cores(kReceivers);
    const DeviceAddr counters = word(kSender, global.config_address() + 24);
    const std::uint32_t sent = word(kSender, counters);
    EXPECT_GT(sent, 0);
    for (std::size_t number = 0; number < receivers.size(); ++number) {
        EXPECT_EQ(word(receivers[number], global.config_address() + 24), counters + 32 * number);
        for (const CoreCoord& core : {kSender, receivers[number]}) {
            EXPECT_EQ(word(core, counters + 32 * number), sent);
            EXPECT_EQ(word(core, counters + 32 * number + 16), sent);
        }
    }
}

TEST_F(BuffersBetweenCores, GiveAllRiscsOfACoreTheSamePointers) {
    const GlobalCircularBuffer global = global_buffer(1024 + 16);
    stream(global, {{128, 3}});  // ends at 384, and so pages of 320 bytes begin at 640
    for (const bool is_described : {false, true}) {
        Program program = CreateProgram();
        if (is_described) {
            program =
                Program(ProgramDescriptor{.cbs = {{.total_size = 320,
                                                   .core_ranges = kAll,
                                                   .format_descriptors = {{kLocal, DataFormat::UInt32, 320}},
                                                   .remote_format_descriptors = {{kRemote, DataFormat::UInt32, 320}},
                                                   .global_circular_buffer = &global}}});
        } else {
            experimental::UpdateDynamicCircularBufferAddress(
                program, experimental::CreateCircularBuffer(program, kAll, with_local_one(320), global), global);
        }
        const auto begin = static_cast<std::uint32_t>(global.buffer_address());
        const auto look = [&](const KernelConfig& config) {
            const KernelHandle kernel = CreateKernelFromString(program, kLook, kReceivers, config);
            SetRuntimeArgs(program, kernel, kReceivers,
                           {static_cast<std::uint32_t>(global.config_address()), 320, begin + 640, begin + 960});
        };
        look(ReaderDataMovementConfig({kRemote, kLocal}));
        look(WriterDataMovementConfig({kRemote, kLocal}));
        look(ComputeConfig{.compile_args = {kRemote, kLocal}});
        launch(program);
    }
}

TEST_F(BuffersBetweenCores, NameMistakes) {
    IDevice* const device = get_mesh_device().get();
    const auto message_of = [](const auto& act) -> std::string {
        try {
            act();
        } catch (const std::exception& error) {
            return error.what();
        }
        return "";
    };
    const auto created = [&](const GlobalCircularBuffer::Mapping& mapping, BufferType type = BufferType::L1) {
        return message_of([&] { CreateGlobalCircularBuffer(device, mapping, 1024, type); });
    };
    const auto expect_in = [](const std::string& part, const std::string& message) {
        EXPECT_NE(message.find(part), std::string::npos) << message;
        EXPECT_NE(message.find("buffers_between_cores.cpp:"), std::string::npos) << message;
    };
    const CoreRangeSet one(CoreRange({3, 3}));
    expect_in("found core (1, 0) again", created({{kSender, kReceivers}, {{1, 0}, one}}));
    expect_in("found core (3, 3) again", created({{kSender, one}, {{0, 1}, one}}));
    expect_in("found core (0, 0) again", created({{kSender, one}, {kSender, kReceivers}}));
    expect_in("at least one receiver of sender (0, 0)", created({{kSender, CoreRangeSet()}}));
    expect_in("at least one sender, found none", created({}));
    expect_in("found (99, 0)", created({{kSender, CoreRangeSet(CoreRange({99, 0}))}}));
    expect_in("expected BufferType::L1", created({{kSender, one}}, BufferType::DRAM));

    const GlobalCircularBuffer global = global_buffer(1024);
    const auto used = [&](const CircularBufferConfig& config, const CoreRangeSet& cores = kAll) {
        Program program = CreateProgram();
        return message_of([&] {
            experimental::CreateCircularBuffer(program, cores, config, global);
            CreateKernelFromString(program, "void kernel_main() {}", kReceivers, DataMovementConfig{});
            launch(program);
        });
    };
    EXPECT_EQ(used(remote_config(1024)), "");
    expect_in("expected some of the cores", used(remote_config(64), one));
    expect_in("expected a page of a multiple of 16 bytes, found 40", used(remote_config(40)));
    expect_in("at most the 1024 bytes of its global circular buffer, found 1040", used(remote_config(1040)));
    expect_in("expected remote_index()", used(CircularBufferConfig(64, {{0, DataFormat::UInt32}})));
    expect_in("expected one remote index, found 31 as well", message_of([] { remote_config(64).remote_index(4); }));
    expect_in("its index is that of a remote one", message_of([] { remote_config(64).index(kRemote); }));
    expect_in("its index is that of one within the core",
              message_of([] { CircularBufferConfig(64, {{5, DataFormat::UInt32}}).remote_index(5); }));
    expect_in("but also on another buffer", used(remote_config(64).set_globally_allocated_address(global.cb_buffer())));
    expect_in("expected whole pages in the 1024 bytes", [&] {
        CircularBufferConfig config(192);
        config.remote_index(kRemote).set_page_size(64).set_data_format(DataFormat::UInt32);
        config.index(kLocal).set_page_size(96).set_data_format(DataFormat::UInt32);
        return used(config);
    }());
    CircularBufferConfig low(64);
    low.remote_index(1).set_page_size(64).set_data_format(DataFormat::UInt32);
    low.index(kLocal).set_page_size(64).set_data_format(DataFormat::UInt32);
    expect_in("an index above those of the cores' other buffers, of which one is 2", used(low));

    Program program = CreateProgram();
    expect_in("expected experimental::CreateCircularBuffer",
              message_of([&] { CreateCircularBuffer(program, kAll, remote_config(64)); }));
    const CBHandle handle = experimental::CreateCircularBuffer(program, kReceivers, remote_config(64), global);
    expect_in("expected some of the cores", message_of([&] {
                  experimental::UpdateDynamicCircularBufferAddress(
                      program, handle, CreateGlobalCircularBuffer(device, {{kSender, one}}, 1024));
              }));

    // Without its sender, a receiver cannot begin pages of a size at whose multiples its sender has not ended.
    stream(global, {{64, 1}});
    expect_in("pages of 96 bytes begin 32 bytes further on, of which its sender has sent 0",
              used(remote_config(96), kReceivers));
}

}  // namespace tt::tt_metal
