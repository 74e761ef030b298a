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

# A part that scrolls sideways can be reached by keyboard, has a name, and shows that it goes on.
SCROLLS_UNSEEN = """() => [...document.querySelectorAll('main *')].filter((element) => {
  const style = getComputedStyle(element);
  if (!['auto', 'scroll'].includes(style.overflowX) || element.scrollWidth <= element.clientWidth + 1) return false;
  const named = element.hasAttribute('aria-label') || document.getElementById(element.getAttribute('aria-labelledby'));
  const hinted = style.backgroundImage !== 'none' || element.matches('textarea, input');
  return !(hinted && (element.matches('textarea, input') || (element.tabIndex === 0 && element.role === 'region' && named)));
}).map((element) => element.outerHTML.slice(0, 120))"""

# A card, a field or a table never touches what stands above it.
TOUCHES = """() => [...document.querySelectorAll('.sheet, .pair, .scroll, .list, .field, .card, fieldset')].filter((element) => {
  let above = element.previousElementSibling;
  while (above && !(above.checkVisibility() && above.getBoundingClientRect().height > 1)) above = above.previousElementSibling;
  if (!above || !element.checkVisibility() || getComputedStyle(above).position === 'absolute') return false;
  const gap = element.getBoundingClientRect().top - above.getBoundingClientRect().bottom;
  return gap > -1 && gap < 3;
}).map((element) => `${element.previousElementSibling.outerHTML.slice(0, 60)} ... ${element.outerHTML.slice(0, 80)}`)"""

# What stands in one line of a form is as high as its neighbours, to the pixel, and ends where they end.
CROOKED = """() => [...document.querySelectorAll('form.inline, .filters form.grid')].flatMap((form) => {
  const boxes = [...form.querySelectorAll('input:not([type=hidden]):not([type=checkbox]), select, button, a.button')]
    .filter((each) => each.checkVisibility()).map((each) => [each, each.getBoundingClientRect()]);
  const differ = (one, other) => Math.max(Math.abs(one.bottom - other.bottom), Math.abs(one.height - other.height)) > .6;
  return boxes.filter(([each, box]) => boxes.some(([, other]) => Math.abs(other.bottom - box.bottom) < 8 && differ(box, other)))
    .map(([each, box]) => `${box.height} px: ${each.outerHTML.slice(0, 80)}`);
})"""


def faults(page: Page, *, themes: tuple[str, ...] = THEMES) -> Iterator[str]:
    """Everything that the page does wrong, in words. The page is loaded once; colours and widths change under it."""
    yield from _bones(page)
    page.evaluate("document.querySelectorAll('.filters').forEach((each) => each.open = true)")
    for label, (width, height) in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        for found in page.evaluate(WIDER):
            yield f"is wider than {label}: {found}"
        for what, question in (("scrolls unseen", SCROLLS_UNSEEN), ("touches", TOUCHES), ("is crooked", CROOKED)):
            for found in page.evaluate(question):
                yield f"at {label} {what}: {found}"
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
