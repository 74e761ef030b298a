"""Every command that the documentation shows is run in order; one that would start a server, or take minutes, has to exist."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import call_command, get_commands, load_command_class

from attacks.__main__ import _parser as attacks_parser
from attacks.__main__ import main as attack
from regressors.__main__ import _parser as regressors_parser
from regressors.__main__ import main as regress
from scoring.__main__ import _parser as scoring_parser
from scoring.__main__ import main as score
from tests.annotation.demo.small import build_small_study
from tests.regressors.commands.conftest import write_table

ROOT = Path(__file__).resolve().parents[2]
API = ROOT / "docs" / "reference" / "api.md"
"""Its commands talk to a running server: `test_api` runs them."""
DOCUMENTS = [ROOT / "README.md", *sorted(set((ROOT / "docs").rglob("*.md")) - {API})]
PUBLISHED = ("incrediblae_manual_evaluation.csv", "suspicion_mturk_dev.csv")
OWN = {"judgements.csv": (20, 1), "later.csv": (10, 2)}
"""What stands for a user's own tables: so many originals, and the seed of their judgements."""
MANAGE = [".venv/bin/python", "manage.py"]
SCORING = [".venv/bin/python", "-m", "scoring"]
ATTACKS = [".venv/bin/python", "-m", "attacks"]
REGRESSORS = [".venv/bin/python", "-m", "regressors"]
PYTEST = [".venv/bin/python", "-m", "pytest"]


@dataclass(frozen=True)
class Journey:
    """The commands of one document that are to be typed one after another."""

    document: Path
    commands: list[str]

    @property
    def published(self) -> bool:
        return any(name in command for command in self.commands for name in PUBLISHED)

    def __str__(self) -> str:
        return f"{self.document.relative_to(ROOT)}{', published data' if self.published else ''}"


def journeys() -> Iterator[Journey]:
    for document in DOCUMENTS:
        blocks = [
            re.findall(r"^\$ (.+)$", block, re.MULTILINE)
            for block in re.findall(r"^```\w*\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL)
        ]
        with_files = [Journey(document, block) for block in blocks if Journey(document, block).published]
        rest = Journey(document, [command for block in blocks if not Journey(document, block).published for command in block])
        yield from with_files
        if rest.commands:
            yield rest


def marked(journey: Journey) -> object:
    return pytest.param(journey, id=str(journey), marks=[pytest.mark.published_data] if journey.published else [])


def test_the_main_commands_are_documented() -> None:
    found = [command for journey in journeys() for command in journey.commands]
    wanted = ["make run", "make test", "make demo", "make lint"]
    assert [command for command in wanted if command not in found] == []
    assert len([command for command in found if "manage.py" in command]) >= 10


@pytest.mark.django_db
@pytest.mark.parametrize("journey", [marked(journey) for journey in journeys()])
def test_documented_commands_work(
    journey: Journey,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings: object,
    published_data: Callable[[str], Path],
) -> None:
    settings.DATA_DIR = tmp_path / "data"  # type: ignore[attr-defined]
    for name in ("attacks", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    for command in journey.commands:
        for name in PUBLISHED:
            if name in command:
                shutil.copy(published_data(name), tmp_path / name)
        for name, (originals, seed) in OWN.items():
            if name in command and not (tmp_path / name).exists():
                write_table(tmp_path / name, originals, seed)
        follow(shlex.split(command), tmp_path)
        if command == "make demo" and any("headlines-" in later for later in journey.commands):
            # The same stages at a size for tests, so that what follows has something to work on.
            build_small_study(tmp_path / "data")


def follow(words: list[str], folder: Path) -> None:
    """Do what the command does, or check that it is a real one."""
    while re.fullmatch(r"[A-Z_]+=\S*", words[0]):
        words = words[1:]
    if words[0] == "make":
        assert re.search(rf"^{re.escape(words[1])}:", (ROOT / "Makefile").read_text(), re.MULTILINE), f"no target {words[1]}"
    elif words[:2] == MANAGE:
        manage(words[2], words[3:])
    elif words[:3] == SCORING and words[3] in ("meaning", "calibrate"):
        # Minutes of encoding; what they do has tests of its own.
        scoring_parser().parse_args(words[3:])
    elif words[:3] == SCORING:
        assert score(words[3:]) == 0
    elif words[:3] == ATTACKS and words[3] == "convert":
        # Gigabytes to fetch first; what it does has tests of its own.
        attacks_parser().parse_args(words[3:])
    elif words[:3] == ATTACKS:
        assert attack(words[3:]) == 0
    elif words[:3] == REGRESSORS and any(name in words for name in PUBLISHED):
        # Minutes of training; what it does has tests of its own.
        regressors_parser().parse_args(words[3:])
    elif words[:3] == REGRESSORS:
        assert regress(words[3:]) == 0
    elif words[:3] == PYTEST:
        assert [word for word in words[3:] if not word.startswith("-") and not (ROOT / word).exists()] == []
    else:
        subprocess.run(words, cwd=folder, check=True, capture_output=True, timeout=20)


def manage(command: str, arguments: list[str]) -> None:
    on_its_own = command in ("start", "demo", "retrain", "train_meaning") or (
        command == "train_regressor" and "mturk" in arguments
    )
    if on_its_own or (command == "fetch" and "--from" not in arguments) or "suspiciousness" in arguments:
        # These serve, need a network, or take minutes; what they do has tests of its own.
        load_command_class(get_commands()[command], command).create_parser("manage.py", command).parse_args(arguments)
    else:
        call_command(command, *arguments, verbosity=0) if command == "migrate" else call_command(command, *arguments)
