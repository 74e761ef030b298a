"""Which rows of an attack set are attacked, and what counts as a success: untargeted and targeted, as in BODEGA."""

from __future__ import annotations

from pathlib import Path

from attacks.bodega_files import bodega_files
from attacks.results import Run
from attacks.runs import Attack, attack_task
from attacks.tasks import Row, Task
from tests.attacks.test_runs import Fixed
from tests.attacks.toys import Scripted, WordVictim

VICTIM = WordVictim({"bad": 0.4, "good": -0.4})
ROWS = [
    Row(1, "recognised", "bad news"),
    Row(1, "missed", "good news"),
    Row(0, "false alarm", "bad news today"),
    Row(0, "rightly let through", "good news today"),
]


def run(out: Path, targeted: bool) -> Run:
    attacker = Scripted("good", "bad", admit=False)
    return attack_task(
        Attack(task=Task("t", [], [], ROWS), victim=VICTIM, attacker=attacker, targeted=targeted, scorer=Fixed()), out
    )


def test_untargeted_attacks_every_row_and_leaves_the_victims_own_answer(tmp_path: Path) -> None:
    found = run(tmp_path, targeted=False)
    assert [(o.status, o.predicted_before, o.predicted_after, o.adversarial) for o in found.outcomes] == [
        ("success", 1, 0, "good"),
        ("success", 0, 1, "bad"),
        ("success", 1, 0, "good"),
        ("success", 0, 1, "bad"),
    ]
    # The first answer, the attempts, and the check of the success.
    assert [o.queries.asked for o in found.outcomes] == [3, 4, 3, 4]
    assert (found.summary["attacked"], found.summary["queries"]["asked"]["value"]) == (4, 3.5)


def test_targeted_attacks_what_is_not_credible_and_recognised(tmp_path: Path) -> None:
    found = run(tmp_path, targeted=True)
    assert [(o.status, o.predicted_before) for o in found.outcomes] == [
        ("success", 1),
        ("skipped", 0),
        ("skipped", 1),
        ("skipped", 0),
    ]
    assert (found.summary["attacked"], found.summary["success"]["value"], found.summary["success"]["n"]) == (1, 1.0, 1)
    assert found.summary["queries"]["asked"]["value"] == 3.0
    files = bodega_files(found, {"attack": 2.0, "scoring": 0.5})
    assert files["submission_t_True_scripted_toy.tsv"].splitlines()[1:] == ["True\t3\tbad news\tgood\t"]
    assert files["results_t_True_scripted_toy.txt"].startswith("Subset size: 1\nSuccess score: 1.0\n")
