"""Fake extension module: a formula instead of a simulator, and faults on demand.

It has the interface of scripts/nocbench/_core.pyi, so that the Python side can be tested without the C++ side.
"""

from __future__ import annotations

import math
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import yaml

source_fingerprint = "0" * 64


class InputError(ValueError):
    """Counterpart of the extension module's error."""


class KernelError(InputError):
    """Counterpart of the extension module's error."""


FLIT_BYTES = {"blackhole": 64, "wormhole_b0": 32}
KINDS = {"blackhole": "tensix_torus", "wormhole_b0": "tensix_torus", "epiphany_iii": "epiphany_mesh"}
BOARDS = {"blackhole": ["p100", "p150"], "wormhole_b0": ["n150", "n300"]}
TESTS = {
    "DRAM Interleaved Packet Sizes": (0, "dram_unary", ["Receiver", "Sender"]),
    "One to One Packet Sizes": (4, "one_to_one", ["Sender"]),
    "One from One Packet Sizes": (5, "one_from_one", ["Receiver"]),
    "Loopback Packet Sizes": (16, "loopback", ["Sender"]),
}
HEADINGS: dict[str, list[str]] = {}  # headings of tests that have others besides their name
PARAMETERS = [
    {"name": "destination", "default": "1,1", "meaning": "logical core", "holds_commas": True},
    {
        "name": "fault",
        "default": "none",
        "meaning": "none, abort, impossible, kill, raise, refuse, slow, talk, unsteady or wrong_data",
        "holds_commas": False,
    },
]
START = {"name": "start", "default": "skewed", "meaning": "skewed or together", "holds_commas": False}
# Values of swept parameters, by test, tier and parameter. Pictures of these tests show latency against load.
SWEPT: dict[str, dict[str, dict[str, list[str]]]] = {}
COMPILED: set[str] = set()  # tests whose kernels are compiled
FLOOR_PLAN = (  # one row of tiles per line; Tensix tiles as their logical coordinates
    ("DRAM", "Ethernet", "PCIe", "ARC"),
    ("DRAM", (0, 0), (1, 0), "router only"),
    ("harvested", (0, 1), (1, 1), "harvested"),
)
FLIT_HOPS_PER_TRANSACTION = 50
WRONG_BYTE = (
    "transaction 1 of 1, packet 1 of 1 at 0x40000 from core (0, 0) to core (1, 1): byte 5: expected 0x12, found 0x34"
)
LOG = "NOCBENCH_FAKE_LOG"  # environment variable that names a file, which gets a line for each executed point
DEFAULTS = {parameter["name"]: parameter["default"] for parameter in PARAMETERS}


def architecture_names() -> list[str]:
    return sorted(FLIT_BYTES)


ARCHITECTURES = Path(__file__).resolve().parents[2] / "device_model" / "archs"


def architecture_file(arch: str) -> str:
    return str(ARCHITECTURES / f"{arch}.yaml")


def architecture_files(arch: str) -> list[str]:
    return [architecture_file(arch)]


def set_architecture_directory(path: str) -> None:
    del path


def set_kernel_compiler(compiler: object) -> None:
    """Does nothing: no kernel is compiled."""


def architecture_json_schema() -> str:
    return "{}"


def read_yaml(path: str, what: str) -> dict[str, Any]:
    """Reads YAML without checks, which are tested on the real parser."""
    del what
    return _describe_node(yaml.compose(Path(path).read_text()))


def _describe_node(node: yaml.Node | None) -> dict[str, Any]:
    assert node is not None
    place = {"line": node.start_mark.line + 1, "column": node.start_mark.column + 1}
    if isinstance(node, yaml.SequenceNode):
        return place | {"kind": "list", "value": [_describe_node(item) for item in node.value]}
    if isinstance(node, yaml.MappingNode):
        pairs = [(_describe_node(key), _describe_node(value)) for key, value in node.value]
        return place | {"kind": "mapping", "value": pairs}
    return place | {"kind": "text", "value": str(node.value)}


