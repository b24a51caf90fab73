#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets the checkout up and does the main job: results of every test, all pages, and how accurate the model is.

set -euo pipefail

usage() {
    cat <<'USAGE'
Usage: scripts/run.sh [--full]

Sets the checkout up (scripts/setup.sh), runs a first test and prints its table, runs the quick tier of all tests on every
architecture into build/results.csv, makes the pages and pictures in plots/ again, and prints how far the model is from
published measurements. The new results must be equal to those that plots/results/ keeps of the full tier. Pages and
table are made from the kept ones, which have more points. In a clean checkout, the pages do not change.

If the new results are not those that are kept, the pages are drawn from the new ones alone, into build/plots.

  --full       run most points of the full tier instead, which takes hours. Of tests in which every core talks to every
               other, only the smaller points; of synthetic traffic, one pattern; of tests with kernels that are compiled
               for each size, the quick tier. And run again what plots/results/ keeps beside the full tier
  -h, --help   show this text

Exit status: 0 done; 1 the build failed, data arrived wrong, or the kept results are not those of the model; 2 bad usage,
or something is missing and could not be installed; 4 the kept results cannot be compared with those of this machine;
otherwise that of the first nocbench command that failed.

Example: scripts/run.sh
USAGE
}

full=false
for argument in "$@"; do
    case "$argument" in
        --full) full=true ;;
        -h | --help)
            usage
            exit 0
            ;;
        *)
            printf 'run: unknown argument: %s\n' "$argument" >&2
            usage >&2
            exit 2
            ;;
    esac
done

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root"
# shellcheck source-path=SCRIPTDIR source=phases.sh
source scripts/phases.sh

nocbench=.venv/bin/nocbench
python=.venv/bin/python
kept=plots/results/full_tier.parquet
beside=plots/results/beside_full_tier.parquet
first_test="One to One Packet Sizes"
all_cores=(all_to_all all_from_all)
# Tests whose kernels are compiled for each size, and those whose points take as long.
compiled=(core_bidirectional transaction_id inline_direct_write atomic_semaphore api_latency pcie_transfer
    interleaved_pages multi_interleaved dram_sharded reshard conv_halo deinterleave interleaved_to_sharded matmul_movement
    "* 2.0*" "*Directed Ideal*" "*Virtual Channels*" "*Custom*" "One Packet *" "* Semaphore *" "Multicast *"
    "DRAM Core Locations" "DRAM Channels" "Noc Estimator *")

say() { printf 'run: %s\n' "$*" >&2; }

run_first_test() {
    say "running a first test: $first_test"
    "$nocbench" run "$first_test" --tier quick
}

# $1: results file; the rest: what to run. The table of all tests is long; it goes beside the results.
sweep() {
    local output=$1
    shift
    say "running into $output, with a table in ${output%.csv}.txt"
    "$nocbench" run "$@" --output "$output" >"${output%.csv}.txt"
    results+=("$output")
}

run_quick_tier() { sweep build/results.csv --tier quick; }

run_most_points() {
    sweep build/results.csv "${all_cores[@]/#/--exclude=}" --exclude="Synthetic Traffic*" "${compiled[@]/#/--exclude=}"
    sweep build/results_all_cores.csv "All to All Packet Sizes" "All from All Packet Sizes" \
        -a num_transactions=1,4,16 -a call_size=64B:2KiB:x2
    sweep build/results_synthetic.csv "Synthetic Traffic*" -a pattern=uniform
    sweep build/results_compiled.csv --tier quick "${compiled[@]}"
    say "running what the pages show beside the full tier into build/results_beside.csv"
    "$python" scripts/studies/run_beside_full_tier.py --output build/results_beside.csv
    results+=(build/results_beside.csv)
}

make_pages() {
    say "making the pages and pictures in $pages/"
    "$nocbench" plot "${shown[@]}" --output "$pages" >/dev/null
}

say_accuracy() {
    say "comparing with published measurements"
    "$nocbench" accuracy "${shown[@]}"
}

results=()
# The kept results, which have all points of the full tier, as long as they are those of this model.
shown=("$kept" "$beside")
pages=plots
phase set-up scripts/setup.sh
phase "first test" run_first_test
if $full; then phase sweep run_most_points; else phase sweep run_quick_tier; fi
say "comparing with $kept and $beside"
comparison=0
"$python" scripts/studies/kept_results.py compare "${results[@]}" || comparison=$?
if ((comparison != 0)); then
    if ((comparison != 1 && comparison != 4)); then exit "$comparison"; fi
    say "the kept results are left out: pages and table are those of the new results alone"
    shown=("${results[@]}")
    pages=build/plots
fi
phase pages make_pages
phase accuracy say_accuracy
say "done in $(describe_phases)"
if ((comparison != 0)); then
    say "the new results are not those that are kept (see above), so plots/ has not changed; new pages are in $pages/." \
        "If the model changed on purpose: docs/results.md#kept-results"
    exit "$comparison"
fi
