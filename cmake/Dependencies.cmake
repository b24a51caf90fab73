# SPDX-License-Identifier: Apache-2.0
# Every third-party library: the installed package if there is one, otherwise the pinned release is downloaded.
# FIND_PACKAGE_ARGS makes FetchContent try find_package first. A release is pinned by its commit, because a tag can be
# moved; GIT_SHALLOW finds the commit as long as a tag points to it.

include(FetchContent)

# BoostConfig.cmake rather than the FindBoost module, which newer CMake versions no longer carry.
if(POLICY CMP0167)
    cmake_policy(SET CMP0167 NEW)
endif()

# Settings of the downloaded sources only; installed packages ignore them.
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW) # their option() leaves these variables alone
set(YAML_CPP_BUILD_TESTS OFF)
set(YAML_CPP_BUILD_TOOLS OFF)
set(YAML_CPP_BUILD_CONTRIB OFF)
set(YAML_CPP_INSTALL OFF)
set(BUILD_GMOCK OFF)
set(INSTALL_GTEST OFF)
set(BENCHMARK_ENABLE_TESTING OFF)
set(BENCHMARK_ENABLE_INSTALL OFF)
set(FMT_INSTALL OFF)
set(JSON_BuildTests OFF)
set(JSON_Install OFF)
set(BOOST_INCLUDE_LIBRARIES asio context)

FetchContent_Declare(
    yaml-cpp
    GIT_REPOSITORY https://github.com/jbeder/yaml-cpp.git
    GIT_TAG f7320141120f720aecc4c32be25586e7da9eb978 # 0.8.0
    GIT_SHALLOW ON
    SYSTEM
    FIND_PACKAGE_ARGS 0.7
)
FetchContent_Declare(
    fmt
    GIT_REPOSITORY https://github.com/fmtlib/fmt.git
    GIT_TAG f5e54359df4c26b6230fc61d38aa294581393084 # 10.1.1
    GIT_SHALLOW ON
    SYSTEM
    FIND_PACKAGE_ARGS 9
)
FetchContent_Declare(
    nlohmann_json
    GIT_REPOSITORY https://github.com/nlohmann/json.git
    GIT_TAG 9cca280a4d0ccf0c08f47a99aa71d1b0e52f8d03 # v3.11.3
    GIT_SHALLOW ON
    SYSTEM
    FIND_PACKAGE_ARGS 3.11
)
FetchContent_Declare(
    Boost
    GIT_REPOSITORY https://github.com/boostorg/boost.git
    GIT_TAG 564e2ac16907019696cdaba8a93e3588ec596062 # boost-1.83.0
    GIT_SHALLOW ON
    # Boost.Context, Boost.Asio and what they need, of some 150 libraries.
    GIT_SUBMODULES
        libs/algorithm
        libs/align
        libs/array
        libs/asio
        libs/assert
        libs/atomic
        libs/bind
        libs/chrono
        libs/concept_check
        libs/config
        libs/container
        libs/container_hash
        libs/context
        libs/conversion
        libs/core
        libs/coroutine
        libs/date_time
        libs/describe
        libs/detail
        libs/exception
        libs/function
        libs/function_types
        libs/functional
        libs/fusion
        libs/headers
        libs/integer
        libs/intrusive
        libs/io
        libs/iterator
        libs/lexical_cast
        libs/move
        libs/mp11
        libs/mpl
        libs/numeric/conversion
        libs/optional
        libs/pool
        libs/predef
        libs/preprocessor
        libs/range
        libs/ratio
        libs/rational
        libs/regex
        libs/smart_ptr
        libs/static_assert
        libs/system
        libs/throw_exception
        libs/tokenizer
        libs/tuple
        libs/type_traits
        libs/typeof
        libs/unordered
        libs/utility
        libs/variant2
        libs/winapi
        tools/cmake
    SYSTEM
    FIND_PACKAGE_ARGS 1.74 CONFIG COMPONENTS context
)
FetchContent_MakeAvailable(yaml-cpp fmt nlohmann_json Boost)

# Before 0.8 the installed package calls its target plainly yaml-cpp.
if(NOT TARGET yaml-cpp::yaml-cpp)
    add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()

if(NOCBENCH_TESTS)
    FetchContent_Declare(
        GTest
        GIT_REPOSITORY https://github.com/google/googletest.git
        GIT_TAG 6910c9d9165801d8827d628cb72eb7ea9dd538c5 # v1.16.0
        GIT_SHALLOW ON
        SYSTEM
        FIND_PACKAGE_ARGS 1.12
    )
    FetchContent_MakeAvailable(GTest)
endif()

if(NOCBENCH_BENCHMARKS)
    FetchContent_Declare(
        benchmark
        GIT_REPOSITORY https://github.com/google/benchmark.git
        GIT_TAG c58e6d0710581e3a08d65c349664128a8d9a2461 # v1.9.1
        GIT_SHALLOW ON
        SYSTEM
        FIND_PACKAGE_ARGS 1.7
    )
    FetchContent_MakeAvailable(benchmark)
endif()

if(NOCBENCH_PYTHON)
    # The set-up commands pass Python_EXECUTABLE; by hand, the checkout's own environment is the right one if it exists.
    if(NOT DEFINED Python_EXECUTABLE AND EXISTS "${PROJECT_SOURCE_DIR}/.venv/bin/python")
        set(Python_EXECUTABLE "${PROJECT_SOURCE_DIR}/.venv/bin/python")
    endif()
    find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
    FetchContent_Declare(
        pybind11
        GIT_REPOSITORY https://github.com/pybind/pybind11.git
        GIT_TAG a2e59f0e7065404b44dfe92a28aca47ba1378dc4 # v2.13.6
        GIT_SHALLOW ON
        SYSTEM
        FIND_PACKAGE_ARGS 2.10 CONFIG
    )
    FetchContent_MakeAvailable(pybind11)
endif()
