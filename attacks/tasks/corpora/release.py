"""Tasks that somebody has converted already, as the shared task InCrediblAE released all five (Przybyła et al. 2024).

C19 was published in this form only: posts on COVID-19 that are misinformation or not, each a pair of texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from attacks.errors import AttackError
from attacks.tasks.corpora.corpus import Corpus, Kind, Labelled, Progress
from attacks.tasks.layout import decode, decode_loosely, read_columns


def is_release(folder: Path) -> bool:
    """Whether a folder holds a converted task, rather than a corpus."""
    return (folder / "attack.tsv").is_file()


def reader(texts: int) -> Callable[[Path, Progress], Corpus]:
    """What reads the files of a task of so many texts a line. Their splits stay as they are; ``dev.tsv`` may be missing."""

    def read(folder: Path, progress: Progress) -> Corpus:
        files = {split: folder / f"{split}.tsv" for split in ("train", "dev", "attack")}
        if not files["dev"].is_file():
            del files["dev"]
        remarks: Counter[str] = Counter()
        splits: dict[str, list[Labelled]] = {"dev": []}
        for done, (split, path) in enumerate(files.items()):
            progress(done, len(files), f"reading {path.name}")
            splits[split] = _rows(path, texts, remarks)
        progress(len(files), len(files), "read")
        return Corpus(**splits, files={split: [path] for split, path in files.items()}, remarks=remarks)

    return read


KIND = Kind(
    task="C19",
    about="misinformation on COVID-19",
    source="CheckThat! 2024, task 6: InCrediblAE (Przybyła et al. 2024), gitlab.com/checkthat_lab/clef2024-checkthat-lab",
    layout="train.tsv and attack.tsv as released: label, source, first text, second text between tabs",
    texts=2,
    read=reader(2),
)


def _rows(path: Path, texts: int, remarks: Counter[str]) -> list[Labelled]:
    rows = []
    for where, (label, source, *encoded) in read_columns(path):
        if len(encoded) != texts:
            raise AttackError(f"{where}: {len(encoded)} texts, where this task has {texts}")
        remarks["texts whose backslashes are not doubled"] += sum(not _is_doubled(each) for each in encoded)
        rows.append(Labelled(int(label), decode_loosely(source), tuple(map(decode_loosely, encoded))))
    return rows


def _is_doubled(encoded: str) -> bool:
    try:
        decode(encoded)
    except AttackError:
        return False
    return True
