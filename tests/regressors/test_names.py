from __future__ import annotations

import subprocess
import sys

from regressors.models import MODELS
from regressors.names import NAMES


def test_every_model_has_words_and_no_words_are_about_none() -> None:
    assert list(NAMES) == list(MODELS)


def test_the_words_cost_nothing() -> None:
    code = "import sys, regressors.names; print([name for name in ('numpy', 'sklearn', 'torch') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
