"""Whatever number is typed into a form, however long, is taken or refused at the field."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django import forms
from django.http import QueryDict

import annotation.forms
from annotation.forms.attacks import ConstrainedForm, StartAttackForm
from annotation.forms.files import SampleForm
from annotation.forms.items import ItemFilterForm
from annotation.forms.models import TrainModelForm
from annotation.forms.outcomes import OutcomeFilterForm
from annotation.forms.people import InvitationForm, MemberForm
from annotation.forms.robustness import JudgeForm, RobustnessForm
from annotation.forms.rounds import NextRoundForm, StartSeriesForm
from annotation.forms.sending import SendForm
from annotation.forms.studies import AskPeopleForm, StartStudyForm
from annotation.models import AttackRun, Campaign, ConstraintStudy, RobustnessMeasurement, Series, Team, Upload

NUMERIC = (forms.IntegerField, forms.FloatField, forms.DecimalField, forms.ModelChoiceField)
BEYOND_ALL = ("9" * 20, "9" * 30, "-" + "9" * 30, "9" * 5_000, "1e400", "nan", "٣" * 19)


def forms_with_numbers() -> Iterator[tuple[type[forms.Form], str]]:
    """Each form of the product, and each field of it that takes a number or the id of a row."""
    for module in pkgutil.iter_modules(annotation.forms.__path__):
        for form in vars(importlib.import_module(f"annotation.forms.{module.name}")).values():
            if isinstance(form, type) and issubclass(form, forms.Form) and form.__module__.endswith(module.name):
                for name, field in form.base_fields.items():  # type: ignore[attr-defined]
                    if isinstance(field, NUMERIC):
                        yield form, name


FIELDS = list(forms_with_numbers())


def made_for(campaign: Campaign) -> dict[type[forms.Form], Callable[[QueryDict], forms.Form]]:
    """How the forms are made that are about something."""
    rows = {"runs": AttackRun.objects.all(), "uploads": Upload.objects.all(), "pair": True}
    member = campaign.memberships.first()
    assert member is not None
    return {
        SampleForm: lambda given: SampleForm(given, **rows),
        ItemFilterForm: lambda given: ItemFilterForm(campaign, given),
        InvitationForm: lambda given: InvitationForm(given, campaign=campaign),
        TrainModelForm: lambda given: TrainModelForm(campaign.created_by, given),
        MemberForm: lambda given: MemberForm(given, member=member),
        ConstrainedForm: lambda given: ConstrainedForm(member.user, given),
        StartAttackForm: lambda given: StartAttackForm(member.user, given),
        RobustnessForm: lambda given: RobustnessForm(member.user, given),
        StartStudyForm: lambda given: StartStudyForm(member.user, given),
        AskPeopleForm: lambda given: AskPeopleForm(ConstraintStudy(), given),
        StartSeriesForm: lambda given: StartSeriesForm(member.user, given),
        NextRoundForm: lambda given: NextRoundForm(member.user, Series.objects.get_or_create(name="s")[0], given),
        JudgeForm: lambda given: JudgeForm(RobustnessMeasurement.objects.get_or_create(name="m")[0], given),
        OutcomeFilterForm: lambda given: OutcomeFilterForm([], given),
        SendForm: lambda given: SendForm(AttackRun(), given, campaigns=Campaign.objects.all(), runs=AttackRun.objects.all()),
    }


def test_the_forms_are_found() -> None:
    assert {(SampleForm, "runs"), (SampleForm, "seed"), (MemberForm, "team"), (ItemFilterForm, "answers")} < set(FIELDS)


@pytest.mark.parametrize(("form", "name"), FIELDS, ids=[f"{form.__name__}.{name}" for form, name in FIELDS])
def test_a_number_beyond_all_is_refused_at_its_field(form: type[forms.Form], name: str, campaign: Campaign) -> None:
    Team.objects.create(campaign=campaign, name="home")
    make: Callable[[QueryDict], Any] = made_for(campaign).get(form, form)
    for number in BEYOND_ALL:
        given = QueryDict(mutable=True)
        given[name] = number
        assert name in make(given).errors
