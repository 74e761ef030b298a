"""Attack runs: what a folder holds becomes rows, once, and nothing else does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.errors import DomainError
from annotation.models import AttackRun, Example, LearnedModel, Original, Suspicion, User, Variant
from annotation.services.forgetting import forget_all_unused
from annotation.services.recording import key_of
from annotation.services.runs import constraints_said, record_run, record_suspicion
from attacks.constraints.wanted import make_constraints
from attacks.engine import Outcome, Queries
from attacks.results import RESULTS, score_run, write_run

pytestmark = pytest.mark.django_db

HEADER = {
    "task": {"name": "headlines", "n": 4, "sha256": "0" * 64},
    "victim": {"name": "linear", "sha256": "1" * 64},
    "attacker": {"name": "deepwordbug"},
    "constraints": [{"name": "edit_distance", "at_most": 30}],
    "scenario": "untargeted",
    "budget": None,
    "seed": 0,
}
TEXTS = [
    ("The council has closed the bridge.", "The council has closed the brigde."),
    ("You will not believe this bridge!", None),
    ("The council has closed the bridge.", "The cuoncil has closed the bridge."),
    ("A bridge, =1+1, and\nno more.", "A birdge, =1+1, and\nno more."),
]


class OneHalf:
    """A semantic scorer whose name shows in every result."""

    name, version, sha256 = "one half", "1", "2" * 64

    def score(self, pairs: list[tuple[str, str]]) -> list[float]:
        return [0.5] * len(pairs)


def run_folder(folder: Path, texts: list[tuple[str, str | None]] = TEXTS, tau: float | None = None) -> Path:
    """The folder of a finished run, written by the library itself."""
    header = HEADER | {"semantic_scorer": {"name": "one half", "version": "1", "sha256": "2" * 64}, "segmentation": "HN"}
    if tau is not None:
        header["constraints"] = [*HEADER["constraints"], {"name": "suspicion", "tau": tau, "model_sha256": "3" * 64}]  # type: ignore[misc]
    outcomes = [
        Outcome(
            id=number,
            original=before,
            label=1,
            status="success" if after else "failed",
            adversarial=after,
            predicted_before=1,
            predicted_after=0 if after else None,
            queries=Queries(asked=10 + number, unique=9, sent=8),
        )
        for number, (before, after) in enumerate(texts)
    ]
    folder.mkdir()
    (folder / "run.json").write_text(json.dumps(header))
    write_run(score_run(header, outcomes, scorer=OneHalf(), segmentation="HN"), folder)
    return folder


def test_a_run_becomes_rows(tmp_path: Path) -> None:
    run = record_run(run_folder(tmp_path / "linear-bug"))
    assert (run.name, run.task, run.victim, run.attacker, run.constraint) == (
        "linear-bug",
        "headlines",
        "linear",
        "deepwordbug",
        "",
    )
    assert run.folder == str(tmp_path / "linear-bug")
    assert run.summary["statuses"]["success"] == 3
    last = Example.objects.get(run=run, before__text=TEXTS[3][0])
    assert (last.after.text, last.after.kind, last.before.kind) == (TEXTS[3][1], "deepwordbug", "original")
    assert (last.status, last.label, last.label_before, last.label_after, last.queries) == ("success", 1, 1, 0, 13)
    assert last.semantic_score == 0.5
    assert last.semantic_model == "one half 1"
    assert last.character_score is not None and last.bodega_score == pytest.approx(0.5 * last.character_score)


def test_a_run_says_what_learned_models_held_it_to(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "r", tau=2.5)
    header = json.loads((folder / "run.json").read_text())
    header["constraints"].append({"name": "meaning", "tau": 0.5})
    (folder / "run.json").write_text(json.dumps(header))
    assert record_run(folder).constraint == "suspicion at most 2.5, meaning kept at least 0.5"


def test_every_constraint_that_can_be_wanted_has_words() -> None:
    """An attacker's own similarity is no constraint of the run."""
    wanted = {
        "words_changed": 0.2,
        "character": 0.9,
        "keep": "numbers",
        "keep_words": "Leeds",
        "part_of_speech": True,
        "similarity": 0.7,
    }
    described = [each.describe() for each in make_constraints(wanted)]
    described += [
        {"name": "suspicion", "rule": "observed"},
        {"name": "suspicion", "margin": 0.5},
        {"name": "bert_score", "threshold": 0.9},
    ]
    header = {"attacker": {"name": "a"}, "constraints": [{"name": "edit_distance", "distance": 30}, *described]}
    assert constraints_said(header) == (
        "words changed at most 0.2, character score at least 0.9, numbers and words kept, parts of speech kept, "
        "cosine at least 0.7, suspicion observed, suspicion at most 0.5 above the original’s, BERTScore at least 0.9"
    )
    own = {"made_of": {"parameters": {"similarity": 0.7}}}
    assert constraints_said({"attacker": own, "constraints": described[-4:-3]}) == ""


