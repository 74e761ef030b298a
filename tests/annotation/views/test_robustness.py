"""The pages about the robustness of constraints."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.models import Campaign, Job, JudgedSample, Membership, User
from tests.annotation.attacks_made import keep_small_task, keep_small_victim
from tests.annotation.models_made import keep_model
from tests.annotation.robustness_made import keep_measurement

SignIn = Callable[[User], Client]
START = {
    "task": "ferries", "victim": "small", "attacker": "deepwordbug", "scenario": "untargeted", "seed": 3, "damages": 2,
    "texts": 5,
}  # fmt: skip
CURVE = b"tau,victim,constraint\n1.5,0,0\n2.0,0.35,0.15\n2.5,0.7,0.3\n"


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


def test_constraints_are_measured_once_and_watched(client: Client, organiser: User, material: None) -> None:
    keep_model("readers", uploaded_by=organiser, simulated=True)
    page = client.get("/robustness/start/").text
    for shown in ("suspicion: readers (simulated)", "encoder: similarity", "character: Levenshtein"):
        assert shown in page
    sent = START | {"constraints": ["suspicion:readers", "character"]}
    assert client.post("/robustness/start/", sent).headers["Location"] == "/robustness/"
    job = Job.objects.get(kind="robustness")
    assert job.arguments == {
        "name": "ferries-small-deepwordbug",
        "constraints": [["suspicion", "readers"], ["character", ""]],
        "damages": 2,
        "attack": {
            "name": "", "task": "ferries", "victim": "small", "attacker": "deepwordbug", "parameters": {}, "targeted": False,
            "budget": None, "seed": 3, "texts": 5, "model": None, "constraints": {}, "parts": 1,
        },
    }  # fmt: skip
    again = client.post("/robustness/start/", sent)
    assert (again.status_code, "This is being done already" in again.text) == (422, True)
    assert "Constraints are being measured" in client.get("/robustness/").text
    assert client.post(f"/jobs/{job.pk}/cancel/").headers["Location"] == "/robustness/"
    assert "Go on" in client.get("/robustness/").text


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"constraints": []}, "This field is required"),
        ({"constraints": ["suspicion:nobody"]}, "Select a valid choice"),
        ({"damages": 0}, "greater than or equal to 1"),
        ({"called": "measured"}, "already a measurement named “measured”"),
        ({"attacker": "nobody"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_measured_is_refused_at_its_field(
    wrong: dict[str, Any], message: str, client: Client, material: None
) -> None:
    keep_measurement()
    page = client.post("/robustness/start/", START | {"constraints": ["character"]} | wrong)
    assert (page.status_code, message in page.text) == (422, True)
    assert not Job.objects.exists()


def test_the_settings_of_the_attacker_are_shown_without_a_script(client: Client, material: None) -> None:
    page = client.post("/robustness/start/", START | {"constraints": ["character"], "show": "yes", "attacker": "pruthi"})
    assert page.status_code == 200
    assert "Settings of pruthi" in page.text
    checked = [line for line in page.text.splitlines() if 'type="checkbox"' in line and "checked" in line]
    assert len(checked) == 1 and 'value="character"' in checked[0]


def test_one_measurement_with_curves_texts_and_reasons(client: Client, organiser: User) -> None:
    model = keep_model("readers", uploaded_by=organiser, simulated=True)
    measured = keep_measurement(learned=[model])
    page = client.get(f"/robustness/{measured.pk}/?plots").text
    assert 'class="plot"' in page and "Plot: How robust each constraint is" in page
    for shown in ("Simulated: the suspicion model", "87.5 %", "75.0 %", "<ins>opnes</ins>", "<del>opens</del>", "typo"):
        assert shown in page
    assert page.count('class="attacked"') == 7
    assert client.get(f"/robustness/{measured.pk}/?constraint=nothing").status_code == 404
    assert client.get(f"/robustness/{measured.pk}/?page=2").text.count('class="attacked"') == 0
    assert client.get(f"/robustness/{measured.pk}/?page={'9' * 18}").status_code == 200
    listed = client.get("/robustness/").text
    assert f'href="/robustness/{measured.pk}/"' in listed and '<span class="chip simulated">' in listed


def test_a_sample_goes_to_a_campaign_that_only_its_organisers_see(client: Client, other_organiser: User, sign_in: SignIn) -> None:
    measured = keep_measurement()
    offered = client.get(f"/robustness/{measured.pk}/").text
    assert "suspicion at 2.5: 4 texts" in offered and "suspicion at 1.5: 1 text<" in offered
    sent = {"admitted": "suspicion at 2.5", "size": 3, "draw_seed": 1}
    made = client.post(f"/robustness/{measured.pk}/judge/", sent)
    sample = JudgedSample.objects.get()
    assert made.headers["Location"] == f"/campaigns/{sample.campaign.name}/"
    assert (sample.threshold, sample.admitted, sample.drawn, sample.seed) == (2.5, 4, 3, 1)
    named = f"{sample.campaign.title} {sample.campaign.name}"
    assert not any(word in named for word in (measured.name, "spoiled", "suspicion at"))
    own = client.get(f"/robustness/{measured.pk}/").text
    assert "3 of 4 admitted texts, drawn with seed 1." in own
    assert "Fewer than planned: 0 of 6 texts judged so far." in own
    assert sample.campaign.title not in sign_in(other_organiser).get(f"/robustness/{measured.pk}/").text
    for wrong in ({"admitted": "suspicion at 9"}, {"size": 0}, {"draw_seed": -1}):
        refused = client.post(f"/robustness/{measured.pk}/judge/", sent | wrong)
        assert refused.status_code == 422
    assert Campaign.objects.exclude(name="elsewhere").count() == 1
    assert Membership.objects.filter(campaign=sample.campaign).count() == 1


def test_tables_are_there_as_files(client: Client, organiser: User, other_organiser: User, sign_in: SignIn) -> None:
    measured = keep_measurement(learned=[keep_model("readers", uploaded_by=organiser, simulated=True)])
    client.post(f"/robustness/{measured.pk}/judge/", {"admitted": "suspicion at 2.5", "size": 3, "draw_seed": 1})
    here = f"/robustness/{measured.pk}/"
    links = re.findall(rf'href="{here}files/([^"]+)"', client.get(here).text)
    judged = f"judged-{JudgedSample.objects.get().pk}"
    assert links == [f"{table}.{end}" for table in ("robustness", judged, "curve-suspicion") for end in ("csv", "tex")]
    assert [client.get(f"{here}files/{file}").status_code for file in links] == [200] * 6
    lines = client.get(f"{here}files/curve-suspicion.csv").text.splitlines()
    curve = measured.result[0]["curve"]
    assert lines[1:] == [f"{at:g},{first},{second}" for at, first, second in zip(*curve.values(), strict=True)]
    assert "Simulated: the suspicion model" in client.get(f"{here}files/robustness.tex").text
    others = sign_in(other_organiser)
    assert [others.get(f"{here}files/{file}").status_code for file in (links[0], links[2], "nothing.csv")] == [200, 404, 404]


def test_accs_of_a_curve_from_elsewhere(client: Client) -> None:
    columns = {"threshold": "tau", "first": "victim", "second": "constraint", "loosest": "highest"}
    found = client.post("/robustness/accs/", columns | {"file": SimpleUploadedFile("curve.csv", CURVE)})
    assert (found.status_code, '<p class="figure">0.500</p>' in found.text) == (200, True)
    none = SimpleUploadedFile("curve.csv", b"tau,victim,constraint\n1,0,0\n2,1,0\n")
    assert "No second-order example was found" in client.post("/robustness/accs/", columns | {"file": none}).text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"tau,victim\n1,2\n", "constraint"),
        (b"tau,victim,constraint\n1,0,0\n2,x,0\n", "line 3, column victim"),
        (b"tau,victim,constraint\n1,0,0\n", "two thresholds or more"),
        (b"tau,victim,constraint\n1,0,0\n1,1,1\n", "the threshold 1 is there twice"),
        (b"\xff\xfe\x00\xd8", ""),
        (b"x" * 1_000_001, "at most 1,000,000 bytes"),
    ],
    ids=["column", "cell", "rows", "twice", "bytes", "large"],
)
def test_a_file_without_a_curve_is_told_by_its_place(content: bytes, message: str, client: Client) -> None:
    columns = {"threshold": "tau", "first": "victim", "second": "constraint"}
    page = client.post("/robustness/accs/", columns | {"file": SimpleUploadedFile("curve.csv", content)})
    assert (page.status_code, message in page.text) == (422, True)
    assert 'class="errorlist"' in page.text
