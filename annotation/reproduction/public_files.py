"""The files that papers released: where they are, how long they are and what they hash to; and how they are brought here."""

from __future__ import annotations

import hashlib
import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .given import ReproductionError

TIMEOUT: Final = 30
"""Seconds without an answer."""
LONGEST: Final = 50_000_000
"""Bytes; no file here has a tenth."""
_PART: Final = 65_536


@dataclass(frozen=True, slots=True)
class PublicFile:
    """A released file. Its address names a commit, so that what stands there does not change.

    `size` in bytes and `sha256` are those of the file as it was read here. Of a file that was only looked up in an index, there
    are none but `characters`, its length when decoded; then that is checked, and its SHA-256 is told.
    """

    name: str
    address: str
    size: int | None = None
    sha256: str = ""
    characters: int | None = None

    def problem(self, content: bytes) -> str:
        """What shows that the content is another file; empty if nothing does."""
        if self.size is not None and len(content) != self.size:
            return f"it has {len(content):,} bytes, the released file {self.size:,}"
        if self.sha256 and (found := hashlib.sha256(content).hexdigest()) != self.sha256:
            return f"its SHA-256 is {found}, that of the released file {self.sha256}"
        if self.characters is not None and (found_characters := _characters(content)) != self.characters:
            return f"it has {found_characters:,} characters, the released file {self.characters:,}"
        return ""


_GITHUB = "https://raw.githubusercontent.com"
_SUSPICION = f"{_GITHUB}/SJabin/HumanAdvSuspiciousness/bebebdf8d4a0d14694b19db34780f9c79d36de92/human_evaluation"
PUBLIC_FILES: Final[dict[str, tuple[PublicFile, ...]]] = {
    "incrediblae": (
        PublicFile(
            "InCrediblAE_Manual_Evaluation_Dataset.csv",
            f"{_GITHUB}/GateNLP/CLEF2024_InCrediblAE_Manual_Evaluation_Dataset/47f2d706f5bc1e0f0d7df2d66904648b7d7ce44f/"
            "InCrediblAE_Manual_Evaluation_Dataset.csv",
            size=377_955,
            sha256="19a62518eeac6f30487d9aa00b746817a41bd9b65cc81e22e0d2799ad67a2acf",
        ),
    ),
    "suspiciousness": (
        PublicFile(
            "MTurk_human_suspicion_survey_all.csv", f"{_SUSPICION}/MTurk_human_suspicion_survey_all.csv", characters=754_764
        ),
        PublicFile(
            "MTurk_human_suspicion_survey_processed_unique.csv",
            f"{_SUSPICION}/MTurk_human_suspicion_survey_processed_unique.csv",
            characters=451_796,
        ),
    ),
}
"""By paper. BODEGA and second-order examples have none: their corpora come from elsewhere, their results were not released."""


def fetch(files: Sequence[PublicFile], folder: Path, *, source: Path | None = None) -> list[tuple[Path, str]]:
    """Bring the files into the folder, which is made if absent: from their addresses, or from `source`, a file or a folder.
    Returns paths and SHA-256.

    Raises ReproductionError if one cannot be had or is another file. All are checked before the first is written.
    """
    contents = [_from_folder(file, source) if source else _downloaded(file) for file in _wanted(files, source)]
    folder.mkdir(parents=True, exist_ok=True)
    return [(_written(folder / file.name, content), hashlib.sha256(content).hexdigest()) for file, content in contents]


def _wanted(files: Sequence[PublicFile], source: Path | None) -> Sequence[PublicFile]:
    """All of them, or the one that the file `source` is, whatever it is called."""
    if source is None or not source.is_file():
        return files
    content = source.read_bytes()
    problems = {file.name: file.problem(content) for file in files}
    found = [file for file in files if not problems[file.name]]
    if not found:
        told = "; ".join(f"not {name}: {problem}" for name, problem in problems.items())
        raise ReproductionError(f"{source} is none of the released files ({told}). Nothing was written.")
    return found


def _from_folder(file: PublicFile, source: Path) -> tuple[PublicFile, bytes]:
    path = source if source.is_file() else source / file.name
    try:
        return _checked(file, path.read_bytes(), str(path))
    except OSError as error:
        raise ReproductionError(f"{path} cannot be read ({error.strerror}). Nothing was written.") from None


def _downloaded(file: PublicFile) -> tuple[PublicFile, bytes]:
    parts: list[bytes] = []
    try:
        with urllib.request.urlopen(file.address, timeout=TIMEOUT) as answer:
            while part := answer.read(_PART):
                parts.append(part)
                if sum(map(len, parts)) > LONGEST:
                    break
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()  # it is the answer, too
        why = error.reason if type(error) is urllib.error.URLError else error
        raise ReproductionError(
            f"{file.address} could not be fetched ({why}). Fetch it where there is a network, and give it by --from PATH. "
            "Nothing was written."
        ) from None
    return _checked(file, b"".join(parts), file.address)


def _checked(file: PublicFile, content: bytes, where: str) -> tuple[PublicFile, bytes]:
    if problem := file.problem(content):
        raise ReproductionError(f"{where} is not {file.name} as it was released: {problem}. Nothing was written.")
    return file, content


def _written(path: Path, content: bytes) -> Path:
    """Whole or not at all."""
    staged = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        staged.write_bytes(content)
        staged.replace(path)
    finally:
        staged.unlink(missing_ok=True)
    return path


def _characters(content: bytes) -> int:
    """Of what is not UTF-8, each wrong byte counts as one."""
    return len(content.decode("utf-8", errors="replace"))
