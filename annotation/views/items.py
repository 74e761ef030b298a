"""A campaign's items: looking through them, one with everything about it, and what an organiser may do to its answers."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import DomainError
from annotation.forms.items import ItemFilterForm
from annotation.models import Item
from annotation.protocols import protocol_of
from annotation.protocols.label_tables import HOW
from annotation.queries.items import (
    STATES,
    Page,
    answers_to,
    counts_among,
    counts_of,
    filtered,
    marks_on,
    neighbours_of,
    page_of,
    standing,
)
from annotation.services.asking import ask_one_more
from annotation.services.deciding import adjudicates
from annotation.services.moderating import exclude_answer, exclude_person, include_answer, include_person, resolve_flag
from annotation.services.practice import set_gold
from annotation.services.ruling import RULED
from scoring.texts.diff import word_diff
from scoring.wording import counted

from .access import Request, answer_in, flag_in, item_in, member_of, organised, signed_in
from .frame import campaign_page
from .telling import tell

ITEMS_PER_PAGE = 25


@never_cache
@require_safe
@signed_in
def items(request: Request, name: str) -> HttpResponse:
    """The items with their answers, page by page."""
    campaign = organised(request, name)
    form = ItemFilterForm(campaign, request.GET)
    form.is_valid()
    if form.has_wrong_choice:
        raise Http404
    page, counts = Page([]), counts_of(campaign)
    narrowed = len(form.given()) > bool(form.data.get("show"))
    found = None if narrowed else counts
    if form.is_valid():
        left = filtered(campaign, form.filters())
        found = found or counts_among(left, campaign)
        place = {direction: form.cleaned_data[direction] for direction in form.PLACES}
        page = page_of(standing(left, campaign, form.cleaned_data["show"]), size=ITEMS_PER_PAGE, **place)
    answers, marks = answers_to(page.items), marks_on(page.items)
    context = {
        "form": form,
        "states": [(key, title, (found or counts).states[key]) for key, (title, _) in STATES.items()],
        "show": form.data.get("show", ""),
        "counts": found,
        "narrowed": narrowed,
        "member": form.member if form.is_valid() else None,
        "page": page,
        "rows": [{"item": item, "answers": answers[item.pk], "marks": marks[item.pk]} for item in page.items],
        **_addresses(form),
    }
    return campaign_page(request, "campaigns/items.html", campaign, "items", context, counts=counts)


def _addresses(form: ItemFilterForm) -> dict[str, str]:
    """What stays of the address when somebody goes to another page, or to another state."""
    given = form.given()
    others = {name: value for name, value in given.items() if name != "show"}
    return {"query": urlencode(given), "others": urlencode(others)}


@never_cache
@require_safe
@signed_in
def item(request: Request, name: str, number: int) -> HttpResponse:
    """One item: its texts, every answer with what came before it, flags, rulings, and how it was decided."""
    return _item(request, item_in(request, name, number))


def _item(request: Request, found: Item, known: dict[str, str] | None = None, status: int = 200) -> HttpResponse:
    """`known` is what was sent about the known answer and refused, with the `problem`."""
    campaign = found.campaign
    claims = list(found.claims.all())
    given = [claim for claim in claims if hasattr(claim, "judgement")]
    context: dict[str, Any] = {
        "item": found,
        "neighbours": neighbours_of(found),
        "diff": word_diff(found.first.text, found.second.text) if found.second else None,
        "given": sorted(given, key=lambda claim: (bool(claim.judgement.uncounted), claim.slot.position)),
        "others": [claim for claim in claims if not hasattr(claim, "judgement")],
        "how": HOW.get(found.how, found.how),
        "can_rule": adjudicates(campaign) and found.how in RULED,
        "labels": protocol_of(campaign).labels_of(campaign),
        # An item for work that somebody has been given stays one.
        "gold_can_change": found.use != Item.Use.WORK or not claims,
        "uses": Item.Use.choices,
        "known": known
        or {"use": found.use, "label": found.gold.key if found.gold else "", "explanation": found.explanation, "problem": ""},
    }
    return campaign_page(request, "campaigns/item.html", campaign, "items", context, status)


@require_POST
@signed_in
def ask(request: Request, name: str, number: int) -> HttpResponse:
    """Ask one more person about a tie that no rule decides."""
    found = item_in(request, name, number)
    tell(
        request,
        lambda: ask_one_more(item=found, by=request.user),
        f"Item {number} waits for one more answer; the next person who may answer it is given it.",
    )
    return redirect("item", name, number)


@require_POST
@signed_in
def exclude(request: Request, name: str, pk: int) -> HttpResponse:
    """Take one answer out."""
    judgement = answer_in(request, name, pk)
    exclude_answer(judgement=judgement, by=request.user)
    messages.success(request, "The answer does not count any more. Its place is open again, and the item was decided anew.")
    return redirect("item", name, judgement.claim.item.number)


@require_POST
@signed_in
def include(request: Request, name: str, pk: int) -> HttpResponse:
    """Count an answer again that was taken out."""
    judgement = answer_in(request, name, pk)
    tell(request, lambda: include_answer(judgement=judgement, by=request.user), "The answer counts again.")
    return redirect("item", name, judgement.claim.item.number)


@require_POST
@signed_in
def exclude_all(request: Request, name: str, pk: int) -> HttpResponse:
    """Take out everything that somebody answered."""
    member = member_of(request, name, pk)
    taken = exclude_person(campaign=member.campaign, annotator=member.user, by=request.user)
    messages.success(request, f"Taken out of every figure: {counted(taken, 'answer')} of {member.user.username}.")
    return redirect(_answers_of(name, pk))


@require_POST
@signed_in
def include_all(request: Request, name: str, pk: int) -> HttpResponse:
    """Count somebody's answers again."""
    member = member_of(request, name, pk)
    back, left = include_person(campaign=member.campaign, annotator=member.user, by=request.user)
    rest = f" {left:,} cannot, for others have answered in their place." if left else ""
    messages.success(request, f"Counted again: {counted(back, 'answer')} of {member.user.username}.{rest}")
    return redirect(_answers_of(name, pk))


def _answers_of(name: str, member: int) -> str:
    return f"/campaigns/{name}/items/?annotator={member}"


@require_POST
@signed_in
def resolve(request: Request, name: str, pk: int) -> HttpResponse:
    """Mark a flag as seen to."""
    flag = flag_in(request, name, pk)
    resolve_flag(flag=flag, by=request.user)
    messages.success(request, "The flag is marked as seen to.")
    return redirect("item", name, flag.item.number)


@require_POST
@signed_in
def gold(request: Request, name: str, number: int) -> HttpResponse:
    """Set what the item is for, and its known answer."""
    found = item_in(request, name, number)
    given = {field: request.POST.get(field, "") for field in ("use", "label", "explanation")}
    label = found.campaign.labels.filter(key=given["label"]).first()
    try:
        set_gold(item=found, by=request.user, label=label, use=given["use"], explanation=given["explanation"])
    except DomainError as refused:
        return _item(request, found, given | {"problem": str(refused)}, status=422)
    messages.success(request, f"Saved. The item is used for {dict(Item.Use.choices)[given['use']]}.")
    return redirect("item", name, number)
