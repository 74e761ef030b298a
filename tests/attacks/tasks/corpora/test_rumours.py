from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from attacks import AttackError
from attacks.tasks.corpora import KINDS, Corpus, Labelled
from tests.attacks.tasks.corpora.layouts import thread


def read(folder: Path) -> Corpus:
    return KINDS["RD"].read(folder, lambda done, total, message: None)


def tweet(text: str) -> dict[str, Any]:
    return {"text": text, "id": 1}


def test_a_thread_is_one_text_and_charlie_hebdo_is_held_out(tmp_path: Path) -> None:
    thread(
        tmp_path,
        "sydneysiege",
        "rumours",
        {300: tweet("Heard\nof &lt;it&gt;?")},
        {302: tweet("yes"), 301: tweet("No &amp;lt; no")},
    )
    thread(tmp_path, "sydneysiege", "non-rumours", {200: {"full_text": "whole", "text": "who…"}}, {})
    thread(tmp_path, "charliehebdo", "rumours", {100: tweet("in Paris")}, {})
    (tmp_path / "sydneysiege" / "rumours" / "300" / "reactions" / "._301.json").write_bytes(b"\x00")
    (tmp_path / ".DS_Store").write_text("")
    corpus = read(tmp_path)
    assert list(corpus.train) == [
        Labelled(1, "https://twitter.com/twitter/status/300", ("Heard of <it>?\nNo &lt; no\nyes",)),
        Labelled(0, "https://twitter.com/twitter/status/200", ("whole",)),
    ]
    assert list(corpus.attack) == [Labelled(1, "https://twitter.com/twitter/status/100", ("in Paris",))]
    assert corpus.remarks == {"threads without a reply": 2}
    assert {event: len(files) for event, files in corpus.files.items()} == {"charliehebdo": 1, "sydneysiege": 4}


def test_phemes_own_folder_names(tmp_path: Path) -> None:
    thread(tmp_path, "charliehebdo-all-rnr-threads", "rumours", {5: tweet("in Paris")}, {})
    where = tmp_path / "charliehebdo-all-rnr-threads" / "rumours" / "5"
    (where / "source-tweets").rename(where / "source-tweet")
    assert [row.texts for row in read(tmp_path).attack] == [("in Paris",)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"id": 1}', r"300\.json, field text: missing"),
        ('{"text": 3}', r"300\.json, field text: not a text"),
        ("[]", r"300\.json: not a JSON object"),
        ('{"text": ', r"300\.json: not JSON \(Expecting value"),
    ],
)
def test_faults_name_file_and_field(tmp_path: Path, content: str, message: str) -> None:
    thread(tmp_path, "charliehebdo", "rumours", {300: tweet("x")}, {})
    [path] = tmp_path.rglob("300.json")
    path.write_text(content)
    with pytest.raises(AttackError, match=message):
        read(tmp_path)


def test_half_a_surrogate_is_an_unknown_character(tmp_path: Path) -> None:
    thread(tmp_path, "charliehebdo", "rumours", {300: tweet("a \ud83d b \U0001f600")}, {})
    assert read(tmp_path).attack[0].texts == ("a \ufffd b \U0001f600",)


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    thread(tmp_path, "sydneysiege", "rumours", {300: tweet("x")}, {})
    with pytest.raises(AttackError, match="there is no folder of the event charliehebdo, which is held out"):
        read(tmp_path)
    (tmp_path / "charliehebdo").mkdir()
    with pytest.raises(AttackError, match="charliehebdo: there is no folder rumours in it"):
        read(tmp_path)
    thread(tmp_path, "charliehebdo", "rumours", {300: tweet("x")}, {})
    (tmp_path / "charliehebdo" / "rumours" / "7").mkdir()
    with pytest.raises(AttackError, match=r"7: there is no source-tweets/NUMBER\.json in it"):
        read(tmp_path)
