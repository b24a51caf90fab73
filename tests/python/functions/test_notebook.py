"""The notebook of docs/python.md."""

from __future__ import annotations

from study_scripts import study_script


def test_it_is_up_to_date() -> None:
    script = study_script("notebook")
    assert script.main(["check"]) == 0, "run scripts/studies/notebook.py write"


def test_what_a_cell_prints_and_displays() -> None:
    script = study_script("notebook")
    markdown = (
        "# A\n\n```python\nprint(1)\nclass B:\n    def _repr_html_(self):\n        return '<b>b</b>'\nB()\n```\n\nend\n"
    )
    cells = script.notebook_of(markdown)["cells"]
    assert [cell["cell_type"] for cell in cells] == ["markdown", "code", "markdown"]
    printed, displayed = cells[1]["outputs"]
    assert printed["text"] == ["1\n"]
    assert displayed["data"] == {"text/plain": ["B"], "text/html": ["<b>b</b>"]}


def test_a_cell_without_a_value_displays_nothing() -> None:
    [cell] = study_script("notebook").notebook_of("```python\nx = 1\nprint\nNone\n```\n")["cells"]
    assert cell["outputs"] == []
