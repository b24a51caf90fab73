"""Heat maps: their numbers, pictures, and the command."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from fake_core import WRONG_BYTE

from nocbench.drawing.pictures import fixed_style
from nocbench.one_point.heat_map import HeatMap, Waits, heat_map_of, read_details
from nocbench.one_point.heat_map_drawing import describe_link, draw, write_heat_map
from nocbench.points.point import Point
from nocbench.points.simulation import run_point
from nocbench.running.details import details_of

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine
    from matplotlib.figure import Figure
    from matplotlib.text import Text

BOARDS = [("wormhole_b0", "n150"), ("blackhole", "p150")]
ONE_POINT = ["One to One Packet Sizes", "--arch", "wormhole_b0", "-a", "num_transactions=4", "-a", "call_size=128"]


def _details(arch: str, board: str, test: str, **parameters: object) -> dict[str, Any]:
    point = Point(arch, board, test, tuple((name, str(value)) for name, value in parameters.items()))
    return details_of(point, run_point(point))


@pytest.fixture(params=BOARDS, ids=lambda board: board[1])
def crowded(request: pytest.FixtureRequest) -> HeatMap:
    """Returns a point in which every core of the grid is busy, with the longest numbers that occur."""
    arch, board = request.param
    details = _details(arch, board, "One to One Packet Sizes", num_transactions=4, call_size=2048)
    tiles = [tile for tile in details["floor_plan"]["tiles"] if tile["logical"] is not None]
    details["cores"] = [
        {
            **details["cores"][0],
            "physical_x": tile["x"],
            "physical_y": tile["y"],
            "riscv": riscv,
            "latency_cycles": 300.5 + 7 * number,
        }
        for number, tile in enumerate(tiles)
        for riscv in (0, 1)
    ]
    details["deliveries"] = [{"x": tile["x"], "y": tile["y"], "bytes": 99_000} for tile in tiles]
    details["links"] = [
        {"noc": noc, "x": tile["x"], "y": tile["y"], "direction": direction, "flits": 1 + tile["x"] * tile["y"]}
        for noc in (0, 1)
        for tile in details["floor_plan"]["tiles"]
        for direction in ("x", "y", "niu_in", "niu_out")
    ]
    return heat_map_of(details)


@pytest.mark.parametrize(("arch", "board"), BOARDS)
def test_numbers_of_a_write(arch: str, board: str) -> None:
    details = _details(arch, board, "One to One Packet Sizes", num_transactions=16, call_size=8192)
    heat_map = heat_map_of(details)
    (row,) = details["rows"]
    tiles = {tile.logical: tile for tile in heat_map.tiles if tile.logical is not None}
    (kernel,) = tiles[0, 0].kernels
    assert kernel.kernel == "Sender"
    assert kernel.bytes_per_cycle == pytest.approx(row["bandwidth_bytes_per_cycle"])
    assert tiles[1, 1].delivered_bytes_per_cycle == 16 * 8192 / heat_map.elapsed_cycles
    assert sum(tile.delivered_bytes_per_cycle > 0 for tile in heat_map.tiles) == 1
    assert heat_map.elapsed_cycles >= row["latency_cycles"]
    # Headers and data leave the sender, cross its links, and enter the receiver.
    source, destination = tiles[0, 0], tiles[1, 1]
    use = {(link.noc, link.x, link.y, link.direction): link.utilisation for link in heat_map.links}
    busiest = heat_map.busiest_links()[0].utilisation
    assert use[0, source.x, source.y, "niu_in"] == busiest
    assert use[0, destination.x, destination.y, "niu_out"] == busiest
    assert 16 * 8192 / heat_map.flit_bytes / heat_map.elapsed_cycles < busiest <= 1


def _details_of_busy_writes() -> dict[str, Any]:
    return _details(
        "epiphany_iii",
        "",
        "External Memory Write Sizes",
        num_transactions=1,
        call_size=256,
        executor="core",
        state="busy",
    )


def test_a_mesh_of_three_planes(tmp_path: Path) -> None:
    details = _details_of_busy_writes()
    heat_map = heat_map_of(details)
    assert [network.name for network in heat_map.networks] == ["cMesh", "xMesh", "rMesh"]
    assert (heat_map.columns, heat_map.rows, len(heat_map.tiles)) == (5, 4, 17)
    assert {link.noc for link in heat_map.links} == {1}
    # All rows lead over the right edge to the eLink, which is the busiest link.
    busiest = heat_map.busiest_links()
    assert describe_link(busiest[0], heat_map) == "the mesh to the eLink"
    over_the_edge = [link for link in heat_map.links if (link.x, link.direction) == (3, "east")]
    assert [describe_link(link, heat_map) for link in over_the_edge] == [f"(3, {y}) to the eLink" for y in range(4)]
    assert sum(link.utilisation for link in over_the_edge) == pytest.approx(busiest[0].utilisation)
    # A write occupies a link of the plane for this number of cycles.
    (row,) = details["rows"]
    writes = 16 * row["call_size_bytes"] / 8
    assert busiest[0].utilisation == pytest.approx(8 * writes / heat_map.elapsed_cycles)
    (elink,) = [tile for tile in heat_map.tiles if tile.kind == "eLink"]
    assert elink.delivered_bytes_per_cycle == 16 * 256 / heat_map.elapsed_cycles
    assert all(len(tile.kernels) == 1 for tile in heat_map.tiles if tile.kind == "core")
    write_heat_map(heat_map, tmp_path / "map.png")


def test_replies_come_back_over_the_edge() -> None:
    heat_map = heat_map_of(
        _details(
            "epiphany_iii",
            "",
            "External Memory Read Sizes",
            num_transactions=1,
            call_size=64,
            executor="core",
            state="busy",
        )
    )
    assert {link.noc for link in heat_map.links} == {0, 2}  # planes of replies and requests
    words = {describe_link(link, heat_map) for link in heat_map.links if link.noc == 0}
    assert {"the eLink to the mesh", "the eLink to (3, 0)", "(3, 0) to (2, 0)"} <= words


def test_a_host_is_on_no_tile(tmp_path: Path) -> None:
    heat_map = heat_map_of(
        _details("epiphany_iii", "", "Host Core Transfers", num_transactions=1, call_size=64, direction="write")
    )
    (host,) = heat_map.outside
    assert host.kernel == "Host"
    assert host.bytes_per_cycle > 0
    assert heat_map.links == ()
    assert not any(tile.kernels for tile in heat_map.tiles)
    delivered = [tile.logical for tile in heat_map.tiles if tile.delivered_bytes_per_cycle > 0]
    assert delivered == [(0, 0)]
    write_heat_map(heat_map, tmp_path / "map.svg")


@pytest.mark.parametrize(
    ("test", "directions", "wraps"),
    [
        ("Synthetic Traffic on a Mesh", ["east", "west", "south", "north"], False),
        ("Synthetic Traffic on a Torus", ["east", "west", "south", "north"], True),
        ("Synthetic Traffic on a Unidirectional Torus", ["x", "y"], True),
    ],
)
def test_a_plain_network(test: str, directions: list[str], *, wraps: bool, tmp_path: Path) -> None:
    details = _details(
        "wormhole_b0", "", test, num_transactions=8, call_size=64, pattern="neighbour", injection_rate=0.3, size="4x3"
    )
    heat_map = heat_map_of(details)
    assert (heat_map.columns, heat_map.rows, len(heat_map.tiles)) == (4, 3, 12)
    (network,) = heat_map.networks
    assert (list(network.directions), network.wraps) == (directions, wraps)
    assert all(tile.kernels and tile.delivered_bytes_per_cycle > 0 for tile in heat_map.tiles)
    assert all(0 < link.utilisation <= 1 for link in heat_map.links)
    assert sum(link["flits"] for link in details["links"] if link["direction"] == "niu_in") == sum(
        link["flits"] for link in details["links"] if link["direction"] == "niu_out"
    )
    (last,) = {
        describe_link(link, heat_map)
        for link in heat_map.links
        if (link.x, link.y) == (3, 0) and link.direction == ("south" if "south" in directions else "y")
    }
    assert last == "(3, 0) to (3, 1)"
    is_over_the_edge = any(link.x == 3 and link.direction in ("east", "x") for link in heat_map.links)
    assert is_over_the_edge == wraps
    write_heat_map(heat_map, tmp_path / "map.png")


def test_tiles_of_the_floor_plan() -> None:
    heat_map = heat_map_of(_details("wormhole_b0", "n150", "One to One Packet Sizes", num_transactions=1, call_size=32))
    assert (heat_map.columns, heat_map.rows, heat_map.flit_bytes) == (10, 12, 32)
    kinds = [tile.kind for tile in heat_map.tiles]
    assert len(kinds) == 120
    assert {kind: kinds.count(kind) for kind in ("PCIe", "ARC", "Ethernet", "DRAM")} == {
        "PCIe": 1,
        "ARC": 1,
        "Ethernet": 16,
        "DRAM": 18,
    }
    assert sum(tile.logical is not None for tile in heat_map.tiles) == 64


def test_links_in_words(crowded: HeatMap) -> None:
    words = {
        (link.noc, link.direction): describe_link(link, crowded)
        for link in crowded.links
        if (link.x, link.y) == (0, crowded.rows - 1)
    }
    last = crowded.rows - 1
    assert words == {
        (0, "x"): f"(0, {last}) to (1, {last})",
        (0, "y"): f"(0, {last}) to (0, 0)",
        (1, "x"): f"(0, {last}) to ({crowded.columns - 1}, {last})",
        (1, "y"): f"(0, {last}) to (0, {last - 1})",
        **{(noc, "niu_in"): f"tile to router at (0, {last})" for noc in (0, 1)},
        **{(noc, "niu_out"): f"router to tile at (0, {last})" for noc in (0, 1)},
    }


def test_no_text_overlaps(crowded: HeatMap) -> None:
    with fixed_style():
        figure = draw(crowded)
        boxes = _text_boxes(figure)
    assert len(boxes) > 4 * len(crowded.tiles) / 2
    for number, (text, box) in enumerate(boxes):
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= figure.bbox.x1, text
        assert box.y1 <= figure.bbox.y1, text
        for other_text, other in boxes[:number]:
            overlaps = box.x0 < other.x1 and other.x0 < box.x1 and box.y0 < other.y1 and other.y0 < box.y1
            assert not overlaps, (text, other_text)


def test_the_scales_say_what_they_show(crowded: HeatMap) -> None:
    with fixed_style():
        figure = draw(crowded)
    labels = {axes.get_ylabel() for axes in figure.axes} - {""}
    assert labels == {
        "bytes of a kernel's transactions / its own duration (B/cycle)",
        "bytes delivered / cycles of the whole run (B/cycle)",
        "flits / cycles of the whole run",
    }


@pytest.mark.parametrize("crowded", BOARDS[:1], indirect=True, ids=lambda board: board[1])
@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_the_same_point_gives_the_same_bytes(crowded: HeatMap, tmp_path: Path, suffix: str) -> None:
    import matplotlib

    write_heat_map(crowded, tmp_path / f"one{suffix}")
    with matplotlib.rc_context({"font.size": 20, "svg.hashsalt": None}):
        write_heat_map(crowded, tmp_path / f"other{suffix}")
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"other{suffix}").read_bytes()


class TestCommand:
    def test_summary(self, run_here: CommandLine, tmp_path: Path) -> None:
        completed = run_here("heatmap", *ONE_POINT, "-o", tmp_path / "map.png")
        assert completed.status == 0
        assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
        assert completed.err == (
            "running One to One Packet Sizes on wormhole_b0, num_transactions=4, call_size=128\n"
            f"wrote {tmp_path / 'map.png'}\n"
        )
        assert completed.out.splitlines() == [
            "Sender (riscv_0, NoC 0): 1 core, 366.5 cycles, 1.40 B/cycle, limiter: issue",
            "busiest links             NoC  utilisation",
            "(1, 1) to (2, 1)            0  1.0%",
            "tile to router at (1, 1)    0  1.0%",
        ]

    def test_json(self, run_here: CommandLine, tmp_path: Path) -> None:
        completed = run_here("heatmap", *ONE_POINT, "--json", "-o", tmp_path / "map.svg")
        document = json.loads(completed.out)
        assert document["picture"] == str(tmp_path / "map.svg")
        assert document["elapsed_cycles"] == 400
        assert document["links"][0] == {"noc": 0, "x": 1, "y": 1, "direction": "x", "utilisation": 0.01}
        (tile,) = [tile for tile in document["tiles"] if tile["delivered_bytes_per_cycle"]]
        assert tile["logical"] == [1, 1]

    def test_from_details(self, run_here: CommandLine, tmp_path: Path) -> None:
        run_here("run", *ONE_POINT, "-j0", "--detail", tmp_path / "details")
        (file,) = tmp_path.rglob("*.json")
        pictures = [tmp_path / f"{name}.svg" for name in ("again", "from_file", "from_directory")]
        assert run_here("heatmap", *ONE_POINT, "-o", pictures[0]).status == 0
        completed = run_here("heatmap", "--detail", file, "-o", pictures[1])
        assert (completed.status, completed.err) == (0, f"wrote {pictures[1]}\n")
        completed = run_here("heatmap", *ONE_POINT, "--detail", tmp_path / "details", "-o", pictures[2])
        assert (completed.status, completed.err) == (0, f"wrote {pictures[2]}\n")
        assert len({picture.read_bytes() for picture in pictures}) == 1

    def test_wrong_data(self, run_here: CommandLine, tmp_path: Path) -> None:
        completed = run_here("heatmap", *ONE_POINT, "-a", "fault=wrong_data", "-o", tmp_path / "map.svg")
        assert completed.status == 1
        assert completed.err.endswith(f"wrong data: {WRONG_BYTE}\n")
        assert (tmp_path / "map.svg").is_file()

    @pytest.mark.parametrize(
        ("arguments", "status", "message"),
        [
            ([], 2, "Error: expected a TEST, or the detail file of a point after --detail"),
            (
                ["One*", "--arch", "blackhole"],
                2,
                "error: 'One*': expected one test, found 2 (One to One Packet Sizes, ",
            ),
            (
                ["4"],
                2,
                "error: '4': expected one architecture, found 2 (blackhole, wormhole_b0); choose one with --arch",
            ),
            (
                ["4", "--arch", "blackhole", "-a", "num_transactions=1"],
                2,
                (
                    "error: 'One to One Packet Sizes' on blackhole: expected one point, found 4: "
                    "call_size has 4 values (64, 128, 256, 512); choose one of each, such as -a call_size=512"
                ),
            ),
            (
                ["4", "--arch", "blackhole"],
                2,
                "error: 'One to One Packet Sizes' on blackhole: expected one point, found 12: num_transactions has 3",
            ),
            (["x*", "--arch", "blackhole"], 3, "error: no test matches 'x*'; 'nocbench list' names them all"),
            ([*ONE_POINT, "-o", "map.pdf"], 2, "error: map.pdf: the name of a picture ends in .png or .svg"),
            ([*ONE_POINT, "-o", "/no/such/map.png"], 2, "error: /no/such/map.png: there is no directory /no/such"),
            (["--detail", "no.json"], 2, "error: no.json: cannot be read: No such file or directory"),
            (["4", "--detail", "no.json"], 2, "Error: --detail no.json names the point; TEST, --arch, "),
            ([*ONE_POINT, "-a", "fault=refuse"], 2, "error: a barrier that can never be met"),
        ],
    )
    def test_bad_input(
        self,
        run_here: CommandLine,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        arguments: list[str],
        status: int,
        message: str,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        completed = run_here("heatmap", *arguments)
        assert completed.status == status
        assert completed.out == ""
        assert completed.err.splitlines()[-1].startswith(message)
        assert list(tmp_path.iterdir()) == []

    def test_files_that_are_no_details(self, run_here: CommandLine, tmp_path: Path) -> None:
        file = tmp_path / "details.json"
        file.write_text("{")
        completed = run_here("heatmap", "--detail", file, "-o", tmp_path / "map.svg")
        assert completed.status == 2
        assert completed.err.startswith(f"error: {file}:1:2: expected a detail file as JSON, found a mistake in it")
        file.write_text('{"arch": "blackhole", "test": "", "rows": [], "cores": [], "links": []}')
        completed = run_here("heatmap", "--detail", file, "-o", tmp_path / "map.svg")
        assert completed.status == 2
        assert (
            "it lacks data_faults, deliveries, elapsed_cycles, floor_plan; 'nocbench run --detail' writes them"
            in completed.err
        )

    def test_a_mesh_is_drawn_by_its_planes(self, run_program: CommandLine, tmp_path: Path) -> None:
        point = ["External Memory Write Sizes", "-a", "executor=core", "-a", "state=busy", "-a", "call_size=64"]
        completed = run_program("heatmap", *point, "-o", tmp_path / "map.svg")
        assert completed.status == 0
        assert (tmp_path / "map.svg").is_file()
        assert completed.out.startswith("Core: 16 cores, ")
        assert re.search(r"^the mesh to the eLink +xMesh +\d+\.\d%$", completed.out, re.MULTILINE)
        document = json.loads(run_program("heatmap", *point, "--json", "-o", tmp_path / "map.svg").out)
        assert [network["name"] for network in document["networks"]] == ["cMesh", "xMesh", "rMesh"]

    def test_nothing_on_any_network(self, run_program: CommandLine, tmp_path: Path) -> None:
        point = ["Host Core Transfers", "-a", "direction=read", "-a", "call_size=64"]
        completed = run_program("heatmap", *point, "-o", tmp_path / "map.svg")
        assert completed.status == 0
        assert completed.out.splitlines()[-1] == "nothing was on any network"

    def test_details_of_a_run(self, run_program: CommandLine, tmp_path: Path) -> None:
        point = ["One to One Packet Sizes", "--board", "p150", "-a", "num_transactions=4", "-a", "call_size=1KiB"]
        assert run_program("run", *point, "-j0", "--detail", tmp_path).status == 0
        (file,) = tmp_path.rglob("*.json")
        document = read_details(file)
        assert document["floor_plan"]["columns"] == 17
        completed = run_program("heatmap", "--detail", file, "-o", tmp_path / "map.png")
        assert completed.status == 0
        assert re.search(r"^tile to router at \(1, 2\) +0 +\d+\.\d%$", completed.out, re.MULTILINE)


def _text_boxes(figure: Figure) -> list[tuple[str, Any]]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]

    def is_shown(text: Text) -> bool:
        return bool(text.get_visible() and text.get_text().strip())

    texts: list[Text] = [text for text in figure.findobj(Text) if is_shown(text)]
    renderer = canvas.get_renderer()  # type: ignore[no-untyped-call]
    return [(text.get_text(), text.get_window_extent(renderer)) for text in texts]


def test_waits_where_no_transactions_are_counted(tmp_path: Path) -> None:
    details = _details_of_busy_writes()
    for row in details["rows"]:
        row["num_transactions"] = 0
    for core, waits in zip(
        details["cores"], [{"issue": 30.0, "memory": 50.0, "semaphore": 20.0}, {"issue": 8.0}], strict=False
    ):
        core["waits"] = waits
    heat_map = heat_map_of(details)
    by_logical = {tile.logical: tile for tile in heat_map.tiles}
    names = [(core["x"], core["y"]) for core in details["cores"][:2]]
    assert [by_logical[name].waits for name in names] == [(Waits(0.7, "memory"),), (Waits(0.0, ""),)]
    assert not any(tile.kernels for tile in heat_map.tiles)
    assert "B/cycle" not in heat_map.summaries[0]
    assert "num_transactions" not in heat_map.subtitle
    document = heat_map.to_json()
    assert [len(tile.get("waits", ())) for tile in document["tiles"] if tile["kind"] == "eLink"] == [0]
    write_heat_map(heat_map, tmp_path / "map.svg")
    assert "Waits: how long each core waited" in (tmp_path / "map.svg").read_text()
