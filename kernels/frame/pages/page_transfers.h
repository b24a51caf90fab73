// Base of all page primitives: cores read pages of an interleaved buffer into L1, write pages from L1, or both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/frame/pages/page_buffer.h"
#include "kernels/frame/primitive.h"

namespace nocbench {

/// Device kernel of one direction.
///
/// Compile-time arguments: bytes of a page, whether the kernel of the other direction runs as well, number of pages
/// that fit into L1, number of pages that the core moves, rounds over all of these, number of pages moved once more
/// afterwards, layout of the buffer. Runtime arguments: address of the buffer, address of the pages in L1, first page
/// of the core, and those of meet(). Counts are compile-time arguments because a kernel for a single page compiles to
/// much faster code.
struct PageKernel {
    std::string device_source;
    int riscv = 0;
    int noc = 0;
};

/// Pages of a buffer that a core moves.
enum class PageShare : std::uint8_t {
    all,      // all pages; all cores move the same ones
    own,      // pages of its own
    in_turn,  // those from one page on, which is the next one for each core; the buffer has one page per bank
};

struct PagePlan {
    BankMemory memory = BankMemory::dram;
    std::vector<LogicalCoordinate> cores;  // all cores move equally many pages
    std::optional<PageKernel> reader;
    std::optional<PageKernel> writer;
    std::uint32_t pages_max = 16;  // of a core; points with more transactions repeat pages
    std::uint32_t l1_pages = 16;   // maximum in L1: page p of a core is at index p mod l1_pages
    CoreSummary summary = CoreSummary::median;
    PageShare share = PageShare::all;
    bool meets = false;  // kernels meet before their timed zones; see Meeting
};

/// Numbers used by kernels that read and write: circular buffer of the pages in L1, and semaphore that is set when all
/// pages have been read.
inline constexpr std::uint32_t kPageCircularBuffer = 0;
inline constexpr std::uint32_t kPageSemaphore = 0;

/// Fills the buffers, runs the kernels and checks the data. A transaction is a page. Reports on the reader ("Receiver")
/// and the writer ("Sender"), if present.
std::vector<KernelReport> run_pages(const Point& point, const PagePlan& plan);

/// Returns a sweep of 1 to 256 pages, with sizes from a flit to the largest packet, in powers of 4 and 2.
Sweep page_sweep(const Architecture& architecture, Tier tier);

/// Returns a sweep of 256 pages with the size of the largest packet.
Sweep ideal_page_sweep(const Architecture& architecture, Tier tier);

}  // namespace nocbench
