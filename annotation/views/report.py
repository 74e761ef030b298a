"""The report of a campaign as a page, and its tables as files."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.exchange.downloads import REPORT, REPORT_PDF, media_type
from annotation.exchange.drawing import are_drawn
from annotation.exchange.report import report_analysis, table_files, with_plots
from annotation.services.activity import log

from .access import Request, organised, signed_in
from .frame import campaign_page


@never_cache
@require_safe
@signed_in
def report(request: Request, name: str) -> HttpResponse:
    """Method, figures, plots and tables. Where plots have to be drawn first, the page comes at once and fetches them then."""
    campaign = organised(request, name)
    analysis = report_analysis(campaign)
    plots = [table.plot for table in analysis.tables if table.plot]
    draw = "plots" in request.GET or are_drawn(plots)
    context = {
        "analysis": analysis,
        "figures": [(figure, "", "") for figure in analysis.figures],
        "tables": with_plots(analysis.tables) if draw else [(table, "") for table in analysis.tables],
        "waiting": not draw,
        "files": (REPORT, REPORT_PDF),
    }
    return campaign_page(request, "campaigns/report.html", campaign, "report", context)


@never_cache
@require_safe
@signed_in
def report_table(request: Request, name: str, file: str) -> HttpResponse:
    """One table as CSV or LaTeX."""
    campaign = organised(request, name)
    table = next((table for table in report_analysis(campaign).tables if table.key == file.rpartition(".")[0]), None)
    files = table_files(table, campaign=campaign) if table else {}
    if file not in files:
        raise Http404
    log(campaign=campaign, by=request.user, verb="exported", file=file)
    headers = {"Content-Disposition": f'attachment; filename="{campaign.name}-{file}"'}
    return HttpResponse(files[file], content_type=media_type(file), headers=headers)
