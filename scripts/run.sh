#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets the checkout up and does the main job: all points, all pages, and how accurate the model is.

set -euo pipefail

usage() {
    cat <<'USAGE'
Usage: scripts/run.sh

Sets the checkout up (scripts/setup.sh), runs the tests of the suite on every architecture into build/results.csv, makes the
pages and pictures in plots/ again, and prints how far the model is from published measurements. Of the tests in which
every core talks to every other, which take longest by far, it runs the smaller points, with cores that start one after
another and with cores that start together, into build/results_all_cores.csv; of synthetic traffic a pattern, into
build/results_synthetic.csv; of tests with kernels that are compiled for each size, the points of the quick tier, into
build/results_compiled.csv, to compare them. What is left out is drawn as it is kept in plots/results/. Of Epiphany it also
runs some transfers with constants changed, into build/results_what_ifs.csv. In a clean checkout, the pages do not change.

  -h, --help   show this text

Exit status: 0 done; 1 the build failed, data arrived wrong, or kept results are not those of the model; 2 bad usage, or something is missing and could not be
installed; otherwise that of the first nocbench command that failed.

Example: scripts/run.sh
USAGE
}

case "${1:-}" in
    '') ;;
    -h | --help)
        usage
        exit 0
        ;;
    *)
        printf 'run: unknown argument: %s\n' "$1" >&2
        usage >&2
        exit 2
        ;;
esac

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root"
scripts/setup.sh

nocbench=.venv/bin/nocbench
results=build/results.csv
results_all_cores=build/results_all_cores.csv
results_synthetic=build/results_synthetic.csv
results_compiled=build/results_compiled.csv
results_what_ifs=build/results_what_ifs.csv
kept=plots/results/full_tier.parquet
all_cores=(all_to_all all_from_all)
# Tests whose kernels are compiled for each size, and those whose points take as long.
compiled=(core_bidirectional transaction_id inline_direct_write atomic_semaphore api_latency pcie_transfer
    interleaved_pages multi_interleaved dram_sharded reshard conv_halo deinterleave interleaved_to_sharded matmul_movement
    "* 2.0*" "*Directed Ideal*" "*Virtual Channels*" "*Custom*" "One Packet *" "* Semaphore *" "Multicast *"
    "DRAM Core Locations" "DRAM Channels")
say() { printf 'run: %s\n' "$*" >&2; }

say "running all points into $results"
"$nocbench" run "${all_cores[@]/#/--exclude=}" --exclude="Synthetic Traffic*" "${compiled[@]/#/--exclude=}" --output "$results"
say "running the smaller points of all cores, in both ways to start, into $results_all_cores"
"$nocbench" run "All to All Packet Sizes" "All from All Packet Sizes" -a start=skewed,together -a num_transactions=1,4,16 -a call_size=64B:2KiB:x2 \
    --output "$results_all_cores"
say "running synthetic traffic of one pattern into $results_synthetic"
"$nocbench" run "Synthetic Traffic*" -a pattern=uniform --output "$results_synthetic"
say "running the quick tier of tests with compiled kernels into $results_compiled"
"$nocbench" run --tier quick "${compiled[@]}" --output "$results_compiled"
say "running transfers of Epiphany with constants changed into $results_what_ifs"
.venv/bin/python scripts/studies/run_epiphany_what_ifs.py --output "$results_what_ifs"
say "comparing with $kept"
.venv/bin/python scripts/studies/kept_results.py compare \
    "$results" "$results_all_cores" "$results_synthetic" "$results_compiled"
say "making the pages and pictures in plots/"
"$nocbench" plot "$results" "$results_all_cores" "$results_synthetic" "$results_what_ifs" "$kept" --output plots
say "comparing with published measurements"
"$nocbench" accuracy "$results" "$kept"
