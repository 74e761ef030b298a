"""The forms about the robustness of constraints: measuring some, reading a curve from elsewhere, having spoiled texts judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from django import forms

from annotation.errors import DomainError
from annotation.models import LearnedModel, RobustnessMeasurement, User
from annotation.queries.campaigns import name_for
from annotation.queries.lists import models_seen_by
from annotation.services.campaigns import RESERVED_NAMES
from annotation.services.places import model_folders
from annotation.services.robustness import LONGEST, WITH_MODEL, Draw, RobustnessWanted, check_name
from scoring.result import Estimate
from scoring.wording import counted

from .attacks import MOST, AttackForm, free_name

MOST_DAMAGES = 20
MOST_BYTES_OF_A_CURVE = 1_000_000
WITHOUT_MODEL = {
    "encoder": "encoder: similarity of sentences by the embedded encoder",
    "character": "character: Levenshtein similarity",
}
"""Kinds that need nothing but what is installed."""
BETWEEN = ":"
AT = " at "


class RobustnessForm(AttackForm):
    """Constraints, and the attack under which they are measured, which has none of its own."""

    constraints = forms.MultipleChoiceField(label="Constraints", widget=forms.CheckboxSelectMultiple)
    damages = forms.IntegerField(
        label="Words to spoil", min_value=1, max_value=MOST_DAMAGES, help_text="In each text, to fool the constraint."
    )
    called = forms.CharField(label="Name", required=False, max_length=LONGEST, help_text="Empty: task, victim and attacker.")

    defaults: Mapping[str, Any] = {"seed": 0, "damages": 3, "texts": 20, "constraints": list(WITHOUT_MODEL)}

    def __init__(self, user: User, given: Any = None, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(given, initial=initial)
        encoders = [(f"bertscore{BETWEEN}{name}", f"bertscore: {name}") for name in model_folders()]
        choices = [*_learned(user), *encoders, *WITHOUT_MODEL.items()]
        self.fields["constraints"].choices = choices  # type: ignore[attr-defined]

    def clean_called(self) -> str:
        name: str = self.cleaned_data["called"]
        if name:
            try:
                check_name(name)
            except DomainError as refused:
                raise forms.ValidationError(str(refused)) from refused
        return name

    @property
    def measured(self) -> RobustnessWanted:
        """What the job is told."""
        given = self.cleaned_data
        attack = self.attack("")
        name = given["called"] or free_name(
            f"{attack.task}-{attack.victim}-{attack.attacker}", RobustnessMeasurement.objects, longest=LONGEST
        )
        kinds = [each.partition(BETWEEN)[::2] for each in given["constraints"]]
        return RobustnessWanted(name=name, attack=asdict(attack), constraints=kinds, damages=given["damages"])


def _learned(user: User) -> Iterator[tuple[str, str]]:
    """The models that can be measured, with the kind of constraint that each is."""
    kinds = {model_kind: kind for kind, model_kind in WITH_MODEL.items()}
    for model in models_seen_by(user):
        kind = kinds[LearnedModel.Kind(model.kind)]
        yield f"{kind}{BETWEEN}{model.name}", f"{kind}: {model.name}{' (simulated)' if model.simulated else ''}"


class CurveForm(forms.Form):
    """A curve that was made elsewhere."""

    file = forms.FileField(
        label="Curve, as CSV or TSV",
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt"}),
        help_text="With a header, a row for each threshold.",
    )
    threshold = forms.CharField(label="Column of the threshold", max_length=100)
    first = forms.CharField(
        label="Column of the first-order rate", max_length=100, help_text="How often the victim is attacked with success."
    )
    second = forms.CharField(
        label="Column of the second-order rate", max_length=100, help_text="How often the constraint itself is fooled."
    )
    loosest = forms.ChoiceField(
        label="Which threshold lets most through?",
        required=False,
        choices=[("", "the one where the rates add up to more"), ("lowest", "the lowest"), ("highest", "the highest")],
    )

    def __init__(self, given: Any = None, files: Any = None) -> None:
        super().__init__(given, files, initial={"threshold": "threshold", "first": "first", "second": "second"})

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES_OF_A_CURVE:
            raise forms.ValidationError(f"A curve has at most {MOST_BYTES_OF_A_CURVE:,} bytes.")
        return file

    @property
    def found(self) -> tuple[Estimate, list[tuple[float, float, float]]]:
        """ACCS, and the points of the curve. Raises `ScoringError` or `AttackError` for a file that holds none."""
        from attacks.robustness.curve import accs
        from attacks.robustness.curve_file import read_curve

        given = self.cleaned_data
        with TemporaryDirectory() as folder:
            path = Path(folder, "curve.tsv" if given["file"].name.endswith(".tsv") else "curve.csv")
            path.write_bytes(given["file"].read())
            curve = read_curve(path, (given["threshold"], given["first"], given["second"]), loosest=given["loosest"] or None)
        return accs(curve), list(zip(curve.thresholds.tolist(), curve.first.tolist(), curve.second.tolist(), strict=True))


class JudgeForm(forms.Form):
    """Which spoiled texts people are to judge."""

    admitted = forms.ChoiceField(label="Texts that the constraint admits")
    size = forms.IntegerField(label="How many of them", min_value=1, max_value=MOST, help_text="Each brings its original.")
    draw_seed = forms.IntegerField(label="Seed of the draw", min_value=0, max_value=2**31 - 1)

    def __init__(self, measurement: RobustnessMeasurement, given: Any = None) -> None:
        super().__init__(given, initial={"size": 20, "draw_seed": 0})
        self.measurement = measurement
        self.fields["admitted"].choices = [  # type: ignore[attr-defined]
            (f"{draw.constraint}{AT}{draw.threshold:g}", f"{draw.constraint}{AT}{draw.threshold:g}: {counted(count, 'text')}")
            for draw, count in self._draws()
            if count
        ]

    @property
    def choosable(self) -> bool:
        return bool(self.fields["admitted"].choices)  # type: ignore[attr-defined]

    def _draws(self) -> Iterator[tuple[Draw, int]]:
        """A draw for each constraint and threshold, the strictest first, and how many texts it draws from."""
        from attacks.robustness.kinds import Examined

        spoiled = list(self.measurement.spoiled.values_list("constraint", "score"))
        for found, (kind, _) in zip(self.measurement.result, self.measurement.constraints, strict=True):
            tested = Examined.of_kind(kind)
            scores = np.array([score for name, score in spoiled if name == found["name"]])
            for threshold in found["curve"]["threshold"]:
                passing = int(tested.passes(scores, threshold).sum())
                yield Draw(self.measurement, found["name"], threshold, 0, 0), passing

    @property
    def wanted(self) -> Draw:
        given = self.cleaned_data
        constraint, _, threshold = given["admitted"].partition(AT)
        return Draw(self.measurement, constraint, float(threshold), given["size"], given["draw_seed"])

    @property
    def called(self) -> tuple[str, str]:
        """Name and title of the campaign. Annotators see both, so that they say nothing of spoiled texts."""
        title = f"{self.measurement.asked['task']}: how suspicious do these texts look?"
        return name_for(title[:70], besides=RESERVED_NAMES) or f"texts-{self.measurement.pk}", title
