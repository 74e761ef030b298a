"""Model folders: written whole, refused when changed, never unpickled."""

from __future__ import annotations

import json
import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import Ridge

from scoring import model_folder
from scoring.model_folder import (
    ModelFolderError,
    dump_skops,
    dump_tensors,
    load_skops,
    load_tensors,
    read_model_folder,
    write_model_folder,
)

CARD = {"kind": "test", "seed": 3, "results": {"r": 0.25}, "name": "Zoë"}
FILES = {"weights.safetensors": b"\x00\x01weights", "notes.txt": b"two"}
RIDGE_TYPES = {
    "builtins.dict",
    "builtins.list",
    "builtins.str",
    "numpy.dtype",
    "numpy.float64",
    "numpy.ndarray",
    "sklearn.linear_model._ridge.Ridge",
}


class Bomb:
    """Pickled, it makes a folder when it is loaded."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.target),)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_model_folder(tmp_path / "model", card=CARD, files=FILES)
    return tmp_path / "model"


def test_what_is_written_is_read(tmp_path: Path) -> None:
    sha256 = write_model_folder(tmp_path / "deep" / "model", card=CARD, files=FILES)

    read = read_model_folder(tmp_path / "deep" / "model")

    assert (read.card, read.files, read.sha256) == (CARD, FILES, sha256)
    assert [entry.name for entry in (tmp_path / "deep").iterdir()] == ["model"]


def test_the_hash_is_that_of_card_and_files_whatever_their_order(tmp_path: Path) -> None:
    first = write_model_folder(tmp_path / "a", card=CARD, files=FILES)
    same = write_model_folder(tmp_path / "b", card=dict(reversed(CARD.items())), files=dict(reversed(FILES.items())))
    other_card = write_model_folder(tmp_path / "c", card=CARD | {"seed": 4}, files=FILES)
    other_file = write_model_folder(tmp_path / "d", card=CARD, files=FILES | {"notes.txt": b"three"})

    assert first == same
    assert len({first, other_card, other_file}) == 3


def test_a_changed_file_is_refused(folder: Path) -> None:
    (folder / "notes.txt").write_bytes(b"twO")

    with pytest.raises(ModelFolderError, match=r"'notes.txt' does not match its hash"):
        read_model_folder(folder)


def test_a_changed_card_is_refused(folder: Path) -> None:
    card = json.loads((folder / "card.json").read_text())
    card["results"]["r"] = 0.95
    (folder / "card.json").write_text(json.dumps(card))

    with pytest.raises(ModelFolderError, match="does not match its own hash"):
        read_model_folder(folder)


def test_missing_and_extra_files_are_refused(folder: Path) -> None:
    (folder / "extra.bin").write_bytes(b"")
    with pytest.raises(ModelFolderError, match=r"'extra.bin' is not listed"):
        read_model_folder(folder)

    (folder / "extra.bin").unlink()
    (folder / "notes.txt").unlink()
    with pytest.raises(ModelFolderError, match=r"'notes.txt' is listed in card.json but missing"):
        read_model_folder(folder)


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"null", b'{"files": 3, "sha256": "x"}', b"\xff", b"[" * 100_000])
def test_a_broken_card_is_refused(folder: Path, content: bytes) -> None:
    (folder / "card.json").write_bytes(content)

    with pytest.raises(ModelFolderError, match="not a readable card"):
        read_model_folder(folder)


def test_a_missing_card_or_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "card.json").unlink()

    for path in (folder, tmp_path / "nothing"):
        with pytest.raises(ModelFolderError, match=r"has no card\.json"):
            read_model_folder(path)


def test_a_file_outside_the_folder_is_never_read(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    card = json.loads((folder / "card.json").read_text())
    card["files"]["../secret"] = "0" * 64
    (folder / "card.json").write_text(json.dumps(card))
    with pytest.raises(ModelFolderError, match="not allowed"):
        read_model_folder(folder)


def test_a_link_is_no_file_of_a_model(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(FILES["notes.txt"])
    (folder / "notes.txt").unlink()
    (folder / "notes.txt").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(ModelFolderError, match="not a plain file"):
        read_model_folder(folder)


def test_an_existing_folder_is_replaced_only_on_request_and_only_a_model(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelFolderError, match="holds a model already"):
        write_model_folder(folder, card=CARD, files={})
    assert read_model_folder(folder).files == FILES

    write_model_folder(folder, card=CARD, files={"new": b"1"}, replace=True)
    assert read_model_folder(folder).files == {"new": b"1"}
    assert [entry.name for entry in tmp_path.iterdir()] == ["model"]

    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter.txt").write_text("mine")
    with pytest.raises(ModelFolderError, match="is not a model folder"):
        write_model_folder(tmp_path / "home", card=CARD, files={}, replace=True)
    assert (tmp_path / "home" / "letter.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["../up", "a/b", ".hidden", "", "card.json", "nul\0"])
def test_names_that_are_no_plain_file_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ModelFolderError, match="cannot be a file of a model folder"):
        write_model_folder(tmp_path / "model", card=CARD, files={name: b""})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("card", [{"r": float("nan")}, {"r": object()}, {"sha256": "mine"}])
def test_cards_that_cannot_be_kept_are_refused(tmp_path: Path, card: dict[str, object]) -> None:
    with pytest.raises(ModelFolderError, match="card"):
        write_model_folder(tmp_path / "model", card=card, files={})
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_place_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(ModelFolderError, match="cannot be written"):
        write_model_folder(tmp_path / "file" / "model", card=CARD, files=FILES)


def test_tensors_come_back_exactly() -> None:
    tensors = {"a": np.array([[1.5, -0.0], [1e-300, np.pi]]), "b": np.arange(6, dtype=np.uint8).reshape(2, 3).T}

    loaded = load_tensors(dump_tensors(tensors))

    assert sorted(loaded) == ["a", "b"]
    for name, tensor in tensors.items():
        assert loaded[name].dtype == tensor.dtype
        assert np.array_equal(loaded[name], tensor)
    with pytest.raises(ModelFolderError, match="safetensors"):
        load_tensors(b"\x80\x04not tensors at all")


def test_skops_gives_the_object_back_when_all_its_types_are_allowed() -> None:
    model = Ridge(alpha=2.0).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.5])

    loaded = load_skops(dump_skops(model), RIDGE_TYPES)

    assert loaded.predict([[5.0]]) == model.predict([[5.0]])


def test_skops_refuses_types_that_are_not_allowed_even_harmless_ones() -> None:
    forest = RandomForestRegressor(2, random_state=0).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])

    with pytest.raises(ModelFolderError, match=r"type that is not allowed here: .*It was not loaded"):
        load_skops(dump_skops(forest), RIDGE_TYPES)


@pytest.mark.parametrize("loader", ["FunctionNode", "TypeNode", "ObjectNode", "OperatorFuncNode", "MethodNode", "NoSuchNode"])
def test_a_function_smuggled_in_is_refused_before_anything_is_built(tmp_path: Path, loader: str) -> None:
    data = dump_skops(Ridge().fit([[0.0], [1.0]], [0.0, 1.0]))

    def smuggle(name: str, content: bytes) -> bytes:
        if name != "schema.json":
            return content
        schema = json.loads(content)
        schema["content"]["content"]["solver"] = {"__class__": "system", "__module__": "os", "__loader__": loader, "__id__": 1}
        return json.dumps(schema).encode()

    with pytest.raises(ModelFolderError, match=r"type that is not allowed here: os\.system"):
        load_skops(_changed(tmp_path, data, smuggle), RIDGE_TYPES)


def test_a_pickle_in_place_of_a_model_is_never_executed(tmp_path: Path) -> None:
    target = tmp_path / "made-by-pickle"
    pickled = pickle.dumps(Bomb(target))
    pickle.loads(pickled)  # the bomb works
    target.rmdir()

    for load in (load_tensors, lambda data: load_skops(data, RIDGE_TYPES)):
        with pytest.raises(ModelFolderError):
            load(pickled)
    assert not target.exists()


def test_a_pickled_array_inside_a_skops_file_is_never_executed(tmp_path: Path) -> None:
    target = tmp_path / "made-by-array"

    def bomb(name: str, content: bytes) -> bytes:
        if not name.endswith(".npy"):
            return content
        np.save(tmp_path / "bomb.npy", np.array([Bomb(target)], dtype=object), allow_pickle=True)
        return (tmp_path / "bomb.npy").read_bytes()

    with pytest.raises(ModelFolderError, match="cannot be read"):
        load_skops(_changed(tmp_path, dump_skops(Ridge().fit([[0.0], [1.0]], [0.0, 1.0])), bomb), RIDGE_TYPES)
    assert not target.exists()


def _changed(tmp_path: Path, data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """The skops file with each member put through `change`."""
    (tmp_path / "good.skops").write_bytes(data)
    with zipfile.ZipFile(tmp_path / "good.skops") as good, zipfile.ZipFile(tmp_path / "changed.skops", "w") as changed:
        for name in good.namelist():
            changed.writestr(name, change(name, good.read(name)))
    return (tmp_path / "changed.skops").read_bytes()


def test_a_skops_file_that_unpacks_to_too_much_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = dump_skops(np.zeros(1_000_000))
    monkeypatch.setattr(model_folder, "MOST_UNPACKED", 7_000_000)
    with pytest.raises(ModelFolderError, match="unpacks to more than 7 MB"):
        load_skops(packed, {"numpy.ndarray"})
