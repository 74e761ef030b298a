"""Model folders as zip files: the same bytes each time, and nothing but a whole, unchanged model folder comes in."""

from __future__ import annotations

import io
import json
import stat
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from annotation.errors import DomainError
from annotation.exchange import model_files, zip_folders
from annotation.exchange.model_files import KINDS, unpacked, zipped
from annotation.models import LearnedModel
from regressors.training import KIND
from scoring.model_folder import read_model_folder, write_model_folder
from scoring.texts.meaning.trained import KIND as MEANING
from tests.annotation.models_made import keep_model

Files = Mapping[str, bytes]


@pytest.fixture
def model(db: None, settings: Any, tmp_path: Path) -> LearnedModel:
    settings.DATA_DIR = tmp_path
    return keep_model("small")


@pytest.fixture
def files(model: LearnedModel) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(model.folder).iterdir()}


def packed(
    folder: Path, files: Files, change: Callable[[zipfile.ZipInfo], None] = lambda entry: None, prefix: str = "m/"
) -> Path:
    path = folder / "model.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(prefix + name)
            change(entry)
            archive.writestr(entry, content)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(DomainError) as refused, unpacked(path, "model.zip"):
        pass
    assert str(path.parent) not in str(refused.value)
    return str(refused.value)


def test_the_kinds_are_those_that_cards_state() -> None:
    assert list(KINDS) == [KIND, MEANING]


def test_the_same_model_is_the_same_file_and_comes_in_again(model: LearnedModel, files: Files, tmp_path: Path) -> None:
    with zipped(model) as one, zipped(model) as other:
        first, second = one.read(), other.read()
    assert first == second
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert archive.namelist() == [f"small/{name}" for name in sorted(files)]
    path = tmp_path / "back.zip"
    path.write_bytes(first)
    with unpacked(path, "back.zip") as (folder, found):
        assert (found.sha256, found.card) == (model.sha256, model.card)
        assert read_model_folder(folder).sha256 == model.sha256
    assert not folder.exists()


def test_files_at_the_top_are_taken_too(files: Files, tmp_path: Path, model: LearnedModel) -> None:
    with unpacked(packed(tmp_path, files, prefix=""), "model.zip") as (_, found):
        assert found.sha256 == model.sha256


def test_a_folder_that_is_gone_changed_or_another_models_is_not_given_away(model: LearnedModel) -> None:
    other = keep_model("other")
    other.sha256 = "e" * 64
    with pytest.raises(DomainError, match="holds another model"):
        zipped(other)
    (Path(model.folder) / "card.json").write_text("{}")
    with pytest.raises(DomainError, match="gone or was changed"):
        zipped(model)
    model.folder = "nowhere"
    with pytest.raises(DomainError, match="gone or was changed"):
        zipped(model)


