"""Pretrained Transformers fine-tuned to scores: on texts alone, or with numbers of the text in the head ("Multimodal")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import QuantileTransformer

from regressors.errors import RegressorError
from regressors.features.group import FeatureGroup, stacked
from regressors.models.base import SUSPICION, Array, Scale, TextRegressor
from regressors.models.network import NO_TOKEN, network_of
from regressors.models.pretrained import Reader, pretrained, restored
from regressors.models.smart import Smart
from regressors.models.tuning import Progress, Recipe, Tuned, choose_epochs, own_random_numbers, tune
from regressors.targets import Targets
from scoring.model_folder import dump_tensors, load_tensors

NETWORK: Final = "network.safetensors"
MEASURES: Final = "measures.safetensors"
MOST_TOKENS: Final = 4_096


class FineTuned(TextRegressor):
    """A Transformer whose weights are trained on, as Tonni, Faustini and Dras ("Suspiciousness of Adversarial Texts to Human",
    2024) do it; with `groups`, their numbers stand beside the text's vector in the head (there "Multimodal").

    `base` is the folder of any Hugging Face model of one part (BERT, RoBERTa, ALBERT, DistilBERT, XLNet …), None the embedded
    MiniLM. Texts are cut after `tokens`. The number of epochs, up to `most_epochs`, is chosen by Pearson r on a fifth of the
    groups, which are set apart; then all is trained on. `smart_weight` and `bregman_weight` above 0 add SMART's regularisers (see
    `regressors.models.smart`), for changes of at most `smart_radius` in each number of an embedding. `device` is torch's name of
    one ("cuda" for a GPU). Equal seeds give equal models on one machine with as many threads; other sums of a GPU or of more
    threads change last digits, which training makes larger. A text's score differs from the one in other company by at most 1e-4
    or so. Fitted: `epochs_`, `development_r_` (after each epoch that was tried), `tuned_`, `base_sha256_`.
    """

    kind = "fine-tuned"
    settings: ClassVar[tuple[str, ...]] = (
        "base",
        "tokens",
        "most_epochs",
        "rate",
        "batch",
        "smart_weight",
        "bregman_weight",
        "smart_radius",
        "seed",
    )

    repeats = 1

    def __init__(
        self,
        base: str | None = None,
        groups: tuple[FeatureGroup, ...] = (),
        *,
        tokens: int = 128,
        most_epochs: int = 10,
        rate: float = 5e-5,
        batch: int = 16,
        smart_weight: float = 0.0,
        bregman_weight: float = 0.0,
        smart_radius: float = 1e-2,
        seed: int = 0,
        device: str = "cpu",
        progress: Progress | None = None,
        scale: Scale = SUSPICION,
    ) -> None:
        self.base = base
        self.groups = groups
        self.tokens = tokens
        self.most_epochs = most_epochs
        self.rate = rate
        self.batch = batch
        self.smart_weight = smart_weight
        self.bregman_weight = bregman_weight
        self.smart_radius = smart_radius
        self.seed = seed
        self.device = device
        self.progress = progress
        self.scale = scale

    @property
    def width(self) -> int:
        return self.tokens + self._columns

    @property
    def _columns(self) -> int:
        return sum(len(group.names) for group in self.groups)

    @property
    def _base(self) -> Reader:
        return self.tuned_.base if hasattr(self, "tuned_") else pretrained(self.base)

    @property
    def base_sha256(self) -> str:
        """Of the pretrained weights."""
        return self.base_sha256_ if hasattr(self, "base_sha256_") else pretrained(self.base).files.sha256

    def represent(self, texts: Sequence[str]) -> Array:
        """Token numbers, -1 after the last, and the numbers of the groups: reading needs no network, so it costs little."""
        tokens = np.full((len(texts), self.tokens), NO_TOKEN, dtype=np.float64)
        for row, read in zip(tokens, self._base.read(texts, self.tokens), strict=True):
            row[: len(read)] = read
        return np.hstack([tokens, stacked(self.groups, texts)])

    def fit_represented(self, X: Array, told: Targets) -> Self:
        base, recipe = pretrained(self.base), self._recipe()
        tokens, numbers = self._split(X)
        with own_random_numbers(self.device):
            self.epochs_, self.development_r_ = choose_epochs(base, tokens, numbers, told, recipe)
            for tuned in tune(base, tokens, numbers, told, recipe, self.epochs_, "Training on all texts"):
                self.tuned_ = tuned
        self.base_sha256_ = base.files.sha256
        return self

    def predict_represented(self, X: Array) -> Array:
        return np.clip(self.tuned_.predict(*self._split(X), self.device), *self.scale)

    def parameters(self) -> dict[str, Any]:
        told = {"kind": self.kind, "base_sha256": self.base_sha256, "scale": list(self.scale)}
        return told | {"groups": [group.spec for group in self.groups]} | {name: getattr(self, name) for name in self.settings}

    def learned(self) -> dict[str, bytes]:
        """The weights, and with them configuration and tokeniser: the base is not needed again."""
        weights = {name: tensor.cpu().numpy() for name, tensor in self.tuned_.network.state_dict().items()}
        measures: dict[str, NDArray[Any]] = {
            "mean": np.array([self.tuned_.mean]),
            "spread": np.array([self.tuned_.spread]),
            "epochs": np.array([self.epochs_]),
            "development_r": np.array(self.development_r_),
            "base_sha256": np.frombuffer(bytes.fromhex(self.base_sha256_), dtype=np.uint8),
        }
        if self.tuned_.quantiles is not None:
            measures["quantiles"] = self.tuned_.quantiles.quantiles_
        return self.tuned_.base.dumped() | {NETWORK: dump_tensors(weights), MEASURES: dump_tensors(measures)}

    def restore(self, files: Mapping[str, bytes]) -> Self:
        base, measures = restored(files), load_tensors(files[MEASURES])
        mean, spread = float(measures["mean"][0]), float(measures["spread"][0])
        quantiles = _quantiles(measures["quantiles"], self._columns) if self.groups else None
        network = _network(base, self._columns, load_tensors(files[NETWORK])).to(self.device)
        if not np.isfinite([mean, spread]).all():
            raise RegressorError(f"{MEASURES} holds no finite mean and spread.")
        if not 1 <= self.tokens <= MOST_TOKENS:
            raise RegressorError(f"The model reads {self.tokens} tokens of a text; 1 to {MOST_TOKENS:,} are possible.")
        self.tuned_ = Tuned(base, network, quantiles, mean, spread)
        self.epochs_, self.development_r_ = int(measures["epochs"][0]), measures["development_r"].tolist()
        self.base_sha256_ = measures["base_sha256"].tobytes().hex()
        return self

    def _split(self, X: Array) -> tuple[Array, Array]:
        return X[:, : self.tokens], X[:, self.tokens :]

    def _recipe(self) -> Recipe:
        smart = Smart(self.smart_weight, self.bregman_weight, self.smart_radius)
        return Recipe(self.most_epochs, self.rate, self.batch, smart, self.seed, self.device, self.progress)


def _network(base: Reader, columns: int, weights: Mapping[str, NDArray[Any]]) -> Any:
    """RegressorError unless the weights are those of such a network, all finite. On the device "meta" a layer takes no memory,
    whatever size a configuration asks for; that there are not too many is seen before."""
    import torch

    layers = [of for name, of in base.config.to_dict().items() if isinstance(of, int) and ("layer" in name or "group" in name)]
    if max(layers, default=0) > len(weights):
        raise RegressorError(f"{NETWORK} holds no weights of {max(layers)} layers, which its configuration asks for.")
    with torch.device("meta"):
        expected = {name: tuple(of.shape) for name, of in network_of(base.empty_encoder(), columns).state_dict().items()}
    if {name: of.shape for name, of in weights.items()} != expected:
        raise RegressorError(f"{NETWORK} holds no weights of the network that its configuration describes.")
    if not all(np.isfinite(of).all() for of in weights.values()):
        raise RegressorError(f"{NETWORK} holds weights that are not finite.")
    network = network_of(base.empty_encoder(), columns)
    network.load_state_dict({name: torch.from_numpy(of) for name, of in weights.items()})
    return network.eval()


def _quantiles(values: NDArray[Any], columns: int) -> QuantileTransformer:
    """The fitted transformer of its quantiles, float64 [quantiles, columns]."""
    if values.ndim != 2 or values.shape[1] != columns or not len(values) or not np.isfinite(values).all():
        raise RegressorError(f"{MEASURES} holds no quantiles of {columns} columns.")
    transformer = QuantileTransformer(n_quantiles=len(values), output_distribution="normal", subsample=None)
    transformer.quantiles_, transformer.n_quantiles_ = values, len(values)
    transformer.references_, transformer.n_features_in_ = np.linspace(0, 1, len(values)), columns
    return transformer
