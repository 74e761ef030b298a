"""Which function does which kind of job. Names, not functions: the web process must not import what the work needs."""

from __future__ import annotations

KINDS: dict[str, str] = {
    "demo": "annotation.jobs.demo.run",
    "train": "annotation.jobs.training.run",
}
