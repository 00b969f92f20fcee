"""axe-core, run in a window with all its rules."""

from pathlib import Path

import axe_playwright_python

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def finds_nothing(window, view):
    """Runs axe-core with all its rules, best practices included, when the transitions that have begun are over."""
    window.page.evaluate(AXE)
    window.page.evaluate("""async () => {
      const drawn = () => new Promise((done) => requestAnimationFrame(done));
      await drawn();
      await drawn();
      const finite = document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime !== Infinity);
      await Promise.all(finite.map((each) => each.finished.catch(() => {})));
    }""")
    found = window.page.evaluate("""async () => {
      const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false });
      return violations.map(({ id, impact, nodes }) => [id, impact, nodes.slice(0, 4).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary?.split("\\n")[1] ?? ""}`)]);
    }""")
    # axe-core measures with inline styles, which the page's content security policy blocks.
    window.complaints = [complaint for complaint in window.complaints if "inline style" not in complaint and "style-src" not in complaint]
    assert found == [], (view, found)


def finds_nothing_in_both_schemes(window, view):
    """Runs axe-core on light and on dark colours."""
    for scheme in ("light", "dark"):
        window.page.emulate_media(color_scheme=scheme)
        finds_nothing(window, f"{view}, {scheme}")
