# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# How long the parts of a set-up command take. To be sourced.

phases=()

# Runs a phase and notes its time. $1: name; the rest: the command
phase() {
    local name=$1 begin=$SECONDS
    shift
    "$@"
    phases+=("$name $((SECONDS - begin)) s")
}

# All phases, in words.
describe_phases() {
    local IFS=,
    printf '%s s:%s\n' "$SECONDS" "${phases[*]/#/ }"
}
