#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the checkout usable: system packages, the Python environment .venv, the build in build/release, the command line.
# scripts/run.sh and scripts/test.sh call this first. A second run finds everything done and takes a second or two.

set -euo pipefail

usage() {
    cat <<'USAGE'
Usage: scripts/setup.sh [--with-tests] [--with-lint-tools] [--with-test-tools]

Installs what is missing and builds what nocbench needs: afterwards .venv/bin/nocbench is there and up to date. Nothing is
installed outside the checkout except system packages that are missing (with apt-get, as root or by sudo). Headers that
programs need are compiled and kept in the user's cache folder, 170 MB.

  --with-tests        build build/release/nocbench_tests and build/release/nocbench_benchmarks, too
  --with-lint-tools   install the formatters, linters and type checkers of .ci/run into .venv, too
  --with-test-tools   install the browser that the tests of the HTML report need, and tshark, which those of network
                      captures need, too, where they are missing
  -h, --help          show this text

Environment:
  NOCBENCH_PYTHON_INTERPRETER     Python (>= 3.11) to create .venv with, instead of the first one that will do
  NOCBENCH_SKIP_SYSTEM_PACKAGES   if set, look for no system packages: CMake finds libraries elsewhere or downloads them

Exit status: 0 done; 1 the build failed; 2 something is missing and could not be installed.

Example: scripts/setup.sh && .venv/bin/nocbench list
USAGE
}

with_tests=false
with_lint_tools=false
with_test_tools=false
for argument in "$@"; do
    case "$argument" in
        --with-tests) with_tests=true ;;
        --with-lint-tools) with_lint_tools=true ;;
        --with-test-tools) with_test_tools=true ;;
        -h | --help)
            usage
            exit 0
            ;;
        *)
            printf 'setup: unknown argument: %s\n' "$argument" >&2
            usage >&2
            exit 2
            ;;
    esac
done

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
readonly root
readonly environment="$root/.venv"
readonly environment_python="$environment/bin/python"
readonly build="$root/build/release"
# shellcheck source-path=SCRIPTDIR source=phases.sh
source "$root/scripts/phases.sh"

# The environment of the caller must not leak into the one we make.
unset PYTHONHOME PYTHONPATH

say() { printf 'setup: %s\n' "$*" >&2; }

fail_missing() {
    say "$@"
    exit 2
}

# --- stamps: a step is repeated when the content of what it depends on has changed --------------------------------------

# One hash over all given files and words.
fingerprint() {
    local item
    for item in "$@"; do
        if [[ -f $item ]]; then sha256sum <"$item"; else printf '%s\n' "$item"; fi
    done | sha256sum | cut -d ' ' -f 1
}

is_stamped() { [[ -f $1 && $(<"$1") == "$2" ]]; }

stamp() { printf '%s\n' "$2" >"$1"; }

# --- system packages ----------------------------------------------------------------------------------------------------

# Succeeds if a Python can make the environment and have an extension module built for it.
python_will_do() {
    "$1" - 2>/dev/null <<'PYTHON'
import sys, sysconfig, pathlib
import ensurepip, venv
has_headers = (pathlib.Path(sysconfig.get_path("include")) / "Python.h").exists()
sys.exit(not (sys.version_info >= (3, 11) and has_headers))
PYTHON
}

