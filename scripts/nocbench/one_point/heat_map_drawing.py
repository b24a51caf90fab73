"""Drawing of heat maps. All panels have the same floor plan: kernels or waits and deliveries above, networks below."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nocbench.drawing.pictures import as_png, color_of, fixed_style, readable_on, write_picture
from nocbench.one_point.heat_map import TWO_NOCS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

    from nocbench.one_point.heat_map import HeatMap, Link, Tile

# Sizes are in inches, so that text fits into tiles on grids of any size.
_TILE_INCHES = 0.5
_MARGIN_TILES = 0.5  # around the tiles of a panel: room for links that wrap around
_LEFT_INCHES = 0.6  # left of each panel: row numbers
_RIGHT_INCHES = 1.15  # right of each panel: colour bar
_ABOVE_INCHES = 0.5  # above each panel: title and column numbers
_BELOW_INCHES = 0.3  # below each panel: note
_COLOR_BAR_INCHES = 0.13
_HEADING_LINE_INCHES = 0.2
_LEGEND_INCHES = 0.95
_PNG_DOTS_PER_INCH = 110
_NOTEBOOK_DOTS_PER_INCH = 80

# Distances from the middle of a tile, in tiles: its router, the corner of its square in network panels, the edge of its
# square, and widths of links.
_ROUTER = -0.27
_ROUTER_RADIUS = 0.07
_TILE_CORNER = 0.0
_TILE_EDGE = 0.46
_LINK_WIDTH = 0.13
_LANE_WIDTH = 0.08  # width of links if they run in both directions
_LANE_OFFSET = 0.07  # distance from the line between the routers
_INTERFACE_LINK_WIDTH = 0.08
_INTERFACE_LINK_OFFSET = 0.075  # distance from the line between router and tile
_UNUSED_COLOR = "0.9"

_VALUE_POINTS = 7.5
_COORDINATE_POINTS = 6
_KIND_POINTS = 6
_SMALL_KIND_POINTS = 4.8
_NOTE_POINTS = 5.2


_Polygon = list[tuple[float, float]]


class _KindStyle(NamedTuple):
    """Look of a kind of tile. The colours are faint, so letters and hatching also show the kind."""

    label: str
    color: str
    hatch: str


_KINDS = {
    "Tensix": _KindStyle("", "#ffffff", ""),
    "core": _KindStyle("", "#ffffff", ""),
    "node": _KindStyle("", "#ffffff", ""),
    "eLink": _KindStyle("eLink", "#f8ead0", ""),
    "DRAM": _KindStyle("DRAM", "#dfe9f5", ""),
    "Ethernet": _KindStyle("ETH", "#e3f1df", ""),
    "PCIe": _KindStyle("PCIe", "#f8ead0", ""),
    "ARC": _KindStyle("ARC", "#f1e0ec", ""),
    "router only": _KindStyle("", "#e9e9e9", ""),
    "harvested": _KindStyle("", "#ffffff", "xxxx"),
}
_KIND_NOTES = {
    "eLink": "eLink to external memory",
    "Tensix": "Tensix (without numbers: outside of the compute grid)",
    "harvested": "harvested (its router works)",
}
_EDGE_KINDS = ("eLink",)
_OTHER_KIND = _KindStyle("?", "#ffffff", "...")


def write_heat_map(heat_map: HeatMap, path: Path) -> None:
    """Writes a heat map as PNG or SVG, by the suffix of `path`."""
    with fixed_style():
        write_picture(draw(heat_map), path, dots_per_inch=_PNG_DOTS_PER_INCH)


def heat_map_as_png(heat_map: HeatMap) -> bytes:
    """Returns the picture of a heat map as PNG, for a cell of a notebook."""
    with fixed_style():
        return as_png(draw(heat_map), _NOTEBOOK_DOTS_PER_INCH)


def draw(heat_map: HeatMap) -> Figure:
    """Draws all panels, two per row, each with a colour bar, and a legend below them."""
    import seaborn
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize
    from matplotlib.figure import Figure

    panel_inches = tuple((count + 2 * _MARGIN_TILES) * _TILE_INCHES for count in (heat_map.columns, heat_map.rows))
    cell_inches = (
        _LEFT_INCHES + panel_inches[0] + _RIGHT_INCHES,
        _ABOVE_INCHES + panel_inches[1] + _BELOW_INCHES,
    )
    heading = [line for line in (heat_map.title, heat_map.subtitle, *heat_map.summaries) if line]
    heading_inches = 0.15 + _HEADING_LINE_INCHES * len(heading)
    width_inches = 2 * cell_inches[0]
    num_rows = 1 + (len(heat_map.networks) + 1) // 2
    height_inches = heading_inches + num_rows * cell_inches[1] + _LEGEND_INCHES
    figure = Figure(figsize=(width_inches, height_inches))

    for number, line in enumerate(heading):
        figure.text(
            _LEFT_INCHES / width_inches,
            1 - (0.12 + _HEADING_LINE_INCHES * number) / height_inches,
            line,
            va="top",
            fontsize=11 if number == 0 else 9,
            fontweight="bold" if number == 0 else "normal",
        )

    def add_panel(row: int, column: int, title: str) -> Axes:
        left = column * cell_inches[0] + _LEFT_INCHES
        bottom = height_inches - heading_inches - (row + 1) * cell_inches[1] + _BELOW_INCHES
        axes = figure.add_axes(
            (
                left / width_inches,
                bottom / height_inches,
                panel_inches[0] / width_inches,
                panel_inches[1] / height_inches,
            )
        )
        _prepare(axes, heat_map, title)
        return axes

    def add_color_bar(axes: Axes, colors: ScalarMappable, label: str, number_format: str | None = None) -> None:
        place = axes.get_position()
        bar = figure.add_axes(
            (place.x1 + 0.12 / width_inches, place.y0, _COLOR_BAR_INCHES / width_inches, place.height)
        )
        figure.colorbar(colors, cax=bar, format=number_format).set_label(label, fontsize=8)
        bar.tick_params(labelsize=7)

    def scale(palette: str, highest: float) -> ScalarMappable:
        # Leave out the lightest colours: low values must differ from unused tiles and links.
        colors: Colormap = seaborn.color_palette(palette, as_cmap=True)
        return ScalarMappable(
            Normalize(0, highest or 1), ListedColormap([colors(0.06 + 0.76 * step / 255) for step in range(256)])
        )

    has_waits = any(tile.waits for tile in heat_map.tiles)
    for column, panel in enumerate((_WAITS_PANEL if has_waits else _KERNELS_PANEL, _DELIVERIES_PANEL)):
        axes = add_panel(0, column, panel.title)
        values = [value for tile in heat_map.tiles for value in panel.values_of(tile)]
        colors = scale("mako_r", panel.highest or max(values, default=0.0))
        _draw_tiles(axes, heat_map.tiles, panel, colors)
        add_color_bar(axes, colors, panel.label, panel.number_format)
    for noc, network in enumerate(heat_map.networks):
        axes = add_panel(1 + noc // 2, noc % 2, f"{network.name}: how busy each link was")
        colors = scale("rocket_r", 1)
        links = [link for link in heat_map.busiest_links() if link.noc == noc]
        _draw_network(axes, heat_map, noc, links, colors)
        note = f"busiest: {describe_link(links[0], heat_map)}, {links[0].utilisation:.1%}" if links else "not used"
        axes.set_xlabel(note, fontsize=8, labelpad=4)
        add_color_bar(axes, colors, "flits / cycles of the whole run", "{x:.0%}")
    _add_legend(figure, heat_map)
    return figure


def describe_link(link: Link, heat_map: HeatMap) -> str:
    """Returns a link in words: "(1, 1) to (2, 1)", "router to tile at (2, 3)"."""
    place = _place_in_words(heat_map, link.x, link.y)
    if link.direction in ("niu_out", "niu_in") and place.startswith("the "):
        return f"the mesh to {place}" if link.direction == "niu_out" else f"{place} to the mesh"
    if link.direction == "niu_out":
        return f"router to tile at ({link.x}, {link.y})"
    if link.direction == "niu_in":
        return f"tile to router at ({link.x}, {link.y})"
    network = heat_map.networks[link.noc]
    step = network.directions[link.direction]
    x, y = link.x + step[0], link.y + step[1]
    if network.wraps:
        x, y = x % heat_map.columns, y % heat_map.rows
    names = [_place_in_words(heat_map, *place) for place in ((link.x, link.y), (x, y))]
    return f"{names[0]} to {names[1]}"


def _place_in_words(heat_map: HeatMap, x: int, y: int) -> str:
    """Returns a place in words: its coordinates, or the kind of the tile beyond the edge of a chip."""
    tiles = {(tile.x, tile.y): tile for tile in heat_map.tiles}
    is_beyond = (x, y) not in tiles
    edge = next((tile.kind for tile in heat_map.tiles if tile.kind in _EDGE_KINDS), "")
    return f"the {edge}" if edge and (is_beyond or tiles[x, y].kind == edge) else f"({x}, {y})"


def _kernel_values(tile: Tile) -> list[float]:
    return [kernel.bytes_per_cycle for kernel in tile.kernels]


def _delivered_values(tile: Tile) -> list[float]:
    return [tile.delivered_bytes_per_cycle] if tile.delivered_bytes_per_cycle > 0 else []


def _waiting_values(tile: Tile) -> list[float]:
    return [waits.share for waits in tile.waits]


def _waiting_cause(tile: Tile) -> str:
    return tile.waits[0].cause if len(tile.waits) == 1 else ""


def _short(value: float) -> str:
    """Returns a number with about three digits: "0.52", "31.2", "119"."""
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


class _TilePanel(NamedTuple):
    title: str
    label: str
    values_of: Callable[[Tile], Sequence[float]]
    highest: float = 0.0  # upper end of the colour scale; 0: the highest value
    number_format: str | None = None
    text_of: Callable[[float], str] = _short
    note_of: Callable[[Tile], str] = lambda _: ""  # text below the number


_KERNELS_PANEL = _TilePanel(
    "Kernels: what each core moved while it was timed",
    "bytes of a kernel's transactions / its own duration (B/cycle)",
    _kernel_values,
)
_WAITS_PANEL = _TilePanel(
    "Waits: how long each core waited, and for what most",
    "cycles in which it waited / all of its cycles",
    _waiting_values,
    highest=1.0,
    number_format="{x:.0%}",
    text_of="{:.0%}".format,
    note_of=_waiting_cause,
)
_DELIVERIES_PANEL = _TilePanel(
    "Deliveries: what entered the memory of each tile",
    "bytes delivered / cycles of the whole run (B/cycle)",
    _delivered_values,
)


def _prepare(axes: Axes, heat_map: HeatMap, title: str) -> None:
    """Lays out the grid as in the chip's documents: row 0 on top, physical coordinates at the edges."""
    axes.set_title(title, fontsize=9.5, pad=16, loc="left")
    margin = 0.5 + _MARGIN_TILES
    axes.set_xlim(-margin, heat_map.columns - 1 + margin)
    axes.set_ylim(heat_map.rows - 1 + margin, -margin)
    axes.xaxis.tick_top()
    axes.set_xticks(range(heat_map.columns))
    axes.set_yticks(range(heat_map.rows))
    axes.tick_params(labelsize=7, length=0, pad=1)
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _draw_tiles(axes: Axes, tiles: Iterable[Tile], panel: _TilePanel, colors: ScalarMappable) -> None:
    from matplotlib.patches import Rectangle

    for tile in tiles:
        values = panel.values_of(tile)
        style = _KINDS.get(tile.kind, _OTHER_KIND)
        _draw_square(axes, tile, style, -0.46, 0.46)
        # The two values of a core with two kernels are one above the other.
        height = 0.92 / max(1, len(values))
        for number, value in enumerate(values):
            top = tile.y - 0.46 + number * height
            color = color_of(colors, value)
            axes.add_patch(Rectangle((tile.x - 0.46, top), 0.92, height, facecolor=color, edgecolor="none"))
            middle = top + height / 2 + (0.1 if number == 0 else 0)
            text_color = readable_on(color)
            text = panel.text_of(value)
            axes.text(tile.x, middle, text, ha="center", va="center", fontsize=_VALUE_POINTS, color=text_color)
        text_color = readable_on(color_of(colors, values[0])) if values else "0.45"
        if tile.logical is not None:
            label, points = f"{tile.logical[0]},{tile.logical[1]}", _COORDINATE_POINTS
        else:
            label, points = style.label, _KIND_POINTS
        note = panel.note_of(tile)
        if note:
            axes.text(tile.x, tile.y + 0.42, note, ha="center", va="bottom", fontsize=_NOTE_POINTS, color=text_color)
        if values:
            axes.text(tile.x, tile.y - 0.43, label, ha="center", va="top", fontsize=points - 0.5, color=text_color)
        else:
            axes.text(tile.x, tile.y, label, ha="center", va="center", fontsize=points, color=text_color)


