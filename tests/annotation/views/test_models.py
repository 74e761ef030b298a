"""Models: the list, some side by side, a card, training from several campaigns, files in and out, and trying a text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.exchange.model_files import zipped
from annotation.models import Campaign, Job, LearnedModel, User
from annotation.services.running import run_job
from scoring.model_folder import read_model_folder, write_model_folder
from tests.annotation.conftest import MakeCampaign
from tests.annotation.models_made import keep_model

SignIn = Callable[[User], Client]


@pytest.fixture(autouse=True)
def data(settings: Any, tmp_path: Path, db: None) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture
def films(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign("suspicion", name="films")


def with_other_data(model: LearnedModel, **card: Any) -> LearnedModel:
    model.card = model.card | {"data": model.card["data"] | {"sha256": "a" * 64}} | card
    model.save()
    return model


def rows(page: str, table: str) -> list[list[str]]:
    """The cells of a table, as they are read."""
    (body,) = re.findall(rf'data-table="{table}".*?<tbody>(.*?)</tbody>', page, re.S)
    return [
        [" ".join(re.sub("<[^>]+>", " ", cell).split()) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)]
        for row in body.split("<tr>")[1:]
    ]


def test_a_model_of_several_campaigns_is_for_whoever_sees_all_of_them(
    films: Campaign, organiser: User, other_organiser: User, sign_in: SignIn
) -> None:
    theirs = Campaign.objects.get(name="elsewhere")
    shared, mine, brought = keep_model("shared", campaigns=[films, theirs]), keep_model("mine", campaigns=[films]), "brought"
    keep_model(brought, uploaded_by=other_organiser)
    seen = {user.username: sign_in(user).get("/models/").text for user in (organiser, other_organiser)}
    names = {user: re.findall(r'/models/\d+/">([^<]+)</a>', page) for user, page in seen.items()}
    assert names == {"olga": [brought, "mine"], "otto": [brought]}
    assert sign_in(organiser).get(f"/models/{shared.pk}/").status_code == 404
    theirs.memberships.create(user=organiser, role="organiser")
    page = sign_in(organiser).get(f"/models/{shared.pk}/").text
    assert 'learned from <a href="/campaigns/films/">About films</a> and <a href="/campaigns/elsewhere/">Elsewhere</a>' in page
    assert sign_in(organiser).get(f"/models/{mine.pk}/").status_code == 200
    assert "uploaded by otto" in sign_in(organiser).get("/models/").text


def test_a_campaigns_page_shows_no_model_or_training_with_campaigns_of_others(
    films: Campaign, organiser: User, other_organiser: User, sign_in: SignIn
) -> None:
    """Their pages do not exist for this person, and the progress of the training could not renew itself."""
    theirs = Campaign.objects.get(name="elsewhere")
    shared, mine = keep_model("shared", campaigns=[films, theirs]), keep_model("mine", campaigns=[films])
    Job.objects.create(kind="train", arguments={"campaign": "films", "name": "older"}, state="failed", error="Too few.")
    both = {"campaign": "films", "also": ["elsewhere"], "name": "both"}
    Job.objects.create(kind="train", arguments=both, created_by=other_organiser)
    client = sign_in(organiser)
    page = client.get("/campaigns/films/").text
    assert re.findall(r'href="(/models/\d+/)"', page) == [f"/models/{mine.pk}/"]
    assert re.findall(r'data-job="(\w+)"', page) == ["failed"]
    theirs.memberships.create(user=organiser, role="organiser")
    page = client.get("/campaigns/films/").text
    assert re.findall(r'href="(/models/\d+/)"', page) == [f"/models/{mine.pk}/", f"/models/{shared.pk}/"]
    assert re.findall(r'data-job="(\w+)"', page) == ["queued"]


def test_the_start_page_shows_the_newest_models_by_the_figure_that_they_are_known_by(
    films: Campaign, organiser: User, sign_in: SignIn
) -> None:
    model = keep_model("one", campaigns=[films])
    LearnedModel.objects.update(created_at=datetime(2026, 3, 4, 5, 6, tzinfo=UTC))
    page = " ".join(re.sub("<[^>]+>", " ", sign_in(organiser).get("/").text).split())
    r = model.card["evaluation"]["r"]
    interval = f"{r['interval']['low']:.3f} to {r['interval']['high']:.3f}"
    assert f"one Suspicion model · learned from About films · 4 March 2026, 05:06 r = {r['value']:.3f} {interval}, n = 48" in page


def test_whoever_cancels_is_where_the_job_stood(films: Campaign, organiser: User, sign_in: SignIn) -> None:
    places: list[tuple[str, dict[str, Any], str]] = [
        ("train", {"name": "one", "campaign": "films"}, "/campaigns/films/"),
        ("train", {"name": "two", "campaign": "films", "also": []}, "/models/"),
        ("upload_model", {"name": "three"}, "/models/"),
        ("demo", {}, "/"),
    ]
    client = sign_in(organiser)
    for kind, arguments, place in places:
        job = Job.objects.create(kind=kind, arguments=arguments, created_by=organiser)
        shown = client.get(f"/jobs/{job.pk}/").text
        assert re.findall('<span class="small quiet">([^<]+)</span>', shown) == ([arguments["name"]] if arguments else [])
        assert client.post(f"/jobs/{job.pk}/cancel/").headers["Location"] == place


def test_figures_of_the_same_data_stand_side_by_side(films: Campaign, organiser: User, sign_in: SignIn) -> None:
    one, two = (keep_model(name, campaigns=[films]) for name in ("one", "two"))
    client = sign_in(organiser)
    address = f"/models/compare/?model={one.pk}&model={two.pk}"
    page = client.get(address).text
    assert 'data-same="yes"' in page and "learned from the same texts" in page
    figures = {name: cells for name, *cells in rows(page, "figures")}
    assert list(figures) == [
        "Correlation with the judgements", "Rank correlation (Spearman)", "Noise ceiling", "Share of the ceiling", "Error (RMSE)",
        "Error of a constant", "Gain over a constant",
    ]  # fmt: skip
    assert figures["Noise ceiling"] == ["not defined"] * 2
    r = one.card["evaluation"]["r"]
    shown = f"{r['value']:.3f} ({r['interval']['low']:.3f} to {r['interval']['high']:.3f})"
    assert figures["Correlation with the judgements"] == [shown] * 2
    assert {name: cells for name, *cells in rows(page, "about")}["SHA-256 of the training data"] == [
        one.card["data"]["sha256"][:12]
    ] * 2
    with_other_data(two)
    page = client.get(address).text
    assert 'data-same="no"' in page and "their figures are not comparable" in page


def test_what_cannot_be_compared_says_what_to_do(films: Campaign, organiser: User, sign_in: SignIn) -> None:
    one, two = keep_model("one", campaigns=[films]), keep_model("two", campaigns=[films])
    client = sign_in(organiser)
    for query in ("", f"?model={one.pk}", f"?model={one.pk}&model={one.pk}", "?model=0&model=x&model=99999999999999999999"):
        assert "Choose two models or more" in client.get(f"/models/compare/{query}").text
    LearnedModel.objects.filter(pk=two.pk).update(kind="meaning")
    assert "predict different things" in client.get(f"/models/compare/?model={one.pk}&model={two.pk}").text


def test_the_card_shows_where_it_fails_by_the_items_of_its_campaigns(
    films: Campaign, make_campaign: MakeCampaign, organiser: User, sign_in: SignIn
) -> None:
    here = films.items.get(number=2)
    text = "The bridge number 9 closes."
    away = make_campaign("suspicion", name="away", items=4).items.get(number=4)
    prints = [hashlib.sha256(each.encode()).hexdigest()[:32] for each in (here.first.text, text, away.first.text)]
    model = keep_model("one", campaigns=[films])
    fails = [{"text": each, "judged": 5.0, "predicted": 1.25, "judgements": 3} for each in prints]
    with_other_data(model, fails=fails)
    page = sign_in(organiser).get(f"/models/{model.pk}/").text
    (body,) = re.findall(r'id="fails".*?<tbody>(.*?)</tbody>', page, re.S)
    assert re.findall(r'href="([^"]+)"', body) == ["/campaigns/films/items/2/"]
    assert re.findall(r"<code>([^<]+)</code>", body) == [f"{prints[1][:12]}…", f"{prints[2][:12]}…"]
    assert re.findall(r"<td>([^<]+)</td>", body)[:3] == ["5.000", "1.250", "3"]


def test_the_card_shows_how_predictions_lie_with_a_plot_and_its_numbers(
    films: Campaign, organiser: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotation.exchange.drawing._asked", lambda **what: ['<svg class="marks"></svg>'])
    model = keep_model("one", campaigns=[films])
    client = sign_in(organiser)
    assert f'hx-get="/models/{model.pk}/?plots"' in client.get(f"/models/{model.pk}/").text
    page = client.get(f"/models/{model.pk}/?plots").text
    assert "hx-get" not in page and '<svg class="plot"' in page
    found = [row[:3] for row in rows(page, "distribution")]
    parts = model.card["distribution"]
    assert found == [[f"{part['low']:.1f} to {part['high']:.1f}", f"{part['judged']}", f"{part['predicted']}"] for part in parts]
    assert sum(int(row[1]) for row in found) == sum(int(row[2]) for row in found) == 48
    calibration = model.card["calibration"]
    assert f"90 %: from {-calibration['lower_residual']:.2f} below the score" in page


def test_results_by_variant_stand_where_there_are_some(films: Campaign, organiser: User, sign_in: SignIn) -> None:
    model = keep_model("one", campaigns=[films])
    address = f"/models/{model.pk}/"
    assert "by_variant" not in sign_in(organiser).get(address).text
    evaluation = model.card["evaluation"]
    found = {"variant": "bae", "n": 24, "mean_judged": 2.5, "mean_predicted": 2.75}
    by_variant = [found | {key: evaluation[key] for key in ("r", "rmse")}]
    spread = {"least": 0.2419, "greatest": 0.2603, "standard_deviation": 0.004}
    protocol = evaluation["protocol"] | {"r_spread": spread}
    with_other_data(model, evaluation=evaluation | {"by_variant": by_variant, "protocol": protocol})
    page = sign_in(organiser).get(address).text
    assert "never split; r is 0.242 to 0.260 in single repetitions" in page
    (row,) = rows(page, "by_variant")
    assert row[:4] == ["bae", "24", "2.500", "2.750"]


def train(client: Client, *names: str, **more: Any) -> Any:
    given = {"campaigns": names, "kind": "linear", "seed": "7", "model": "", "confidence_at_least": "1"}
    return client.post("/models/train/", given | more)


def test_several_campaigns_are_chosen_and_a_job_trains(
    films: Campaign, make_campaign: MakeCampaign, organiser: User, sign_in: SignIn
) -> None:
    make_campaign("suspicion", name="zoo")
    make_campaign("meaning", name="pairs")
    client = sign_in(organiser)
    page = client.get("/models/train/?campaign=zoo").text
    assert re.findall(r'name="campaigns" value="(\w+)"[^>]*?( checked)?>', page) == [("films", ""), ("zoo", " checked")]
    assert train(client, "films", "zoo").headers["Location"] == "/models/"
    job = Job.objects.get()
    assert (job.kind, job.created_by, job.arguments) == (
        "train",
        organiser,
        {"campaign": "films", "also": ["zoo"], "name": "films", "model": "linear", "seed": 7, "confidence_at_least": 1},
    )
    assert 'data-job="queued"' in client.get("/models/").text
    again = train(client, "films", "zoo", model="more")
    assert (again.status_code, "This is being done already" in again.text) == (422, True)
    assert train(client, "films", model="more").status_code == 302


@pytest.mark.parametrize(
    ("names", "more", "says"),
    [
        ((), {}, "This field is required."),
        (("elsewhere",), {}, "not one of the available choices"),
        (("films", "votes"), {}, "asked different questions"),
        (("films",), {"model": "taken"}, "already a model named “taken”"),
        (("films",), {"kind": "oracle"}, "oracle is not one of the available choices"),
        (("films",), {"seed": "-1"}, "greater than or equal to 0"),
        (("films",), {"seed": "4294967296"}, "less than or equal to 4294967295"),
        (("films",), {"confidence_at_least": "3"}, "“About films” did not ask how sure people were"),
    ],
)
def test_what_cannot_be_trained_is_said_at_its_field(
    names: tuple[str, ...], more: dict[str, str], says: str, films: Campaign, make_campaign: MakeCampaign, organiser: User,
    other_organiser: User, sign_in: SignIn,
) -> None:  # fmt: skip
    make_campaign("binary", name="votes")
    LearnedModel.objects.create(name="taken", folder="x", sha256="e" * 64)
    response = train(sign_in(organiser), *names, **more)
    assert (response.status_code, says in response.text) == (422, True)
    assert 'aria-invalid="true"' in response.text
    assert not Job.objects.exists()


def test_a_training_that_was_stopped_goes_on(films: Campaign, organiser: User, other_organiser: User, sign_in: SignIn) -> None:
    arguments = {"campaign": "films", "name": "films", "seed": 7}
    job = Job.objects.create(kind="train", arguments=arguments, created_by=organiser, alone="train:films")
    client = sign_in(organiser)
    address = f"/jobs/{job.pk}/resume/"
    for state in (Job.State.DONE, Job.State.QUEUED):
        Job.objects.update(state=state)
        assert "There is nothing to go on with." in client.post(address, follow=True).text
        assert Job.objects.count() == 1
    client.post(f"/jobs/{job.pk}/cancel/")
    for page in ("/models/", "/campaigns/films/"):
        assert f'action="{address}"' in client.get(page).text
    assert sign_in(other_organiser).post(address).status_code == 404
    client.post(address)
    newest = Job.objects.latest("pk")
    assert (newest.pk != job.pk, newest.state, newest.arguments, newest.alone) == (True, "queued", arguments, "train:films")
    assert "This is being done already" in client.post(address, follow=True).text
    assert Job.objects.count() == 2


def test_what_is_downloaded_can_be_uploaded(
    films: Campaign, organiser: User, other_organiser: User, annotator: User, sign_in: SignIn, data: Path
) -> None:
    model = keep_model("one", campaigns=[films])
    response = sign_in(organiser).get(f"/models/{model.pk}/download/")
    content = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    with zipped(model) as file:
        assert content == file.read()
    assert response.headers["Content-Disposition"] == 'attachment; filename="one.zip"'
    client = sign_in(other_organiser)
    sent = client.post("/models/upload/", {"file": SimpleUploadedFile("brought.zip", content)})
    assert sent.headers["Location"] == "/models/"
    job = Job.objects.get(kind="upload_model")
    assert "The model is being loaded" in client.get("/models/").text
    run_job.call(job.pk, 1)
    kept = LearnedModel.objects.get(name="brought")
    assert (kept.sha256, kept.uploaded_by) == (model.sha256, other_organiser)
    assert "uploaded by otto" in sign_in(organiser).get(f"/models/{kept.pk}/").text
    assert sign_in(annotator).get(f"/models/{kept.pk}/").status_code == 404


def test_an_uploaded_file_that_is_no_model_is_refused_and_not_kept(
    films: Campaign, organiser: User, sign_in: SignIn, data: Path
) -> None:
    """Also one whose hashes are right, and whose card no page could show."""
    found = read_model_folder(Path(keep_model("one", campaigns=[films]).folder))
    evaluation = found.card["evaluation"]
    wrong = [
        {"evaluation": {}},
        {"evaluation": evaluation | {"r": {"value": "high"}}},
        {"evaluation": evaluation | {"r": evaluation["r"] | {"value": "high"}}},
        {"evaluation": evaluation | {"protocol": {}}},
        {"fails": [{"text": "x"}]},
        {"distribution": [1]},
        {"calibration": {"level": "most"}},
        {"distribution": [part | {"judged": "many"} for part in found.card["distribution"]]},
        {"evaluation": evaluation | {"r": evaluation["r"] | {"method": 7}}},
        {"libraries": 7},
    ]
    client = sign_in(organiser)
    files = [("“a.zip” cannot be read as a zip file", b"weights")]
    shown_in_part = len(wrong)
    wrong += [{"medians": []}, {"data": []}, {"model": "a\0b"}, {"model": "\ud800"}, {"distribution": [{}] * 20_000}]
    for number, part in enumerate(wrong):
        folder = data / "made" / str(number)
        write_model_folder(folder, card=found.card | part, files=found.files)
        row = LearnedModel(name="made", folder=str(folder), sha256=read_model_folder(folder).sha256)
        with zipped(row) as file:
            files.append(("card lacks a part" if number < shown_in_part else "“a.zip”: its card ", file.read()))
    for says, content in files:
        response = client.post("/models/upload/", {"file": SimpleUploadedFile("a.zip", content), "name": "new"})
        assert (response.status_code, says in response.text) == (422, True), response.text[-2000:]
    assert (Job.objects.count(), list((data / "models" / ".incoming").iterdir())) == (0, [])
    taken = client.post("/models/upload/", {"file": SimpleUploadedFile("one.zip", b"weights")})
    assert "already a model named “one”" in taken.text
    assert "This field is required." in client.post("/models/upload/", {}).text


def test_a_changed_folder_is_not_downloaded(films: Campaign, organiser: User, sign_in: SignIn) -> None:
    model = keep_model("one", campaigns=[films])
    (Path(model.folder) / "card.json").write_text("{}")
    response = sign_in(organiser).get(f"/models/{model.pk}/download/", follow=True)
    assert "is gone or was changed, so it cannot be downloaded" in response.text


def test_a_text_is_tried_and_its_answer_is_for_whoever_asked(
    films: Campaign, organiser: User, other_organiser: User, sign_in: SignIn
) -> None:
    model = keep_model("one", uploaded_by=organiser)
    client = sign_in(organiser)
    sent = client.post(f"/models/{model.pk}/try/", {"text": "ferry brigdeqx <b>harbour</b>"})
    job = Job.objects.get(kind="predict")
    assert sent.headers["Location"] == f"/models/{model.pk}/?tried={job.pk}#try"
    address = f"/models/{model.pk}/try/{job.pk}/"
    waiting = client.get(address)
    assert (waiting.status_code, f'hx-get="{address}"' in waiting.text, '<a id="said"' in waiting.text) == (200, True, True)
    run_job.call(job.pk, 1)
    job.refresh_from_db()
    done = client.get(address)
    assert (done.status_code, "hx-get" in done.text) == (286, False)
    assert job.result is not None
    assert f'<p class="figure" id="said" tabindex="-1">{job.result["score"]:.3f}</p>' in done.text
    assert '<mark class="raises">brigdeqx</mark>' in done.text
    assert ("<b>harbour" in done.text, "&lt;" in done.text) == (False, True)
    for page in (f"/models/{model.pk}/?tried={job.pk}", address):
        assert sign_in(other_organiser).get(page).status_code == 404
    assert 'id="tried"' in client.get(f"/models/{model.pk}/?tried={job.pk}").text
    assert client.get(f"/models/{model.pk}/?tried=x").status_code == 200
    refused = client.post(f"/models/{model.pk}/try/", {"text": "x" * 2_001})
    assert (refused.status_code, "at most 2000 characters" in refused.text) == (422, True)
    assert "There is no text yet" in client.post(f"/models/{model.pk}/try/", {"text": " \n"}).text
