"""Constraint studies: all of them, starting one, one with what it found and what people say, and asking people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.errors import DomainError
from annotation.exchange.downloads import media_type
from annotation.exchange.drawing import are_drawn
from annotation.exchange.report import with_plots
from annotation.exchange.study_report import NUMBERS, PAGE, PAIRS, StudyReport, facts_of, study_files, study_html
from annotation.forms.studies import AskPeopleForm, StartStudyForm
from annotation.models import ConstraintStudy
from annotation.protocols.analysis import Figure
from annotation.queries.jobs import CONSTRAINT_STUDY, is_carried_out, jobs_about, shown_jobs
from annotation.queries.studied import Asked, PairVotes, chosen_examples, studies_seen_by
from annotation.services.studies import drop_study, make_study, start_study, why_not_dropped
from annotation.services.study_campaigns import VOTES, ask_people, pairs_of
from scoring.texts.diff import Span, word_diff

from .access import Request, organisers_only
from .jobs import shown
from .telling import tell


@never_cache
@require_safe
@organisers_only
def studies(request: Request) -> HttpResponse:
    """All studies."""
    jobs = shown_jobs(request.user, (CONSTRAINT_STUDY,))
    context = {
        "here": "studies",
        "studies": [(study, _to_ask(study)) for study in studies_seen_by(request.user)],
        "jobs": [shown(request, job) for job in jobs],
        "polls": any(not job.is_finished for job in jobs),
    }
    return render(request, "studies/list.html", context)


def _to_ask(study: ConstraintStudy) -> str:
    """How many pairs there are to ask people about, by limit."""
    return ", ".join(f"{each['tau']:g}: {len(each['worth_asking']):,}" for each in study.result or [])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def new(request: Request) -> HttpResponse:
    """Start a study; `task`, `victim`, `attacker` and `model` propose some. `show` shows the settings of the attacker that was
    chosen, where no script fetches them."""
    if request.method != "POST":
        names = ("task", "victim", "attacker", "model")
        form = StartStudyForm(request.user, initial={name: value for name in names if (value := request.GET.get(name))})
        return render(request, "studies/new.html", {"here": "studies", "form": form})
    if "show" in request.POST:
        form = StartStudyForm(request.user, initial=request.POST.dict())
        return render(request, "studies/new.html", {"here": "studies", "form": form})
    form = StartStudyForm(request.user, request.POST)
    if form.is_valid():
        try:
            study = make_study(wanted=form.study, by=request.user)
            start_study(study=study, by=request.user)
        except DomainError as refused:
            form.add_error(None, str(refused))
        else:
            return redirect("study", study.pk)
    return render(request, "studies/new.html", {"here": "studies", "form": form}, status=422)


@never_cache
@require_safe
@organisers_only
def study(request: Request, pk: int) -> HttpResponse:
    """One study. Where plots have to be drawn first, the page comes at once and fetches them then."""
    row = seen_study(request, pk)
    report, jobs = StudyReport(row, request.user), jobs_about(row, request.user)
    tables = [table for table in report.tables if table.key != "examples"]
    draw = "plots" in request.GET or are_drawn([table.plot for table in tables if table.plot])
    context = {
        "here": "studies",
        "study": row,
        "notices": report.notices,
        "simulated": bool(report.notices),
        "facts": facts_of(row),
        "runs": [link.run for link in row.links.select_related("run")],
        "asked": [(each, list(_figures(each))) for each in report.asked],
        "tables": with_plots(tables) if draw else [(table, "") for table in tables],
        "waiting": not draw,
        "examples": [_marked(pair) for pair in chosen_examples(report.pairs)],
        "pairs": len(report.pairs),
        "files": (PAGE, NUMBERS, PAIRS) if row.result else (),
        "jobs": [shown(request, job) for job in jobs],
        "polls": any(not job.is_finished for job in jobs),
        "unfinished": row.result is None and not jobs,
        "elsewhere": is_carried_out(row),
        "may_drop": not why_not_dropped(row, request.user),
    }
    return render(request, "studies/study.html", context)


def _marked(pair: PairVotes) -> tuple[PairVotes, Sequence[Span], Sequence[Span]]:
    """The pair, and both of its texts with what differs from the original."""
    free, held = (word_diff(pair.original, text).adversarial for text in (pair.free, pair.held))
    return pair, free, held


def _figures(asked: Asked) -> Iterator[tuple[Figure, str, str]]:
    """As `figure.html` shows them, the first variant called what it is. Several campaigns have the same ones, so that each is
    named by its campaign, too."""
    for figure in asked.figures:
        title = "Text with the limit preferred" if figure.key == "preferred" else figure.title
        yield replace(figure, key=f"{figure.key}-{asked.campaign.pk}", title=title), "", ""


@require_POST
@organisers_only
def go_on(request: Request, pk: int) -> HttpResponse:
    """Have a study carried out that is not finished; what is done is not done again."""
    row = seen_study(request, pk)
    if row.result is None:
        tell(request, lambda: start_study(study=row, by=request.user), "It goes on from where it was.")
    else:
        messages.info(request, "There is nothing to go on with.")
    return redirect("study", pk)


@require_POST
@organisers_only
def drop(request: Request, pk: int) -> HttpResponse:
    """Delete a study that is not finished."""
    row = seen_study(request, pk)
    try:
        drop_study(study=row, by=request.user)
    except DomainError as refused:
        messages.error(request, str(refused))
        return redirect("study", pk)
    messages.success(request, f"The study “{row.name}” is deleted, with all that was attacked for it.")
    return redirect("studies")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def ask(request: Request, pk: int) -> HttpResponse:
    """The form; with what was asked for in the address, what it comes to beside the plan; posted, make the campaign."""
    row = seen_study(request, pk)
    given = request.POST if request.method == "POST" else request.GET
    form = AskPeopleForm(row, given or None)
    context = {"here": "studies", "study": row, "form": form, "problem": "", "plan": None, "votes": VOTES, "asked": given.items()}
    if form.is_bound and form.is_valid():
        try:
            if request.method == "POST":
                title, name = form.title_and_name
                campaign = ask_people(study=row, asking=form.asking, name=name, title=title, by=request.user)
                messages.success(request, "The campaign is made. Look through it, add people, then open it.")
                return redirect("campaign", campaign.name)
            pairs = len(pairs_of(row, form.asking))
            context |= {"plan": form.asking.plan, "there": pairs, "power": form.asking.power_of(pairs) if pairs else 0.0}
        except DomainError as refused:
            context["problem"] = str(refused)
    return render(request, "studies/ask.html", context, status=422 if context["problem"] or form.errors else 200)


@never_cache
@require_safe
@organisers_only
def study_file(request: Request, pk: int, file: str) -> HttpResponse:
    """The study as a page of its own, its figures, its pairs, or one of its tables."""
    report = StudyReport(seen_study(request, pk), request.user)
    content = study_html(report) if file == PAGE else study_files(report).get(file)
    if content is None:
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="study-{pk}-{file}"'}
    return HttpResponse(content, content_type=media_type(file), headers=headers)


def seen_study(request: Request, pk: int) -> ConstraintStudy:
    """A study."""
    return get_object_or_404(studies_seen_by(request.user), pk=pk)
