#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves that the set-up commands need only a minimal Debian. It makes one with debootstrap, puts a copy of the checkout
# into it, and works like a newcomer: first without the right to install anything, then as root, then as an ordinary
# user in a path with a space. Or it proves that a wheel needs nothing but Python there.

set -euo pipefail

usage() {
    cat <<'USAGE'
Usage: tests/bare_machine.sh [--suite SUITE] [--once] [--ci] [--work-tree] [--wheel FILE] [--keep]

Must be run as root, with debootstrap installed and Debian's mirrors and PyPI in reach. Takes some minutes.

  --suite SUITE   Debian release to prove it on (default: bookworm)
  --once          run each command once, as root, and leave out what a second run and an ordinary user show
  --ci            run .ci/run there as well
  --work-tree     copy the work tree as it is, instead of cloning what is committed
  --wheel FILE    install this wheel and try it (tests/installed_wheel.py), instead of the set-up commands. It must be
                  for the release's Python, and hold its libraries, as after 'auditwheel repair'
  --keep          leave the root directory behind, and say where it is
  -h, --help      show this text

Exit status: 0 everything worked; 1 something did not.

Example: tests/bare_machine.sh --suite trixie
USAGE
}

suite=bookworm
once=false
ci=false
work_tree=false
wheel=
keep=false
while (($# > 0)); do
    case "$1" in
        --suite)
            suite=${2:?--suite needs a value}
            shift
            ;;
        --once) once=true ;;
        --ci) ci=true ;;
        --work-tree) work_tree=true ;;
        --wheel)
            wheel=$(realpath -e -- "${2:?--wheel needs a value}")
            shift
            ;;
        --keep) keep=true ;;
        -h | --help)
            usage
            exit 0
            ;;
        *)
            usage >&2
            exit 2
            ;;
    esac
    shift
done

# In a separate mount namespace, the mounts below vanish when this script ends, whatever the cause.
if [[ -z ${NOCBENCH_BARE_MACHINE_UNSHARED:-} ]]; then
    options=(--suite "$suite")
    if $once; then options+=(--once); fi
    if $ci; then options+=(--ci); fi
    if $work_tree; then options+=(--work-tree); fi
    if [[ -n $wheel ]]; then options+=(--wheel "$wheel"); fi
    if $keep; then options+=(--keep); fi
    NOCBENCH_BARE_MACHINE_UNSHARED=1 exec unshare --mount --propagation private -- "${BASH_SOURCE[0]}" "${options[@]}"
fi

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
bare=$(mktemp -d "${TMPDIR:-/tmp}/nocbench-$suite.XXXXXX")
chmod 755 "$bare"
steps=()

finish() {
    umount --recursive --lazy "$bare/proc" "$bare/dev" 2>/dev/null || true
    if $keep; then printf 'bare_machine: left behind: %s\n' "$bare" >&2; else rm -rf --one-file-system "$bare"; fi
}
trap finish EXIT

say() { printf '\nbare_machine: %s\n' "$*" >&2; }

# Runs a command in the bare root. $1: user; the rest: the command. Its environment is that of a fresh login, plus the
# settings by which pip reaches PyPI on this machine.
in_bare_root() {
    local user=$1 home
    shift
    home=$(chroot "$bare" getent passwd "$user" | cut -d : -f 6)
    local settings
    mapfile -t settings < <(env | grep '^PIP_' || true)
    env --ignore-environment PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME="$home" TERM=dumb \
        "${settings[@]}" chroot --userspec="$user" "$bare" "$@" </dev/null
}

# Runs a command and checks its exit status. $1: description; $2: expected exit status; $3: user; the rest: the command.
prove() {
    local what=$1 expected=$2 user=$3 start=$SECONDS status=0
    shift 3
    say "$what"
    in_bare_root "$user" "$@" 2>&1 | tee "$bare/tmp/output.log" || status=$?
    steps+=("$(printf '%-70s exit %d, %4d s' "$what" "$status" $((SECONDS - start)))")
    if ((status != expected)); then
        say "FAILED: $what: exit status $status instead of $expected"
        exit 1
    fi
}

# Checks that the last command's output has no step of a compiler or linker. (Ninja always computes the fingerprint of
# the sources, so it never reports that there is nothing to do.)
nothing_was_built() {
    if grep -E 'Building CXX|Linking CXX' "$bare/tmp/output.log"; then
        say "FAILED: a second run built something again"
        exit 1
    fi
}

# Checks that commands left a checkout unchanged. $1: user; $2: path of the checkout.
is_clean() {
    if $work_tree; then return; fi
    if [[ -n $(in_bare_root "$1" git -C "$2" status --porcelain | tee "$bare/tmp/output.log") ]]; then
        cat "$bare/tmp/output.log" >&2
        say "FAILED: the checkout has changed"
        exit 1
    fi
}

# Copies or clones the checkout. $1: path in the bare root; $2: owner.
put_checkout() {
    if $work_tree; then
        mkdir -p "$bare$1"
        tar -C "$checkout" --exclude=./.venv --exclude=./build --exclude=./.git -c . | tar -C "$bare$1" -x
    else
        git clone --quiet --no-hardlinks "$checkout" "$bare$1"
    fi
    chroot "$bare" chown -R "$2:$2" "$1"
}

say "making a minimal $suite in $bare"
packages=()
if [[ -n $wheel ]]; then packages=(--include=python3-venv); fi
debootstrap --variant=minbase "${packages[@]}" "$suite" "$bare" >"$bare.log" || { cat "$bare.log" && exit 1; }
rm "$bare.log"
mkdir -p "$bare/etc/ssl/certs" "$bare/usr/local/share/ca-certificates"
# Certificates trusted by this machine, and the configuration of its pip.
cp -L /etc/ssl/certs/ca-certificates.crt "$bare/etc/ssl/certs/"
find /usr/local/share/ca-certificates -name '*.crt' -exec cp {} "$bare/usr/local/share/ca-certificates/" \;
if [[ -f /etc/pip.conf ]]; then cp /etc/pip.conf "$bare/etc/"; fi
mount --rbind /dev "$bare/dev"
mount -t proc proc "$bare/proc"
chroot "$bare" useradd --create-home newcomer

# What was proven, for the end.
say_all() {
    say "all of it worked on a minimal $suite:"
    printf '%s\n' "${steps[@]}"
}

if [[ -n $wheel ]]; then
    cp "$wheel" "$checkout/tests/installed_wheel.py" "$bare/home/newcomer/"
    home=/home/newcomer
    prove "an environment" 0 newcomer python3 -m venv "$home/environment"
    prove "the wheel, and what it depends on" 0 newcomer \
        "$home/environment/bin/pip" install --no-cache-dir "$home/${wheel##*/}"
    prove "what it does" 0 newcomer "$home/environment/bin/python" "$home/installed_wheel.py"
    prove "the size of the environment" 0 newcomer du -sm "$home/environment"
    say_all
    exit 0
fi
put_checkout /root/nocbench root
put_checkout "/home/newcomer/my checkout" newcomer

prove "no right to install: says what is missing" 2 newcomer "/home/newcomer/my checkout/scripts/test.sh"
grep -q 'apt-get install .*libboost-context-dev' "$bare/tmp/output.log"
prove "root, fresh: scripts/test.sh" 0 root /root/nocbench/scripts/test.sh
prove "root, again: scripts/run.sh" 0 root /root/nocbench/scripts/run.sh
nothing_was_built
is_clean root /root/nocbench
if ! $once; then
    prove "root, nothing changed: scripts/run.sh" 0 root /root/nocbench/scripts/run.sh
    nothing_was_built
    prove "ordinary user, path with a space, fresh: scripts/run.sh" 0 newcomer "/home/newcomer/my checkout/scripts/run.sh"
    is_clean newcomer "/home/newcomer/my checkout"
    prove "ordinary user, then: scripts/test.sh" 0 newcomer "/home/newcomer/my checkout/scripts/test.sh"
    prove "ordinary user, nothing changed: scripts/setup.sh" 0 newcomer "/home/newcomer/my checkout/scripts/setup.sh"
    nothing_was_built
fi

if $ci; then
    if $work_tree; then in_bare_root root git init --quiet /root/nocbench; fi
    prove "root: .ci/run" 0 root env CI=true bash /root/nocbench/.ci/run
fi

say_all
