"""The feature group of a LanguageTool server, against a local one that speaks its protocol."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest

from regressors.errors import RegressorError
from regressors.features import group_of
from regressors.features.languagetool import CATEGORIES, LanguageToolFeatures
from regressors.features.service import Patience
from tests.regressors.features.server import Said, Server

SOFTWARE = {"name": "LanguageTool", "version": "6.4", "buildDate": "2024-03-28 14:05:28 +0100", "apiVersion": 1, "premium": False}
RULES = {"teh": "TYPOS", "is is": "GRAMMAR", "  ": "TYPOGRAPHY", "whilst": "BRITISH_ENGLISH"}
"""What the server finds, and of which category it says that is."""


class LanguageTool(Server):
    """Finds `RULES`; `answers` are given first."""

    software: dict[str, Any] = SOFTWARE

    def __init__(self) -> None:
        super().__init__(of_body=lambda body: self._found(_form(body)["text"][0]))

    @property
    def asked(self) -> list[tuple[str, dict[str, list[str]]]]:
        return list(zip(self.paths, map(_form, self.bodies), strict=True))

    def _found(self, text: str) -> Said:
        matches = [
            {"message": "…", "offset": 0, "length": len(part), "rule": {"id": "X", "category": {"id": category, "name": "…"}}}
            for part, category in RULES.items()
            for _ in range(text.count(part))
        ]
        return Said(json.dumps({"software": self.software, "language": {"code": "en-US"}, "matches": matches}).encode())


def _form(body: bytes) -> dict[str, list[str]]:
    return parse_qs(body.decode("ascii"), keep_blank_values=True)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LanguageTool]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with LanguageTool() as running:
        yield running


def quick(server: LanguageTool, **patience: Any) -> LanguageToolFeatures:
    return LanguageToolFeatures(server.address, Patience(first_wait=0, **patience))


def test_matches_are_counted_by_category_for_each_word(server: LanguageTool) -> None:
    group = quick(server)

    rows = group.compute(["It is is  teh end, whilst teh rain", "", "Fine.", " \n"])

    named = dict(zip(group.names, rows[0].tolist(), strict=True))
    assert {name: share for name, share in named.items() if share} == {
        "matches": 5 / 8,
        "typos": 2 / 8,
        "grammar": 1 / 8,
        "typography": 1 / 8,
        "other": 1 / 8,
    }
    assert len(named) == len(CATEGORIES) + 2 == 14
    assert not rows[1:].any()
    assert server.asked == [
        ("/v2/check", {"language": ["en-US"], "text": ["It is is  teh end, whilst teh rain"]}),
        ("/v2/check", {"language": ["en-US"], "text": ["Fine."]}),
    ]
    assert group.compute([]).shape == (0, 14)


def test_any_string_reaches_the_server(server: LanguageTool) -> None:
    quick(server).compute(["сat & \ud800=\x00?"])

    assert server.asked[0][1]["text"] == ["сat & \ufffd=\x00?"]


@pytest.mark.parametrize("ending", ["", "/", "/v2", "/v2/check"])
def test_the_address_is_understood_with_and_without_its_ending(server: LanguageTool, ending: str) -> None:
    assert LanguageToolFeatures(server.address + ending).compute(["teh"])[0, 0] == 1
    assert server.paths == ["/v2/check"]


def test_the_version_of_the_server_is_part_of_what_it_says_of_itself(server: LanguageTool) -> None:
    described = {"group": "languagetool", "version": "1", "columns": 14, "name": "LanguageTool 6.4 2024-03-28 14:05:28 +0100"}
    assert quick(server).described() == described

    group = group_of(f"languagetool:{server.address}")
    for _ in range(2):
        assert group.compute(["teh end"])[0, 0] == 1 / 2
    assert [form["text"] for _, form in server.asked] == [["a"], ["a"], ["teh end"]]
    server.software = SOFTWARE | {"version": "6.5"}
    group_of(f"languagetool:{server.address}").compute(["teh end"])
    assert len(server.asked) == 5


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failure_that_may_pass_is_tried_again(server: LanguageTool, status: int) -> None:
    server.answers = [Said(b"busy", status)] * 3

    assert quick(server).compute(["teh"])[0, 0] == 1
    assert len(server.asked) == 4

    server.answers = [Said(b"busy", status)] * 9
    with pytest.raises(RegressorError, match=rf"failed 2 times, at last: HTTP status {status}, busy\. Is LanguageTool's server"):
        quick(server, attempts=2).compute(["teh"])


def test_a_refused_text_is_told_at_once(server: LanguageTool) -> None:
    server.answers = [Said(b"Error: Your text exceeds the limit of 20000 characters", 413)]

    with pytest.raises(
        RegressorError,
        match=r"refuses the request: HTTP status 413, Error: Your text exceeds the limit.*Look at the server's settings",
    ):
        quick(server).compute(["teh"])
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"<html>welcome</html>",
        b"[]",
        b"{}",
        b'{"software": {}, "matches": []}',
        b'{"software": {"name": "x"}, "matches": [{"rule": {}}]}',
        b'{"software": {"name": "x"}, "matches": {}}',
        b"\xff",
    ],
)
def test_another_server_is_told_apart(server: LanguageTool, body: bytes) -> None:
    server.answers = [Said(body)]
    with pytest.raises(RegressorError, match=r"does not answer as LanguageTool does: '.*Give its server's address"):
        quick(server).compute(["teh"])


def test_no_server_is_told_with_how_to_start_one(server: LanguageTool) -> None:
    with pytest.raises(RegressorError, match=r"failed 2 times, at last: .*refused.*java -cp languagetool-server\.jar"):
        LanguageToolFeatures("http://127.0.0.1:9", Patience(attempts=2, first_wait=0)).described()


def test_an_answer_that_breaks_off_is_asked_for_again(server: LanguageTool) -> None:
    server.answers = [Said(b'{"software": {"na', cut=100)]

    assert quick(server).compute(["teh"])[0, 0] == 1
    assert len(server.asked) == 2


@pytest.mark.parametrize("given", ["localhost:8081", "http://a?b"])
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(RegressorError, match=r"is no address of a server, such as http://localhost:8081"):
        group_of(f"languagetool:{given}")


def test_without_an_address_it_is_asked_for() -> None:
    with pytest.raises(RegressorError, match="Say where LanguageTool's server is: languagetool:URL"):
        group_of("languagetool")


def test_a_text_does_not_depend_on_the_others(server: LanguageTool) -> None:
    texts = ["teh end", "is is", "teh end", "a"]
    group = quick(server)
    assert np.array_equal(group.compute(texts), np.vstack([group.compute([text]) for text in texts]))
