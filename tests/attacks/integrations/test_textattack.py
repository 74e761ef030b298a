"""The suspicion constraint inside TextAttack 0.3.11, which has an environment of its own.

TEXTATTACK_PYTHON names that environment's interpreter; docs/reference/constraints.md says how to make it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from attacks.integrations.model_process import ModelProcess
from tests.attacks.integrations.test_model_process import trained

ROOT = Path(__file__).parents[3]
PYTHON = os.environ.get("TEXTATTACK_PYTHON")


@pytest.mark.nightly
@pytest.mark.skipif(PYTHON is None, reason="TEXTATTACK_PYTHON names no environment with TextAttack")
def test_what_textattack_finds_under_the_constraint_is_no_more_suspicious_than_tau(tmp_path: Path) -> None:
    folder = trained(tmp_path)
    words = tmp_path / "nltk_data" / "corpora" / "stopwords"
    words.mkdir(parents=True)
    (words / "english").write_text("the\na\nof\nin\non\nat\n")
    model = ModelProcess(folder, sys.executable)

    script = Path(__file__).with_name("in_textattack.py")
    command = [str(PYTHON), str(script), str(folder), sys.executable, str(tmp_path / "nltk_data")]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, cwd=tmp_path)
    found: dict[str, list[str | None]] = json.loads(done.stdout.splitlines()[-1])
    assert found["observed"] == found["free"]
    assert None not in found["free"]
    assert found["bound"] != found["free"]
    tau = model.predict([text or "" for text in found["texts"]]).max()
    suspicion = model.predict([text for text in found["bound"] if text is not None])
    assert (suspicion <= tau + 1e-6).all()
