# SPDX-License-Identifier: Apache-2.0
# Writes a header with a hash of everything that the extension module is compiled from, so that the module can say which
# sources it is made of. scripts/nocbench/gate/extensions.py computes the same of a commit.
#
# cmake -DSOURCE_DIRECTORY=… -DHEADER=… -P SourceFingerprint.cmake

cmake_minimum_required(VERSION 3.25)

set(rooms_without_part bin build benchmarks docs plots scripts tests)
file(GLOB entries RELATIVE "${SOURCE_DIRECTORY}" "${SOURCE_DIRECTORY}/*")
set(files CMakeLists.txt)
foreach(entry IN LISTS entries)
    if(IS_DIRECTORY "${SOURCE_DIRECTORY}/${entry}" AND NOT entry IN_LIST rooms_without_part AND NOT entry MATCHES "^\\.")
        file(
            GLOB_RECURSE of_room
            RELATIVE "${SOURCE_DIRECTORY}"
            "${SOURCE_DIRECTORY}/${entry}/*.cpp"
            "${SOURCE_DIRECTORY}/${entry}/*.h"
            "${SOURCE_DIRECTORY}/${entry}/*.inl"
            "${SOURCE_DIRECTORY}/${entry}/*.cmake"
            "${SOURCE_DIRECTORY}/${entry}/CMakeLists.txt"
        )
        list(APPEND files ${of_room})
    endif()
endforeach()
list(FILTER files EXCLUDE REGEX "(^|/)test_[^/]*$")
list(SORT files)

set(lines "")
foreach(file IN LISTS files)
    file(SHA256 "${SOURCE_DIRECTORY}/${file}" hash)
    string(APPEND lines "${hash}  ${file}\n")
endforeach()
string(SHA256 fingerprint "${lines}")
# Only if it has changed: what includes it is not compiled again for nothing.
file(CONFIGURE OUTPUT "${HEADER}" CONTENT "#pragma once\n#define NOCBENCH_SOURCE_FINGERPRINT \"${fingerprint}\"\n")
