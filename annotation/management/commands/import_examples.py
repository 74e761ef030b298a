"""`manage.py import_examples FILE --campaign NAME [--format FORMAT] [--map FIELD=COLUMN …] [--dry-run]`"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from annotation.exchange.columns import FIELDS, VALUES, Reading
from annotation.exchange.formats import FORMATS, RESULTS, TABLE, guess
from annotation.exchange.importing import CAMPAIGN_NAME, ImportProblem
from annotation.exchange.imports import Preview, import_upload, preview
from annotation.exchange.sheets import ENCODINGS, MOST_BYTES, SourceFile
from annotation.management.command import DomainCommand
from annotation.models import Campaign, Item, Upload
from annotation.protocols import PROTOCOLS
from annotation.queries.items import items_said
from annotation.services.batches import Displaced
from annotation.services.campaigns import create_campaign
from annotation.services.examples import Added
from annotation.services.uploads import describe_upload, drop_upload, shown_name, store_upload
from scoring.wording import counted


class Command(DomainCommand):
    help = "Import examples into a campaign, to be judged there. A file with any mistake is refused as a whole."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="CSV, TSV, JSONL, XLSX, or a file of BODEGA or TextAttack")
        parser.add_argument("--campaign", required=True, metavar="NAME", help="name of the campaign; made as a draft if absent")
        parser.add_argument("--protocol", default="meaning", choices=list(PROTOCOLS), help="of a campaign that is made")
        parser.add_argument("--format", choices=[*FORMATS, RESULTS], help="by default the likeliest one")
        parser.add_argument("--encoding", default="", choices=[key for key in ENCODINGS if key], help="where it is not UTF-8")
        parser.add_argument(
            "--map", action="append", default=[], metavar="FIELD=COLUMN", help=f"which column holds a field: {', '.join(FIELDS)}"
        )
        parser.add_argument(
            "--set", action="append", default=[], metavar="FIELD=VALUE", help=f"the same for every row: {', '.join(VALUES)}"
        )
        originals = "make items of the originals too, where one text is shown; in the browser this is ticked at first"
        parser.add_argument("--originals", action="store_true", help=originals)
        parser.add_argument("--keep", action="store_true", help="make no items; keep the examples to draw samples from")
        parser.add_argument("--dry-run", action="store_true", help="say what would be imported, and write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        source = _source(options["file"], options["encoding"])
        likely = guess(source)
        format = options["format"] or likely.format
        reading = Reading(
            {**(likely.reading.columns if format == TABLE else {}), **_pairs(options["map"], FIELDS, "--map")},
            {**likely.reading.values, **_pairs(options["set"], VALUES, "--set")},
        )
        mapping = reading.as_dict | {"originals": options["originals"]}
        how: dict[str, Any] = {"format": format, "encoding": source.encoding, "mapping": mapping, "kept": options["keep"]}
        if options["dry_run"]:
            with transaction.atomic():
                campaign = _campaign(options["campaign"], options["protocol"])
                self._say(preview(source, Upload(campaign=campaign, name=source.name, **how)))
                transaction.set_rollback(True)
            return
        campaign, done = _imported(source, options["campaign"], options["protocol"], how)
        if format == RESULTS:
            what = counted(done.added, "figure")
        elif options["keep"]:
            what = f"{counted(done.added, 'example')} to draw samples from"
        else:
            what = items_said(done.added - done.known, done.known)
        said = [f"Imported {what} into “{campaign.name}”"]
        said += [f"{counted(done.already_there, 'was', 'were')} there already"] if done.already_there else []
        said += [f"{counted(done.twice, 'stands', 'stand')} twice in the file"] if done.twice else []
        self.stdout.write("; ".join(said) + ".")

    def _say(self, found: Preview) -> None:
        for problem in found.problems:
            self.stdout.write(problem)
        if found.wrong:
            raise CommandError(f"{found.wrong:,} of {counted(found.rows, 'row')} cannot be imported. Nothing was written.")
        counts = (
            (found.added, "new"), (found.already_there, "there already"), (found.twice, "stand twice in the file"),
            (found.failed, "failed attacks, left out"), (len(found.figures), "figures"),
        )  # fmt: skip
        said = ", ".join(f"{count:,} {what}" for count, what in counts if count)
        self.stdout.write(f"{counted(found.rows, 'row')}: {said}.")
        for use, count, lines in found.uses:
            more = " …" if count > len(lines) else ""
            self.stdout.write(f"For {Item.Use(use).label}: {count:,} (line {', '.join(map(str, lines))}{more})")
        if found.equal[0]:
            count, lines = found.equal
            more = " …" if count > len(lines) else ""
            said = counted(count, "pair has", "pairs have")
            self.stdout.write(f"{said} two equal texts (line {', '.join(map(str, lines))}{more}).")
        if found.unnamed:
            unnamed = counted(found.unnamed, "text")
            self.stdout.write(f"Nothing says who made {unnamed}. Name the attacker or team: --set attacker=NAME")
        if found.uncovered:
            self.stdout.write("Shown in another font: " + ", ".join(f"{char} ({count})" for char, count in found.uncovered) + ".")
        self.stdout.write("Nothing was written.")


def _imported(source: SourceFile, name: str, protocol: str, how: dict[str, Any]) -> tuple[Campaign, Added]:
    """Import the file in many short transactions: others write meanwhile. A failure takes back the campaign that was made for it.
    A file that an import which was killed has left is taken up again, so that what it wrote goes."""
    new = not Campaign.objects.filter(name=name).exists()
    campaign = _campaign(name, protocol)
    left = campaign.uploads.filter(sha256=sha256(source.data).hexdigest(), created_by=None, imported_at=None).first()
    upload = left or store_upload(campaign=campaign, name=source.name, chunks=[source.data], most=MOST_BYTES, by=None)
    try:
        return campaign, import_upload(describe_upload(upload=upload, **how), by=None)
    except Displaced:
        # Somebody else is importing the file, which is left to them, as the campaign is.
        raise
    except BaseException:
        drop_upload(upload=upload)
        if new:
            campaign.delete()
        raise


def _source(path: Path, encoding: str) -> SourceFile:
    try:
        return SourceFile(shown_name(path.name), path.read_bytes(), encoding)
    except OSError as wrong:
        raise ImportProblem(f"{path} cannot be read: {wrong.strerror}. Nothing was written.") from wrong


def _campaign(name: str, protocol: str) -> Campaign:
    """The campaign, or a new one of that name."""
    found = Campaign.objects.filter(name=name).first()
    if found is not None:
        return found
    if not CAMPAIGN_NAME.fullmatch(name):
        raise ImportProblem(f"“{name}” cannot name a campaign: use 1 to 80 letters, digits, hyphens and underscores.")
    return create_campaign(name=name, title=name, protocol=protocol)


def _pairs(given: list[str], known: Any, option: str) -> dict[str, str]:
    found = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals or name not in known:
            raise CommandError(f"{option} {pair}: write FIELD=…, where FIELD is one of {', '.join(known)}.")
        found[name] = value
    return found