def test_what_is_no_zip_file_or_a_broken_one_is_refused(files: Files, tmp_path: Path) -> None:
    path = packed(tmp_path, files)
    whole = path.read_bytes()
    for content in (b"", b"weights", whole[: len(whole) // 2]):
        path.write_bytes(content)
        assert "cannot be read as a zip file" in refusal(path)
    spoilt = bytearray(whole)
    spoilt[200] ^= 255
    path.write_bytes(bytes(spoilt))
    assert "model.zip" in refusal(path)
    path.unlink()
    assert "Upload it again" in refusal(path)


@pytest.mark.parametrize(
    ("method", "place"),
    [(zipfile.ZIP_STORED, -4), (zipfile.ZIP_DEFLATED, -4), (zipfile.ZIP_BZIP2, -100), (zipfile.ZIP_LZMA, -85)],
)
def test_damage_is_refused_whatever_the_decompressor_makes_of_it(method: int, place: int, tmp_path: Path, settings: Any) -> None:
    """An OSError where the directory of the files should be, an OSError or an LZMAError within one of them."""
    settings.DATA_DIR = tmp_path
    path = packed(tmp_path, {"card.json": b"{}" * 100}, lambda entry: setattr(entry, "compress_type", method))
    damaged = bytearray(path.read_bytes())
    damaged[place] ^= 255
    path.write_bytes(damaged)
    assert "cannot be read as a zip file: " in refusal(path)


@pytest.mark.parametrize("name", ["../card.json", "/etc/card.json", "a/b/card.json", "..", "a\\..\\card.json"])
def test_no_file_is_written_outside_of_the_folder(name: str, files: Files, tmp_path: Path) -> None:
    said = refusal(packed(tmp_path, {**files, name: b"{}"}, prefix=""))
    assert "outside of the model's folder" in said or "not all in one folder" in said


def test_names_that_no_file_can_have_are_refused(files: Files, tmp_path: Path) -> None:
    assert "a longer name than any file of a model" in refusal(packed(tmp_path, {**files, "a" * 300: b""}))
    assert "a longer name than any file of a model" in refusal(packed(tmp_path, {**files, "名" * 90: b""}))
    path = packed(tmp_path, {**files, "é": b""})
    path.write_bytes(path.read_bytes().replace("é".encode(), b"\xff\xfe"))
    assert "cannot be read as a zip file: 'utf-8' codec" in refusal(path)


def test_links_and_devices_are_refused(files: Files, tmp_path: Path) -> None:
    for kind in (stat.S_IFLNK, stat.S_IFCHR, stat.S_IFDIR):

        def change(entry: zipfile.ZipInfo, kind: int = kind) -> None:
            entry.external_attr = (kind | 0o777) << 16

        assert "no plain file" in refusal(packed(tmp_path, files, change))


def test_files_of_two_folders_are_refused(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "two.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for place, (name, content) in enumerate(files.items()):
            archive.writestr(f"{'ab'[place % 2]}/{name}", content)
    assert "not all in one folder" in refusal(path)


def test_more_than_is_taken_is_refused_before_it_is_unpacked(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = packed(tmp_path, files)
    for module, limit, least in (
        (model_files, "MOST_BYTES", 1_000),
        (zip_folders, "MOST_FILES", 1),
        (model_files, "LARGEST_CARD", 100),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(module, limit, least)
            assert "it holds more than" in (said := refusal(path)) or "is larger than" in said


def test_a_file_that_unpacks_to_more_than_it_declares_is_refused(files: Files, tmp_path: Path) -> None:
    path = packed(
        tmp_path, {**files, "bomb.bin": b"\0" * 100_000}, lambda entry: setattr(entry, "compress_type", zipfile.ZIP_DEFLATED)
    )
    data = path.read_bytes()
    size = (100_000).to_bytes(4, "little")
    assert data.count(size) == 2
    path.write_bytes(data.replace(size, (10).to_bytes(4, "little")))
    assert "cannot be read as a zip file" in refusal(path)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"card.json": None}, "has no card.json"),
        ({"training_texts.safetensors": b"other"}, "does not match its hash|is not listed"),
        ({"more.bin": b""}, "is not listed"),
        ({"card.json": b"{}"}, "not a readable card"),
    ],
)
def test_a_changed_folder_is_refused(change: dict[str, bytes | None], says: str, files: Files, tmp_path: Path) -> None:
    changed = {name: content for name, content in {**files, **change}.items() if content is not None}
    with pytest.raises(DomainError, match=says), unpacked(packed(tmp_path, changed), "model.zip"):
        pass


@pytest.mark.parametrize(
    ("card", "says"),
    [
        ({"kind": "victim"}, "Only models of suspicion and of meaning"),
        ({"kind": ["x"]}, "Only models of suspicion and of meaning"),
        ({"kind": KIND, "parameters": {"parts": [{"groups": ["vectors:/etc/passwd"]}]}}, "needs files or addresses"),
        ({"kind": KIND, "parameters": {"text": {"base": "models"}}}, "needs files or addresses"),
        ({"kind": KIND, "parameters": {"address": "http://127.0.0.1"}}, "needs files or addresses"),
    ],
)
def test_cards_of_other_things_or_of_files_elsewhere_are_refused(
    card: dict[str, Any], says: str, tmp_path: Path, settings: Any
) -> None:
    settings.DATA_DIR = tmp_path
    folder = tmp_path / "made"
    write_model_folder(folder, card=json.loads(json.dumps(card)), files={})
    path = packed(tmp_path, {"card.json": (folder / "card.json").read_bytes()})
    assert says in refusal(path)
