# SPDX-License-Identifier: Apache-2.0
# A primitive is a folder that holds a definition.cpp, at the top level or in a top-level folder of its kind. Dropping such
# a folder into the repository is all it takes: its sources become an object library (so that the self-registration in it is never dropped by the linker) and
# its test_*.cpp join the gtest binary.
#
# Sets NOCBENCH_PRIMITIVES (target names) and NOCBENCH_PRIMITIVE_TEST_SOURCES.

# Nearly every source of a primitive includes these; they are compiled once, with the first primitive.
set(headers_of_primitives
    "${PROJECT_SOURCE_DIR}/kernels/frame/parameters.h"
    "${PROJECT_SOURCE_DIR}/kernels/frame/primitive.h"
    "${PROJECT_SOURCE_DIR}/kernels/frame/tensix/sweeps.h"
    "${PROJECT_SOURCE_DIR}/kernels/tensix/program.h"
)

set(NOCBENCH_PRIMITIVES)
set(NOCBENCH_PRIMITIVE_TEST_SOURCES)

file(GLOB definitions CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/*/definition.cpp" "${PROJECT_SOURCE_DIR}/*/*/definition.cpp")
foreach(definition IN LISTS definitions)
    cmake_path(GET definition PARENT_PATH folder)
    cmake_path(GET folder FILENAME name)

    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cpp")
    set(test_sources ${sources})
    list(FILTER test_sources INCLUDE REGEX "/test_[^/]*\\.cpp$")
    # Kernels in kernels/device/ are compiled for the RISCs when they run.
    list(FILTER sources EXCLUDE REGEX "/test_[^/]*\\.cpp$|/kernels/device/")

    add_library(primitive_${name} OBJECT ${sources})
    target_link_libraries(primitive_${name} PUBLIC nocbench_kernels)
    if(NOCBENCH_PRIMITIVES)
        list(GET NOCBENCH_PRIMITIVES 0 first)
        target_precompile_headers(primitive_${name} REUSE_FROM ${first})
    else()
        target_precompile_headers(primitive_${name} PRIVATE ${NOCBENCH_PRECOMPILED_HEADERS} ${headers_of_primitives})
    endif()

    # Beside the definition, other definitions, which have names in common with it.
    file(GLOB further_definitions CONFIGURE_DEPENDS "${folder}/*.cpp")
    list(REMOVE_ITEM further_definitions "${definition}")
    set_source_files_properties(${further_definitions} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

    list(APPEND NOCBENCH_PRIMITIVES primitive_${name})
    list(APPEND NOCBENCH_PRIMITIVE_TEST_SOURCES ${test_sources})
endforeach()