def test_failures_have_no_adversarial_text_and_become_no_examples(tmp_path: Path) -> None:
    run = record_run(run_folder(tmp_path / "r"))
    assert list(run.examples.order_by("pk").values_list("before__text", flat=True)) == [TEXTS[number][0] for number in (0, 2, 3)]


def test_every_text_has_an_outcome(tmp_path: Path) -> None:
    run = record_run(run_folder(tmp_path / "r"))
    rows = run.outcomes.values_list(
        "number", "before__text", "example__after__text", "status", "label", "label_before", "asked", "unique", "sent"
    )
    assert list(rows) == [
        (number + 1, before, after, "success" if after else "failed", 1, 1, 10 + number, 9, 8)
        for number, (before, after) in enumerate(TEXTS)
    ]


def test_two_equal_successes_are_one_example_of_two_outcomes(tmp_path: Path) -> None:
    run = record_run(run_folder(tmp_path / "r", [TEXTS[0], TEXTS[0]]))
    [example] = run.examples.all()
    assert [outcome.example for outcome in run.outcomes.all()] == [example, example]


def test_equal_texts_are_one_original(tmp_path: Path) -> None:
    record_run(run_folder(tmp_path / "r"))
    assert sorted(Original.objects.values_list("task", "key")) == sorted(
        ("headlines", key_of(TEXTS[number][0])) for number in (0, 1, 3)
    )
    assert Variant.objects.filter(kind="original").count() == 3


def test_what_a_model_says_of_successes_is_kept_once(tmp_path: Path, organiser: User) -> None:
    run = record_run(run_folder(tmp_path / "r"))
    model = LearnedModel.objects.create(name="m", folder="x")
    scores = {(TEXTS[0][0], TEXTS[0][1]): (2.0, 3.5), (TEXTS[1][0], "of no success"): (1.0, 1.0)}
    for _ in range(2):
        record_suspicion(run=run, model=model, scores=scores)  # type: ignore[arg-type]
    assert list(Suspicion.objects.values_list("outcome__number", "before", "after")) == [(1, 2.0, 3.5)]


def test_texts_of_a_run_are_not_forgotten(tmp_path: Path) -> None:
    record_run(run_folder(tmp_path / "r"))
    texts = Variant.objects.count()
    forget_all_unused()
    assert Variant.objects.count() == texts == 6


def test_recording_twice_is_recording_once(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "r")
    first = record_run(folder)
    assert record_run(folder) == first
    assert (AttackRun.objects.count(), Example.objects.count()) == (1, 3)


def test_a_name_belongs_to_one_run(tmp_path: Path) -> None:
    record_run(run_folder(tmp_path / "r"))
    other = run_folder(tmp_path / "other", TEXTS[:2])
    with pytest.raises(DomainError, match="already another attack run named “r”"):
        record_run(other, name="r")
    assert Example.objects.count() == 3


def test_the_suspicion_constraint_is_named(tmp_path: Path) -> None:
    baseline = record_run(run_folder(tmp_path / "r"))
    run = record_run(run_folder(tmp_path / "s", tau=2.5), baseline=baseline, comparison={"lowered": 2})
    assert (run.constraint, run.baseline, run.comparison) == ("suspicion at most 2.5", baseline, {"lowered": 2})


def test_an_unfinished_run_is_refused(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "r")
    (folder / RESULTS).unlink()
    with pytest.raises(DomainError, match="no finished run here"):
        record_run(folder)
    assert not AttackRun.objects.exists()


def test_a_broken_file_leaves_nothing(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "r")
    (folder / RESULTS).write_text('{"id": 0}\n')
    with pytest.raises(DomainError, match="cannot be read"):
        record_run(folder)
    assert not AttackRun.objects.exists()
