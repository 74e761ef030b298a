"""A model that somebody uploads: loaded whole by a worker before it is kept."""

from __future__ import annotations

import zipfile
from math import inf, nan
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from annotation.errors import DomainError
from annotation.exchange.model_files import zipped
from annotation.jobs import uploading
from annotation.jobs.predicting import said_of
from annotation.models import Job, LearnedModel, User
from annotation.services.model_keeping import incoming, incoming_file, store_incoming
from regressors.storage import load
from scoring.model_folder import read_model_folder, write_model_folder
from scoring.texts.meaning.trained import MeaningModel
from tests.annotation.models_made import keep_model, trained


@pytest.fixture
def model(db: None, settings: Any, tmp_path: Path) -> LearnedModel:
    settings.DATA_DIR = tmp_path
    return keep_model("small")


def job_of(user: User) -> Any:
    row = Job.objects.create(kind="upload_model", created_by=user)
    return SimpleNamespace(id=row.pk, progress=lambda done, total, message: None)


def stored(folder: Path) -> str:
    path = folder.parent / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in folder.iterdir():
            archive.write(file, file.name)
    return store_incoming([path.read_bytes()], most=10**8)


def test_an_uploaded_model_predicts_what_it_predicted_and_belongs_to_whoever_brought_it(
    model: LearnedModel, organiser: User
) -> None:
    with zipped(model) as file:
        sha256 = store_incoming([file.read()], most=10**8)
    job = job_of(organiser)
    result = uploading.run(job, stored=sha256, file="small.zip", name="brought")
    kept = LearnedModel.objects.get(name="brought")
    assert result == {"model": "brought", "sha256": model.sha256}
    assert (kept.uploaded_by, kept.learned_from, kept.card, kept.kind) == (organiser, [], model.card, "suspicion")
    texts = ["ferry brigde", "harbour morning"]
    assert load(Path(kept.folder)).predict(texts).tolist() == trained().predict(texts).tolist()
    assert list(incoming().iterdir()) == []
    # The worker was lost before it could say so.
    assert uploading.run(job, stored=sha256, file="small.zip", name="brought") == result
    assert LearnedModel.objects.count() == 2


def test_a_model_that_does_not_load_is_not_kept(model: LearnedModel, organiser: User, tmp_path: Path) -> None:
    """Its hashes are right: whoever made it wrote them."""
    found = read_model_folder(Path(model.folder))
    name = next(name for name in found.files if name.endswith(".skops"))
    write_model_folder(tmp_path / "bad", card=found.card, files=found.files | {name: b"\x80\x04."})
    sha256 = stored(tmp_path / "bad")
    with pytest.raises(DomainError, match=r"“bad.zip”: Not a skops file. Models in other formats \(pickle, joblib\)"):
        uploading.run(job_of(organiser), stored=sha256, file="bad.zip", name="bad")
    assert list(LearnedModel.objects.all()) == [model]
    assert [path.name for path in (tmp_path / "models").iterdir() if not path.name.startswith(".")] == ["small"]


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ({"medians": None}, "“a.zip”: its card lacks “medians”"),
        ({"medians": {"lexical": {"words": "many"}}}, "“a.zip”: its card lacks “medians”"),
        ({"note": "a\0b"}, "“a.zip”: its card has NUL"),
        ({"calibration": {"level": 0.9, "lower_residual": "far"}}, "“a.zip”: its model was tried on a text and failed"),
        ({"calibration": {"reason": None}}, "“a.zip”: its model was tried on a text and failed"),
        ({"calibration": None}, "“a.zip”: its model was tried on a text and failed"),
    ],
)
def test_a_model_that_cannot_be_tried_is_refused_with_a_reason(
    part: dict[str, Any], says: str, model: LearnedModel, organiser: User, tmp_path: Path
) -> None:
    found = read_model_folder(Path(model.folder))
    write_model_folder(tmp_path / "bad", card=found.card | part, files=found.files)
    with pytest.raises(DomainError) as refused:
        uploading.run(job_of(organiser), stored=stored(tmp_path / "bad"), file="a.zip", name="bad")
    assert str(refused.value).startswith(says)
    assert list(LearnedModel.objects.all()) == [model]


@pytest.mark.parametrize("said", [nan, inf, 0.9, 5.1])
@pytest.mark.parametrize("part", ["score", "low", "high"])
def test_what_it_says_lies_within_its_scale(
    part: str, said: float, model: LearnedModel, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploading, "said_of", lambda *given: said_of(*given) | {part: said})
    with pytest.raises(DomainError, match=r"“a.zip”: its model was tried on a text and says .*; its scale is 1 to 5"):
        uploading.run(job_of(organiser), stored=stored(Path(model.folder)), file="a.zip", name="other")


def test_what_its_words_do_is_a_number(model: LearnedModel, organiser: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploading, "said_of", lambda *given: said_of(*given) | {"words": [{"effect": nan}]})
    with pytest.raises(DomainError, match="cannot say what its words do"):
        uploading.run(job_of(organiser), stored=stored(Path(model.folder)), file="a.zip", name="other")


@pytest.mark.parametrize("said", [nan, -0.1, 1.1])
def test_a_meaning_model_says_a_probability(said: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    loaded = SimpleNamespace(predict=lambda pairs: np.full(len(pairs), said))
    monkeypatch.setattr(MeaningModel, "load", lambda folder: loaded)
    with pytest.raises(DomainError, match=f"“a.zip”: its model was tried on a pair and says {said}, which is no probability"):
        uploading._try(tmp_path, LearnedModel.Kind.MEANING, "a.zip")


def test_a_name_that_was_taken_meanwhile_and_a_file_that_is_gone_are_said(model: LearnedModel, organiser: User) -> None:
    sha256 = stored(Path(model.folder))
    with pytest.raises(DomainError, match="already a model named “small”"):
        uploading.run(job_of(organiser), stored=sha256, file="a.zip", name="small")
    incoming_file(sha256).unlink()
    with pytest.raises(DomainError, match="no longer in the data folder"):
        uploading.run(job_of(organiser), stored=sha256, file="a.zip", name="again")


def test_what_is_larger_than_is_taken_is_not_stored(model: LearnedModel) -> None:
    with pytest.raises(DomainError, match="larger than 1 MB"):
        store_incoming([b"x" * 600_000, b"x" * 600_000], most=1_000_000)
    assert list(incoming().iterdir()) == []
