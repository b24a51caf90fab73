// Common parts of the tests: a program with the data that it moves, and the moves that several of them make.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tt_metal.hpp>
#include <vector>

#include "multi_device_fixture.hpp"

namespace tt::tt_metal::dm {

using Words = std::vector<uint32_t>;
using Mesh = std::shared_ptr<distributed::MeshDevice>;
using Pages = std::shared_ptr<distributed::MeshBuffer>;

/// Transactions of a kernel, and bytes of each.
struct Sizes {
    uint32_t count;
    uint32_t bytes;
};

/// RISC 0 writes on NoC 0, RISC 1 reads on NoC 1.
enum class Way : uint8_t { write, read };

/// Turns of the two RISCs of a core, as in the kernels.
enum class Turn : uint8_t { alone, first, second };

/// Where the other ends of blocks are, as in the kernel.
enum class Place : uint8_t { core, bank, host };

/// A program of a test. Its data differ from those of all other programs.
class Trial {
public:
    Trial(Mesh mesh, uint32_t test_id, Sizes sizes);

    [[nodiscard]] IDevice* chip() const { return mesh_->get_device(0); }
    [[nodiscard]] uint32_t block_bytes() const { return sizes_.count * sizes_.bytes; }
    /// Returns the address of a block in L1, on every core.
    [[nodiscard]] uint32_t block(uint32_t number) const;
    /// Returns different data for each number.
    [[nodiscard]] Words data(uint32_t number, uint32_t blocks = 1) const;
    void fill(CoreCoord core, uint32_t address, const Words& words) const;
    void expect(CoreCoord core, uint32_t address, const Words& words) const;

    /// Adds a kernel. Its compile-time arguments follow those that every kernel has. `args` are the run-time arguments
    /// of a core, by its place in `cores`.
    void kernel(const std::string& file, const std::vector<CoreCoord>& cores, Way way, const Words& compile_args,
                const std::function<Words(uint32_t)>& args);
    [[nodiscard]] uint32_t semaphore(const std::vector<CoreCoord>& cores);
    /// Appends the coordinates by which kernels address cores.
    [[nodiscard]] Words with_coordinates(Words args, const std::vector<CoreCoord>& cores) const;
    /// Adds a kernel that moves blocks between these cores and its own. `args` are those of the kernel before
    /// coordinates, without the first two.
    void move_blocks(const std::vector<CoreCoord>& cores, Way way, const std::vector<CoreCoord>& peers,
                     const std::function<Words(uint32_t)>& args, uint32_t channels = 1);
    void launch();

private:
    Mesh mesh_;
    uint32_t test_id_;
    Sizes sizes_;
    uint32_t id_;
    Program program_;
};

/// Returns the cores of a rectangle that begins at (0, 0), or at `first`; by default, all.
std::vector<CoreCoord> cores_of(const Mesh& mesh, uint32_t columns = 0, uint32_t rows = 0, CoreCoord first = {0, 0});

/// Each of some cores writes its block to each of others, or reads a block from each.
void move_between(const Mesh& mesh, uint32_t test_id, Sizes sizes, Way way, const std::vector<CoreCoord>& cores,
                  const std::vector<CoreCoord>& peers, uint32_t channels = 1);

/// A core multicasts a block to the cores of a rectangle: to itself only `with_source`.
void multicast(const Mesh& mesh, uint32_t test_id, Sizes sizes, CoreCoord source, const CoreRange& targets, bool linked,
               bool with_source);

/// Buffers of pages of `bytes`. Shapes are rows and columns of pages.
Pages interleaved(const Mesh& mesh, BufferType type, uint32_t pages, uint32_t bytes);
Pages sharded(const Mesh& mesh, BufferType type, TensorMemoryLayout layout, const CoreRange& cores,
              std::array<uint32_t, 2> shape, std::array<uint32_t, 2> shard, uint32_t bytes);

/// Each core reads `count` pages of a buffer, writes them to the same pages of another one, or first the one and then
/// the other. Pages of a core are neighbors, or as far apart as there are cores if `strided`.
void copy_pages(const Mesh& mesh, uint32_t test_id, Sizes sizes, const std::vector<CoreCoord>& cores,
                const Pages& source, const Pages& target, bool strided = false);

}  // namespace tt::tt_metal::dm
