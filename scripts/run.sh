#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets the checkout up and does the main job: all points, all pages, and how accurate the model is.

set -euo pipefail

usage() {
    cat <<'USAGE'
Usage: scripts/run.sh

Sets the checkout up (scripts/setup.sh), runs every test of the suite on every architecture into build/results.csv, makes
the pages and pictures in plots/ again, and prints how far the model is from published measurements.

  -h, --help   show this text

Exit status: 0 done; 1 the build failed, or data arrived wrong; 2 bad usage, or something is missing and could not be
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
say() { printf 'run: %s\n' "$*" >&2; }

say "running all points into $results"
"$nocbench" run --output "$results"
say "making the pages and pictures in plots/"
"$nocbench" plot "$results" --output plots
say "comparing with published measurements"
"$nocbench" accuracy "$results"
