"""Pretrained Transformers as victims: pairs, cutting, adapters, and what is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from attacks import AttackError
from attacks.tasks import Row, Task
from attacks.victims.pieces import PieceReader, is_pair
from attacks.victims.pretrained import base_of
from attacks.victims.training import load_victim, train_victim
from attacks.victims.transformer import TransformerVictim
from scoring.model_folder import load_tensors, read_model_folder, write_model_folder
from scoring.result import ScoringError

ROWS = [Row(0, "", "the official report"), Row(1, "", "the secret report")]
PAIRS = [Row(row.label, "", f"{row.text} ~ rain in our town") for row in ROWS]


def pieces_of(victim: TransformerVictim, text: str) -> list[tuple[int, ...]]:
    return [tuple(of) for of in zip(*victim.reader.encode([text])[0], strict=True)]


def test_exactly_two_parts_are_a_pair_where_the_task_has_pairs(bert: str) -> None:
    single = TransformerVictim.train(ROWS, base=bert, epochs=1)
    paired = TransformerVictim.train(PAIRS, base=bert, epochs=1)
    assert (single.resources["pairs"], paired.resources["pairs"]) == (False, True)
    assert [is_pair(text) for text in ("a ~ b", "a~b", "a ~ b ~ c", "a")] == [True, False, False, False]
    text = "the report ~ rain"
    assert pieces_of(single, text)[1] == (0,) * 6  # [CLS] the report ~ rain [SEP]
    assert pieces_of(paired, text)[1] == (0, 0, 0, 0, 1, 1)  # [CLS] the report [SEP] rain [SEP]
    assert pieces_of(paired, f"{text} ~ rain")[1] == (0,) * 8
    assert not np.array_equal(single.predict_proba([text]), paired.predict_proba([text]))


def test_what_is_cut_makes_no_difference(bert: str) -> None:
    victim = TransformerVictim.train(ROWS, base=bert, epochs=1, longest=5)
    answers = victim.predict_proba(["the report was read by people", "the report was exposed", "the report"])
    assert np.array_equal(answers[0], answers[1])
    assert not np.array_equal(answers[1], answers[2])
    assert PieceReader.of(base_of(bert), longest=512, pairs=False).longest == 64  # it has no more positions


def test_adapters_and_the_head_are_all_that_is_kept(gemma: str, weather: Task, tmp_path: Path) -> None:
    victim = train_victim(weather, "transformer", tmp_path / "v", base=gemma, lora=True, rank=2, epochs=1, force=True)
    names = load_tensors(read_model_folder(tmp_path / "v").files["weights.safetensors"]).keys()
    layers = {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}  # those of BODEGA's Gemma
    assert {name.split(".")[-3] for name in names if "lora_" in name} == layers
    assert [name for name in names if "lora_" not in name] == ["base_model.model.score.weight"]
    kept = load_victim(tmp_path / "v")
    assert np.array_equal(kept.predict_proba(["secret"]), victim.predict_proba(["secret"]))


def test_adapters_need_the_base_that_they_were_trained_on(gemma: str, bert: str, weather: Task, tmp_path: Path) -> None:
    train_victim(weather, "transformer", tmp_path / "v", base=gemma, lora=True, epochs=1, force=True)
    stored = read_model_folder(tmp_path / "v")
    for base, error, message in (
        (bert, AttackError, "not the weights that the victim's adapters were trained on"),
        (str(tmp_path / "gone"), ScoringError, "there is no such folder"),
    ):
        stored.card["parameters"]["base"] = base
        write_model_folder(tmp_path / "moved", card=stored.card, files=stored.files, replace=True)
        with pytest.raises(error, match=message):
            load_victim(tmp_path / "moved")


def test_weights_of_another_network_are_refused(bert: str, weather: Task, tmp_path: Path) -> None:
    train_victim(weather, "transformer", tmp_path / "v", base=bert, epochs=1, force=True)
    stored = read_model_folder(tmp_path / "v")
    stored.files["config.json"] = stored.files["config.json"].replace(b'"hidden_size": 16', b'"hidden_size": 32')
    write_model_folder(tmp_path / "other", card=stored.card, files=stored.files)
    with pytest.raises(AttackError, match="not those of the network that it describes"):
        load_victim(tmp_path / "other")


def test_what_cannot_be_is_refused(bert: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AttackError, match="precision is 'half'; give one of double, single"):
        TransformerVictim.train(ROWS, base=bert, precision="half")
    with pytest.raises(AttackError, match="weights in 4 bits cannot be trained; set lora=true"):
        TransformerVictim.train(ROWS, base=bert, four_bit=True)
    if not torch.cuda.is_available():
        with pytest.raises(AttackError, match="PyTorch finds no device 'cuda' here"):
            TransformerVictim.train(ROWS, base=bert, device="cuda")
        with pytest.raises(AttackError, match=r"need bitsandbytes; install it with|need a GPU; set device=cuda"):
            TransformerVictim.train(ROWS, base=bert, lora=True, four_bit=True)
    monkeypatch.setitem(sys.modules, "peft", None)
    with pytest.raises(AttackError, match="adapters need peft; install it with: pip install peft"):
        TransformerVictim.train(ROWS, base=bert, lora=True)
    with pytest.raises(ScoringError, match="there is no such folder"):
        TransformerVictim.train(ROWS, base="/no/such/folder")


def test_memory_that_runs_out_can_be_halved(bert: str, monkeypatch: pytest.MonkeyPatch) -> None:
    victim = TransformerVictim.train(ROWS, base=bert, epochs=1)

    def full(**given: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(victim, "_network", full)
    with pytest.raises(MemoryError, match="out of memory"):
        victim.predict_proba(["a"])
