"""Forms about files in and out. They check what was sent and turn it into values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet

from annotation.exchange.columns import FIELDS, KNOWN, NAMES, SCENARIOS, TEXTS, VALUES, Reading
from annotation.exchange.formats import FORMATS, RESULTS
from annotation.exchange.sheets import ENCODINGS
from annotation.models import AttackRun, Upload
from annotation.numbers import whole
from annotation.services.sampling import ORIGINALS, STRATA, SamplePlan
from attacks.names import victim_name
from scoring.wording import counted


class ReadingForm(forms.Form):
    """How a file is to be read: its format, its columns, what holds for every row, and what becomes of its examples."""

    format = forms.ChoiceField(
        label="Format", choices=[*((key, known.title) for key, known in FORMATS.items()), (RESULTS, "BODEGA, results file")]
    )
    encoding = forms.ChoiceField(label="Encoding", choices=list(ENCODINGS.items()), required=False)

    def __init__(self, *args: Any, columns: Sequence[str], pair: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", "–"), *((column, column) for column in columns)]
        for name, title in FIELDS.items():
            self.fields[f"column_{name}"] = forms.ChoiceField(label=title, choices=choices, required=False)
        for name in VALUES:
            self.fields[f"value_{name}"] = self._value(name)
        if not pair:
            self.fields["originals"] = forms.BooleanField(
                label="Make items of the originals too",
                required=False,
                help_text="People then judge each unchanged text once too.",
            )
        self.fields["kept"] = forms.BooleanField(
            label="Make no items yet: keep the texts, and draw a sample from them later", required=False
        )

    @staticmethod
    def _value(name: str) -> forms.Field:
        title = f"{VALUES[name].split(':')[0]} of every row"
        if name == "scenario":
            return forms.ChoiceField(
                label=title, choices=[("", "not known"), *((each, each) for each in SCENARIOS)], required=False
            )
        return forms.CharField(label=title, max_length=80, required=False)

    def main_column_fields(self) -> Iterable[forms.BoundField]:
        """The fields in which the columns of texts and names are chosen."""
        return [self[f"column_{name}"] for name in TEXTS | NAMES]

    def other_column_fields(self) -> Iterable[forms.BoundField]:
        """The fields in which the other columns are chosen, which few files have."""
        return [self[f"column_{name}"] for name in FIELDS if name not in TEXTS | NAMES | KNOWN]

    def known_column_fields(self) -> Iterable[forms.BoundField]:
        """The fields in which the columns of known answers are chosen."""
        return [self[f"column_{name}"] for name in KNOWN]

    def value_fields(self) -> Iterable[forms.BoundField]:
        """The fields for what holds for every row."""
        return [self[f"value_{name}"] for name in VALUES]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        known = FORMATS.get(given.get("format", ""))
        if known and known.mapped and not given.get("column_adversarial"):
            self.add_error("column_adversarial", f"Choose the column that holds the “{FIELDS['adversarial'].lower()}”.")
        return given

    @property
    def lacks_maker(self) -> bool:
        """Whether neither the file nor the form says who made the texts."""
        known = FORMATS.get(self["format"].value() or "")
        if known is None or not (known.mapped or not known.names_makers):
            return False
        return not (self["value_attacker"].value() or (known.mapped and self["column_attacker"].value()))

    @property
    def has_known(self) -> bool:
        """Whether a column of known answers is chosen."""
        return any(self[f"column_{name}"].value() for name in KNOWN)

    @property
    def is_mapped(self) -> bool:
        """Whether the format that is chosen asks which column holds what."""
        known = FORMATS.get(self["format"].value() or "")
        return known is not None and known.mapped

    @property
    def reading(self) -> Reading:
        """The columns and values that were chosen."""
        return Reading(self._chosen("column_", FIELDS), self._chosen("value_", VALUES))

    def _chosen(self, prefix: str, names: Iterable[str]) -> dict[str, str]:
        cleaned = self.cleaned_data
        return {name: cleaned[prefix + name].strip() for name in names if cleaned.get(prefix + name, "").strip()}


def initial_of(upload: Upload) -> dict[str, Any]:
    """The form's values for what an upload says at present."""
    columns: Mapping[str, str] = upload.mapping.get("columns", {})
    values: Mapping[str, str] = upload.mapping.get("values", {})
    return {
        "format": upload.format,
        "encoding": upload.encoding,
        "kept": upload.kept,
        "originals": upload.mapping.get("originals", True),
        **{f"column_{name}": column for name, column in columns.items()},
        **{f"value_{name}": value for name, value in values.items()},
    }


class RowsField(forms.ModelMultipleChoiceField):
    """Rows by their ids. Django checks the range of one id, but not of several: SQLite then fails at a number it cannot hold."""

    def clean(self, value: Any) -> QuerySet[Any]:
        for given in value if isinstance(value, list | tuple) else ():
            if whole(str(given)) is None:
                raise forms.ValidationError(
                    self.error_messages["invalid_pk_value"], code="invalid_pk_value", params={"pk": given}
                )
        found: QuerySet[Any] = super().clean(value)
        return found


class RunsField(RowsField):
    """Attack runs by what they attacked with what."""

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.name}: {obj.attacker} against {victim_name(obj.victim)} on {obj.task}"


class FilesField(RowsField):
    """Imported files by name and campaign."""

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.name}: {counted(obj.example_count, 'example')}, imported for “{obj.campaign.title}”"


class SampleForm(forms.Form):
    """What to draw, from where, and how often each item is asked."""

    runs = RunsField(label="Attack runs", queryset=AttackRun.objects.none(), required=False, widget=forms.CheckboxSelectMultiple)
    uploads = FilesField(
        label="Imported files", queryset=Upload.objects.none(), required=False, widget=forms.CheckboxSelectMultiple
    )
    by = forms.MultipleChoiceField(
        label="Even over",
        choices=list(STRATA.items()),
        required=False,
        initial=["attacker", "victim"],
        widget=forms.CheckboxSelectMultiple,
    )
    count = forms.IntegerField(label="How many examples", min_value=1, max_value=100_000, initial=100)
    per = forms.ChoiceField(label="Counted", choices=[("all", "in all"), ("each", "of each of these")], initial="all")
    best = forms.BooleanField(label="The highest BODEGA scores instead of a draw by lot", required=False)
    originals = forms.ChoiceField(label="Unchanged texts", choices=list(ORIGINALS.items()), initial="once")
    common = forms.IntegerField(
        label="Items in the common set",
        min_value=0,
        max_value=100_000,
        initial=0,
        required=False,
        help_text="Judged by more people than the rest.",
    )
    common_slots = forms.IntegerField(label="Answers per common item", min_value=1, max_value=50, initial=3, required=False)
    rest_slots = forms.IntegerField(label="Answers per other item", min_value=1, max_value=50, initial=1, required=False)
    seed = forms.IntegerField(label="Seed", min_value=0, max_value=2**31, initial=0, help_text="The same seed draws the same.")

    def __init__(self, *args: Any, runs: QuerySet[AttackRun], uploads: QuerySet[Upload], pair: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, rows in (("runs", runs), ("uploads", uploads)):
            field = self.fields[name]
            assert isinstance(field, forms.ModelMultipleChoiceField)
            field.queryset = rows
        if pair:
            del self.fields["originals"]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not given.get("runs") and not given.get("uploads"):
            raise forms.ValidationError("Choose at least one attack run or imported file to draw from.")
        return given

    @property
    def plan(self) -> SamplePlan:
        """What was asked for."""
        given = self.cleaned_data
        common = given.get("common") or 0
        return SamplePlan(
            seed=given["seed"],
            size=given["count"] if given["per"] == "all" else None,
            each=given["count"] if given["per"] == "each" else None,
            by=tuple(given["by"]),
            best=given["best"],
            originals=given.get("originals", "once"),
            common=common,
            common_slots=given.get("common_slots") if common else None,
            rest_slots=given.get("rest_slots") if common else None,
        )
