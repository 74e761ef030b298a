"""Users for locust, which `benchmarks.load` starts.

From the environment: COOKIES names a file with one session cookie a line, THINK says the shortest and the longest time in front
of an item in seconds, WORK is the path of the campaign's work page, LABEL the answer that everybody gives.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any, ClassVar

from locust import FastHttpUser, between, constant, task
from requests.cookies import create_cookie

from benchmarks.reading import Question, question_on, reply

SHORTEST, LONGEST = (float(seconds) for seconds in os.environ.get("THINK", "0 0").split())
COOKIES = iter(Path(os.environ["COOKIES"]).read_text().split() if "COOKIES" in os.environ else [])
KEYS = itertools.count()


class Annotator(FastHttpUser):
    """Somebody who reads an item, thinks, and submits. Their browser runs our script: it gets the next item in response."""

    wait_time = between(SHORTEST, LONGEST) if LONGEST else constant(0)
    headers: ClassVar[dict[str, str]] = {"HX-Request": "true"}

    def on_start(self) -> None:
        self.client.cookiejar.set_cookie(create_cookie("sessionid", next(COOKIES), domain="127.0.0.1"))
        self.question = self._ask("claim", "GET", os.environ["WORK"], headers={})
        self.wait()

    @task
    def answer(self) -> None:
        if self.question is None:
            self.question = self._ask("claim", "GET", os.environ["WORK"], headers={})
        else:
            form = reply(self.question, os.environ["LABEL"])
            self.question = self._ask("submit", "POST", self.question.action, data=form, headers=self.headers)

    def _ask(self, name: str, method: str, path: str, **request: Any) -> Question | None:
        """A request that has to end in a page with a question."""
        with self.client.request(method, path, name=name, catch_response=True, **request) as page:
            question = question_on(page.content or b"")
            if question is None and page.status_code:
                page.failure(f"no question on a page with status {page.status_code}")
            return question


class AnnotatorWithoutScript(Annotator):
    """The same without script: a submission is redirected to the next item, which is a request of its own."""

    @task
    def answer(self) -> None:
        if self.question is not None:
            form = reply(self.question, os.environ["LABEL"])
            self.client.post(self.question.action, form, name="submit", allow_redirects=False)
        self.question = self._ask("claim", "GET", os.environ["WORK"], headers={})


class Inserter(FastHttpUser):
    """The yardstick's client: one INSERT after another."""

    wait_time = constant(0)

    @task
    def insert(self) -> None:
        self.client.get(f"/insert/?key={os.getpid()}-{next(KEYS)}", name="insert")
