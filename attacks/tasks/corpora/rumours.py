"""RD: threads of Twitter that spread a rumour or do not (PHEME; augmented by Han, Gao and Ciravegna 2019), as JSON."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from attacks.errors import AttackError
from attacks.tasks.corpora.corpus import Corpus, Kind, Labelled, Progress, divided, read_json, text_of

HELD_OUT = "charliehebdo"
LABELS = {"rumours": 1, "non-rumours": 0}


def read(folder: Path, progress: Progress) -> Corpus:
    """One text per thread: the first post and its replies, each a line. The threads on Charlie Hebdo are the test split."""
    events = _folders(folder)
    if not any(event.name.startswith(HELD_OUT) for event in events):
        raise AttackError(f"{folder}: there is no folder of the event {HELD_OUT}, which is held out for the attack")
    train: list[Labelled] = []
    test: list[Labelled] = []
    files: dict[str, list[Path]] = {}
    remarks: Counter[str] = Counter()
    for done, event in enumerate(events):
        progress(done, len(events), f"RD: {event.name}")
        for kind, label in LABELS.items():
            if not (event / kind).is_dir():
                raise AttackError(f"{event}: there is no folder {kind} in it")
            for thread in _folders(event / kind):
                tweets = _tweets(thread)
                remarks["threads without a reply"] += len(tweets) == 1
                files.setdefault(event.name, []).extend(tweets)
                text = "\n".join(map(_message, tweets))
                source = f"https://twitter.com/twitter/status/{tweets[0].stem}"
                (test if event.name.startswith(HELD_OUT) else train).append(Labelled(label, source, (text,)))
    progress(len(events), len(events), "RD: read")
    attack, dev = divided(test)
    return Corpus(train, dev, attack, files, remarks)


KIND = Kind(
    task="RD",
    about="a thread that spreads a rumour",
    source="Augmented dataset of rumours and non-rumours (Han, Gao and Ciravegna 2019), doi.org/10.5281/zenodo.3269768",
    layout="EVENT/{rumours,non-rumours}/THREAD/{source-tweets,reactions}/NUMBER.json, as PHEME has it",
    texts=1,
    read=read,
)


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith((".", "__")))


def _tweets(thread: Path) -> list[Path]:
    """The source and then its replies, by file name, which is their number."""
    sources = sorted(path for path in thread.glob("source-tweet*/*.json") if not path.name.startswith("."))
    if not sources:
        raise AttackError(f"{thread}: there is no source-tweets/NUMBER.json in it")
    return sources + sorted(path for path in thread.glob("reactions/*.json") if not path.name.startswith("."))


def _message(path: Path) -> str:
    tweet = read_json(path.read_bytes(), str(path))
    text = text_of(tweet, "full_text" if "full_text" in tweet else "text", str(path))
    # Twitter escapes these three; the ampersand comes last, so that nothing is undone twice.
    for escaped, character in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(escaped, character)
    return text.replace("\r\n", " ").replace("\n", " ").replace("\r", " ")
