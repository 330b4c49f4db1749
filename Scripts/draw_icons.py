#!/usr/bin/env python3
"""Draws the app's icons as PNG from icon.svg, with Debian's Chromium and Selenium.

Usage: draw_icons.py. Writes icon-180.png (for a phone's home screen), icon-192.png and icon-512.png
beside the drawing; the first has no round corners, since phones cut their own.
"""

import base64
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Tests" / "Browser"))
from browser import chromium  # noqa: E402

PLACE = Path(__file__).resolve().parent.parent / "Sources" / "ArkivedWeb" / "Resources"


def main() -> None:
    drawing = (PLACE / "icon.svg").read_text()
    for size, text in (
        (180, drawing.replace(' rx="114"', "")), (192, drawing), (512, drawing),
    ):
        page = f"<style>body{{margin:0;background:transparent}}svg{{display:block;width:{size}px}}</style>{text}"
        with chromium(600, 600) as browser:
            browser.get("data:text/html;base64," + base64.b64encode(page.encode()).decode())
            browser.execute_cdp_cmd(
                "Emulation.setDefaultBackgroundColorOverride", {"color": {"r": 0, "g": 0, "b": 0, "a": 0}})
            shot = browser.execute_cdp_cmd(
                "Page.captureScreenshot",
                {"clip": {"x": 0, "y": 0, "width": size, "height": size, "scale": 1}})
        (PLACE / f"icon-{size}.png").write_bytes(base64.b64decode(shot["data"]))


if __name__ == "__main__":
    main()