# Debian's Python comes first, because Debian's pybind11 is known to fit it; whatever `python3` is in PATH may be newer.
find_python() {
    local candidate
    for candidate in "${NOCBENCH_PYTHON_INTERPRETER:-/usr/bin/python3}" \
        ${NOCBENCH_PYTHON_INTERPRETER:+"$NOCBENCH_PYTHON_INTERPRETER"} python3 python3.{14,13,12,11}; do
        if command -v "$candidate" >/dev/null && python_will_do "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

missing_system_packages() {
    command -v cmake >/dev/null || echo cmake
    command -v ninja >/dev/null || echo ninja-build
    command -v c++ >/dev/null || echo g++
    command -v git >/dev/null || echo git
    find_python >/dev/null || printf '%s\n' python3 python3-dev python3-venv
    if $with_test_tools; then
        command -v chromium >/dev/null || echo chromium
        command -v chromedriver >/dev/null || echo chromium-driver
        command -v tshark >/dev/null || echo tshark
    fi

    local libraries=(
        libbenchmark-dev libboost-context-dev libfmt-dev libgtest-dev libyaml-cpp-dev nlohmann-json3-dev pybind11-dev
    )
    # dpkg-query prints nothing (but an error) for a package that it has never heard of.
    comm -23 <(printf '%s\n' "${libraries[@]}" | sort) \
        <(dpkg-query --show --showformat '${db:Status-Status} ${Package}\n' "${libraries[@]}" 2>/dev/null |
            sed -n 's/^installed //p' | sort)
}

install_system_packages() {
    if [[ -n ${NOCBENCH_SKIP_SYSTEM_PACKAGES:-} ]]; then return; fi
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "not a Debian-like system: looking for no packages; CMake downloads libraries that it does not find"
        return
    fi

    local missing
    mapfile -t missing < <(missing_system_packages)
    # The build works without a compiler cache, which is no reason to ask for a password.
    if ((${#missing[@]} > 0 || EUID == 0)) && ! command -v ccache >/dev/null; then missing+=(ccache); fi
    if ((${#missing[@]} == 0)); then return; fi

    local as_root=()
    if ((EUID != 0)); then
        # Without a terminal nobody can type a password.
        if [[ -t 0 ]]; then as_root=(sudo); else as_root=(sudo --non-interactive); fi
        if ! command -v sudo >/dev/null || ! "${as_root[@]}" true; then
            fail_missing "these system packages are missing, and only root can install them. Please run:
    sudo apt-get install ${missing[*]}"
        fi
    fi

    say "installing system packages: ${missing[*]}"
    local apt_get=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --quiet -o DPkg::Lock::Timeout=300)
    if ! { "${apt_get[@]}" update && "${apt_get[@]}" install --yes --no-install-recommends "${missing[@]}"; } >&2; then
        fail_missing "installing system packages failed (see above). Please run:
    sudo apt-get update && sudo apt-get install ${missing[*]}"
    fi
}

# --- Python environment -------------------------------------------------------------------------------------------------

create_environment() {
    # A virtual environment knows its own path, so that it does not survive a move of the checkout.
    local wanted
    wanted=$(fingerprint "$root" "${NOCBENCH_PYTHON_INTERPRETER:-}")
    if is_stamped "$environment/.stamp-environment" "$wanted" && "$environment_python" -c '' 2>/dev/null; then return; fi

    local python
    python=$(find_python) ||
        fail_missing "no Python >= 3.11 with the modules venv and ensurepip and with its C headers was found"
    say "creating .venv with $python ($("$python" --version))"
    rm -rf "$environment"
    "$python" -m venv "$environment"
    stamp "$environment/.stamp-environment" "$wanted"
}

# $1: lock file with the exact versions
install_requirements() {
    local requirements="$root/scripts/$1" stamp_file="$environment/.stamp-$1" wanted
    wanted=$(fingerprint "$requirements")
    if is_stamped "$stamp_file" "$wanted"; then return; fi

    say "installing Python packages of scripts/$1 into .venv"
    "$environment_python" -m pip install --quiet --no-input --disable-pip-version-check --requirement "$requirements" >&2 ||
        fail_missing "installing the Python packages of scripts/$1 failed (see above)"
    stamp "$stamp_file" "$wanted"
}

# Fetches the compiler of kernels for the processor of a tile into build/toolchain: the same one on every machine.
fetch_toolchain() {
    PYTHONPATH="$root/scripts" "$environment_python" -m nocbench.compiling.fetch_toolchain >/dev/null ||
        fail_missing "fetching the compiler of kernels failed (see above)"
}

# --- build --------------------------------------------------------------------------------------------------------------

configure() {
    local wanted
    wanted=$(fingerprint "$root" "$root/CMakePresets.json" "$environment/.stamp-environment")
    if [[ -f $build/build.ninja ]] && is_stamped "$build/.stamp-configure" "$wanted"; then return; fi

    say "configuring build/release"
    # --fresh: what an earlier checkout path or Python left in the cache must not win.
    (cd "$root" && cmake --preset release --fresh -DPython_EXECUTABLE="$environment_python") >&2
    stamp "$build/.stamp-configure" "$wanted"
}

build() {
    local targets=(--target _core)
    if $with_tests; then targets=(); fi
    say "building build/release"
    cmake --build "$build" --parallel "$(nproc)" "${targets[@]}" >&2
}

# Python sources are live (editable install); the extension module is copied from build/release into .venv.
install_package() {
    local stamp_file="$environment/.stamp-package" wanted site_packages
    wanted=$(fingerprint "$root/pyproject.toml" "$root/CMakeLists.txt" "$root/bindings/CMakeLists.txt" \
        "$environment/.stamp-requirements.txt" "$build/.stamp-configure")
    if ! is_stamped "$stamp_file" "$wanted"; then
        say "installing the package into .venv"
        # The build directory is shared with the preset, and so are its settings: nothing is compiled twice.
        "$environment_python" -m pip install --quiet --no-input --disable-pip-version-check \
            --no-build-isolation --no-deps --editable "$root" \
            --config-settings=build-dir="$build" \
            --config-settings=cmake.define.NOCBENCH_BENCHMARKS=ON \
            --config-settings=cmake.define.NOCBENCH_TESTS=ON >&2
        stamp "$stamp_file" "$wanted"
    fi
    site_packages=$("$environment_python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
    cmake --install "$build" --component python --prefix "$site_packages" >/dev/null
}

# Compilers read the headers of programs and kernels for seconds: the first program finds them in the user's cache.
precompile_headers() { "$environment_python" -m nocbench.host.precompile; }

# ------------------------------------------------------------------------------------------------------------------------

# Two set-ups of one checkout at the same time take turns.
mkdir -p "$build"
exec {lock}>"$root/build/.setup-lock"
if ! flock --nonblock "$lock"; then
    say "waiting for another set-up of this checkout to end"
    flock "$lock"
fi

install_python_packages() {
    install_requirements requirements.txt
    if $with_lint_tools; then install_requirements requirements-lint.txt; fi
    fetch_toolchain
}

configure_and_build() {
    configure
    build
}

phase "system packages" install_system_packages
phase environment create_environment
# Python packages come over the network while the processors build.
install_python_packages &
python_packages=$!
trap 'wait' EXIT # whatever happens, a half-installed package is not left behind
phase build configure_and_build
phase "Python packages beyond that" wait "$python_packages"
phase "the package" install_package
phase "headers of programs" precompile_headers
say "ready in $(describe_phases)"
