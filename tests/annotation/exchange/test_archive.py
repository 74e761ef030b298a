"""Everything in one archive: the same files to the byte, made piece by piece."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

import pytest

from annotation.exchange import archive
from annotation.exchange.archive import archive_of
from annotation.exchange.downloads import EVERYTHING, media_type, pieces_of
from annotation.exchange.export import FILES
from annotation.models import Campaign
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign


@pytest.fixture
def judged(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> Campaign:
    campaign = make_campaign(items=2)
    for name, confidence in (("ada", 1), ("ben", 5)):
        person = make_annotator(campaign, name)
        for _ in range(2):
            answer(campaign, person, "preserve", confidence)
    return campaign


@pytest.mark.parametrize("at_least", [0, 3])
def test_it_holds_every_text_file_as_it_is(judged: Campaign, at_least: int) -> None:
    packed = zipfile.ZipFile(io.BytesIO(b"".join(pieces_of(judged, EVERYTHING, at_least=at_least))))
    assert packed.testzip() is None
    assert {name: packed.read(name) for name in packed.namelist()} == {
        f"harbour/{name}": "".join(made(judged, at_least)).encode() for name, made in FILES.items()
    }
    assert media_type(EVERYTHING) == "application/zip"


def test_it_is_given_away_while_it_is_made(judged: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more of it waits than a piece and what one part of a file adds."""
    monkeypatch.setattr(archive, "PIECE", 1000)
    made: list[int] = []

    def parts(campaign: Campaign, at_least: int) -> Iterator[str]:
        for number in range(20_000):
            made.append(number)
            yield f"{hash(str(number))}\n"

    monkeypatch.setattr(archive, "FILES", {"large.csv": parts})
    pieces = archive_of(judged)
    first = next(pieces)
    assert len(made) < 10_000
    rest = list(pieces)
    assert len(made) == 20_000
    assert max(map(len, [first, *rest])) < 40_000
