"""Starting attacks, bringing tasks and victims, and what becomes of a run's texts: the pages."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.forms import attacks as forms
from annotation.models import AttackRun, Campaign, Example, Job, LearnedModel, Outcome, Suspicion, Task, User, Victim
from annotation.services.running import JobCancelled, run_job
from annotation.services.runs import record_run
from attacks.attackers import ATTACKERS
from tests.annotation.attacks_made import keep_small_task, keep_small_victim, write_small_task, write_small_victim
from tests.annotation.services.test_runs import run_folder
from tests.regressors.features.server import Said, Server

SignIn = Callable[[User], Client]
START = {"task": "ferries", "victim": "small", "attacker": "deepwordbug", "scenario": "untargeted", "seed": 3, "parts": 2}


@pytest.fixture(autouse=True)
def here(db: None, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}


@pytest.fixture
def client(organiser: User, sign_in: SignIn) -> Client:
    return sign_in(organiser)


@pytest.fixture
def material() -> None:
    keep_small_task()
    keep_small_victim()


def zipped(folder: Path, extra: dict[str, bytes] | None = None) -> SimpleUploadedFile:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, f"{folder.name}/{path.name}")
        for name, content in (extra or {}).items():
            archive.writestr(name, content)
    return SimpleUploadedFile(f"{folder.name}.zip", file.getvalue())


def run(job: Job) -> Job:
    run_job.call(job.pk, job.attempt)
    job.refresh_from_db()
    return job


def test_an_attack_is_started_once_and_watched(client: Client, material: None) -> None:
    assert client.post("/attacks/start/", START | {"texts": 5}).headers["Location"] == "/attacks/"
    job = Job.objects.get(kind="attack")
    assert job.arguments == {
        "name": "ferries-small-deepwordbug", "task": "ferries", "victim": "small", "attacker": "deepwordbug", "parameters": {},
        "targeted": False, "budget": None, "seed": 3, "texts": 5, "model": None, "constraints": {}, "parts": 2,
    }  # fmt: skip
    assert [part.total for part in job.parts.order_by("pk")] == [3, 2]
    again = client.post("/attacks/start/", START)
    assert (again.status_code, "This is being done already" in again.text) == (422, True)
    page = client.get("/attacks/").text
    assert page.count("data-job=") == 1
    assert "The attack is running" in page and "ferries-small-deepwordbug" in page
    assert client.post(f"/jobs/{job.pk}/cancel/").headers["Location"] == "/attacks/"
    assert "Go on with it" in client.get("/attacks/").text
    client.post(f"/jobs/{job.pk}/resume/")
    assert Job.objects.filter(kind="attack", state="queued").get().parts.count() == 2


def test_another_persons_attack_is_not_watched(client: Client, material: None, other_organiser: User, sign_in: SignIn) -> None:
    client.post("/attacks/start/", START)
    job = Job.objects.get(kind="attack")
    stranger = sign_in(other_organiser)
    assert "data-job=" not in stranger.get("/attacks/").text
    for address in (f"/jobs/{job.pk}/", f"/jobs/{job.parts.first().pk}/"):  # type: ignore[union-attr]
        assert stranger.get(address).status_code == 404
    assert stranger.post(f"/jobs/{job.pk}/cancel/").status_code == 404


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"attacker": "nobody"}, "Select a valid choice"),
        ({"victim": "other"}, "Select a valid choice"),
        ({"budget": 1}, "greater than or equal to 2"),
        ({"parts": 17}, "less than or equal to 16"),
        ({"tau": 2.5}, "Choose one: “Suspicion at most” says nothing without it."),
        ({"model": "readers", "tau": 2.5, "margin": 0.5}, "holds an attack by one rule"),
        ({"model": "readers", "tau": 2.5, "observe": "on"}, "holds an attack by one rule"),
        ({"preserved": 0.7}, "Choose one: “Chance of “preserved” at least” says nothing without it."),
        ({"similarity": 1.1}, "less than or equal to 1"),
        ({"words_changed": "nan"}, "Enter a number."),
        ({"model": "readers", "tau": 7}, "The model says something from 1 to 5; choose a limit in between."),
        ({"model": "readers", "tau": "nan"}, "Enter a number."),
        ({"deepwordbug.max_distance": "far"}, "Enter a whole number."),
        ({"deepwordbug.edit": "melt"}, "deepwordbug knows no edit"),
        ({"name": "a/b"}, "cannot name an attack run"),
        ({"name": "taken"}, "There is already an attack run named “taken”."),
    ],
)
def test_what_cannot_be_run_is_told(wrong: dict[str, Any], says: str, client: Client, material: None, organiser: User) -> None:
    card = {"data": {"scale": [1, 5]}, "evaluation": {}}
    LearnedModel.objects.create(name="readers", folder="x", uploaded_by=organiser, card=card)
    AttackRun.objects.create(name="taken", folder="x")
    page = client.post("/attacks/start/", START | wrong)
    assert (page.status_code, says in page.text.replace("&#x27;", "'"), Job.objects.count()) == (422, True, 0)


def test_what_is_asked_for_is_what_the_job_is_told(client: Client, material: None, organiser: User) -> None:
    card = {"data": {"scale": [1, 5]}, "evaluation": {}}
    for name, kind in (("readers", "suspicion"), ("keepers", "meaning")):
        LearnedModel.objects.create(name=name, kind=kind, folder="x", uploaded_by=organiser, card=card)
    asked = {
        "model": "readers",
        "margin": 0.5,
        "meaning": "keepers",
        "similarity": 0.8,
        "keep_names": "on",
        "keep_words": "Leeds",
    }
    own = {"deepwordbug.max_distance": 12, "deepwordbug.edit": "substitute", "pwws.mask": "x"}
    assert client.post("/attacks/start/", START | asked | own).status_code == 302
    told = Job.objects.get(kind="attack").arguments
    assert (told["name"], told["model"], told["parameters"]) == (
        "ferries-small-deepwordbug-held",
        "readers",
        {"max_distance": 12},
    )
    assert told["constraints"] == {
        "suspicion": "readers", "margin": 0.5, "meaning": "keepers", "similarity": 0.8, "keep": "names", "keep_words": "Leeds",
    }  # fmt: skip


def test_the_parameters_are_those_of_the_attacker_that_is_chosen(client: Client, material: None) -> None:
    def asked(page: str) -> list[str]:
        return re.findall(r'name="([a-z:-]+\.[a-z_]+)"', page)

    def of(attacker: str) -> list[str]:
        return [f"{attacker}.{name}" for name in ATTACKERS[attacker].parameters()]

    assert asked(client.get("/attacks/start/?attacker=pruthi").text) == of("pruthi") != []
    page = client.post("/attacks/start/", START | {"attacker": "splitting", "texts": 7, "keep_names": "on", "show": "yes"})
    assert (page.status_code, asked(page.text), Job.objects.count()) == (200, of("splitting"), 0)
    assert 'name="texts" value="7"' in page.text and re.search(r'name="keep_names"[^>]* checked', page.text)


def test_a_model_of_another_person_cannot_be_chosen(client: Client, material: None, other_organiser: User) -> None:
    model = LearnedModel.objects.create(name="theirs", folder="x")
    model.campaigns.add(Campaign.objects.get(name="elsewhere"))
    assert "theirs" not in client.get("/attacks/start/").text
    assert client.post("/attacks/start/", START | {"model": "theirs"}).status_code == 422


def test_attackers_that_lack_something_are_shown_and_cannot_be_chosen(
    client: Client, material: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking = forms.Choosable("dreamer", "words", "Nobody 2026", {"depth": 3}, ["crystal"], ["crystal: pip install crystal"])
    monkeypatch.setattr(forms, "attackers", lambda whole=forms.attackers: [*whole(), lacking])
    page = client.get("/attacks/start/").text
    assert '<option value="deepwordbug"' in page and '<option value="dreamer"' not in page
    assert "Needs crystal: pip install crystal" in page and "depth=3" in page
    assert client.post("/attacks/start/", START | {"attacker": "dreamer"}).status_code == 422


def test_what_is_missing_is_told_in_the_servers_words(client: Client, material: None) -> None:
    page = client.get("/attacks/start/").text
    assert "give a masked language model with the setting ATTACK_MASKED_LM" in page
    assert "--masked-lm" not in page


def test_without_a_task_or_a_victim_the_way_to_them_is_shown(client: Client) -> None:
    assert "An attack needs a task and a victim." in client.get("/attacks/start/").text
    assert "There is no task yet." in client.get("/attacks/victims/train/").text


def test_a_task_is_uploaded_read_and_kept(client: Client, organiser: User, tmp_path: Path) -> None:
    file = zipped(write_small_task(tmp_path / "boats"))
    assert client.post("/attacks/tasks/upload/", {"file": file}).headers["Location"] == "/attacks/tasks/"
    assert "The task is being read" in client.get("/attacks/tasks/").text
    assert run(Job.objects.get()).error == ""
    task = Task.objects.get()
    assert (task.name, task.created_by, task.counts["attack"]) == ("boats", organiser, [6, 6])
    assert re.findall(r"<td>(\d+)</td>", client.get("/attacks/tasks/").text) == ["80", "40", "12", "6"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"train.tsv": b"x"}, "holds no dev.tsv, no attack.tsv"),
        ({"../train.tsv": b"x"}, "would lie outside of the task"),
        (None, "cannot be read as a zip file"),
    ],
)
def test_what_is_no_task_is_refused_and_not_kept(
    content: dict[str, bytes] | None, says: str, client: Client, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    file = zipped(tmp_path / "empty", content) if content else SimpleUploadedFile("a.zip", b"PK no zip")
    page = client.post("/attacks/tasks/upload/", {"file": file})
    assert (page.status_code, says in page.text, Job.objects.count()) == (422, True, 0)
    assert list((tmp_path / "models" / ".incoming").iterdir()) == []


@pytest.mark.parametrize(
    ("line", "says"), [(b"2\tpaper\ttext\n", "neither 0"), (b"1\tpaper\ta\0b\n", "NUL"), (b"1\t\xff\tx\n", "UTF-8")]
)
def test_a_task_that_cannot_be_read_says_where(line: bytes, says: str, client: Client, tmp_path: Path) -> None:
    folder = write_small_task(tmp_path / "boats")
    (folder / "attack.tsv").write_bytes(b"1\tpaper\tfirst\n" + line)
    client.post("/attacks/tasks/upload/", {"file": zipped(folder)})
    job = run(Job.objects.get())
    assert (job.state, says in job.error, str(tmp_path) in job.error, Task.objects.count()) == ("failed", True, False, 0)


def test_a_victim_is_trained_on_a_task(client: Client, material: None) -> None:
    asked = {"task": "ferries", "kind": "linear", "seed": 0}
    assert client.post("/attacks/victims/train/", asked).headers["Location"] == "/attacks/tasks/"
    assert client.post("/attacks/victims/train/", asked).status_code == 422
    assert run(Job.objects.get()).error == ""
    made = Victim.objects.get(name="ferries-linear")
    assert (made.kind, made.trained_on, made.sha256) == ("linear", "ferries", Victim.objects.get(name="small").sha256)
    assert "ferries-linear" in client.get("/attacks/start/").text


def test_a_victim_is_trained_against_an_attacker_with_parameters_of_its_own(client: Client, material: None) -> None:
    asked = {"task": "ferries", "kind": "linear", "seed": 0, "linear.C": 2, "adversarial": "on", "adversary": "deepwordbug"}
    client.post("/attacks/victims/train/", asked | {"adversary_texts": 30, "adversary_budget": 60})
    assert run(Job.objects.get()).error == ""
    card = Victim.objects.get(name="ferries-linear-adversarial").card
    assert (card["parameters"], card["adversarial"]["texts"], card["adversarial"]["budget"]) == ({"C": 2.0}, 30, 60)
    assert card["adversarial"]["attacker"]["name"] == "deepwordbug"


def test_a_transformer_starts_from_a_folder_of_the_server(
    client: Client, material: None, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MODELS_DIR = tmp_path / "pretrained"
    for name in ("bert", "google/tiny", "google/tiny/deeper"):
        (settings.MODELS_DIR / name).mkdir(parents=True)
        (settings.MODELS_DIR / name / "config.json").write_text("{}")
    page = client.post("/attacks/victims/train/", {"kind": "transformer", "show": "yes"}).text
    assert re.findall(r'<option value="([^"]*)"[^>]*>[^<]*</option>', page.split('name="base"')[1].split("</select>")[0]) == [
        "", "bert", "google/tiny",
    ]  # fmt: skip
    asked = {"task": "ferries", "kind": "transformer", "seed": 1, "base": "google/tiny", "transformer.epochs": 2}
    for outside in ("../ferries", str(tmp_path), "google/tiny/deeper"):
        assert client.post("/attacks/victims/train/", asked | {"base": outside}).status_code == 422
    client.post("/attacks/victims/train/", asked)
    told: dict[str, Any] = {}

    def train_victim(task: object, kind: str, out: Path, **how: Any) -> None:
        told.update(how, kind=kind)
        write_small_victim(out)

    monkeypatch.setattr("attacks.victims.training.train_victim", train_victim)
    assert run(Job.objects.get()).error == ""
    assert (told["kind"], told["base"], told["epochs"]) == ("transformer", str(settings.MODELS_DIR / "google/tiny"), 2)


def test_a_training_that_was_stopped_goes_on_with_the_same_folder(
    client: Client, material: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders: list[Path] = []

    def train_victim(task: object, kind: str, out: Path, **how: Any) -> None:
        folders.append(out)
        if len(folders) == 1:
            raise JobCancelled
        write_small_victim(out)

    monkeypatch.setattr("attacks.victims.training.train_victim", train_victim)
    client.post("/attacks/victims/train/", {"task": "ferries", "kind": "bilstm", "seed": 0})
    job = run(Job.objects.get())
    assert job.state == "cancelled" and "Go on with it" in client.get("/attacks/tasks/").text
    client.post(f"/jobs/{job.pk}/resume/")
    assert run(Job.objects.exclude(pk=job.pk).get()).result == {"victim": "ferries-bilstm"}
    assert folders == [folders[0]] * 2


SERVICE = {
    "model": "theirs 1.2", "format": "probabilities", "credible": "REAL", "non_credible": "FAKE", "batch": 8, "per_minute": 0,
    "timeout": 5, "attempts": 1,
}  # fmt: skip


def test_a_victim_at_an_address_is_asked_kept_and_attacked(
    client: Client, material: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSABLE_VICTIM_KEY", "sesame")
    with Server(of_body=loud) as server:
        settings.VICTIM_HOSTS = [server.address.removeprefix("http://")]
        asked = SERVICE | {"address": server.address, "key_header": "X-Api-Key"}
        assert client.post("/attacks/victims/service/", asked).headers["Location"] == "/attacks/tasks/"
        assert run(Job.objects.get()).error == ""
        assert {headers["X-Api-Key"] for headers in server.headers} == {"sesame"}
        made = Victim.objects.get(name="theirs 1.2")
        assert (made.kind, made.card["address"], "sesame" in str(made.card)) == ("http", server.address, False)
        assert "theirs 1.2" in client.get("/attacks/tasks/").text
        client.post("/attacks/start/", START | {"victim": "theirs 1.2", "texts": 2, "parts": 1, "budget": 20, "name": "away"})
        assert run(Job.objects.get(kind="attack")).error == ""
        assert AttackRun.objects.get().summary["statuses"]["error"] == 0
        # The server's owner has thought better of it.
        settings.VICTIM_HOSTS = []
        client.post("/attacks/start/", START | {"victim": "theirs 1.2", "parts": 1, "name": "again"})
        assert "own network" in run(Job.objects.get(kind="attack", state="queued")).error


def loud(body: bytes) -> Said:
    texts = json.loads(body)["texts"]
    return Said(json.dumps({"probabilities": [[0.1, 0.9] if "secret" in text else [0.8, 0.2] for text in texts]}).encode())


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"address": "ftp://models.example.org"}, "is no address of a server"),
        ({"address": "http://me:sesame@models.example.org"}, "leave them out"),
        ({"address": "http://127.0.0.1:8000/"}, "own network"),
        ({"address": "http://localhost/"}, "own network"),
        ({"address": "http://[::ffff:10.0.0.1]/"}, "own network"),
        (
            {"key_header": "Authorization"},
            "The key of this server is only sent to hosts that the setting PASSABLE_VICTIM_HOSTS names",
        ),
        ({"key_header": "X: y"}, "Enter a valid value."),
        ({"non_credible": "REAL"}, "The two labels must be different."),
        ({"model": "a/b"}, "cannot name a victim"),
    ],
)
def test_an_address_that_may_not_be_asked_is_refused(wrong: dict[str, Any], says: str, client: Client) -> None:
    page = client.post("/attacks/victims/service/", SERVICE | {"address": "https://models.example.org/p"} | wrong)
    assert (page.status_code, says in page.text, Job.objects.count()) == (422, True, 0)


def test_a_name_that_stands_for_a_private_address_is_found_out_when_it_is_asked(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("169.254.169.254", 80))])
    client.post("/attacks/victims/service/", SERVICE | {"address": "http://models.example.org/p"})
    assert "models.example.org is at an address that is not public (169.254.169.254)" in run(Job.objects.get()).error
    assert not Victim.objects.exists()


def test_a_victim_is_uploaded_tried_and_kept(client: Client, tmp_path: Path) -> None:
    write_small_victim(tmp_path / "brought")
    client.post("/attacks/victims/upload/", {"file": zipped(tmp_path / "brought")})
    assert run(Job.objects.get()).error == ""
    assert Victim.objects.values_list("name", "kind", "trained_on").get() == ("brought", "linear", "ferries")


def test_a_victim_that_was_changed_or_names_an_address_is_refused(client: Client, tmp_path: Path) -> None:
    from scoring.model_folder import read_model_folder, write_model_folder

    write_small_victim(tmp_path / "v")
    found = read_model_folder(tmp_path / "v")
    for number, (change, says) in enumerate(
        [({"kind": "http"}, "its card says “http”"), ({"parameters": {"url": "http://10.0.0.1/"}}, "needs files or addresses")]
    ):
        write_model_folder(tmp_path / f"w{number}", card=found.card | change, files=found.files)
        page = client.post("/attacks/victims/upload/", {"file": zipped(tmp_path / f"w{number}")})
        assert (page.status_code, says in page.text) == (422, True)
    (tmp_path / "v" / "vocabulary.json").write_text("[]")
    assert "does not match" in client.post("/attacks/victims/upload/", {"file": zipped(tmp_path / "v")}).text
    assert not Job.objects.exists()


@pytest.fixture
def attacked(tmp_path: Path) -> AttackRun:
    """Three successes, on two originals, and one failure."""
    return record_run(run_folder(tmp_path / "plain"))


def test_the_texts_of_a_run_are_filtered_and_ordered(client: Client, attacked: AttackRun, organiser: User) -> None:
    model = LearnedModel.objects.create(name="readers", folder="x", uploaded_by=organiser)
    for outcome, after in zip(Outcome.objects.filter(status="success"), (3.0, 2.0, 4.0), strict=True):
        Suspicion.objects.create(outcome=outcome, model=model, before=1.5, after=after)
    Example.objects.filter(outcomes__number=4).update(bodega_score=0.9)
    Example.objects.filter(outcomes__number=3).update(semantic_score=0.8)

    def shown(query: str) -> list[int]:
        page = client.get(f"/attacks/{attacked.pk}/texts/{query}").text
        return [int(number) for number in re.findall(r'id="text-(\d+)"', page)]

    assert shown("") == [1, 2, 3, 4]
    assert shown("?show=success") == [1, 3, 4]
    assert shown("?show=failed") == [2]
    assert shown("?q=brigde") == [1]
    assert shown("?order=suspicion") == [3, 1, 4, 2]
    assert shown("?order=suspicious") == [4, 1, 3, 2]
    assert shown("?order=semantic") == [3, 1, 4, 2]
    assert shown("?order=queries") == [4, 3, 2, 1]
    assert shown("?order=bodega")[0] == 4
    page = client.get(f"/attacks/{attacked.pk}/texts/?show=success").text
    assert "<del>bridge</del>" in page and "<ins>brigde</ins>" in page
    assert "1.500 → 3.000" in page and "suspicion, by readers" in page
    for wrong in ("?show=other", "?order=text", "?page=0", "?by=7", f"?page={'9' * 30}"):
        assert client.get(f"/attacks/{attacked.pk}/texts/{wrong}").status_code == 404


def test_long_runs_have_pages(client: Client, tmp_path: Path) -> None:
    texts = [(f"The ferry number {number} is late.", None) for number in range(23)]
    made = record_run(run_folder(tmp_path / "long", texts))
    page = client.get(f"/attacks/{made.pk}/texts/?page=2&show=failed").text
    assert re.findall(r'id="text-(\d+)"', page) == [str(number) for number in range(11, 21)]
    assert 'href="?show=failed&amp;page=1" rel="prev"' in page and 'href="?show=failed&amp;page=3" rel="next"' in page
    assert "11 to 20 of 23" in page
    assert 'rel="next"' not in client.get(f"/attacks/{made.pk}/texts/?page=99").text


def test_a_model_is_asked_about_the_successes(client: Client, attacked: AttackRun, organiser: User) -> None:
    model = LearnedModel.objects.create(name="readers", folder="x", uploaded_by=organiser, card={"evaluation": {}})
    client.post(f"/attacks/{attacked.pk}/suspicion/", {"model": model.pk})
    assert Job.objects.get().arguments == {"run": "plain", "model": "readers"}
    assert "The model reads the changed texts" in client.get(f"/attacks/{attacked.pk}/").text
    for wrong in ("", "0", "x", "9" * 30):
        assert client.post(f"/attacks/{attacked.pk}/suspicion/", {"model": wrong}).status_code == 302
    assert Job.objects.count() == 1


def test_runs_are_compared(client: Client, attacked: AttackRun, tmp_path: Path, organiser: User) -> None:
    other = record_run(run_folder(tmp_path / "other"))
    model = LearnedModel.objects.create(name="readers", folder="x", uploaded_by=organiser)
    for number, outcome in enumerate(Outcome.objects.filter(status="success")):
        Suspicion.objects.create(outcome=outcome, model=model, before=2.0, after=1.5 if number == 0 else 3.0)
    page = client.get(f"/attacks/compare/?run={attacked.pk}&run={other.pk}").text
    rows = re.findall(r'<tr><th scope="row"><a href="([^"]+)">([^<]+)</a></th>(.*?)</tr>', page)
    assert [row[:2] for row in rows] == [(f"/attacks/{attacked.pk}/", "1: plain"), (f"/attacks/{other.pk}/", "2: other")]
    cells = [re.findall(r"<td>([^<]+)", rest) for *_, rest in rows]
    assert [row[0].split(" (")[0] for row in cells] == ["75.0 %", "75.0 %"]
    assert [(row[3].split(" (")[0], row[4]) for row in cells] == [("2.500", "1"), ("3.000", "0")]
    assert "different texts" not in page
    assert "Choose two runs or more" in client.get(f"/attacks/compare/?run={attacked.pk}&run=x").text


def test_successes_are_sent_to_a_new_campaign_and_then_to_that_one_only_once(client: Client, attacked: AttackRun) -> None:
    address = f"/attacks/{attacked.pk}/send/"
    asked = {"to": "new:suspicion/five-points", "originals": "on", "title": "Ferries"}
    plan = client.get(address, asked).text
    assert "<b>5 items</b>, 2 of them unchanged texts." in plan  # two of the three successes share an original
    assert not Campaign.objects.exists()
    assert client.post(address, asked).headers["Location"] == "/campaigns/ferries/items/"
    campaign = Campaign.objects.get()
    assert (campaign.items.count(), campaign.source, campaign.state) == (5, {"attack_runs": ["plain"]}, "draft")
    again = client.get(address, {"to": "ferries", "originals": "on"}).text
    assert "There is nothing new to send." in again and "Left out as double: 5." in again
    assert client.post(address, {"to": "ferries"}).status_code == 422
    assert campaign.items.count() == 5


def test_a_campaign_of_somebody_else_gets_nothing(client: Client, attacked: AttackRun, other_organiser: User) -> None:
    assert client.post(f"/attacks/{attacked.pk}/send/", {"to": "elsewhere"}).status_code == 422
    assert "Elsewhere" not in client.get(f"/attacks/{attacked.pk}/send/").text
