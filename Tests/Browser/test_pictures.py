"""Eight screens look as they did. MUSTER_PICTURES=new writes the pictures anew; look at them before they are committed.

Text is drawn with the fonts that `scripts/setup --test` installs, so the pictures hold on any machine that ran it.
"""

import base64
import os
from pathlib import Path

import pytest
from playwright.sync_api import expect
from test_page import PHONE

PICTURES = Path(__file__).resolve().parent / "pictures"
OUTPUT = Path(__file__).resolve().parent / "output"

#: The share of a picture that may differ by more than one shade, from 0 to 1.
TOLERANCE = 0.005

COMPARE = """async ([one, other]) => {
  const pixels = async (picture) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await pixels(one), await pixels(other)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  let differ = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    const most = Math.max(Math.abs(a.data[at] - b.data[at]), Math.abs(a.data[at + 1] - b.data[at + 1]), Math.abs(a.data[at + 2] - b.data[at + 2]));
    if (most > 40) differ += 1;
  }
  return differ / (a.data.length / 4);
}"""


@pytest.fixture
def looks_like(browser):
    plain = browser.new_page()

    def compare(window, name, part_of_it=None):
        window.page.mouse.move(0, 0)
        window.page.evaluate("document.activeElement?.blur()")
        # What is another one in each run: the colour of a person, which follows from the id, and an invite link.
        window.page.evaluate("""() => {
          const oneColour = new CSSStyleSheet();
          oneColour.replaceSync("[class*='hue-'] { --hue: #1d6f42 !important; } .invite :is(.hint, .qr, input) { visibility: hidden !important; }");
          document.adoptedStyleSheets = [oneColour];
        }""")
        expect(window.at("toasts").locator(".toast")).to_have_count(0, timeout=15_000)
        taken = (part_of_it or window.page).screenshot(animations="disabled", caret="hide", scale="css")
        wanted = PICTURES / f"{name}.png"
        if os.environ.get("MUSTER_PICTURES") == "new":
            PICTURES.mkdir(exist_ok=True)
            wanted.write_bytes(taken)
            return
        part = plain.evaluate(COMPARE, [base64.b64encode(each).decode() for each in (wanted.read_bytes(), taken)])
        if part > TOLERANCE:
            OUTPUT.mkdir(exist_ok=True)
            (OUTPUT / f"differs-{name}.png").write_bytes(taken)
        assert part <= TOLERANCE, f"{name} differs in {part:.1%} of its pixels, see output/differs-{name}.png"

    yield compare
    plain.close()


@pytest.mark.parametrize(("kind", "scheme"), [("desktop", "light"), ("phone", "dark")])
def test_the_screens_look_as_they_did(window, server, looks_like, kind, scheme):
    server.sql("DELETE FROM muster.spot;")
    options = {**PHONE, "device_scale_factor": 1} if kind == "phone" else {"viewport": {"width": 1280, "height": 800}}
    ada = window(color_scheme=scheme, reduced_motion="reduce", **options).open()
    looks_like(ada, f"{kind}-door", ada.page.locator(".card"))
    ada.sign_up("Ada")
    ada.create_group("Sunday climbers")
    expect(ada.page.locator(".leaflet-land-pane path")).to_have_count(1)
    looks_like(ada, f"{kind}-nobody")
    ada.follow_gps(48.2082, 16.3738)
    ben = window().open(link_of(ada)).sign_up("Ben")
    ben.at("join-confirm").click()
    ben.follow_gps(48.2102, 16.3768)
    expect(ada.row("Ben")).to_have_attribute("data-freshness", "live")
    ada.at("fit").click()
    expect(ada.marker("Ben")).to_be_in_viewport()
    looks_like(ada, f"{kind}-people")
    ada.visit("places")
    expect(ada.at("spots-state")).to_have_text("No spots around here yet. Add the first one.")
    looks_like(ada, f"{kind}-places")


def link_of(window):
    window.at("group-invite").click()
    link = window.make_invite()
    window.close_dialog()
    return link
