"""Users for locust, which `benchmarks.load` starts.

From the environment: COOKIES names a file with one session cookie a line, THINK says the shortest and the longest time in front
of an item in seconds, WORK is the path of the campaign's work page, LABEL the answer that everybody gives.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from locust import FastHttpUser, between, constant, task
from requests.cookies import create_cookie

from benchmarks.reading import Question, question_on, reply

SHORTEST, LONGEST = (float(seconds) for seconds in os.environ.get("THINK", "0 0").split())
COOKIES = iter(Path(os.environ["COOKIES"]).read_text().split() if "COOKIES" in os.environ else [])
KEYS = itertools.count()


class Annotator(FastHttpUser):
    """Somebody who reads an item, thinks, and submits; the browser then follows to the next item."""

    wait_time = between(SHORTEST, LONGEST) if LONGEST else constant(0)

    def on_start(self) -> None:
        self.client.cookiejar.set_cookie(create_cookie("sessionid", next(COOKIES), domain="127.0.0.1"))
        self.question: Question | None = self.claim()
        self.wait()

    @task
    def answer(self) -> None:
        if self.question is not None:
            form = reply(self.question, os.environ["LABEL"])
            self.client.post(self.question.action, form, name="submit", allow_redirects=False)
        self.question = self.claim()

    def claim(self) -> Question | None:
        with self.client.get(os.environ["WORK"], name="claim", catch_response=True) as page:
            question = question_on(page.content or b"")
            if question is None and page.status_code:
                page.failure(f"no question on a page with status {page.status_code}")
            return question


class Inserter(FastHttpUser):
    """The yardstick's client: one INSERT after another."""

    wait_time = constant(0)

    @task
    def insert(self) -> None:
        self.client.get(f"/insert/?key={os.getpid()}-{next(KEYS)}", name="insert")