def _draw_square(axes: Axes, tile: Tile, style: _KindStyle, begin: float, end: float) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(
        Rectangle(
            (tile.x + begin, tile.y + begin),
            end - begin,
            end - begin,
            facecolor=style.color,
            edgecolor="0.75",
            linewidth=0.5,
            hatch=style.hatch or None,
            hatch_linewidth=0.4,
        )
    )


def _draw_network(axes: Axes, heat_map: HeatMap, noc: int, links: Sequence[Link], colors: ScalarMappable) -> None:
    from matplotlib.collections import PatchCollection, PolyCollection
    from matplotlib.patches import Circle

    for tile in heat_map.tiles:
        style = _KINDS.get(tile.kind, _OTHER_KIND)
        _draw_square(axes, tile, style, _TILE_CORNER, _TILE_EDGE)
        middle = (_TILE_CORNER + _TILE_EDGE) / 2
        axes.text(
            tile.x + middle,
            tile.y + middle,
            style.label,
            ha="center",
            va="center",
            fontsize=_SMALL_KIND_POINTS,
            color="0.35",
        )
    routers = [Circle((tile.x + _ROUTER, tile.y + _ROUTER), _ROUTER_RADIUS) for tile in heat_map.tiles]
    axes.add_collection(PatchCollection(routers, facecolor="0.6", edgecolor="none"))

    directions = (*heat_map.networks[noc].directions, "niu_in", "niu_out")
    used = {(link.x, link.y, link.direction) for link in links}
    unused = [
        arrow
        for tile in heat_map.tiles
        if tile.kind not in _EDGE_KINDS  # links to edge tiles are drawn at the other router
        for direction in directions
        if (tile.x, tile.y, direction) not in used
        for arrow in _arrows(heat_map, noc, tile.x, tile.y, direction)
    ]
    axes.add_collection(PolyCollection(unused, facecolor=_UNUSED_COLOR, edgecolor="none"))
    # Draw the busiest links last, on top of all others.
    arrows = []
    arrow_colors = []
    for link in reversed(links):
        for arrow in _arrows(heat_map, noc, link.x, link.y, link.direction):
            arrows.append(arrow)
            arrow_colors.append(color_of(colors, link.utilisation))
    axes.add_collection(PolyCollection(arrows, facecolor=arrow_colors, edgecolor="none"))


