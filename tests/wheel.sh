#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves that a wheel is complete. It builds a wheel and an archive of the sources, installs the wheel into a separate
# environment outside of the checkout, and uses it there like a user without a checkout.

set -euo pipefail

usage() {
    cat <<'USAGE'
Usage: tests/wheel.sh [--from-sources] [--with-dependencies]

Needs what scripts/setup.sh makes. The wheel is built in build/release, so that nothing is compiled twice. The packages
that nocbench depends on are those of .venv.

  --from-sources        build the wheel from the archive of the sources, which compiles everything (minutes)
  --with-dependencies   install what nocbench depends on from the package index instead
  -h, --help            show this text

Exit status: 0 the wheel is whole; 1 it is not.

Example: tests/wheel.sh --from-sources --with-dependencies
USAGE
}

from_sources=false
with_dependencies=false
for argument in "$@"; do
    case "$argument" in
        --from-sources) from_sources=true ;;
        --with-dependencies) with_dependencies=true ;;
        -h | --help)
            usage
            exit 0
            ;;
        *)
            printf 'wheel: unknown argument: %s\n' "$argument" >&2
            usage >&2
            exit 2
            ;;
    esac
done

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
python="$checkout/.venv/bin/python"
# Outside of the checkout, where the package could find files missing from the wheel.
place=$(mktemp -d "${TMPDIR:-/tmp}/nocbench-wheel.XXXXXX")
trap 'rm -rf "$place"' EXIT
unset PYTHONHOME PYTHONPATH

say() { printf 'wheel: %s\n' "$*" >&2; }

# Prints an error and exits. $1: the missing or wrong item
fail() {
    say "FAILED: $*"
    exit 1
}

say "archive of the sources"
(cd "$checkout" && "$python" -c "from scikit_build_core.build import build_sdist; build_sdist('$place')") >"$place/sdist.log" ||
    { cat "$place/sdist.log" && fail "no archive of the sources"; }
mkdir "$place/sources"
tar -xzf "$place"/nocbench-*.tar.gz -C "$place/sources" --strip-components=1

# Checks that all files of the wheel are in the archive: the extension module's sources by their hash, other files by
# name.
fingerprint=("$python" -I "$checkout/scripts/nocbench/support/sources.py")
"${fingerprint[@]}" "$place/sources" "$place/archive.h"
"${fingerprint[@]}" "$checkout" "$place/checkout.h"
cmp "$place/archive.h" "$place/checkout.h" || fail "the archive lacks C++ sources, or has others"
(cd "$checkout" && git ls-files --cached scripts/nocbench device_model/archs kernels/device kernels/frame/device kernels/host/include \
    '*/kernels/device/*' 'plots/reference/*.csv' | sort -u) >"$place/carried"
while read -r file; do
    [[ ! -e $checkout/$file ]] || cmp "$checkout/$file" "$place/sources/$file" || fail "the archive lacks $file"
done <"$place/carried"

say "wheel"
options=(--quiet --no-input --disable-pip-version-check)
build=(
    "--config-settings=build-dir=$checkout/build/release"
    "--config-settings=cmake.define.NOCBENCH_BENCHMARKS=ON"
    "--config-settings=cmake.define.NOCBENCH_TESTS=ON"
)
source="$checkout"
if $from_sources; then
    build=()
    source="$place/sources"
else
    # Takes the lock of scripts/setup.sh, which builds in the same directory.
    exec {lock}>"$checkout/build/.setup-lock"
    flock "$lock"
fi
"$python" -m pip wheel "${options[@]}" --no-build-isolation --no-deps "${build[@]}" --wheel-dir "$place" "$source" >&2
if ! $from_sources; then flock --unlock "$lock"; fi

say "installed"
"$python" -m venv --without-pip "$place/environment"
here="$place/environment/bin/python"
pip=("$python" -m pip --python "$here" install "${options[@]}")
if $with_dependencies; then
    wheels=("$place"/nocbench-*.whl)
    "${pip[@]}" "${wheels[0]}[all]" >&2
else
    "${pip[@]}" --no-deps "$place"/nocbench-*.whl >&2
    # Dependencies come after the environment's own packages; the .pth file in .venv that leads to the checkout is not
    # read.
    "$python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))' \
        >"$("$here" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')/dependencies.pth"
fi

cd "$place"
nocbench="$place/environment/bin/nocbench"
"$here" - "$place" "$checkout" "$place/carried" <<'PYTHON' || fail "the wheel is not whole"
import pathlib, sys
import nocbench
from nocbench import _core
from nocbench.support.revision import PACKAGE, checkout

place, source, carried = map(pathlib.Path, sys.argv[1:])
for module in (nocbench, _core):
    assert pathlib.Path(module.__file__).resolve().is_relative_to(place.resolve()), module.__file__
assert checkout() is None, checkout()
homes = {
    "scripts/nocbench": PACKAGE,
    "device_model/archs": PACKAGE / "archs",
    "kernels/device": PACKAGE / "device",
    "kernels/host/include": PACKAGE / "host_include",
    "plots/reference": PACKAGE / "reference",
}
missing = []
for line in carried.read_text().splitlines():
    home = next((name for name in homes if line.startswith(name + "/")), None)
    # Kernels of primitives for the device keep the checkout's relative paths.
    file = PACKAGE / "suite" / line if home is None else homes[home] / pathlib.Path(line).relative_to(home)
    original = source / line
    if original.is_file() and not (file.is_file() and file.read_bytes() == original.read_bytes()):
        missing.append(line)
assert not missing, f"not in the wheel, or others: {', '.join(missing)}"
PYTHON

# Runs a nocbench command and checks its output. $1: required text; the rest: the command
works() {
    local wanted=$1
    shift
    "$nocbench" "$@" >output.log 2>&1 || { cat output.log >&2 && fail "nocbench $*"; }
    grep -q -- "$wanted" output.log || { cat output.log >&2 && fail "nocbench $*: expected '$wanted' in what it says"; }
}

if $from_sources; then works '(sources [0-9a-f]\{12\})' --version; else works "$("$checkout/.venv/bin/nocbench" --version)" --version; fi
test="One to One Packet Sizes"
works 'One to One Packet Sizes' list
works 'wrote .* result rows' run "$test" --arch wormhole_b0 -j1 -o results.csv
works 'README.md' plot results.csv -o pages -j1
grep -q 'silicon, cycles' pages/wormhole_b0/README.md || fail "the pages have no published measurements"
works 'One to One Packet Sizes' accuracy results.csv
printf 'version: 1\nrules: []\n' >policy.yaml
works '' check results.csv --baseline results.csv --policy policy.yaml -o gate
[[ -s gate/report.html ]] || fail "check wrote no report.html"
works '' report results.csv -o report.html
grep -q '<html' report.html || fail "report wrote no page"
works 'One to One Packet Sizes' explain "$test" --arch wormhole_b0 -a call_size=64 -a num_transactions=1
# A kernel for the device from the wheel, and the checkout's compiler.
NOCBENCH_TOOLCHAIN=$("$python" -m nocbench.compiling.fetch_toolchain)
export NOCBENCH_TOOLCHAIN
works 'wrote .* result rows' run "Atomic Semaphore Adjacent Bandwidth Sweep" --arch wormhole_b0 -j1 \
    -a num_transactions=16 -a increment=1 -a noc=0 -o device.csv
# Host programs with the headers of the wheel, as a suite.
works 'sharded_copy.cpp' init --host demo
works 'copy_pages' host demo/loopback.cpp --arch blackhole

say "the wheel is whole"