def describe_architecture(arch: str, board: str = "", settings: list[tuple[str, str]] | None = None) -> dict[str, Any]:
    values = dict(settings or [])
    return {
        "name": arch,
        "kind": KINDS[arch],
        "description": f"A formula in place of {arch}.",
        "default_board": BOARDS[arch][0],
        "board": board or BOARDS[arch][0],
        "clock_hz": 1_000_000_000,
        "flit_bytes": int(values.get("router.flit_bytes", FLIT_BYTES[arch])),
        "link_bytes_per_cycle": float(values.get("router.flit_bytes", FLIT_BYTES[arch])),
        "launch_skew_cycles": int(values.get("board.launch_skew_cycles", 4600)),
        "num_dram_banks": 12,
        "boards": [
            {"name": name, "description": "", "clock_hz": 1_000_000_000, "compute_columns": 8, "compute_rows": 8}
            for name in BOARDS[arch]
        ],
    }


def describe_floor_plan(arch: str, board: str = "", settings: list[tuple[str, str]] | None = None) -> dict[str, Any]:
    del board, settings
    return {
        "columns": len(FLOOR_PLAN[0]),
        "rows": len(FLOOR_PLAN),
        "flit_bytes": FLIT_BYTES[arch],
        "tiles": [
            {"x": x, "y": y, "kind": tile, "logical": None}
            if isinstance(tile, str)
            else {"x": x, "y": y, "kind": "Tensix", "logical": tile}
            for y, row in enumerate(FLOOR_PLAN)
            for x, tile in enumerate(row)
        ],
    }


def tests_not_offered(_arch: str) -> dict[str, str]:
    return {}


def list_tests(arch: str) -> list[dict[str, Any]]:
    flit_bytes = FLIT_BYTES[arch]
    sizes = [flit_bytes << exponent for exponent in range(4)]
    return [
        {
            "test_id": test_id,
            "test": test,
            "primitive": primitive,
            "kind": KINDS[arch],
            "description": f"A test of {primitive}.",
            "kernels": kernels,
            "axes": {
                "full": {**_swept(test, "full"), "num_transactions": [1, 4, 16], "call_size": sizes},
                "quick": {**_swept(test, "quick"), "num_transactions": [1], "call_size": sizes[:2]},
            },
            "parameters": [
                *(
                    {"name": name, "default": values[0], "meaning": "an axis", "holds_commas": False}
                    for name, values in _swept(test, "full").items()
                ),
                *([START] if primitive in ("all_to_all", "all_from_all") else []),
                *PARAMETERS,
            ],
            "theoretical_bytes_per_cycle": float(flit_bytes),
            "headings": HEADINGS.get(test, [test]),
            "picture": "latency_against_load" if test in SWEPT else "transaction_sizes",
        }
        for test, (test_id, primitive, kernels) in TESTS.items()
        if KINDS[arch] == "tensix_torus"
    ]


def _swept(test: str, tier: str) -> dict[str, list[str]]:
    return SWEPT.get(test, {}).get(tier, {})


def _data_fault(fault: str, row: dict[str, Any]) -> str:
    if fault == "impossible":
        peak = theoretical_bytes_per_cycle(row["arch"], row["board"], [])[row["test"]]
        return f"{row['bandwidth_bytes_per_cycle']:.10g} B/cycle, above the theoretical maximum of {peak:g}"
    return WRONG_BYTE if fault == "wrong_data" else ""


def theoretical_bytes_per_cycle(arch: str, board: str, settings: list[tuple[str, str]]) -> dict[str, float]:
    if arch not in FLIT_BYTES or board not in ["", *BOARDS[arch]]:
        raise InputError(f"there is no architecture called '{arch}', or no board '{board}'")
    return dict.fromkeys(TESTS, float(dict(settings).get("router.flit_bytes", FLIT_BYTES[arch])))