def _arrows(heat_map: HeatMap, noc: int, x: int, y: int, direction: str) -> list[_Polygon]:
    """Returns the arrow of a link. A link that wraps around has two arrows, one at each edge."""
    router = (x + _ROUTER, y + _ROUTER)
    if direction in ("niu_in", "niu_out"):
        corner = (x + _TILE_CORNER, y + _TILE_CORNER)
        begin, end = (router, corner) if direction == "niu_out" else (corner, router)
        # Links are to the right of the line between their ends, seen in their direction.
        sideways = _INTERFACE_LINK_OFFSET * (0.5**0.5) * (1 if direction == "niu_out" else -1)
        begin, end = ((point[0] - sideways, point[1] + sideways) for point in (begin, end))
        return [_arrow(begin, end, _INTERFACE_LINK_WIDTH)]
    network = heat_map.networks[noc]
    along = network.directions[direction]
    size, position, step = (heat_map.columns, x, along[0]) if along[0] else (heat_map.rows, y, along[1])
    if network.is_two_way:  # opposite links side by side
        router = (router[0] - _LANE_OFFSET * along[1], router[1] + _LANE_OFFSET * along[0])
    gap = _ROUTER_RADIUS + 0.01

    def ahead(point: tuple[float, float], distance: float) -> tuple[float, float]:
        return (point[0] + distance * along[0], point[1] + distance * along[1])

    width = _LANE_WIDTH if network.is_two_way else _LINK_WIDTH
    if 0 <= position + step < size:
        return [_arrow(ahead(router, gap), ahead(router, 1 - gap), width)]
    if not network.wraps:
        return []
    next_router = ahead(router, 1 - size)
    return [
        _arrow(ahead(router, gap), ahead(router, 0.7), width),
        _arrow(ahead(next_router, -0.7), ahead(next_router, -gap), width),
    ]


