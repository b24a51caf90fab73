#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/tensix/dataflow/caller.h"
#include "kernels/tensix/dataflow_api.h"

namespace nocbench::dataflow {

namespace {

void spend_on_argument(const Caller& caller) {
    const RiscConstants& cost = caller.cost();
    const bool is_first = !std::exchange(caller.context.has_loaded_argument, true);
    caller.risc.spend(is_first ? cost.first_argument_load_ticks : cost.argument_load_ticks);
}

}  // namespace

std::uint32_t get_compile_time_arg_val(std::uint32_t index) {
    const Caller caller("get_compile_time_arg_val");
    if (index >= caller.context.compile_time_args.size()) {
        caller.fail(
            fmt::format("argument {} was never set; there are {}", index, caller.context.compile_time_args.size()));
    }
    return caller.context.compile_time_args[index];
}

std::uint32_t load_runtime_arg(std::uint32_t index) {
    const Caller caller("get_arg_val");
    if (index >= caller.context.runtime_args.size()) {
        caller.fail(fmt::format("argument {} was never set; there are {}", index, caller.context.runtime_args.size()));
    }
    spend_on_argument(caller);
    return caller.context.runtime_args[index];
}

std::uint32_t load_common_runtime_arg(std::uint32_t index) {
    const Caller caller("get_common_arg_val");
    if (index >= caller.context.common_runtime_args.size()) {
        caller.fail(
            fmt::format("argument {} was never set; there are {}", index, caller.context.common_runtime_args.size()));
    }
    spend_on_argument(caller);
    return caller.context.common_runtime_args[index];
}

std::uint8_t noc_index() { return static_cast<std::uint8_t>(Caller("noc_index").context.noc); }

std::uint32_t get_absolute_logical_x() {
    return static_cast<std::uint32_t>(Caller("get_absolute_logical_x").risc.identity().core.x);
}

std::uint32_t get_absolute_logical_y() {
    return static_cast<std::uint32_t>(Caller("get_absolute_logical_y").risc.identity().core.y);
}

std::uint32_t my_x(std::uint8_t noc) {
    const Caller caller("my_x");
    static_cast<void>(caller.noc(noc));
    return static_cast<std::uint32_t>(caller.state.grid.translated(caller.risc.identity().physical).x);
}

std::uint32_t my_y(std::uint8_t noc) {
    const Caller caller("my_y");
    static_cast<void>(caller.noc(noc));
    return static_cast<std::uint32_t>(caller.state.grid.translated(caller.risc.identity().physical).y);
}

}  // namespace nocbench::dataflow
