"""What the attacks write as BODEGA's files is read again as the examples that they are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.exchange import bodega
from annotation.exchange.formats import FORMATS, guess
from annotation.exchange.sheets import SourceFile
from annotation.services.examples import ExampleRecord
from attacks.bodega_files import bodega_files
from attacks.engine import Outcome
from scoring.texts.tokens import normalise
from tests.attacks.test_bodega_files import ATTACKED, SECONDS, finished, outcome
from tests.attacks.test_runs import Fixed


def written(outcomes: list[Outcome]) -> dict[str, SourceFile]:
    """The three files by what their names begin with."""
    files = bodega_files(finished(outcomes, Fixed()), SECONDS)
    return {name.partition("_")[0]: SourceFile(name, content.encode(), "") for name, content in files.items()}


def read(source: SourceFile) -> list[ExampleRecord]:
    format = FORMATS[guess(source).format]
    table = format.table(source)
    found = [format.example(table, row, {}) for row in table.rows]
    return [example for example in found if example is not None]


def test_names_say_what_the_attack_was() -> None:
    for source in written(ATTACKED).values():
        assert bodega.named(source.name) == {
            "task": "PR2", "scenario": "untargeted", "attacker": "textattack-deepwordbug", "victim": "BiLSTM"
        }  # fmt: skip


def test_figures() -> None:
    source = written(ATTACKED)["results"]
    assert bodega.is_results(source)
    found = bodega.results_of(source)
    assert list(found) == list(bodega.FIGURES)
    assert (found["Subset size"], found["Success score"], found["Total attack time"]) == (4.0, 0.5, 6.0)


def test_figures_of_a_run_without_a_success() -> None:
    found = bodega.results_of(written(ATTACKED[2:])["results"])
    assert sorted(set(bodega.FIGURES) - set(found)) == ["Character score", "Semantic score"]


TEXT = st.text(alphabet="ab \\n\nt\"'.,=\u0430\u200bé", min_size=1, max_size=30).filter(str.strip)


@settings(max_examples=30)
@given(st.lists(st.tuples(TEXT, TEXT, st.integers(1, 999)), min_size=1, max_size=4))
def test_submissions(texts: list[tuple[str, str, int]]) -> None:
    outcomes = [outcome(id, *each) for id, each in enumerate(texts)]
    found = read(written([*outcomes, outcome(9, "failed", None, 3)])["submission"])
    assert [(each.original, each.adversarial, each.queries) for each in found] == texts


@settings(max_examples=30)
@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=4))
def test_raw_files(texts: list[tuple[str, str]]) -> None:
    worded = [(f"x {original}", f"x {adversarial}") for original, adversarial in texts]
    found = read(written([outcome(id, *each, 1) for id, each in enumerate(worded)])["raw"])
    assert [(each.original, each.adversarial) for each in found] == [(normalise(old), normalise(new)) for old, new in worded]


@pytest.mark.parametrize("text", ["the bridge closes <today> .", "a < b"])
def test_signs_of_the_text_itself(text: str) -> None:
    [example] = read(written([outcome(0, text, text.replace("b", "d"), 1)])["raw"])
    assert (example.original, example.adversarial) == (normalise(text), normalise(text.replace("b", "d")))
