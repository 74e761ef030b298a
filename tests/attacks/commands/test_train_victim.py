from __future__ import annotations

from pathlib import Path

import pytest

from attacks.__main__ import main
from attacks.tasks import Task, write_task
from scoring.model_folder import read_model_folder


def test_adversarial_training(weather: Task, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_task(weather, tmp_path / "weather")
    command = ["train-victim", "--task-dir", str(tmp_path / "weather"), "--kind", "linear"]
    hardened = ["--adversarial", "--attacker", "deepwordbug-greedy", "--texts", "20", "--budget", "90", "--set", "C=5"]
    assert main([*command, *hardened, "--out", str(tmp_path / "hard")]) == 0
    card = read_model_folder(tmp_path / "hard").card
    assert card["parameters"] == {"C": 5.0}
    found = card["adversarial"]
    assert (found["attacker"]["name"], found["texts"], found["budget"]) == ("deepwordbug-greedy", 20, 90)
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == f"trained anew with {found['n']} adversarial examples"
    assert shown[1].startswith(f"accuracy {card['results']['accuracy']:.4f} (")
    faults = {
        "--attacker needs --adversarial": ["--attacker", "deepwordbug-greedy"],
        "--base is for --kind transformer": ["--base", "bert-base-uncased"],
        "unknown attacker 'x'": ["--adversarial", "--attacker", "x"],
    }
    for message, more in faults.items():
        assert main([*command, *more, "--out", str(tmp_path / "v")]) == 2
        assert message in capsys.readouterr().err
    assert not (tmp_path / "v").exists()
