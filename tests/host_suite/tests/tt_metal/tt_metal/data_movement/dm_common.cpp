#include "dm_common.hpp"

#include <limits>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <utility>

#include "tt_metal/test_utils/stimulus.hpp"

namespace tt::tt_metal::dm {

namespace {

constexpr const char* kKernels = "tests/tt_metal/tt_metal/data_movement/kernels/";

CoreRangeSet set_of(const std::vector<CoreCoord>& cores) {
    return CoreRangeSet(stl::Span<const CoreCoord>(cores.data(), cores.size()));
}

uint32_t next_id() {
    static uint32_t id = 0;
    return id++;
}

}  // namespace

Trial::Trial(Mesh mesh, uint32_t test_id, Sizes sizes)
    : mesh_(std::move(mesh)), test_id_(test_id), sizes_(sizes), id_(next_id()), program_(CreateProgram()) {
    program_.set_runtime_id(id_);
}

uint32_t Trial::block(uint32_t number) const {
    const CoreCoord core = chip()->worker_core_from_logical_core({0, 0});
    return chip()->get_dev_addr(core, HalL1MemAddrType::DEFAULT_UNRESERVED) + number * block_bytes();
}

Words Trial::data(uint32_t number, uint32_t blocks) const {
    constexpr uint32_t kNumbers = 1 << 16;
    return test_utils::generate_uniform_random_vector<uint32_t>(
        0, std::numeric_limits<uint32_t>::max(), blocks * block_bytes() / sizeof(uint32_t), id_ * kNumbers + number);
}

void Trial::fill(CoreCoord core, uint32_t address, const Words& words) const {
    detail::WriteToDeviceL1(chip(), core, address, words);
}

void Trial::expect(CoreCoord core, uint32_t address, const Words& words) const {
    Words found;
    detail::ReadFromDeviceL1(chip(), core, address, words.size() * sizeof(uint32_t), found);
    EXPECT_TRUE(found == words) << "program " << id_ << ", core " << core.str() << ", address " << address;
}

void Trial::kernel(const std::string& file, const std::vector<CoreCoord>& cores, Way way, const Words& compile_args,
                   const std::function<Words(uint32_t)>& args) {
    DataMovementConfig config{.compile_args = {sizes_.count, sizes_.bytes}};
    config.compile_args.insert(config.compile_args.end(), compile_args.begin(), compile_args.end());
    if (way == Way::read) {
        config.processor = DataMovementProcessor::RISCV_1;
        config.noc = NOC::RISCV_1_default;
    }
    const KernelHandle handle = CreateKernel(program_, kKernels + file, set_of(cores), config);
    SetCommonRuntimeArgs(program_, handle, {test_id_});
    for (uint32_t index = 0; index < cores.size(); ++index) {
        SetRuntimeArgs(program_, handle, cores[index], args(index));
    }
}

uint32_t Trial::semaphore(const std::vector<CoreCoord>& cores) { return CreateSemaphore(program_, set_of(cores), 0); }

Words Trial::with_coordinates(Words args, const std::vector<CoreCoord>& cores) const {
    for (const CoreCoord& core : chip()->worker_cores_from_logical_cores(cores)) {
        args.push_back(core.x);
        args.push_back(core.y);
    }
    return args;
}

void Trial::move_blocks(const std::vector<CoreCoord>& cores, Way way, const std::vector<CoreCoord>& peers,
                        const std::function<Words(uint32_t)>& args, uint32_t channels) {
    kernel("move_blocks.cpp", cores, way, {way == Way::read, uint32_t(Turn::alone), uint32_t(Place::core), channels},
           [&](uint32_t index) {
               Words all{0, uint32_t(peers.size())};
               const Words own = args(index);
               all.insert(all.end(), own.begin(), own.end());
               return with_coordinates(all, peers);
           });
}

void Trial::launch() {
    distributed::MeshWorkload workload;
    workload.add_program(distributed::MeshCoordinateRange(mesh_->shape()), std::move(program_));
    distributed::EnqueueMeshWorkload(mesh_->mesh_command_queue(), workload, /*blocking=*/true);
}

std::vector<CoreCoord> cores_of(const Mesh& mesh, uint32_t columns, uint32_t rows, CoreCoord first) {
    const CoreCoord grid = mesh->compute_with_storage_grid_size();
    const CoreCoord last{first.x + (columns ? columns : grid.x) - 1, first.y + (rows ? rows : grid.y) - 1};
    return corerange_to_cores(CoreRange(first, last));
}

void move_between(const Mesh& mesh, uint32_t test_id, Sizes sizes, Way way, const std::vector<CoreCoord>& cores,
                  const std::vector<CoreCoord>& peers, uint32_t channels) {
    Trial trial(mesh, test_id, sizes);
    // The block of each sender is block 0 of its core, and arrives in a block of its own.
    const std::vector<CoreCoord>& senders = way == Way::write ? cores : peers;
    const std::vector<CoreCoord>& receivers = way == Way::write ? peers : cores;
    for (uint32_t sender = 0; sender < senders.size(); ++sender) {
        trial.fill(senders[sender], trial.block(0), trial.data(sender));
    }
    trial.move_blocks(
        cores, way, peers,
        [&](uint32_t index) {
            return way == Way::write ? Words{trial.block(0), trial.block(1 + index), 0, 0}
                                     : Words{trial.block(1), trial.block(0), trial.block_bytes(), 0};
        },
        channels);
    trial.launch();
    for (uint32_t sender = 0; sender < senders.size(); ++sender) {
        const Words words = trial.data(sender);
        for (const CoreCoord& receiver : receivers) {
            trial.expect(receiver, trial.block(1 + sender), words);
        }
    }
}

void multicast(const Mesh& mesh, uint32_t test_id, Sizes sizes, CoreCoord source, const CoreRange& targets, bool linked,
               bool with_source) {
    Trial trial(mesh, test_id, sizes);
    const bool is_target = targets.contains(source);
    const uint32_t num_targets = targets.size() - (is_target && !with_source ? 1 : 0);
    trial.fill(source, trial.block(0), trial.data(0));
    trial.fill(source, trial.block(1), trial.data(1));
    trial.kernel("multicast.cpp", {source}, Way::write, {linked, with_source}, [&](uint32_t) {
        Words args = trial.with_coordinates({trial.block(0), trial.block(1)}, {targets.start_coord, targets.end_coord});
        args.push_back(num_targets);
        return args;
    });
    trial.launch();
    for (const CoreCoord& core : targets) {
        trial.expect(core, trial.block(1), trial.data(core == source && !with_source ? 1 : 0));
    }
}

Pages interleaved(const Mesh& mesh, BufferType type, uint32_t pages, uint32_t bytes) {
    return distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{pages * bytes},
                                           {.page_size = bytes, .buffer_type = type}, mesh.get());
}

