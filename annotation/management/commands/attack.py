"""`manage.py attack --by ORGANISER task=NAME victim=NAME attacker=NAME [NAME=VALUE …]`"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.forms.attacks import StartAttackForm
from annotation.management.command import DomainCommand
from annotation.models import User
from annotation.services.attacking import start_attack


class Command(DomainCommand):
    help = "Queue an attack as the page “Start an attack” does. A worker runs it; the page shows how far it is."

    def add_arguments(self, parser: CommandParser) -> None:
        fields = ", ".join(StartAttackForm.base_fields)
        parser.add_argument("--by", required=True, metavar="ORGANISER", help="whose attack it is, by user name")
        parser.add_argument(
            "wishes",
            nargs="+",
            metavar="NAME=VALUE",
            help=f"the fields of the page: {fields}; and the attacker's own, as in deepwordbug.max_distance=20",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        by = User.objects.filter(username=options["by"], is_active=True, is_organiser=True).first()
        if by is None:
            raise CommandError(f"There is no organiser named “{options['by']}”.")
        wishes = dict(_pair(wish) for wish in options["wishes"])
        form = StartAttackForm(by, {"scenario": "untargeted", **StartAttackForm.defaults, **wishes})
        if unknown := sorted(wishes.keys() - form.fields.keys()):
            raise CommandError(f"There is nothing called “{unknown[0]}” to ask for. There are: {', '.join(form.fields)}.")
        if not form.is_valid():
            raise CommandError("; ".join(f"{name}: {' '.join(map(str, said))}" for name, said in form.errors.items()))
        job = start_attack(wanted=form.wanted, by=by)
        self.stdout.write(f"Queued as “{form.wanted.name}”, job {job.pk}.")


def _pair(wish: str) -> tuple[str, str]:
    name, equals, value = wish.partition("=")
    if not equals:
        raise CommandError(f"“{wish}” is not NAME=VALUE.")
    return name, value
