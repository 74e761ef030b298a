"""Forms about campaigns. They check what was sent and turn it into values."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.exchange.importing import FORMATS
from annotation.protocols import PROTOCOLS
from annotation.queries.campaigns import name_for
from annotation.services.campaigns import CAMPAIGN_NAME, RESERVED_NAMES

BETWEEN = "/"
"""Between protocol and preset in what the form sends."""


class CampaignNameField(forms.CharField):
    """A name that can be an address."""

    def __init__(self, *, required: bool = True) -> None:
        empty = "" if required else "Empty: made from the title. "
        super().__init__(
            label="Name in the address",
            max_length=80,
            required=required,
            help_text=f"{empty}Letters, digits, hyphens and underscores. It cannot be changed later.",
            widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
        )

    def clean(self, value: str) -> str:
        name: str = super().clean(value)
        if not name:
            return ""
        if not CAMPAIGN_NAME.fullmatch(name):
            raise forms.ValidationError("Use only letters, digits, hyphens and underscores.")
        if name in RESERVED_NAMES:
            raise forms.ValidationError(f"“{name}” is an address of this site. Choose another name.")
        return name


class TitledForm(forms.Form):
    """A new campaign's title, and its name, which the title gives where nobody types one."""

    title = forms.CharField(label="Title", max_length=160, help_text="People see it. It can be changed at any time.")
    name = CampaignNameField(required=False)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("title") and given.get("name") == "":
            given["name"] = name_for(given["title"], besides=RESERVED_NAMES)
            if not given["name"]:
                self.add_error("name", "The title has no letter from a to z that a name could be made of. Type one here.")
        return given


class NewCampaignForm(TitledForm):
    """A campaign from a preset."""

    field_order = ("preset", "title", "name")

    preset = forms.ChoiceField(
        label="What people are asked",
        choices=[
            (f"{key}{BETWEEN}{preset}", chosen.title)
            for key, protocol in PROTOCOLS.items()
            for preset, chosen in protocol.presets.items()
        ],
        error_messages={"required": "Choose what people are asked."},
    )

    def clean_preset(self) -> tuple[str, str]:
        protocol, _, preset = self.cleaned_data["preset"].partition(BETWEEN)
        return protocol, preset


class CampaignFromFileForm(TitledForm):
    """A file that becomes a campaign."""

    field_order = ("format", "file", "title", "name")

    format = forms.ChoiceField(label="What is in the file", choices=[(key, known.title) for key, known in FORMATS.items()])
    file = forms.FileField(label="File", help_text="In UTF-8. A table has the names of its columns in the first line.")


class CopyForm(forms.Form):
    """A copy's name and title."""

    title = forms.CharField(label="Title", max_length=160)
    name = CampaignNameField()
