# SPDX-License-Identifier: Apache-2.0
# How everything in this repository is compiled. Targets take it by linking nocbench_options.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    # A simulator that was built without optimization by accident is the most expensive mistake a newcomer can make.
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# The static libraries end up in the Python extension module, which exports nothing but its initializer.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ${NOCBENCH_LINK_TIME_OPTIMIZATION})

# Binaries are found at build/<preset>/<name>, whichever room they come from.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")

find_program(NOCBENCH_CCACHE ccache DOC "Compiler cache, used when it is present")
mark_as_advanced(NOCBENCH_CCACHE)
if(NOCBENCH_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # With a base directory, another checkout finds what this one has compiled. Debug information names the folder.
    if(CMAKE_BUILD_TYPE STREQUAL "Release")
        set(sharing "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1)
    endif()
    # Without the sloppiness it keeps nothing that was compiled with a precompiled header, and so none of the tests.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        env ${sharing} CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        "${NOCBENCH_CCACHE}"
    )
endif()

add_library(nocbench_options INTERFACE)
target_include_directories(nocbench_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(
    nocbench_options
    INTERFACE
        # Results are the same bytes on every machine: no instruction set of the build machine, no fused multiply-add
        # (which GCC would use on its own where the baseline has it, as on AArch64).
        -ffp-contract=off
        -Wall
        -Wextra
        -Wpedantic
        -Wconversion
        -Wshadow
        -Wcast-align
        -Wdouble-promotion
        -Wextra-semi
        -Wformat=2
        -Wimplicit-fallthrough
        -Wnon-virtual-dtor
        -Wold-style-cast
        -Woverloaded-virtual
        $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond>
        $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op>
        # Of GCC 13 and later: warnings of the standard library's own code, and of references that functions return
        # into what they keep.
        $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-stringop-overflow>
        $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference>
        $<$<BOOL:${NOCBENCH_WARNINGS_AS_ERRORS}>:-Werror>
)

# Headers of libraries that most sources include take as long to read as many a source takes to compile. They are compiled
# once, with nocbench_device_model, for the targets that are compiled with the same options.
set(NOCBENCH_PRECOMPILED_HEADERS
    <fmt/format.h>
    <algorithm>
    <array>
    <cstdint>
    <functional>
    <map>
    <memory>
    <optional>
    <span>
    <string>
    <string_view>
    <utility>
    <vector>
)
function(nocbench_reuse_precompiled_headers target)
    target_precompile_headers(${target} REUSE_FROM nocbench_device_model)
endfunction()

# Half of the time of a build from nothing goes into what sources share: reading headers, and the same templates again. With
# CMAKE_UNITY_BUILD the sources of a folder are compiled some at once, so that their names have to differ within a folder
# only. Without it, as for whoever edits, each is compiled by itself, and so are always those listed after the target.
function(nocbench_compile_by_folder target)
    set(sources_at_once 8)
    list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE alone)
    set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    get_target_property(sources ${target} SOURCES)
    list(REMOVE_ITEM sources ${alone})
    list(FILTER sources INCLUDE REGEX "^[^$].*\\.cpp$")
    foreach(source IN LISTS sources)
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE folder)
        cmake_path(GET folder PARENT_PATH folder)
        string(REGEX REPLACE "^\\.\\..*" "primitives" folder "${folder}")  # each has a namespace of its own
        string(MAKE_C_IDENTIFIER "${folder}" folder)
        math(EXPR group "0${num_in_${folder}} / ${sources_at_once}")
        math(EXPR num_in_${folder} "0${num_in_${folder}} + 1")
        set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${group}")
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()
