#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a fuzzer from its kept corpus, or keeps the findings of an earlier run.

set -euo pipefail

usage() {
    cat <<'USAGE'
Usage: tests/wishbone/fuzz/fuzz.sh run|keep TARGET [SECONDS]

  run   runs build/fuzz/fuzz_etherbone_TARGET for SECONDS (3600), or until it finds a fault: then the input is a file
        crash-… in build/fuzz/TARGET, and the exit status is 1. What it finds beside that is in build/fuzz/TARGET/corpus,
        from where the next run goes on.
  keep  writes a small set of those inputs and the kept ones that goes the same ways through the code to
        tests/wishbone/fuzz/corpus/TARGET.txt, in hexadecimal digits, one a line. The tests go through all of them.

TARGET is datagram or stream. The fuzzers are built by: cmake --preset fuzz && cmake --build --preset fuzz

Exit status: 0; 1 a fault was found; 2 bad usage.

Example: tests/wishbone/fuzz/fuzz.sh run datagram 600 && tests/wishbone/fuzz/fuzz.sh keep datagram
USAGE
}

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
    usage
    exit 0
fi
command=${1:-} target=${2:-} seconds=${3:-3600}
if [[ ! $command =~ ^(run|keep)$ || ! $target =~ ^(datagram|stream)$ || ! $seconds =~ ^[0-9]+$ ]]; then
    printf 'fuzz: expected run or keep and a target, found: %s\n' "${*:-nothing}" >&2
    usage >&2
    exit 2
fi

cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
fuzzer=$PWD/build/fuzz/fuzz_etherbone_$target
kept=$PWD/tests/wishbone/fuzz/corpus/$target.txt
work=$PWD/build/fuzz/$target
if [[ ! -x $fuzzer ]]; then
    printf 'fuzz: expected a program %s: cmake --preset fuzz && cmake --build --preset fuzz\n' "$fuzzer" >&2
    exit 2
fi
mkdir -p "$work/corpus"
rm -rf "$work/kept" "$work/smallest"
mkdir "$work/kept" "$work/smallest"
number=0
while read -r line; do
    number=$((number + 1))
    # shellcheck disable=SC2001 # Bash has no pattern that is any two characters and can be referred to.
    printf '%b' "$(sed 's/../\\x&/g' <<<"$line")" >"$work/kept/$number"
done <"$kept"

cd "$work"
if [[ $command == run ]]; then
    # Inputs long enough for a record of 255 writes and 255 reads of 64 bits.
    "$fuzzer" -max_total_time="$seconds" -max_len=4400 -len_control=200 -use_value_profile=1 -rss_limit_mb=4096 \
        -print_final_stats=1 corpus kept || exit 1
else
    # Keeps only the beginning of long inputs, so that the corpus stays small; the rest repeats similar records.
    "$fuzzer" -set_cover_merge=1 -max_len=160 smallest kept corpus
    for input in smallest/*; do
        od -An -v -tx1 "$input" | tr -d ' \n'
        printf '\n'
    done | LC_ALL=C sort | awk '{ print length($0), $0 }' | LC_ALL=C sort -s -n | cut -d ' ' -f 2 >"$kept"
    printf '%s: %d inputs, %d bytes\n' "$kept" "$(wc -l <"$kept")" "$(wc -c <"$kept")"
fi
