# SPDX-License-Identifier: Apache-2.0
#[[
Target nocbench::host: headers and flags for host programs of tt-metal, for find_package(nocbench).

A program is a library of the kind MODULE, which 'nocbench host' runs:

    find_package(nocbench REQUIRED)
    add_library(copy MODULE copy.cpp)
    target_link_libraries(copy PRIVATE nocbench::host)
]]
if(NOT TARGET nocbench::host)
    add_library(nocbench::host INTERFACE IMPORTED)
    execute_process(
        COMMAND nocbench host --flags
        OUTPUT_VARIABLE nocbench_flags
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY
    )
    separate_arguments(nocbench_flags UNIX_COMMAND "${nocbench_flags}")
    target_compile_options(nocbench::host INTERFACE ${nocbench_flags})
    # What nocbench itself defines is found when the program is loaded.
    target_link_options(nocbench::host INTERFACE -Wl,-Bsymbolic)
endif()
