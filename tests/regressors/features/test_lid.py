"""The dimension feature group."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from regressors.detectors.lid import LocalDimension
from regressors.errors import RegressorError
from regressors.features.lid import LidFeatures
from scoring.table import read_table
from scoring.texts.encoder import embedded_encoder

WORDS = ["council", "river", "bridge", "morning", "company", "price", "report", "minister", "school", "team", "film", "story"]

KINDS = ("orig", "pruthi", "bae", "textfooler", "alzantot")
"""Of the published texts: as written, and altered by each attack."""


def texts_of(n: int, *, seed: int = 0) -> list[str]:
    rng = np.random.default_rng(seed)
    return [f"The {' of the '.join(rng.choice(WORDS, size=3))} was {rng.choice(['sold', 'lost', 'kept'])}." for _ in range(n)]


class TwoLayers:
    """Stands in for a sentence encoder: counts of letters, and their square roots."""

    name, version, sha256, size, depth = "two", "1", "2" * 64, 26, 2

    def __init__(self) -> None:
        self.seen: list[list[str]] = []

    def layers(self, texts: Any) -> NDArray[np.float32]:
        self.seen.append(list(texts))
        counts = np.array([[text.lower().count(chr(97 + letter)) for letter in range(26)] for text in texts], dtype=np.float32)
        return np.stack([counts, np.sqrt(counts)], axis=1)


def two_layers(reference: list[str], k: int = 5) -> LidFeatures:
    return LidFeatures(reference, TwoLayers(), k)  # type: ignore[arg-type]


def test_the_values_are_those_of_the_layers_against_the_reference() -> None:
    reference, queries = texts_of(40), texts_of(5, seed=1)
    group = two_layers(reference)

    found = group.compute(queries)

    layers = [TwoLayers().layers(texts).astype(float).swapaxes(0, 1) for texts in (reference, queries)]
    assert np.array_equal(found, LocalDimension(5).fit(layers[0]).transform(layers[1]))
    assert group.names == ("lid_layer_0", "lid_layer_1", "lid_mean")
    assert group.compute([]).shape == (0, 3)
    assert np.array_equal(group.compute(queries[::-1]), found[::-1])
    assert len([seen for seen in group.encoder.seen if len(seen) > 5]) == 1  # type: ignore[attr-defined]


def test_the_embedded_encoder_gives_each_layer_a_dimension() -> None:
    reference = texts_of(60)
    group = LidFeatures(reference, k=10)
    inside, altered = reference[0], reference[0].replace("The", "Teh")

    rows = group.compute([inside, altered])

    assert rows.shape == (2, 8) and group.names[-2:] == ("lid_layer_6", "lid_mean")
    assert np.isfinite(rows).all() and (rows > 0).all()
    assert not np.allclose(rows[0], rows[1], rtol=0.01)
    # In the reference or not, and with whatever company, a text has the same neighbours.
    np.testing.assert_allclose(LidFeatures(reference[1:], k=10).compute([inside])[0], rows[0], rtol=1e-4)


def test_originals_in_the_reference_give_their_variants_away() -> None:
    """The trap of which the class warns."""
    originals, others = texts_of(60), texts_of(60, seed=1)
    altered = [text.replace("e", "3", 1) for text in originals]

    trapped, fair = two_layers(originals), two_layers(others)

    assert np.median(trapped.compute(altered)[:, -1]) < 0.7 * np.median(trapped.compute(originals)[:, -1])
    assert np.median(fair.compute(altered)[:, -1]) > 0.85 * np.median(fair.compute(originals)[:, -1])


@pytest.mark.nightly
def test_the_published_medians_with_and_without_a_text_s_own_original(published_data: Callable[[str], Path]) -> None:
    rows = read_table(published_data("suspicion_mturk_dev.csv"), required=["Input.text", "group"]).rows
    of_kind = {kind: [row["Input.text"] for row in rows if row["group"] == kind] for kind in KINDS}
    originals = sorted(of_kind.pop("orig"))
    altered = [text for texts in of_kind.values() for text in texts]
    encoder = embedded_encoder()
    states, of_altered = (encoder.layers(texts).astype(np.float64).swapaxes(0, 1) for texts in (originals, altered))
    own = np.array([process.extractOne(text, originals, scorer=Levenshtein.distance)[2] for text in altered])
    tenth = np.random.default_rng(0).permutation(len(originals)) % 10

    trap = LocalDimension().fit(states)
    found: tuple[list[float], list[float]] = ([], [])
    for number in range(10):
        fair = LocalDimension().fit(states[:, tenth != number])
        found[0].extend(fair.transform(states[:, tenth == number])[:, -1])
        found[1].extend(fair.transform(of_altered[:, tenth[own] == number])[:, -1])

    assert (len(originals), len(altered)) == (540, 2_160)
    assert [round(np.median(trap.transform(queries)[:, -1])) for queries in (states, of_altered)] == [31, 11]
    assert [round(np.median(each)) for each in found] == [31, 31]


def test_a_card_tells_the_reference_and_the_encoder() -> None:
    reference = texts_of(40)
    described = two_layers(reference).described()

    assert described == {
        "group": "lid",
        "version": "1",
        "columns": 3,
        "sha256": described["sha256"],
        "k": 5,
        "encoder": "two 1",
        "encoder_sha256": "2" * 64,
    }
    assert two_layers([*reversed(reference), reference[3]]).described() == described
    assert two_layers([*reference, "another"]).sha256 != described["sha256"]


def test_the_reference_may_be_the_lines_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "reference.txt"
    path.write_text("\n".join([*texts_of(40), "", "a caf\xe9\u2028there"]), encoding="utf-8")

    group = LidFeatures.from_file(str(path), TwoLayers(), 5)  # type: ignore[arg-type]

    assert group.spec == f"lid:{path}"
    assert group.sha256 == two_layers([*texts_of(40), "a caf\xe9\u2028there"]).sha256


def test_a_reference_that_will_not_do_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RegressorError, match="has 1 different texts: more than k = 5 are needed"):
        two_layers(["same"] * 40)
    with pytest.raises(RegressorError, match=r"none\.txt: the reference texts cannot be read \(No such file"):
        LidFeatures.from_file(str(tmp_path / "none.txt"))
    with pytest.raises(RegressorError, match="Say where the reference texts are: lid:FILE"):
        LidFeatures.from_file(None)
    (tmp_path / "latin").write_bytes(b"caf\xe9")
    with pytest.raises(RegressorError, match=r"cannot be read \(it is not UTF-8"):
        LidFeatures.from_file(str(tmp_path / "latin"))
