"""The commands that bring tasks and victims."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Job, Task, User, Victim
from tests.annotation.attacks_made import keep_small_task, keep_small_victim, write_small_task, write_small_victim
from tests.annotation.commands.test_exchange_commands import refused, said

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path / "data"


def test_a_task_is_kept_under_its_folders_name_or_another(tmp_path: Path) -> None:
    folder = write_small_task(tmp_path / "boats")
    out = said("add_task", folder)
    task = Task.objects.get()
    assert out == f"Kept as “boats” in {task.folder}: 80 to train, 40 to dev, 12 to attack.\n"
    assert (Path(task.folder) / "attack.tsv").read_bytes() == (folder / "attack.tsv").read_bytes()
    assert refused("add_task", folder) == "There is already a task named “boats”. Choose another name."
    said("add_task", folder, "--name", "ships")
    assert list(Task.objects.order_by("pk").values_list("name", "created_by")) == [("boats", None), ("ships", None)]


def test_a_task_with_a_mistake_is_one_line_and_not_kept(tmp_path: Path) -> None:
    folder = write_small_task(tmp_path / "boats")
    (folder / "dev.tsv").write_text("2\tpaper\ttext\n")
    assert refused("add_task", folder).startswith("dev.tsv")
    assert "train.tsv" in refused("add_task", tmp_path / "nowhere")
    assert not Task.objects.exists()


def test_a_victim_is_copied_tried_and_kept(tmp_path: Path) -> None:
    write_small_victim(tmp_path / "brought")
    said("add_victim", tmp_path / "brought", "--name", "mine")
    made = Victim.objects.get()
    assert (made.name, made.kind, made.trained_on, made.folder) == (
        "mine",
        "linear",
        "ferries",
        str(tmp_path / "data/victims/mine"),
    )
    assert made.sha256 == keep_small_victim().sha256
    assert (tmp_path / "brought" / "card.json").is_file()
    assert refused("add_victim", tmp_path / "brought", "--name", "mine") == (
        "There is already a victim named “mine”. Choose another name."
    )
    (tmp_path / "brought" / "vocabulary.json").write_text("[]")
    assert "does not match" in refused("add_victim", tmp_path / "brought")
    assert list((tmp_path / "data" / "attacking").iterdir()) == []


def test_an_attack_is_queued_as_on_the_page(organiser: User, annotator: User, settings: Any) -> None:
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}
    keep_small_task()
    keep_small_victim()
    command = ("attack", "--by", organiser.username, "task=ferries", "victim=small", "attacker=deepwordbug")
    out = said(*command, "deepwordbug.max_distance=12", "character=0.8", "keep_names=on", "texts=5")
    job = Job.objects.get()
    assert out == f"Queued as “ferries-small-deepwordbug”, job {job.pk}.\n"
    assert (job.created_by, job.arguments["parameters"], job.arguments["texts"]) == (organiser, {"max_distance": 12}, 5)
    assert job.arguments["constraints"] == {"character": 0.8, "keep": "names"}
    assert refused(*command) == "This is being done already. Wait until it is finished, or cancel it."
    assert refused(*command, "tau=2").startswith("model: Choose one")
    assert refused(*command, "speed=3").startswith("There is nothing called “speed” to ask for. There are: task, victim, ")
    assert refused(*command, "name") == "“name” is not NAME=VALUE."
    assert refused("attack", "--by", annotator.username, *command[3:]).startswith("There is no organiser named")
