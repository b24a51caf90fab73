#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests published kernels from wheels of ttnn. With nocbench's headers and with their own they compile; those for which
# a program can be made move the right data; linked as for the card, they move equal data in equally many cycles.
# Compute kernels give the right values. A kernel of our own runs with the headers of older wheels, too. The wheels come
# from the registry into a scratch folder.

set -euo pipefail

usage() {
    cat <<'USAGE'
Usage: tests/public_kernels.sh [FOLDER]

Compiles and runs the kernels of two wheels of ttnn, from source and linked as for the card, compute kernels of the newer
one, and a kernel of our own with the headers of four wheels. The wheels are downloaded into FOLDER, or into a scratch folder that is removed at the end.
FOLDER may have them already.

Exit status: 0 fine, or the registry is out of reach (it says so); 1 too few kernels compile or move the right data.
USAGE
}

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
    usage
    exit 0
fi

readonly versions=(0.67.0 0.81.1)
# Releases with whose headers a kernel of our own runs.
readonly releases=(0.64.4 0.66.0 "${versions[@]}")
# One in this many plain kernels is tried: trying all takes hours.
readonly every=12
readonly least_percent=85 # of a sample; of all, the share is above 90
readonly least_right=40
readonly least_linked=20
# Compute kernels within the compute API, of the newest wheel.
readonly compute_kernels=40
readonly least_compute_percent=80

cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:-}
if [[ -z $folder ]]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder"

# Downloads a version of the wheel. $1: version
fetch() {
    if [[ -d $folder/$1/ttnn ]]; then return; fi
    local log
    if ! log=$(python -m pip download --quiet --no-deps --only-binary :all: --python-version 3.10 \
        --platform manylinux_2_34_x86_64 --dest "$folder" "ttnn==$1" 2>&1); then
        if grep -qiE 'connection|timed out|name resolution|proxy|network|temporary failure' <<<"$log"; then
            printf 'public kernels: the registry is out of reach, so that none are tried:\n%s\n' "$(tail -n 1 <<<"$log")"
            exit 0
        fi
        printf '%s\n' "$log" >&2
        exit 1
    fi
    python -m zipfile -e "$folder"/ttnn-"$1"-*.whl "$folder/$1"
}

for version in "${releases[@]}"; do fetch "$version"; done
failed=0
printf -- '--- examples/copy.yaml with the headers of ttnn %s\n' "${releases[*]}"
for version in "${releases[@]}"; do
    for arch in wormhole_b0 blackhole; do
        python -m nocbench kernel examples/copy.yaml --arch "$arch" --tt-metal "$folder/$version" >/dev/null || failed=1
    done
done
for version in "${versions[@]}"; do
    for headers in ours theirs; do
        printf '\n--- ttnn %s, %s headers\n' "$version" "$headers"
        python scripts/studies/compile_public_kernels.py "$folder/$version" --headers "$headers" --every "$every" \
            --jobs "$(nproc)" --least "$least_percent" || failed=1
    done
    python tests/device_kernels/public/run_public_kernels.py "$folder/$version" --most "$least_right" \
        --least "$least_right" || failed=1
    for arch in wormhole_b0 blackhole; do
        printf '\n--- ttnn %s, linked as for the card, %s\n' "$version" "$arch"
        python tests/device_kernels/public/run_public_kernels.py "$folder/$version" --arch "$arch" --linked \
            --most "$least_linked" --least "$least_linked" || failed=1
    done
done
for arch in wormhole_b0 blackhole; do
    printf '\n--- ttnn %s, compute kernels, %s\n' "${versions[-1]}" "$arch"
    python tests/device_kernels/public/run_public_compute.py "$folder/${versions[-1]}" --arch "$arch" --seed 55 \
        --number "$compute_kernels" --least "$least_compute_percent" || failed=1
done
exit "$failed"
