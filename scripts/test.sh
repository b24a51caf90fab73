#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets the checkout up and runs all tests, C++ and Python.

set -euo pipefail

usage() {
    cat <<'USAGE'
Usage: scripts/test.sh

Sets the checkout up (scripts/setup.sh --with-tests --with-test-tools), which builds the tests and the benchmarks, too,
and runs all tests: the C++ ones in a few processes (tests/run_cpp_tests.sh), the Python ones with pytest.

  -h, --help   show this text

Single tests:
  build/release/nocbench_tests --gtest_filter='*OneToOne*'
  .venv/bin/python -m pytest tests/python -k accuracy

Exit status: 0 all passed; 1 a test or the build failed; 2 bad usage, or something is missing and could not be installed.

Example: scripts/test.sh
USAGE
}

case "${1:-}" in
    '') ;;
    -h | --help)
        usage
        exit 0
        ;;
    *)
        printf 'test: unknown argument: %s\n' "$1" >&2
        usage >&2
        exit 2
        ;;
esac

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root"
scripts/setup.sh --with-tests --with-test-tools

jobs=$(nproc)
failed=()

# Runs a command that ends with a line of totals, shows its output and keeps it. $1: name, the rest: the command
run_suite() {
    local name=$1
    shift
    printf 'test: running the %s tests\n' "$name" >&2
    "$@" 2>&1 | tee "build/test-$name.log" || failed+=("$name")
}

run_suite cpp tests/run_cpp_tests.sh build/release/nocbench_tests
run_suite python .venv/bin/python -m pytest --numprocesses "$jobs" tests/python

printf '\nC++:    %s\n' "$(tail -n 1 build/test-cpp.log)"
printf 'Python: %s\n' "$(tail -n 1 build/test-python.log)"
if ((${#failed[@]} > 0)); then
    printf 'FAILED: %s (output is in build/test-*.log)\n' "${failed[*]}"
    exit 1
fi
printf 'All tests passed.\n'
