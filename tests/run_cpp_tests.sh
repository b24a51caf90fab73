#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs all tests of a gtest binary in a few processes, since starting one for each test takes longer than the tests.

set -euo pipefail

usage() {
    cat <<'USAGE'
Usage: tests/run_cpp_tests.sh BINARY

Runs all tests of a gtest binary, such as build/release/nocbench_tests, in four processes per core, of which one per core
runs at a time. What they print goes to tests-N.log beside the binary; of one that fails the end is printed, and its log
has the name tests-N.log.failed. The last line has the totals. It is a failure if a process ends before its tests do, and if any test that the binary lists did not run.

  -h, --help   show this text

Exit status: 0 all tests passed; 1 one did not, or was not run; 2 bad usage.

Example: tests/run_cpp_tests.sh build/release/nocbench_tests
USAGE
}

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
    usage
    exit 0
fi
if (($# != 1)) || [[ ! -x $1 ]]; then
    printf 'run_cpp_tests: expected one binary that can be run, found: %s\n' "${*:-nothing}" >&2
    usage >&2
    exit 2
fi

binary=$(realpath "$1")
directory=$(dirname "$binary")
# Inherited variables could select or repeat tests.
unset GTEST_FILTER GTEST_ALSO_RUN_DISABLED_TESTS GTEST_REPEAT GTEST_SHARD_STATUS_FILE

listed=$("$binary" --gtest_list_tests)
# Indented lines are tests, other lines their suites; disabled tests are listed, too.
num_listed=$(awk '/^[^ ]/ { off = /^DISABLED_|\/DISABLED_/ } /^ / && !off && $1 !~ /^DISABLED_/ { ++n } END { print n + 0 }' \
    <<<"$listed")
if ((num_listed == 0)); then
    printf 'run_cpp_tests: no tests in %s\n' "$binary" >&2
    exit 1
fi
jobs=$(nproc)
num_shards=$((4 * jobs < num_listed ? 4 * jobs : num_listed))
rm -f "$directory"/tests-*.log{,.failed}

# $1: number of the shard
run_shard() {
    local log=$directory/tests-$1.log status=0
    GTEST_TOTAL_SHARDS=$num_shards GTEST_SHARD_INDEX=$1 "$binary" >"$log" 2>&1 || status=$?
    if ((status == 0)) && (($(num_run "$log") > 0)); then
        printf 'process %2d of %d: %s\n' $(($1 + 1)) "$num_shards" "$(grep '^\[==========\].* ran\.' "$log" | cut -c 14-)"
    else
        mv "$log" "$log.failed"
        log+=.failed
        printf 'process %2d of %d FAILED, exit status %d; the end of %s:\n' $(($1 + 1)) "$num_shards" "$status" "$log"
        tail -n 100 "$log"
    fi
}

# Prints the number of executed tests from the end of a log; nothing if the process did not finish. $1: log
num_run() { sed -n 's/^\[==========\] \([0-9][0-9]*\) tests\? from .* ran\..*/\1/p' "$1" | tail -n 1; }

export binary directory num_shards
export -f run_shard num_run
seq 0 $((num_shards - 1)) | xargs -P "$jobs" -I{} bash -c 'run_shard {}'

# Sums a count over all logs. $1: heading in gtest's summary
sum() {
    find "$directory" -maxdepth 1 -name 'tests-*.log*' -exec cat {} + |
        sed -n "s/^\[ *$1 *\] \([0-9][0-9]*\) tests\?\b.*/\1/p" | awk '{ n += $1 } END { print n + 0 }'
}

num_passed=$(sum PASSED)
num_skipped=$(sum SKIPPED)
num_failed=$(sum FAILED)
num_not_run=$((num_listed - num_passed - num_skipped - num_failed))
num_failed_processes=$(find "$directory" -maxdepth 1 -name 'tests-*.log.failed' | wc -l)
printf '%d tests: %d passed, %d failed, %d skipped, %d not run; %d of %d processes failed\n' "$num_listed" "$num_passed" \
    "$num_failed" "$num_skipped" "$num_not_run" "$num_failed_processes" "$num_shards"
((num_passed + num_skipped == num_listed && num_failed_processes == 0))
