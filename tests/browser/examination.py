"""What is wrong with a page that is open in the browser."""

from __future__ import annotations

from collections.abc import Iterator

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

WIDTHS = {"1280 px": (1280, 800), "200 % of 1280 px": (640, 400), "360 px": (360, 740)}
THEMES = ("light", "dark")

# Whatever takes the focus must show it: by an outline or a shadow of its own, or of the label around it.
UNSEEN_FOCUS = """() => {
  const shows = (element) => {
    const style = getComputedStyle(element);
    return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
  };
  const all = document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]');
  const unseen = [];
  for (const element of all) {
    element.focus();
    if (document.activeElement !== element) continue;
    const label = element.closest('label');
    if (!shows(element) && !(label && shows(label))) unseen.push(element.outerHTML.slice(0, 120));
  }
  return unseen;
}"""

WIDER = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const clips = (e) => e && e !== document.body && (getComputedStyle(e).overflowX !== 'visible' || clips(e.parentElement));
  const wide = [...document.body.querySelectorAll('*')].filter(
    (e) => e.getBoundingClientRect().right > width + 1 && !clips(e.parentElement));
  return wide.slice(-1).map((e) => `${document.documentElement.scrollWidth} px: ${e.outerHTML.slice(0, 120)}`);
}"""


def faults(page: Page, *, themes: tuple[str, ...] = THEMES) -> Iterator[str]:
    """Everything that the page does wrong, in words. The page is loaded once; colours and widths change under it."""
    yield from _bones(page)
    for label, (width, height) in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        for found in page.evaluate(WIDER):
            yield f"is wider than {label}: {found}"
    for number, theme in enumerate(themes):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        width, height = WIDTHS["360 px" if number % 2 else "1280 px"]
        page.set_viewport_size({"width": width, "height": height})
        for found in Axe().run(page).response["violations"]:
            for node in found["nodes"]:
                yield f"{theme}: {found['id']}: {node['html'][:160]}"
    page.keyboard.press("Tab")
    for found in page.evaluate(UNSEEN_FOCUS):
        yield f"focus cannot be seen: {found}"


def _bones(page: Page) -> Iterator[str]:
    headings = page.locator("h1").count()
    if headings != 1:
        yield f"has {headings} headings of the first rank"
    if not page.title().strip():
        yield "has no title"
