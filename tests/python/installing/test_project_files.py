"""Files about the project: what they repeat of others agrees, and forms have the parts that GitHub requires."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[3]
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
CHANGES = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


def words_of(pattern: str, file: str) -> list[str]:
    """Returns the words of the only match of a pattern's group in a file."""
    (text,) = re.findall(pattern, (ROOT / file).read_text(encoding="utf-8"), re.DOTALL)
    return str(text).replace("\\\n", " ").split()


def test_the_citation_names_the_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert [citation["version"]] == words_of(r"VERSION (\d+\.\d+\.\d+)\n", "CMakeLists.txt")
    assert citation["license"] == "Apache-2.0"


def test_the_changelog_keeps_its_format() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert versions[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", version) for version in versions[1:])
    for of_version in text.split("\n## ")[1:]:
        kinds = re.findall(r"^### (.*)$", of_version, re.MULTILINE)
        assert kinds == [kind for kind in CHANGES if kind in kinds]


def test_which_forms_there_are() -> None:
    assert [path.stem for path in FORMS] == ["kernel_does_not_compile", "question", "wrong_cycles"]


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_forms(path: Path) -> None:
    form: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert form.keys() == {"name", "description", "labels", "body"}
    assert all(item["type"] in ("textarea", "input") and item["attributes"]["label"] for item in form["body"])
    ids = [item["id"] for item in form["body"]]
    assert len(set(ids)) == len(ids)
    assert ids[-1] == "version"
    assert any(item.get("validations", {}).get("required") for item in form["body"])


def test_the_development_container_runs_the_set_up() -> None:
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    script, *options = container["postCreateCommand"].split()
    text = (ROOT / script).read_text(encoding="utf-8")
    assert options
    assert all(f"{option})" in text for option in options)


def test_the_image_has_the_libraries_of_the_set_up() -> None:
    of_tests = {"libbenchmark-dev", "libgtest-dev"}
    installed = words_of(
        r"apt-get install --yes --no-install-recommends((?: \\\n|[^\n])*?python3-dev[^\n]*)\n", "Containerfile"
    )
    assert set(words_of(r"libraries=\((.*?)\)", "scripts/setup.sh")) - of_tests <= set(installed)
