from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from annotation.reproduction import public_files
from annotation.reproduction.given import ReproductionError
from annotation.reproduction.public_files import PUBLIC_FILES, PublicFile, fetch

CONTENT = "text,score\nnaïve,1\n".encode()
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Tests have no use for a log."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where a server gives out the files of a folder."""
    (tmp_path / "public").mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path / "public")))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def released(address: str, name: str = "file.csv") -> PublicFile:
    return PublicFile(name, f"{address}/{name}", size=len(CONTENT), sha256=SHA256)


def test_a_file_is_fetched_and_checked(address: str, tmp_path: Path) -> None:
    (tmp_path / "public" / "file.csv").write_bytes(CONTENT)
    out = tmp_path / "new" / "out"
    assert fetch([released(address)], out) == [(out / "file.csv", SHA256)]
    assert [path.name for path in out.iterdir()] == ["file.csv"]
    assert (out / "file.csv").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (CONTENT[:-1], f"it has {len(CONTENT) - 1} bytes, the released file {len(CONTENT)}"),
        (CONTENT.replace(b"1", b"2"), f"that of the released file {SHA256}"),
    ],
)
def test_another_file_is_refused_and_none_is_written(content: bytes, message: str, address: str, tmp_path: Path) -> None:
    (tmp_path / "public" / "good.csv").write_bytes(CONTENT)
    (tmp_path / "public" / "file.csv").write_bytes(content)
    with pytest.raises(ReproductionError, match=rf"{address}/file\.csv is not file\.csv as it was released: .*{message}"):
        fetch([released(address, "good.csv"), released(address)], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_file_without_a_hash_on_record_is_held_to_its_length() -> None:
    file = PublicFile("file.csv", "", characters=len(CONTENT) - 1)
    assert file.problem(CONTENT) == ""  # ï takes two bytes
    assert file.problem(CONTENT + b"x") == f"it has {len(CONTENT)} characters, the released file {len(CONTENT) - 1}"


def test_what_never_ends_is_cut_and_refused(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_files, "LONGEST", 70_000)
    (tmp_path / "public" / "file.csv").write_bytes(b"x" * 1_000_000)
    with pytest.raises(ReproductionError, match="it has 131,072 bytes"):
        fetch([released(address)], tmp_path / "out")


@pytest.mark.parametrize(("name", "why"), [("absent.csv", "404"), (None, "Connection refused")])
def test_without_a_network_it_says_what_to_do(name: str | None, why: str, address: str, tmp_path: Path) -> None:
    file = released(address, name) if name else released("http://127.0.0.1:9")
    with pytest.raises(ReproductionError, match=rf"could not be fetched \(.*{why}.*give it by --from PATH\. Nothing was written"):
        fetch([file], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_from_a_folder_or_a_file_of_any_name(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "b.csv").write_bytes(CONTENT)
    other = PublicFile("a.csv", "", size=1)
    file = PublicFile("b.csv", "", size=len(CONTENT), sha256=SHA256)
    assert fetch([file], tmp_path / "one", source=tmp_path / "here") == [(tmp_path / "one" / "b.csv", SHA256)]
    renamed = (tmp_path / "here" / "b.csv").rename(tmp_path / "here" / "any name")
    assert fetch([other, file], tmp_path / "two", source=renamed) == [(tmp_path / "two" / "b.csv", SHA256)]
    with pytest.raises(ReproductionError, match=r"any name is none of the released files \(not a\.csv: it has"):
        fetch([other], tmp_path / "three", source=renamed)
    with pytest.raises(ReproductionError, match=r"b\.csv cannot be read \(No such file or directory\)"):
        fetch([file], tmp_path / "three", source=tmp_path / "here")


def test_each_file_can_be_told_from_another_and_its_address_names_a_commit() -> None:
    files = [file for paper in PUBLIC_FILES.values() for file in paper]
    assert all(file.sha256 or file.characters for file in files)
    assert all(len([part for part in file.address.split("/") if len(part) == 40]) == 1 for file in files)
    assert all(file.address.endswith(file.name) for file in files)


@pytest.mark.published_data
def test_the_released_file_is_the_one_on_record(published_data: object, tmp_path: Path) -> None:
    source = published_data("incrediblae_manual_evaluation.csv")  # type: ignore[operator]
    ((path, sha256),) = fetch(PUBLIC_FILES["incrediblae"], tmp_path, source=source)
    assert (path.name, sha256) == ("InCrediblAE_Manual_Evaluation_Dataset.csv", PUBLIC_FILES["incrediblae"][0].sha256)