Pages sharded(const Mesh& mesh, BufferType type, TensorMemoryLayout layout, const CoreRange& cores,
              std::array<uint32_t, 2> shape, std::array<uint32_t, 2> shard, uint32_t bytes) {
    const ShardSpecBuffer spec(CoreRangeSet(cores), {shard[0], shard[1] * bytes}, ShardOrientation::ROW_MAJOR,
                               {1, bytes}, shape);
    return distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{shape[0] * shape[1] * bytes},
        {.page_size = bytes, .buffer_type = type, .sharding_args = BufferShardingArgs(spec, layout)}, mesh.get());
}

void copy_pages(const Mesh& mesh, uint32_t test_id, Sizes sizes, const std::vector<CoreCoord>& cores,
                const Pages& source, const Pages& target, bool strided) {
    Trial trial(mesh, test_id, sizes);
    const uint32_t num_cores = cores.size();
    const uint32_t step = strided ? num_cores : 1;
    const auto first = [&](uint32_t core) { return strided ? core : core * sizes.count; };
    const Words words = trial.data(0, num_cores);
    const auto pages_of_core = [&](uint32_t core) {
        const uint32_t page_words = sizes.bytes / sizeof(uint32_t);
        Words pages;
        for (uint32_t i = 0; i < sizes.count; ++i) {
            const auto page = words.begin() + (first(core) + i * step) * page_words;
            pages.insert(pages.end(), page, page + page_words);
        }
        return pages;
    };
    const bool both = source && target;
    const uint32_t semaphore = both ? trial.semaphore(cores) : 0;
    const auto move = [&](const Pages& buffer, Way way, Turn turn) {
        Words compile_args{way == Way::read, uint32_t(both ? turn : Turn::alone)};
        TensorAccessorArgs(*buffer).append_to(compile_args);
        trial.kernel("move_pages.cpp", cores, way, compile_args, [&](uint32_t core) {
            return Words{semaphore, trial.block(0), uint32_t(buffer->address()), first(core), step};
        });
    };
    auto& queue = mesh->mesh_command_queue();
    if (source) {
        distributed::EnqueueWriteMeshBuffer(queue, source, words);
        move(source, Way::read, Turn::first);
    }
    if (target) {
        move(target, Way::write, Turn::second);
    }
    for (uint32_t core = 0; !source && core < num_cores; ++core) {
        trial.fill(cores[core], trial.block(0), pages_of_core(core));
    }
    trial.launch();
    for (uint32_t core = 0; core < num_cores; ++core) {
        trial.expect(cores[core], trial.block(0), pages_of_core(core));
    }
    if (target) {
        Words found;
        distributed::EnqueueReadMeshBuffer(queue, found, target, /*blocking=*/true);
        EXPECT_TRUE(found == words) << "pages written";
    }
}

}  // namespace tt::tt_metal::dm