def can_be_shortened(test: str) -> bool:
    return test not in SWEPT


def has_compiled_kernels(test: str) -> bool:
    return test in COMPILED


class SharedRuns:
    """Shared runs of points; in this module, no point needs more than one run."""


def run_point(
    test: str,
    arch: str,
    board: str,
    parameters: dict[str, str],
    settings: list[tuple[str, str]],
    shorten_from_flit_hops: float = math.inf,
    _shared_runs: SharedRuns | None = None,
    _counts_packets: bool = False,
) -> dict[str, Any]:
    fault = parameters.get("fault", "none")
    _log(test, arch, sorted(parameters.items()), settings)
    _check(parameters)
    _commit(fault)
    test_id, primitive, kernels = TESTS[test]
    num_transactions = int(parameters["num_transactions"])
    size = int(parameters["call_size"])
    is_shortened = FLIT_HOPS_PER_TRANSACTION * num_transactions >= shorten_from_flit_hops
    swept = _swept(test, "full")
    others = {  # in the order of the test's definition
        name: parameters[name]
        for name in (*swept, *DEFAULTS)
        if name in parameters and (name in swept or parameters[name] != DEFAULTS[name])
    }
    rows = []
    for kernel in kernels:
        latency_cycles = 300.5 + (num_transactions - 1) * max(22, size / FLIT_BYTES[arch])
        rows.append(
            {
                "arch": arch,
                "test": test,
                "kernel": kernel,
                "num_transactions": num_transactions,
                "transaction_size_bytes": size,
                "latency_cycles": latency_cycles,
                "bandwidth_bytes_per_cycle": num_transactions * size / latency_cycles
                + (1e6 if fault == "impossible" else 0),
                "call_size_bytes": size,
                "primitive": primitive,
                "test_id": test_id,
                "board": board or BOARDS[arch][0],
                "noc": int(kernel == "Receiver"),
                "riscv": int(kernel == "Receiver"),
                "num_cores": 1,
                "median_core_cycles": 0.0,
                "all_cores_cycles": 0.0,
                "clock_hz": 1_000_000_000,
                "data_ok": fault not in ("wrong_data", "impossible"),
                "limiter": "round_trip" if num_transactions == 1 else "issue",
                "params": ";".join(
                    f"{name}={value}"
                    for name, value in [
                        *others.items(),
                        *settings,
                        *([("simulated_transactions", num_transactions // 4)] if is_shortened else []),
                        *([("steady", 0)] if is_shortened and fault == "unsteady" else []),
                    ]
                ),
            }
        )
    return {
        "rows": rows,
        "data_faults": [_data_fault(fault, row) for row in rows],
        "statistics": {},
        "cores": [
            {
                "kernel": kernels[0],
                "x": 0,
                "y": 0,
                "physical_x": 1,
                "physical_y": 1,
                "noc": 0,
                "riscv": 0,
                "latency_cycles": 300.5,
                "bandwidth_bytes_per_cycle": num_transactions * size / 300.5,
                "waits": {"issue": 300.5},
                "zone": "RISCV0",
            }
        ],
        "links": [
            {"noc": 0, "x": 1, "y": 1, "direction": "x", "flits": num_transactions},
            {"noc": 0, "x": 1, "y": 1, "direction": "niu_in", "flits": num_transactions},
        ],
        "packets": [],
        "memories": [],
        "deliveries": [{"x": 2, "y": 2, "bytes": num_transactions * size}],
        "elapsed_cycles": 400,
        "flit_hops": FLIT_HOPS_PER_TRANSACTION * num_transactions,
    }


def check_point(test: str, arch: str, board: str, parameters: dict[str, str], settings: list[tuple[str, str]]) -> None:
    del test, arch, board, settings
    _check(parameters)


_PHASE_KINDS = [
    ("queued in the NIU", "{which} is queued in the NIU", "started"),
    ("waits to reserve its tree", "{which} waits until it may reserve its tree", "path requested"),
    ("reserves its tree", "{which} reserves its tree", "path reserved"),
    ("request on its way", "{which}: its request is on the way, {hops}", "request head"),
    ("data arrive", "its data arrive", "request arrived"),
    ("served", "the receiver takes it", "response started"),
    ("response on its way", "the response is on the way back, {response_hops}", "response head"),
    ("response arrives", "the acknowledgement arrives", "response arrived"),
]
_PHASES_OF_MULTICASTS = (1, 2)


def trace_point(
    test: str, arch: str, board: str, parameters: dict[str, str], settings: list[tuple[str, str]], max_records: int
) -> dict[str, Any]:
    """Traces a write every 100 cycles, and a multicast as the last one."""
    result = run_point(test, arch, board, parameters, settings)
    num_transactions = int(parameters["num_transactions"])
    transactions = []
    for number in range(num_transactions):
        accepted = 20 + 100 * number
        is_multicast = number == num_transactions - 1
        transactions.append(
            {
                "kind": "write",
                "noc": 0,
                "posted": False,
                "linked": False,
                "num_receivers": 4 if is_multicast else 0,
                "bytes": int(parameters["call_size"]),
                "from": (1, 1),
                "to": (2, 2),
                "hops": 2,
                "response_hops": 5,
                "start_cause": "link",
                "accepted": float(accepted),
                "phases": [
                    (kind, float(accepted + end))
                    for kind, end in enumerate((5, 7, 37, 60, 80, 100, 150, 150))  # the response is a single flit
                    if is_multicast or kind not in _PHASES_OF_MULTICASTS
                ],
            }
        )
    end = 300.5 + 100 * num_transactions
    return {
        **result,
        "kernels": [
            {
                "kernel": "sender",
                "x": 0,
                "y": 0,
                "physical_x": 1,
                "physical_y": 1,
                "riscv": 0,
                "zones": [("sender", 0.0, end + 10), ("RISCV0", 8.0, end)],
                "stretches": [("issue", 0.0, 20.0), ("link", 20.0, end), ("issue", end, end + 10)],
            }
        ],
        "transactions": transactions[:max_records],
        "phase_kinds": _PHASE_KINDS,
        "floor_plan": {
            **describe_floor_plan(arch),
            "networks": [
                {"name": "NoC 0", "directions": {"x": (1, 0), "y": (0, 1)}, "wraps": True, "flits_per_cycle": 1},
                {"name": "NoC 1", "directions": {"x": (-1, 0), "y": (0, -1)}, "wraps": True, "flits_per_cycle": 1},
            ],
        },
        "num_transactions": num_transactions,
        "num_stretches": 3,
        "frames": [],
        "num_frames": 0,
        "frames_are_datagrams": True,
    }


FAULTS = ("none", "abort", "impossible", "kill", "raise", "refuse", "slow", "talk", "unsteady", "wrong_data")


def _check(parameters: dict[str, str]) -> None:
    """Refuses the first invalid parameter, as the simulator does."""
    destination = parameters.get("destination", "1,1")
    if "," not in destination:
        raise InputError(f"parameter destination: expected a core x,y, found '{destination}'")
    if parameters.get("fault", "none") not in FAULTS:
        raise InputError(f"parameter fault: expected one of {', '.join(FAULTS)}, found '{parameters['fault']}'")


def _commit(fault: str) -> None:
    if fault == "abort":
        _say("terminate called after throwing an instance of 'std::logic_error'")
        os.abort()
    if fault == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == "raise":
        raise RuntimeError("the model lost a packet")
    if fault == "refuse":
        raise KernelError("a barrier that can never be met")
    if fault == "slow":
        time.sleep(0.02)
    if fault == "talk":
        _say("a word from a kernel")


def _log(*configuration: object) -> None:
    if LOG in os.environ:
        with open(os.environ[LOG], "a", encoding="utf-8") as file:  # noqa: PTH123 - quick
            file.write(f"{configuration}\n")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
