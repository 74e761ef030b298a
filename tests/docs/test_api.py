"""The worked example of the API, typed as it stands, against a running server."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from annotation.models import Campaign, User

from .test_commands import API

SERVER = "http://127.0.0.1:8000"


@pytest.mark.django_db(transaction=True)
def test_the_example_works_as_it_stands(live_server: LiveServer, tmp_path: Path) -> None:
    User.objects.create_user(username="organiser", password="a-long-password-1", is_organiser=True)
    commands = re.findall(r"^\$ (.+)$", API.read_text(), re.MULTILINE)
    answers = [typed(command.replace(SERVER, live_server.url), tmp_path) for command in commands]
    assert Campaign.objects.get(name="bridges").state == "open"
    assert [answer for answer in answers if '"added": 1' in answer.replace('":', '": ')] != []
    assert (tmp_path / "judgements.csv").read_text(encoding="utf-8-sig").startswith("campaign,item,")


def typed(command: str, folder: Path) -> str:
    """Type the command; a refusal by the server fails."""
    strict = command.replace("curl -s", "curl -s --show-error --fail-with-body", 1)
    done = subprocess.run(["bash", "-c", strict], cwd=folder, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout
