#include "kernels/frame/meeting.h"

#include "kernels/tensix/dataflow_api.h"

namespace nocbench {

ParameterDefinition start_parameter(const std::string& default_start) {
    return {
        "start", default_start,
        "barrier: cores wait for each other before the timed zone, at a semaphore that they poll; together: all cores "
        "start at once; skewed: one after another, board.launch_skew_cycles apart"};
}

Meeting::Meeting(const Point& point, Program& program, const std::vector<LogicalCoordinate>& cores,
                 std::uint32_t kernels_per_core) {
    const std::size_t choice = point.choice("start", {"barrier", "together", "skewed"});
    if (choice == 2) {
        skew_ = ticks_from_cycles(point.device().board().launch_skew_cycles);
    }
    if (choice == 0 && cores.size() > 1) {
        num_kernels_ = static_cast<std::uint32_t>(cores.size()) * kernels_per_core;
        place_ = point.device().grid().translated(cores.front());
        first_semaphore_ = program.add_semaphore(cores, 0);
        for (int riscv = 0; riscv < point.device().architecture().num_riscs(); ++riscv) {
            program.add_semaphore(cores, 0);  // this RISC's copy of the counter
        }
    }
}

std::vector<std::uint32_t> Meeting::arguments(int riscv) const {
    return {num_kernels_, static_cast<std::uint32_t>(place_.x), static_cast<std::uint32_t>(place_.y), first_semaphore_,
            first_semaphore_ + 1 + static_cast<std::uint32_t>(riscv)};
}

void meet(std::uint32_t first_argument) {
    using namespace dataflow;
    const auto num_kernels = get_arg_val<std::uint32_t>(first_argument);
    if (num_kernels == 0) {
        return;
    }
    const std::uint64_t counter =
        get_noc_addr(get_arg_val<std::uint32_t>(first_argument + 1), get_arg_val<std::uint32_t>(first_argument + 2),
                     get_semaphore(get_arg_val<std::uint32_t>(first_argument + 3)));
    const std::uint32_t copy = get_semaphore(get_arg_val<std::uint32_t>(first_argument + 4));
    noc_semaphore_inc(counter, 1);
    noc_async_atomic_barrier();
    do {
        noc_async_read(counter, copy, sizeof(std::uint32_t));
        noc_async_read_barrier();
    } while (load_l1_word(copy) < num_kernels);
}

}  // namespace nocbench
