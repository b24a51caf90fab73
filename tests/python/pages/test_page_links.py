"""Links of pages work from any folder, and files of earlier runs are removed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_pages import anchors_of, broken_links, links_of
from published import make_results
from sample import make_frame, make_reference

from nocbench.pages import page_files
from nocbench.pages.page_files import pages_of, write_pages
from nocbench.pages.repository_links import with_repository_links
from nocbench.pages.sections import sections_of

ROOT = Path(__file__).parents[3]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Creates a folder with the parts of a checkout, except the pages."""
    root = tmp_path / "checkout"
    (root / "plots").mkdir(parents=True)
    for name in ("pyproject.toml", "device_model", "docs", "dram_unary", "one_to_one", "one_to_all", "loopback"):
        (root / name).symlink_to(ROOT / name)
    for name in ("one_from_one", "one_from_all", "all_to_all", "all_from_all", "plots/reference", "plots/results"):
        (root / name).symlink_to(ROOT / name)
    return root


def write(directory: Path) -> list[Path]:
    """Writes pages of many families, with dummy picture files."""
    results = make_results()
    pages = pages_of(sections_of(results, make_reference(results[results["test"].str.contains("2x2 .* without")])))
    files = write_pages(pages, directory)
    for page in pages:
        for picture in page.pictures:
            (directory / page.arch / f"{picture.file_stem}.svg").touch()
    return files


@pytest.fixture
def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_files, "draw_pictures", lambda *_: [])


@pytest.mark.usefixtures("fake_simulator", "published_tests", "_no_drawing")
class TestLinks:
    def test_in_a_checkout(self, checkout: Path) -> None:
        files = write(checkout / "plots")
        assert [link for file in files for link in broken_links(file)] == []
        outward = {link for file in files for link in links_of(file.read_text()) if link.startswith("../")}
        assert {"../../one_to_all/README.md", "../reference/README.md"} < outward
        assert "../../docs/results.md#how-accuracy-was-earned" in outward

    def test_elsewhere(self, tmp_path: Path) -> None:
        files = write(tmp_path / "pages")
        assert [link for file in files for link in broken_links(file)] == []
        assert [link for file in files for link in links_of(file.read_text()) if "../" in link] == []
        text = (tmp_path / "pages" / "wormhole_b0" / "one_to_all.md").read_text()
        assert "one_to_all/README.md describes the tests" in text
        assert not any("repository:" in file.read_text() for file in files)

    def test_a_broken_link_is_found(self, tmp_path: Path) -> None:
        page = tmp_path / "page.md"
        page.write_text('# A b\n[x](#a-b) [y](#c) [z](page.md#a-b) [u](other.md) `[v](code.md)` <img src="w.svg">\n')
        assert list(broken_links(page)) == ["#c", "other.md", "w.svg"]

    def test_all_targets_in_the_repository_exist(self) -> None:
        """Covers all pages, even of architectures whose pages take long to make."""
        found = set()
        for file in sorted((ROOT / "scripts" / "nocbench").rglob("*")):
            if file.suffix not in (".py", ".j2") or file.name == "repository_links.py":
                continue
            found |= set(re.findall(r"\(repository:([^()\s#]+)(?:#([^()\s]*))?\)", file.read_text()))
        assert ("docs/results.md", "shortened-points") in found
        for name, anchor in sorted(found):
            files = list(ROOT.glob(re.sub(r"\{[^}]*\}", "*", name)))
            assert files, name
            assert not anchor or anchor in anchors_of(files[0].read_text()), f"{name}#{anchor}"


def test_a_file_that_is_not_there_is_not_linked(checkout: Path) -> None:
    text = "[docs/no.md](repository:docs/no.md), [a](repository:docs/results.md#x) and [b](b.md)"
    assert with_repository_links(text, checkout / "plots") == "docs/no.md, [a](../docs/results.md#x) and [b](b.md)"


@pytest.mark.usefixtures("fake_simulator", "published_tests", "_no_drawing")
class TestEarlierRuns:
    def test_what_is_not_made_again_goes(self, tmp_path: Path) -> None:
        write(tmp_path)
        folder = tmp_path / "wormhole_b0"
        others = [folder / name for name in ("mine.svg", "notes.md")]
        for file in others:
            file.write_text("[![x](loopback_packet_sizes.svg)](mine.svg)\n")
        write_pages(pages_of(sections_of(make_frame(), make_reference(make_frame()))), tmp_path)
        (folder / "one_to_one_packet_sizes.svg").touch()
        assert sorted(folder.iterdir()) == sorted(
            [*others, folder / "README.md", folder / "one_to_one_packet_sizes.svg"]
        )

    def test_a_text_that_looks_like_a_picture_of_the_page_removes_nothing(self, tmp_path: Path) -> None:
        mine = tmp_path / "wormhole_b0" / "mine.svg"
        write_pages(pages_of(sections_of(make_frame(test="[a](mine.svg)"), make_reference(make_frame()))), tmp_path)
        mine.touch()
        write_pages(pages_of(sections_of(make_frame(), make_reference(make_frame()))), tmp_path)
        assert mine.is_file()

    def test_pages_of_other_architectures_stay(self, tmp_path: Path) -> None:
        write(tmp_path)
        before = sorted((tmp_path / "wormhole_b0").iterdir())
        write_pages(pages_of(sections_of(make_results("blackhole"), make_reference(make_frame()))), tmp_path)
        assert sorted((tmp_path / "wormhole_b0").iterdir()) == before
