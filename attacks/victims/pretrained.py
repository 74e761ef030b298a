"""Networks for sequence classification: from a pretrained base, with adapters, or filled with what a victim learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from attacks.errors import AttackError

if TYPE_CHECKING:
    from attacks.victims.pieces import PieceReader
    from regressors.models.pretrained import Pretrained

LABELS = 2


def base_of(base: str) -> Pretrained:
    """The pretrained model of a folder or a name on the model hub; the embedded MiniLM for an empty one."""
    from attacks.substitutes.model_folder import folder_of
    from regressors.models.pretrained import pretrained

    found = pretrained(str(folder_of(base)) if base else None)
    if found.config.pad_token_id is None:  # as with GPT-2: what fills up a batch is masked anyway
        found.config.pad_token_id = found.config.eos_token_id or 0
    return found


def device_here(device: str) -> str:
    """The device that a victim was trained on if this machine has such a one, else the CPU."""
    import torch

    return device if device == "cpu" or torch.cuda.is_available() else "cpu"


def classifier(base: Pretrained, *, seed: int, lora: bool, four_bit: bool, device: str) -> Any:
    """The base with a head for two labels, on a device. What the base lacks is drawn from the seed: a head, or a pooler before
    it. With ``lora`` it may lack a head only, since nothing else is kept.

    Raises `AttackError` for a device or a library that is not there, `ScoringError` for a base that cannot be loaded.
    """
    import torch
    from transformers import AutoModelForSequenceClassification

    if device != "cpu" and not torch.cuda.is_available():
        raise AttackError(f"PyTorch finds no device {device!r} here; leave it out to use the CPU")
    options: dict[str, Any] = {"quantization_config": _four_bit(device)} if four_bit else {"dtype": torch.float32}

    def load() -> tuple[Any, dict[str, Any]]:
        network, told = AutoModelForSequenceClassification.from_pretrained(
            base.files.folder, num_labels=LABELS, pad_token_id=base.config.pad_token_id, ignore_mismatched_sizes=True,
            output_loading_info=True, local_files_only=True, trust_remote_code=False, **options,
        )  # fmt: skip
        lacking = [key for key in told["missing_keys"] if key.startswith(f"{network.base_model_prefix}.")]
        return network, {"missing_keys": [key for key in lacking if lora or "pooler" not in key]}

    with _drawn_from(seed):
        network = base.files.load(load)
    return network if four_bit else network.to(device)


def with_adapters(network: Any, rank: int, *, seed: int) -> Any:
    """The network with low-rank adapters on all linear layers of its body; they and the head are what can learn."""
    try:
        import peft
    except ImportError:
        raise AttackError("low-rank adapters need peft; install it with: pip install peft") from None
    config = peft.LoraConfig(r=rank, target_modules="all-linear", task_type=peft.TaskType.SEQ_CLS)
    with _drawn_from(seed):
        return peft.get_peft_model(network, config)


def adapters_of(network: Any) -> dict[str, Any]:
    """What `with_adapters` added and the head, as tensors by name."""
    from peft import get_peft_model_state_dict

    return dict(get_peft_model_state_dict(network, save_embedding_layers=False))


def set_adapters(network: Any, weights: Mapping[str, np.ndarray]) -> None:
    """Undo `adapters_of`. Raises `AttackError` for weights of other adapters."""
    import torch
    from peft import set_peft_model_state_dict

    _check_shapes({name: tuple(of.shape) for name, of in adapters_of(network).items()}, weights)
    set_peft_model_state_dict(network, {name: torch.from_numpy(of.copy()) for name, of in weights.items()})


def filled(reader: PieceReader, weights: Mapping[str, np.ndarray]) -> Any:
    """A network of the reader's configuration with these weights. Raises `AttackError` for those of another network."""
    import torch
    from transformers import AutoModelForSequenceClassification

    def empty() -> Any:
        return AutoModelForSequenceClassification.from_config(reader.reader.config, trust_remote_code=False)

    # On the device "meta" a network takes no memory, whatever sizes a configuration asks for.
    with torch.device("meta"):
        _check_shapes({name: tuple(of.shape) for name, of in empty().state_dict().items()}, weights)
    with _drawn_from(0):
        network = empty()
    network.load_state_dict({name: torch.from_numpy(of.copy()) for name, of in weights.items()})
    return network


def as_array(tensor: Any) -> np.ndarray:
    """A weight in single precision, or a buffer of whole numbers as it is."""
    array: np.ndarray = (tensor.float() if tensor.is_floating_point() else tensor).detach().cpu().numpy()
    return array


def _check_shapes(expected: Mapping[str, tuple[int, ...]], weights: Mapping[str, np.ndarray]) -> None:
    if {name: of.shape for name, of in weights.items()} != dict(expected):
        raise AttackError("the victim's weights are not those of the network that it describes; train it again")


def _four_bit(device: str) -> Any:
    """As QLoRA has it: 4-bit NormalFloat, calculating in bfloat16."""
    import importlib.util

    import torch
    from transformers import BitsAndBytesConfig

    if importlib.util.find_spec("bitsandbytes") is None:
        raise AttackError("weights in 4 bits need bitsandbytes; install it with: pip install bitsandbytes accelerate")
    if device == "cpu":
        raise AttackError("weights in 4 bits need a GPU; set device=cuda")
    return BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=torch.bfloat16)


@contextmanager
def _drawn_from(seed: int) -> Iterator[None]:
    """Within, torch draws from the seed; afterwards its random numbers go on as if nothing had been drawn."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield
