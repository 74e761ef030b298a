"""Files in and out: uploading examples, saying how they are read, importing them; what can be taken away."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.errors import AlreadyRunning, DomainError
from annotation.exchange.downloads import DOWNLOADS, EVERYTHING, REPORT, REPORT_PDF, media_type, pieces_of
from annotation.exchange.export import CODEBOOK, ITEMS, WORKBOOK
from annotation.exchange.formats import RESULTS, guess
from annotation.exchange.imports import Preview, import_upload, needs_a_worker, preview, source_of
from annotation.exchange.sheets import MOST_BYTES, SourceFile
from annotation.exchange.tables import TABLES
from annotation.forms.files import ReadingForm, initial_of
from annotation.models import Campaign, Item, Job, Slot, Upload, Variant
from annotation.protocols import protocol_of
from annotation.protocols.base import ShownText
from annotation.queries.items import items_said
from annotation.queries.jobs import upload_job
from annotation.queries.practice import checks_nobody_meets
from annotation.services.activity import log
from annotation.services.jobs import enqueue
from annotation.services.uploads import describe_upload, drop_upload, read_upload, store_upload
from scoring.wording import counted

from .access import Request, organised, signed_in, upload_of
from .frame import campaign_page
from .jobs import shown
from .telling import tell

CHECK, IMPORT = "check_upload", "import_upload"
ABOUT_TABLES = {
    "judgements": "One row per answer, with its times, its confidence and whether it counts.",
    "pivot": "One row per item, its answers beside each other.",
    "decisions": "One row per item with its decision.",
    "annotators": "One row per annotator, by number: answers, items skipped, mean times.",
}
ABOUT_FILES = {
    ITEMS: "Everything, texts to the last character: for programs, and for making the campaign again.",
    CODEBOOK: "What the files, columns and labels mean.",
    REPORT: "Every figure with its method, n and interval, and plots, in one file that opens in any browser.",
    REPORT_PDF: "The same on pages.",
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def uploads(request: Request, name: str) -> HttpResponse:
    """The campaign's files, and a form to upload further ones."""
    campaign = organised(request, name)
    if request.method != "POST":
        return _uploads(request, campaign)
    files = request.FILES.getlist("file")
    if campaign.imported:
        return _uploads(request, campaign, "The judgements of this campaign came from a file; it takes no further items.")
    if not files:
        return _uploads(request, campaign, "Choose a file first.")
    try:
        stored = [_store(request, campaign, file) for file in files]
    except DomainError as refused:
        return _uploads(request, campaign, str(refused))
    return redirect("upload", name, stored[0].pk) if len(stored) == 1 else redirect("uploads", name)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def upload(request: Request, name: str, pk: int) -> HttpResponse:
    """How one file is to be read."""
    waiting = upload_of(request, name, pk)
    if waiting.imported_at:
        return redirect("uploads", name)
    found = waiting.mapping.get("found", {"columns": [], "rows": []})
    how: dict[str, Any] = {"columns": found["columns"], "pair": protocol_of(waiting.campaign).pair}
    form = ReadingForm(request.POST if request.method == "POST" else None, initial=initial_of(waiting), **how)
    if request.method == "POST" and form.is_valid():
        return _described(request, waiting, form)
    context = {"upload": waiting, "form": form, "found": found}
    status = 422 if request.method == "POST" else 200
    return campaign_page(request, "files/upload.html", waiting.campaign, "import", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def preview_upload(request: Request, name: str, pk: int) -> HttpResponse:
    """What importing the file would do; then do it."""
    waiting = upload_of(request, name, pk)
    if waiting.imported_at:
        return redirect("uploads", name)
    try:
        source = source_of(waiting)
        if request.method == "POST":
            return _import(request, waiting, source)
        if (importing := upload_job(waiting, IMPORT)) and not importing.is_finished:
            return _preview_page(request, waiting, None, importing)
        if needs_a_worker(waiting, source):
            checking = upload_job(waiting, CHECK, reading=_reading(waiting))
            done = checking is not None and checking.state == Job.State.DONE
            found = Preview(**checking.result) if checking and done and checking.result else None
            return _preview_page(request, waiting, found, importing if found else checking)
        return _preview_page(request, waiting, preview(source, waiting), importing)
    except DomainError as refused:
        messages.error(request, str(refused))
        return redirect("upload", name, pk)


@require_POST
@signed_in
def drop(request: Request, name: str, pk: int) -> HttpResponse:
    """Forget a file that was not imported."""
    waiting = upload_of(request, name, pk)
    tell(request, lambda: drop_upload(upload=waiting), f"“{waiting.name}” is gone. Nothing was imported from it.")
    return redirect("uploads", name)


@require_safe
@signed_in
def export(request: Request, name: str) -> HttpResponse:
    """What can be downloaded."""
    at_least = _least_confidence(request)
    context = {
        "tables": [(table, ABOUT_TABLES[table], [f"{table}.csv", f"{table}.jsonl"]) for table in TABLES],
        "files": [(file, ABOUT_FILES[file]) for file in (ITEMS, CODEBOOK, REPORT, REPORT_PDF)],
        "workbook": WORKBOOK,
        "everything": EVERYTHING,
        "at_least": at_least,
        "levels": range(1, 6),
        "query": f"?confidence={at_least}" if at_least else "",
    }
    return campaign_page(request, "files/export.html", organised(request, name), "export", context)


@never_cache
@require_safe
@signed_in
def download(request: Request, name: str, file: str) -> HttpResponseBase:
    """One file of the export, streamed."""
    campaign = organised(request, name)
    at_least = _least_confidence(request)
    if file not in DOWNLOADS:
        raise Http404
    try:
        pieces = pieces_of(campaign, file, at_least=at_least)
    except DomainError as refused:
        messages.error(request, str(refused))
        return redirect("export", name)
    log(campaign=campaign, by=request.user, verb="exported", file=file)
    headers = {"Content-Disposition": f'attachment; filename="{campaign.name}-{file}"'}
    return StreamingHttpResponse(pieces, content_type=media_type(file), headers=headers)


def _uploads(request: Request, campaign: Campaign, problem: str = "") -> HttpResponse:
    context = {
        "uploads": campaign.uploads.all()[:100],
        "problem": problem,
        "most": MOST_BYTES // 1_000_000,
        "checks_unmet": checks_nobody_meets(campaign),
    }
    return campaign_page(request, "files/uploads.html", campaign, "import", context, status=422 if problem else 200)


def _store(request: Request, campaign: Campaign, file: Any) -> Upload:
    kept = store_upload(campaign=campaign, name=file.name, chunks=file.chunks(), most=MOST_BYTES, by=request.user)
    likely = guess(SourceFile(kept.name, read_upload(kept)))
    mapping = likely.reading.as_dict | {"found": likely.found}
    return describe_upload(upload=kept, format=likely.format, encoding="", mapping=mapping, kept=False)


def _described(request: Request, waiting: Upload, form: ReadingForm) -> HttpResponse:
    """Keep how the file is read; where the encoding is another, its columns have to be chosen anew."""
    given = form.cleaned_data
    mapping = form.reading.as_dict | {"originals": given.get("originals", False), "found": waiting.mapping.get("found", {})}
    reread = given["encoding"] != waiting.encoding and given["format"] != RESULTS
    if reread:
        likely = guess(SourceFile(waiting.name, read_upload(waiting), given["encoding"]))
        mapping["found"] = likely.found
        mapping["columns"] = dict(likely.reading.columns)
    try:
        described = describe_upload(
            upload=waiting, format=given["format"], encoding=given["encoding"], mapping=mapping, kept=given["kept"]
        )
        if reread:
            if not likely.problem:
                messages.info(request, "Read in the other encoding. Look whether the columns are right.")
            return redirect("upload", waiting.campaign.name, waiting.pk)
        if needs_a_worker(described, source_of(described)):
            _queue(request, described, CHECK, reading=_reading(described))
    except DomainError as refused:
        messages.error(request, str(refused))
    return redirect("preview_upload", waiting.campaign.name, waiting.pk)


def _queue(request: Request, waiting: Upload, kind: str, **asked: str) -> None:
    arguments: dict[str, Any] = {"upload": waiting.pk, "campaign": waiting.campaign.name, **asked}
    try:
        enqueue(kind=kind, arguments=arguments, by=request.user, alone=":".join([kind, str(waiting.pk), *asked.values()]))
    except AlreadyRunning:
        messages.info(request, "This is being done already.")


def _reading(waiting: Upload) -> str:
    """Equal for two checks that read the file in the same way."""
    how = [waiting.format, waiting.encoding, waiting.kept, waiting.mapping]
    return hashlib.sha256(json.dumps(how, sort_keys=True).encode()).hexdigest()


def _import(request: Request, waiting: Upload, source: SourceFile) -> HttpResponse:
    if needs_a_worker(waiting, source):
        _queue(request, waiting, IMPORT)
        return redirect("preview_upload", waiting.campaign.name, waiting.pk)
    done = import_upload(waiting, by=request.user)
    if waiting.format == RESULTS:
        what = f"{done.added:,} figures"
    else:
        what = counted(done.added, "example") if waiting.kept else items_said(done.added - done.known, done.known)
    there = f" {done.already_there:,} were there already." if done.already_there else ""
    messages.success(request, f"Imported {what} from “{waiting.name}”.{there}")
    return redirect("uploads", waiting.campaign.name)


def _preview_page(request: Request, waiting: Upload, found: Preview | None, job: Job | None) -> HttpResponse:
    labels = {label.key: label.name for label in waiting.campaign.labels.all()}
    items = [
        {
            "line": item["line"],
            "texts": _as_shown(waiting.campaign, item["texts"]),
            "use": Item.Use(item.get("use", Item.Use.WORK)),
            "known": labels.get(item.get("known", "")),
        }
        for item in (found.shown if found else [])
    ]
    work = found.added - found.known if found else 0
    checks = sum(count for use, count, _ in found.uses if use == Item.Use.ATTENTION) if found else 0
    running = job is not None and not job.is_finished
    more = found.wrong - len(found.problems) if found else 0
    context = {
        "upload": waiting,
        "preview": found,
        "shown_items": items,
        "work": work,
        "added": items_said(work, found.known) if found else "",
        "uses": [(Item.Use(use), count, lines) for use, count, lines in found.uses] if found else [],
        "checks_unmet": checks_nobody_meets(waiting.campaign, checks) if checks else 0,
        "equal_pairs": found.equal[0] if found else 0,
        "equal_lines": found.equal[1] if found else [],
        "job_running": running,
        "more": more,
        **shown(request, job),
    }
    return campaign_page(request, "files/preview.html", waiting.campaign, "import", context)


def _as_shown(campaign: Campaign, texts: list[list[str]]) -> Sequence[ShownText]:
    """The texts of one item as its annotators will see them: nothing names who made them."""
    first, *second = (Variant(kind=kind, text=text) for kind, text in texts)
    item = Item(campaign=campaign, first=first, second=second[0] if second else None)
    return protocol_of(campaign).exposition(Slot(item=item)).texts


def _least_confidence(request: Request) -> int:
    given = request.GET.get("confidence", "0")
    if given not in {"0", "1", "2", "3", "4", "5"}:
        raise Http404
    return int(given)
