// What all primitives of pages have in common: cores read pages of an interleaved buffer into their L1, or write pages
// from there, or do both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/frame/pages/page_buffer.h"
#include "kernels/frame/primitive.h"

namespace nocbench {

/// The kernel of one direction, written for the device.
///
/// It finds in its compile-time arguments: bytes of a page, whether the kernel of the other direction runs as well, how
/// many pages L1 has room for, pages of the buffer, how often all of them are moved, how many of them are moved once
/// more after that, and the layout of the buffer; in its runtime arguments: address of the buffer, address of the pages
/// in L1. The counts are known to the compiler because a single page is a good deal cheaper if it knows that it is one.
struct PageKernel {
    std::string device_source;
    int riscv = 0;
    int noc = 0;
};

struct PagePlan {
    BankMemory memory = BankMemory::dram;
    std::vector<LogicalCoordinate> cores;  // each moves as many pages
    std::optional<PageKernel> reader;
    std::optional<PageKernel> writer;
    std::uint32_t pages_max = 16;  // of a buffer; a point with more transactions than that goes round it again
    std::uint32_t l1_pages = 16;   // at most, that L1 has room for: page p of a buffer is in place p mod l1_pages there
    CoreSummary summary = CoreSummary::median;
    bool owns_pages = false;  // each core moves pages of its own; otherwise, all move the same ones
    bool meets = false;       // kernels meet before their timed zones; see Meeting
};

/// The id of the circular buffer of the pages in L1, and of the semaphore that is set once all pages have been read, of
/// kernels that read and write.
inline constexpr std::uint32_t kPageCircularBuffer = 0;
inline constexpr std::uint32_t kPageSemaphore = 0;

/// Fills the buffers, runs the kernels and checks the data. A transaction is a page. The reports are those of the
/// reader ("Receiver") and of the writer ("Sender"), as far as there are any.
std::vector<KernelReport> run_pages(const Point& point, const PagePlan& plan);

/// 1 to 256 pages of a flit to the largest packet, in powers of 4 and 2.
Sweep page_sweep(const Architecture& architecture, Tier tier);

/// 256 pages, each as large as a packet can be.
Sweep ideal_page_sweep(const Architecture& architecture, Tier tier);

}  // namespace nocbench
