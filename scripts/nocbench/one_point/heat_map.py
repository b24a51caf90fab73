"""Heat map of a point, computed from its details: bandwidth of every tile and utilisation of every link."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from nocbench.compiling.request import COMPUTE_RISCS
from nocbench.points.peaks import fault_of
from nocbench.support.columns import COMPILER, without_values
from nocbench.support.errors import InputError
from nocbench.support.input_files import read_json
from nocbench.support.units import format_size

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Network:
    """A network of the floor plan.

    Attributes:
        name: "NoC 0", "cMesh".
        directions: steps in x and y to the next router, by name of the direction.
        wraps: True if links that leave at one edge enter at the opposite one.
        flits_per_cycle: capacity of a link.
    """

    name: str
    directions: Mapping[str, tuple[int, int]]
    wraps: bool
    flits_per_cycle: int

    @property
    def is_two_way(self) -> bool:
        """True if there are links in both directions between two routers."""
        return len(self.directions) > _NUM_AXES


_NUM_AXES = 2

TWO_NOCS = (
    Network("NoC 0", {"x": (1, 0), "y": (0, 1)}, wraps=True, flits_per_cycle=1),
    Network("NoC 1", {"x": (-1, 0), "y": (0, -1)}, wraps=True, flits_per_cycle=1),
)
"""Networks of a Tensix chip, also assumed for detail files without networks."""


@dataclass(frozen=True, slots=True)
class KernelBandwidth:
    """Bandwidth of one timed kernel of a core.

    Attributes:
        kernel: label of the result row, "Sender" or "Receiver".
        riscv: RISC that ran the kernel.
        bytes_per_cycle: bytes of all transactions / duration of the kernel's timed zone; for a test without kernels,
            the bandwidth of a core as the test defines it. The result row has the median over cores.
    """

    kernel: str
    riscv: int
    bytes_per_cycle: float


@dataclass(frozen=True, slots=True)
class Waits:
    """Waits of a kernel without a bandwidth.

    Attributes:
        share: share of the kernel's time; the rest is computation.
        cause: cause of the longest wait; empty without waits.
    """

    share: float
    cause: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile of the floor plan.

    Attributes:
        x: physical column.
        y: physical row.
        kind: "Tensix", "DRAM", "harvested", ...
        logical: logical coordinate, as used in programs; None outside of the compute grid.
        kernels: timed kernels of the tile, by RISC.
        delivered_bytes_per_cycle: all bytes that entered the tile's memory / cycles of the whole run.
        waits: waits of the tile's kernels by RISC, in a program that counts no transactions; otherwise empty. One of
            `waits` and `kernels` is empty.
    """

    x: int
    y: int
    kind: str
    logical: tuple[int, int] | None
    kernels: tuple[KernelBandwidth, ...]
    delivered_bytes_per_cycle: float
    waits: tuple[Waits, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """One link of one network.

    Attributes:
        noc: number of the network: 0 or 1 of a Tensix chip.
        x: physical column of the router.
        y: physical row of the router.
        direction: direction to the next router: "x" or "y" in one-way networks, "east", "west", "south" or "north" in
            two-way networks; or "niu_out", from router to tile, or "niu_in", from tile to router.
        utilisation: share of the run's cycles in which a flit crossed the link, from 0 to 1.
    """

    noc: int
    x: int
    y: int
    direction: str
    utilisation: float


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Content of a heat map.

    Attributes:
        title: test, architecture and board.
        subtitle: values of axes, parameters and settings; empty without any.
        summaries: one line per result row.
        columns: columns of the floor plan.
        rows: rows of the floor plan.
        elapsed_cycles: duration of the whole run.
        flit_bytes: bytes that a link carries per cycle.
        tiles: tiles, row by row.
        links: links that carried flits.
        networks: networks of the links.
        outside: bandwidth of the host's kernels; empty without a host.
    """

    title: str
    subtitle: str
    summaries: tuple[str, ...]
    columns: int
    rows: int
    elapsed_cycles: int
    flit_bytes: int
    tiles: tuple[Tile, ...]
    links: tuple[Link, ...]
    networks: tuple[Network, ...] = TWO_NOCS
    outside: tuple[KernelBandwidth, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Returns the heat map as JSON values."""
        document = asdict(self)
        if self.networks == TWO_NOCS:
            del document["networks"]
        if not self.outside:
            del document["outside"]
        for tile in document["tiles"]:
            if not tile["waits"]:
                del tile["waits"]
        return document

    def busiest_links(self) -> list[Link]:
        """Returns the links, busiest first; of equally busy links, those between routers first."""
        order = ("x", "y", "east", "west", "south", "north", "niu_out", "niu_in")
        return sorted(
            self.links,
            key=lambda link: (-link.utilisation, order.index(link.direction), link.noc, link.y, link.x),
        )


def read_details(path: Path) -> dict[str, Any]:
    """Returns the details in a file from `nocbench run --detail`. Raises InputError for any other file."""
    document = read_json(path, "a detail file")
    needed = ("arch", "test", "rows", "data_faults", "cores", "links", "deliveries", "elapsed_cycles", "floor_plan")
    missing = [key for key in needed if not isinstance(document, dict) or key not in document]
    if missing:
        raise InputError(
            f"{path}: not a detail file of this version: it lacks {', '.join(missing)}; "
            "'nocbench run --detail' writes them"
        )
    return dict(document)


def heat_map_of(details: Mapping[str, Any]) -> HeatMap:
    """Returns the heat map of a point, from its details; see docs/results.md, "Details of a point"."""
    floor_plan = details["floor_plan"]
    elapsed_cycles = details["elapsed_cycles"]
    networks = _networks(floor_plan)
    kernels: dict[tuple[int, int], list[KernelBandwidth]] = defaultdict(list)
    outside: list[KernelBandwidth] = []
    counts_transactions = any(map(_counts_transactions, details["rows"]))
    waits: dict[tuple[int, int], list[Waits]] = defaultdict(list)
    for core in sorted(details["cores"], key=lambda core: core["riscv"]):
        place = core["physical_x"], core["physical_y"]
        if counts_transactions:
            if _computes(core, networks):
                continue  # moves nothing
            of_place = outside if place[0] is None else kernels[place]
            of_place.append(KernelBandwidth(core["kernel"], core["riscv"], core["bandwidth_bytes_per_cycle"]))
        elif place[0] is not None:
            waits[place].append(_waits(core["waits"]))
    delivered_bytes = {(tile["x"], tile["y"]): tile["bytes"] for tile in details["deliveries"]}
    first_row = details["rows"][0]
    return HeatMap(
        title=f"{details['test']} on {details['arch']} ({first_row['board']})",
        subtitle=_configuration(first_row),
        summaries=tuple(_summary(row, networks) for row in details["rows"]),
        columns=floor_plan["columns"],
        rows=floor_plan["rows"],
        elapsed_cycles=elapsed_cycles,
        flit_bytes=floor_plan["flit_bytes"],
        tiles=tuple(
            Tile(
                x=tile["x"],
                y=tile["y"],
                kind=tile["kind"],
                logical=tuple(tile["logical"]) if tile["logical"] is not None else None,
                kernels=tuple(kernels[tile["x"], tile["y"]]),
                delivered_bytes_per_cycle=delivered_bytes.get((tile["x"], tile["y"]), 0) / elapsed_cycles,
                waits=tuple(waits[tile["x"], tile["y"]]),
            )
            for tile in floor_plan["tiles"]
        ),
        links=tuple(
            Link(
                link["noc"],
                link["x"],
                link["y"],
                link["direction"],
                link["flits"] / networks[link["noc"]].flits_per_cycle / elapsed_cycles,
            )
            for link in details["links"]
        ),
        networks=networks,
        outside=tuple(outside),
    )


def _counts_transactions(row: Mapping[str, Any]) -> bool:
    return bool(row["num_transactions"])


def _waits(cycles: Mapping[str, float]) -> Waits:
    waited = {cause: spent for cause, spent in cycles.items() if cause != "issue"}
    share = sum(waited.values()) / (sum(cycles.values()) or 1.0)
    return Waits(share, max(sorted(waited), key=lambda cause: waited[cause], default=""))


def _networks(floor_plan: Mapping[str, Any]) -> tuple[Network, ...]:
    if "networks" not in floor_plan:
        return TWO_NOCS
    return tuple(
        Network(
            network["name"],
            {name: (step[0], step[1]) for name, step in network["directions"].items()},
            wraps=network["wraps"],
            flits_per_cycle=network["flits_per_cycle"],
        )
        for network in floor_plan["networks"]
    )


def _configuration(row: Mapping[str, Any]) -> str:
    axes = [f"num_transactions={row['num_transactions']}", f"call_size={format_size(row['call_size_bytes'])}"]
    params = without_values(row["params"], (COMPILER,))
    return ", ".join([*(axes if _counts_transactions(row) else ()), *filter(None, params.split(";"))])


def _computes(kernel: Mapping[str, Any], networks: tuple[Network, ...]) -> bool:
    """Returns True for a thread of a compute kernel, of a row or a core. Chips with other networks have none."""
    return networks == TWO_NOCS and kernel["riscv"] in COMPUTE_RISCS


def _summary(row: Mapping[str, Any], networks: tuple[Network, ...]) -> str:
    is_two_nocs = networks == TWO_NOCS
    cores = "1 core" if row["num_cores"] == 1 else f"{row['num_cores']} cores" + (", median" if is_two_nocs else "")
    computes = _computes(row, networks)
    noc = "" if computes else f", NoC {row['noc']}"
    issuer = f" (riscv_{row['riscv']}{noc})" if is_two_nocs else ""
    moves = _counts_transactions(row) and not computes
    moved = f"{row['bandwidth_bytes_per_cycle']:.2f} B/cycle, " if moves else ""
    return (
        f"{row['kernel']}{issuer}: {cores}, {row['latency_cycles']:,.10g} cycles, {moved}limiter: {row['limiter']}"
        + (f", {fault.upper()}" if (fault := fault_of(row)) else "")
    )
