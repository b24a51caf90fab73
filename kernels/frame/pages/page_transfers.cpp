#include "kernels/frame/pages/page_transfers.h"

#include <algorithm>
#include <utility>

#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/meeting.h"
#include "kernels/frame/tensix/sweeps.h"

namespace nocbench {

namespace {

constexpr const char* kReader = "reader";
constexpr const char* kWriter = "writer";

/// Pages of a core: number of distinct pages, and transfers of each.
struct Rounds {
    std::uint32_t num_pages = 0;
    std::uint32_t whole = 0;  // rounds over all pages
    std::uint32_t rest = 0;   // pages that are moved once more

    [[nodiscard]] std::uint32_t times(std::uint32_t page) const { return whole + (page < rest ? 1 : 0); }
};

Rounds rounds_of(std::uint32_t num_transactions, const PagePlan& plan) {
    // A buffer of one page per bank has all of them, even if there are fewer transactions.
    const std::uint32_t num_pages =
        plan.share == PageShare::in_turn ? plan.pages_max : std::min(num_transactions, plan.pages_max);
    return {num_pages, num_transactions / num_pages, num_transactions % num_pages};
}

/// Fills a buffer with distinct pages, also distinct from every tile's own buffer.
std::vector<DataCheck::Data> fill_pages(DataCheck& check, const Grid& grid, const PageBuffer& buffer, int noc) {
    std::vector<DataCheck::Data> pages;
    pages.reserve(buffer.num_pages());
    const auto num_tiles = static_cast<std::uint32_t>(grid.num_nodes());
    for (std::uint32_t page = 0; page < buffer.num_pages(); ++page) {
        pages.push_back(check.fill(buffer.place(page, noc), static_cast<NodeIndex>(num_tiles + page)));
    }
    return pages;
}

/// Run of a plan, and its set-up.
class PageRun {
public:
    PageRun(const Point& point, const PagePlan& plan)
        : point_(point),
          plan_(plan),
          rounds_(rounds_of(point.num_transactions(), plan)),
          l1_pages_(std::min(plan.l1_pages, rounds_.num_pages)),
          l1_address_(point.l1_buffer(0)),
          input_(buffer(first_bank_address(point.device(), plan.memory, l1_end()))),
          output_(buffer(input_.end_address())),
          check_(point),
          program_(point.device()) {}

    std::vector<KernelReport> run() {
        expect_copies();
        if (does_both()) {
            program_.add_semaphore(plan_.cores, 0);  // number 0: kPageSemaphore
        }
        if (plan_.meets) {
            meeting_.emplace(point_, program_, plan_.cores, does_both() ? 2 : 1);
        }
        for (std::size_t core = 0; core < plan_.cores.size(); ++core) {
            add_core(core);
        }
        program_.run();
        std::vector<KernelReport> reports;
        if (plan_.reader) {
            reports.push_back(report("Receiver", kReader, *plan_.reader));
        }
        if (plan_.writer) {
            reports.push_back(report("Sender", kWriter, *plan_.writer));
        }
        return reports;
    }

private:
    [[nodiscard]] bool does_both() const { return plan_.reader && plan_.writer; }

    [[nodiscard]] std::uint32_t l1_end() const { return point_.l1_buffer(l1_pages_ - 1) + point_.buffer_bytes(); }

    [[nodiscard]] PageBuffer buffer(std::uint32_t address) const {
        return {point_.device(), plan_.memory, address, point_.call_size_bytes(), pages_of_buffer()};
    }

    [[nodiscard]] std::uint32_t pages_of_buffer() const {
        switch (plan_.share) {
            case PageShare::own:
                return static_cast<std::uint32_t>(plan_.cores.size()) * rounds_.num_pages;
            case PageShare::in_turn:
                return num_banks(point_.device(), plan_.memory);
            case PageShare::all:
                break;
        }
        return rounds_.num_pages;
    }

    /// Returns the first page of a buffer that a core moves.
    [[nodiscard]] std::uint32_t first_page(std::size_t core) const {
        switch (plan_.share) {
            case PageShare::own:
                return static_cast<std::uint32_t>(core) * rounds_.num_pages;
            case PageShare::in_turn:
                return static_cast<std::uint32_t>(core) % pages_of_buffer();
            case PageShare::all:
                break;
        }
        return 0;
    }

    [[nodiscard]] MemoryPlace l1_page(LogicalCoordinate core, std::uint32_t page) const {
        return l1_place(point_.device().grid(), core, l1_address_ + page % l1_pages_ * point_.buffer_bytes());
    }

