"""Choice of checks: values of --check, named as those of compute-sanitizer."""

from __future__ import annotations

from nocbench.support.errors import InputError, did_you_mean

MEMCHECK = "memcheck"
RACECHECK = "racecheck"
INITCHECK = "initcheck"
SYNCCHECK = "synccheck"
MEANINGS = {
    MEMCHECK: "Transfers that run over the end of a buffer or region",
    RACECHECK: "Accesses to the same bytes, of which one writes, that nothing orders",
    INITCHECK: "Bytes that are read and that nobody has written",
    SYNCCHECK: "Wrong counts of receivers and pages, early ends, and uses of DRAM by which a card may hang",
}
NAMES = tuple(MEANINGS)


def parse_checks(text: str) -> frozenset[str]:
    """Returns the checks that a text names: "racecheck", "racecheck,initcheck", "all", "none".

    Raises:
        InputError: an unknown check.
    """
    chosen: set[str] = set()
    for name in (part.strip() for part in text.split(",")):
        if name not in (*NAMES, "all", "none"):
            known = ", ".join((*NAMES, "all", "none"))
            raise InputError(f"--check {text}: expected {known}, found '{name}'{did_you_mean(name, NAMES)}")
        chosen |= set(NAMES) if name == "all" else {name}
    if "none" in chosen and len(chosen) > 1:
        raise InputError(f"--check {text}: expected none, or names of checks, found both")
    return frozenset(chosen - {"none"})


def parse_checks_of_flows(text: str) -> frozenset[str]:
    """Returns the checks that a text names, of those that need no kernels of the user's own.

    Raises:
        InputError: an unknown check, or one of the others.
    """
    chosen = parse_checks(text)
    others = sorted(chosen - {SYNCCHECK})
    if others:
        raise InputError(
            f"--check {text}: expected {SYNCCHECK} or none, since flows have neither loads and stores nor addresses of"
            f" their own, found {', '.join(others)}; 'nocbench kernel --check' checks kernels"
        )
    return chosen