def _arrow(begin: tuple[float, float], end: tuple[float, float], width: float) -> _Polygon:
    length = ((end[0] - begin[0]) ** 2 + (end[1] - begin[1]) ** 2) ** 0.5
    ahead = ((end[0] - begin[0]) / length, (end[1] - begin[1]) / length)
    head = min(1.5 * width, 0.5 * length)
    outline = [
        (0, -width / 2),
        (length - head, -width / 2),
        (length - head, -width),
        (length, 0),
        (length - head, width),
        (length - head, width / 2),
        (0, width / 2),
    ]
    return [
        (begin[0] + far * ahead[0] - aside * ahead[1], begin[1] + far * ahead[1] + aside * ahead[0])
        for far, aside in outline
    ]


def _add_legend(figure: Figure, heat_map: HeatMap) -> None:
    from matplotlib.patches import Patch

    kinds = dict.fromkeys(tile.kind for tile in heat_map.tiles)
    shown = [kind for kind in _KINDS if kind in kinds] + [kind for kind in kinds if kind not in _KINDS]
    handles = []
    for kind in shown:
        style = _KINDS.get(kind, _OTHER_KIND)
        handles.append(
            Patch(
                facecolor=style.color,
                edgecolor="0.75",
                linewidth=0.5,
                hatch=style.hatch or None,
                hatch_linewidth=0.4,
                label=_KIND_NOTES.get(kind, kind),
            )
        )
    width_inches, height_inches = figure.get_size_inches()
    figure.legend(
        handles=handles,
        loc="lower left",
        bbox_to_anchor=(_LEFT_INCHES / width_inches, 0.52 / height_inches),
        borderaxespad=0,
        ncols=len(handles),
        fontsize=8,
        frameon=False,
        handlelength=1.6,
        handleheight=1.2,
    )
    wraps = all(network.wraps for network in heat_map.networks)
    wrapping = "Links that leave one edge come in at the opposite one. " if wraps else ""
    notes = [
        (
            f"Numbers at the edges are physical coordinates, those in the tiles logical ones. The whole run took "
            f"{heat_map.elapsed_cycles:,} cycles; {_what_a_link_carries(heat_map)}."
        ),
        (
            f"{'NoCs' if heat_map.networks == TWO_NOCS else 'Networks'}: dots are routers; the short arrows join a "
            "router and its tile, which stands to its lower right. "
            f"{wrapping}Pale grey: carried nothing."
        ),
    ]
    if any(max(len(tile.kernels), len(tile.waits)) > 1 for tile in heat_map.tiles):
        notes[0] += " Where a core has two kernels, riscv_0 is above riscv_1."
    for number, note in enumerate(notes):
        figure.text(
            _LEFT_INCHES / width_inches, (0.34 - 0.18 * number) / height_inches, note, fontsize=7.5, color="0.3"
        )


def _what_a_link_carries(heat_map: HeatMap) -> str:
    if all(network.flits_per_cycle == 1 for network in heat_map.networks):
        return f"a link carries a flit of {heat_map.flit_bytes} B per cycle"
    return f"a link is busy while a transaction of up to {heat_map.flit_bytes} B is on it"