    void expect_copies() {
        const Grid& grid = point_.device().grid();
        std::vector<DataCheck::Data> pages;
        if (plan_.reader) {
            pages = fill_pages(check_, grid, input_, plan_.reader->noc);
        }
        for (std::size_t core = 0; core < plan_.cores.size(); ++core) {
            std::vector<DataCheck::Data> own;  // by page in L1
            for (std::uint32_t page = 0; page < rounds_.num_pages && rounds_.times(page) > 0; ++page) {
                const MemoryPlace here = l1_page(plan_.cores[core], page);
                const std::uint32_t in_buffer = (first_page(core) + page) % pages_of_buffer();
                if (plan_.reader) {
                    check_.expect({kReader, TransactionKind::read, input_.place(in_buffer, plan_.reader->noc), here,
                                   pages[in_buffer], rounds_.times(page)});
                }
                if (plan_.writer) {
                    // Data of a writer without a reader come from L1 and differ between cores.
                    if (!plan_.reader && page < l1_pages_) {
                        own.push_back(check_.fill(here, own_pattern(grid, here, page)));
                    }
                    const DataCheck::Data data = plan_.reader ? pages[in_buffer] : own[page % l1_pages_];
                    check_.expect({kWriter, TransactionKind::write, here, output_.place(in_buffer, plan_.writer->noc),
                                   data, rounds_.times(page)});
                }
            }
        }
    }

    [[nodiscard]] static NodeIndex own_pattern(const Grid& grid, MemoryPlace here, std::uint32_t page) {
        return static_cast<NodeIndex>(static_cast<std::uint32_t>(grid.num_nodes()) * (1 + page) + here.tile);
    }

    void add_core(std::size_t core) {
        if (does_both()) {
            program_.add_circular_buffer(plan_.cores[core], kPageCircularBuffer, l1_address_, point_.buffer_bytes(),
                                         l1_pages_);
        }
        if (plan_.reader) {
            add_kernel(core, kReader, *plan_.reader, input_);
        }
        if (plan_.writer) {
            add_kernel(core, kWriter, *plan_.writer, output_);
        }
    }

    void add_kernel(std::size_t core, const char* name, const PageKernel& kernel, const PageBuffer& buffer) {
        std::vector<std::uint32_t> constants{point_.call_size_bytes(), does_both() ? 1U : 0U, l1_pages_,
                                             rounds_.num_pages,        rounds_.whole,         rounds_.rest};
        const std::vector<std::uint32_t> layout = buffer.layout();
        constants.insert(constants.end(), layout.begin(), layout.end());
        std::vector<std::uint32_t> arguments{buffer.address(), l1_address_, first_page(core)};
        if (meeting_) {
            const std::vector<std::uint32_t> of_meeting = meeting_->arguments(kernel.riscv);
            arguments.insert(arguments.end(), of_meeting.begin(), of_meeting.end());
        }
        program_.add_kernel({plan_.cores[core]},
                            {name, nullptr, kernel.riscv, kernel.noc, constants, kernel.device_source},
                            meeting_ ? meeting_->start(core) : 0);
        program_.set_runtime_args(plan_.cores[core], kernel.riscv, arguments);
    }

    [[nodiscard]] KernelReport report(const char* label, const char* name, const PageKernel& kernel) const {
        const std::uint64_t cores_in_report = plan_.summary == CoreSummary::together ? plan_.cores.size() : 1;
        return {.label = label,
                .kernel = name,
                .zone = name == kReader ? "READ" : "WRITE",
                .riscv = kernel.riscv,
                .noc = kernel.noc,
                .transaction_size_bytes = cores_in_report * point_.call_size_bytes(),
                .data_fault = check_.fault(name),
                .summary = plan_.summary};
    }

    const Point& point_;
    const PagePlan& plan_;
    Rounds rounds_;
    std::uint32_t l1_pages_;
    std::uint32_t l1_address_;
    PageBuffer input_;
    PageBuffer output_;
    DataCheck check_;
    Program program_;
    std::optional<Meeting> meeting_;
};

}  // namespace

std::vector<KernelReport> run_pages(const Point& point, const PagePlan& plan) { return PageRun(point, plan).run(); }

Sweep page_sweep(const Architecture& architecture, Tier tier) {
    if (tier == Tier::quick) {
        return {{4, 64}, {torus_of(architecture).router.flit_bytes, 2048}};
    }
    return {{1, 4, 16, 64, 256},
            powers_of_two(torus_of(architecture).router.flit_bytes, packet_bytes_max(torus_of(architecture)))};
}

Sweep ideal_page_sweep(const Architecture& architecture, Tier /*tier*/) {
    return {{256}, {packet_bytes_max(torus_of(architecture))}};
}

}  // namespace nocbench
