"""Entries of program files for memory: buffers, semaphores, tensors, regions, and expectations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.compiling.request import DATA_FORMATS, NUM_BUFFERS, NUM_SEMAPHORES, TILE_ROWS
from nocbench.points.yaml_files import found, keys_of
from nocbench.programs.entries import CONTENTS
from nocbench.programs.layout import DRAM, L1, pages_in_bank
from nocbench.programs.program import (
    WORD_BYTES,
    Buffer,
    Contents,
    CoreContents,
    Expectation,
    Place,
    Region,
    Resemblance,
    Semaphore,
    Tensor,
    buffers_by_name,
    format_of_tiles,
    least_correlation,
)
from nocbench.support.errors import InputError, all_names, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.points.yaml_files import Node
    from nocbench.programs.entries import Entries
    from nocbench.programs.program import Core, ProgramDescription

_WORD_MAX = 2**32 - 1
_PLACES = ("tensor", "region", "buffer")
_PLACE = (*_PLACES, "core", "offset_bytes", "bytes")


def read_buffer(reader: Entries, id_: int, node: Node, tensors: Sequence[Tensor]) -> Buffer:
    """Returns a circular buffer, possibly on the shards of one of `tensors`."""
    key = f"buffers.{id_}"
    if id_ >= NUM_BUFFERS:
        reader.file.complain(node, "buffers", f"an id from 0 to {NUM_BUFFERS - 1}", str(id_))
    known = ("pages", "page_bytes", "format", "tile_rows", "name", "initial", "tensor")
    has_tensor = "tensor" in keys_of(node)
    entries = reader.file.mapping(node, key, known, required=() if has_tensor else ("pages", "page_bytes"))
    tensor = _tensor_of(reader, entries, key, tensors) if has_tensor else None
    pages, page_bytes = pages_in_bank(tensor, reader.memories) if tensor is not None else (1, WORD_BYTES)
    data_format = reader.file.text(entries.get("format"), f"{key}.format") or None
    if data_format is not None and data_format not in DATA_FORMATS:
        hint = did_you_mean(data_format, DATA_FORMATS)
        reader.file.complain(
            entries["format"], f"{key}.format", f"one of {', '.join(DATA_FORMATS)}", f"'{data_format}'{hint}"
        )
        data_format = None
    tile_rows = reader.number(entries.get("tile_rows"), f"{key}.tile_rows", default=TILE_ROWS[-1], least=1)
    if tile_rows not in TILE_ROWS:
        reader.file.complain(
            entries["tile_rows"], f"{key}.tile_rows", f"one of {', '.join(map(str, TILE_ROWS))}", str(tile_rows)
        )
        tile_rows = TILE_ROWS[-1]
    page_bytes = reader.number(entries.get("page_bytes"), f"{key}.page_bytes", default=page_bytes, least=1)
    pages = reader.number(entries.get("pages"), f"{key}.pages", default=pages, least=1)
    initial = reader.core_contents(entries.get("initial"), f"{key}.initial")
    _require_all_fit(reader, entries.get("initial"), f"{key}.initial", initial, pages * page_bytes)
    return Buffer(
        id=id_,
        pages=pages,
        page_bytes=page_bytes,
        format=data_format,
        tile_rows=tile_rows,
        name=reader.file.text(entries.get("name"), f"{key}.name"),
        initial=initial,
        tensor=tensor.name if tensor is not None else "",
        where=reader.where(node, key),
    )


def _tensor_of(reader: Entries, entries: dict[str, Node], key: str, tensors: Sequence[Tensor]) -> Tensor | None:
    """Returns the tensor in L1 that a buffer lies on; None after a mistake."""
    name = reader.file.text(entries["tensor"], f"{key}.tensor")
    known = {tensor.name: tensor for tensor in tensors if tensor.memory == L1}
    if "initial" in entries:
        reader.file.complain(entries["initial"], f"{key}.initial", "none beside tensor, which has its own", "it")
    if name not in known:
        hint = did_you_mean(name, known) or all_names(known)
        reader.file.complain(entries["tensor"], f"{key}.tensor", f"the name of a tensor in {L1}", f"'{name}'{hint}")
    return known.get(name)


def read_semaphore(reader: Entries, id_: int, node: Node) -> Semaphore:
    """Returns a semaphore."""
    key = f"semaphores.{id_}"
    if id_ >= NUM_SEMAPHORES:
        reader.file.complain(node, "semaphores", f"an id from 0 to {NUM_SEMAPHORES - 1}", str(id_))
    entries = reader.file.mapping(node, key, ("initial", "name"))
    initial = entries.get("initial")
    by_core = initial if initial is not None and initial["kind"] == "list" else None
    return Semaphore(
        id=id_,
        initial=reader.number(initial, f"{key}.initial", most=_WORD_MAX) if by_core is None else 0,
        name=reader.file.text(entries.get("name"), f"{key}.name"),
        where=reader.where(node, key),
        initial_on=() if by_core is None else _values_by_core(reader, by_core, f"{key}.initial"),
    )


def _values_by_core(reader: Entries, node: Node, key: str) -> tuple[tuple[Core, int], ...]:
    values: dict[Core, int] = {}
    for item, of, entries, cores in reader.by_cores(node, key, ("value",), required=("value",)):
        if unknown := next((core for core in cores if core not in reader.memories.cores), None):
            reader.file.complain(item, f"{of}.cores", "cores of the machine", f"{unknown}")
        values |= dict.fromkeys(cores, reader.number(entries.get("value"), f"{of}.value", most=_WORD_MAX))
    return tuple(values.items())


def read_tensor(reader: Entries, name: str, node: Node) -> Tensor:
    """Returns a tensor."""
    key = f"tensors.{name}"
    known = ("memory", "pages", "page_bytes", "initial", "shards", "shard_cores")
    entries = reader.file.mapping(node, key, known, required=("memory", "pages", "page_bytes"))
    memory = reader.file.text(entries.get("memory"), f"{key}.memory")
    if memory not in (DRAM, L1, ""):
        reader.file.complain(entries["memory"], f"{key}.memory", f"{DRAM} or {L1}", f"'{memory}'")
    shape = _extents(reader, entries.get("pages"), f"{key}.pages") or (1,)
    shard = _extents(reader, entries.get("shards"), f"{key}.shards")
    for one, other in (("shards", "shard_cores"), ("shard_cores", "shards")):
        if one in entries and other not in entries:
            reader.file.complain(node, f"{key}.{other}", f"this key, as {one} is there", "nothing")
    if shard and len(shard) != len(shape):
        reader.file.complain(
            entries["shards"], f"{key}.shards", f"as many numbers as pages has, {len(shape)}", str(len(shard))
        )
        shard = shape
    tensor = Tensor(
        name=name,
        memory=memory or DRAM,
        shape=shape,
        page_bytes=reader.number(entries.get("page_bytes"), f"{key}.page_bytes", default=1, least=1),
        initial=reader.contents(entries.get("initial"), f"{key}.initial"),
        shard=shard if "shard_cores" in entries else (),
        on=_banks(reader, entries.get("shard_cores"), f"{key}.shard_cores", memory),
        where=reader.where(node, key),
    )
    _require_fits(reader, entries.get("initial"), f"{key}.initial", tensor.initial, tensor.size)
    return tensor


def _extents(reader: Entries, node: Node | None, key: str) -> tuple[int, ...]:
    """Returns the numbers in a node: a single number, or a list."""
    if node is None:
        return ()
    items = node["value"] if node["kind"] == "list" else [node]
    return tuple(reader.number(item, key, default=1, least=1) for item in items)


def _banks(reader: Entries, node: Node | None, key: str, memory: str) -> tuple[Core | int, ...]:
    if node is None:
        return ()
    if memory == DRAM:
        return tuple(reader.number(item, key) for item in reader.file.items(node, key))
    return reader.cores(node, key)


def _require_fits(reader: Entries, node: Node | None, key: str, contents: Contents, size: int) -> None:
    if node is not None:
        try:
            contents.require_room(size)
        except InputError as error:
            reader.complain_of(node, key, InputError(str(error).removeprefix(f"{contents.where}: ")))


def _require_all_fit(reader: Entries, node: Node | None, key: str, contents: Sequence[CoreContents], size: int) -> None:
    for part in contents:
        _require_fits(reader, node, key, part.contents, size)


def read_region(reader: Entries, name: str, node: Node) -> Region:
    """Returns a region of L1."""
    key = f"regions.{name}"
    entries = reader.file.mapping(node, key, ("bytes", "initial"), required=("bytes",))
    region = Region(
        name=name,
        size=reader.number(entries.get("bytes"), f"{key}.bytes", default=1, least=1),
        initial=reader.core_contents(entries.get("initial"), f"{key}.initial"),
        where=reader.where(node, key),
    )
    _require_all_fit(reader, entries.get("initial"), f"{key}.initial", region.initial, region.size)
    return region


def read_expectation(reader: Entries, node: Node, program: ProgramDescription) -> Expectation | None:
    """Returns an expectation; None after a mistake."""
    known = (*_PLACE, "equals", "correlation", "format")
    entries = reader.file.mapping(node, "expect", known, required=("equals",))
    place = _place(reader, node, entries, "expect", program)
    equals = entries.get("equals")
    if place is None or equals is None:
        return None
    size = place.size or 0
    resemblance = _resemblance(reader, entries, program, place)
    if keys_of(equals) & set(_PLACES):
        others = reader.file.mapping(equals, "expect.equals", _PLACE)
        other = _place(reader, equals, others, "expect.equals", program)
        if other is not None and other.size != place.size and "bytes" not in others:
            other = Place(other.name, other.core, other.offset_bytes, place.size, other.where)
        return Expectation(place, Contents(same_as=other, where=reader.where(equals, "expect.equals")), resemblance)
    if equals["kind"] not in ("text", "mapping"):
        reader.file.complain(equals, "expect.equals", f"{CONTENTS}, or a tensor, region or buffer", found(equals))
        return None
    contents = reader.contents(equals, "expect.equals")
    _require_fits(reader, equals, "expect.equals", contents, size)
    return Expectation(place, contents, resemblance)


def _resemblance(
    reader: Entries, entries: dict[str, Node], program: ProgramDescription, place: Place
) -> Resemblance | None:
    node = entries.get("correlation")
    if node is None:
        if "format" in entries:
            reader.file.complain(entries["format"], "expect.format", "it beside a correlation", "none")
        return None
    thing = program.thing(place.name)
    name = reader.file.text(entries.get("format"), "expect.format") or None
    if name is None and isinstance(thing, Buffer):
        name = thing.format
    try:
        correlation = least_correlation(reader.file.text(node, "expect.correlation"))
    except InputError as error:
        reader.complain_of(node, "expect.correlation", error)
        return None
    try:
        return Resemblance(correlation, format_of_tiles(name, place.size or 0))
    except InputError as error:
        reader.complain_of(entries.get("format", node), "expect.format", error)
        return None


def _place(
    reader: Entries, node: Node, entries: dict[str, Node], key: str, program: ProgramDescription
) -> Place | None:
    file = reader.file
    kinds = [kind for kind in _PLACES if kind in entries]
    if len(kinds) != 1:
        file.complain(node, key, "one of a tensor, a region and a buffer", " and ".join(kinds) or "none of these")
        return None
    kind = kinds[0]
    things = _things_of(program, kind)
    name = file.text(entries[kind], f"{key}.{kind}")
    if name not in things:
        hint = did_you_mean(name, things) or all_names(things)
        expected = "the id or name of a buffer" if kind == "buffer" else f"the name of a {kind}"
        file.complain(entries[kind], f"{key}.{kind}", expected, f"'{name}'{hint}")
        return None
    if (kind == "tensor") == ("core" in entries):
        expected, what = ("no core of a tensor", "one") if kind == "tensor" else (f"the core of the {kind}", "nothing")
        file.complain(entries.get("core", node), f"{key}.core", expected, what)
        return None
    core = reader.core(entries["core"], f"{key}.core") if "core" in entries else None
    size = things[name].size
    offset = reader.number(entries.get("offset_bytes"), f"{key}.offset_bytes", most=size)
    rest = size - offset
    length = reader.number(entries.get("bytes"), f"{key}.bytes", default=rest, least=1, most=max(rest, 1))
    thing = things[name]
    return Place(thing.key if isinstance(thing, Buffer) else name, core, offset, length, reader.where(node, key))


def _things_of(program: ProgramDescription, kind: str) -> dict[str, Tensor | Region | Buffer]:
    """Returns the program's things of a kind by name; buffers by id, too."""
    if kind == "buffer":
        return dict(buffers_by_name(program.buffers))
    return {thing.name: thing for thing in (program.tensors if kind == "tensor" else program.regions)}
