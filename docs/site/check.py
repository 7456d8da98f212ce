"""Checks every link, picture and anchor: python3 check.py SITE. Complains as FILE:LINE: on stderr and ends with 1."""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pages

problems = []


def complain(place, link, why):
    problems.append(f"{place}: {link}: {why}")


def check_sources():
    """What was written: as a git host sees it, with the line."""
    shown = pages.crawl()
    anchors = {}
    for page in shown:
        here = pages.ROOT / page
        if here.suffix == ".md" and here.exists():
            text = here.read_text()
            anchors[page] = {anchor for _, anchor in pages.headings(text)}
    for page in anchors:
        for line, address in pages.links((pages.ROOT / page).read_text()):
            if pages.is_elsewhere(address):
                continue
            path, anchor = pages.target(page, address)
            if path.startswith("..") or not (pages.ROOT / path).exists():
                complain(f"{page}:{line}", address, "there is no such file or folder")
            elif anchor and anchor not in anchors.get(pages.page_of(path), ()):
                complain(f"{page}:{line}", address, f"no heading of {path} has this anchor")
    for guide in sorted(pages.ROOT.glob("docs/*.md")):
        name = guide.relative_to(pages.ROOT).as_posix()
        if name not in shown:
            complain(f"{name}:1", name, f"no page leads here; name it in {pages.INDEX}")
    return len(anchors)


class Built(HTMLParser):
    """The anchors of a built page, and the addresses it links to or loads."""
    def __init__(self, file):
        super().__init__()
        self.ids, self.links, self.loads, self.mute = set(), [], [], []
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids.update(filter(None, (values.get("id"), values.get("name"))))
        if values.get("href"):
            (self.loads if tag == "link" else self.links).append((self.getpos()[0], values["href"]))
        if tag == "img" and not values.get("alt"):
            self.mute.append((self.getpos()[0], values.get("src")))
        if values.get("src"):
            self.loads.append((self.getpos()[0], values["src"]))


def check_built(site):
    """What came out, with what the theme adds: every address leads somewhere, and nothing is loaded from another place."""
    built = {file.resolve(): Built(file) for file in site.rglob("*.html")}
    for file, page in built.items():
        place = file.relative_to(site)
        for line, address in page.mute:
            complain(f"{place}:{line}", address, "the picture has no text that says what it shows")
        for line, address in page.loads:
            if urlsplit(address).netloc:
                complain(f"{place}:{line}", address, "is loaded from another place")
        for line, address in page.links + page.loads:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            there = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if not there.is_file():
                complain(f"{place}:{line}", address, "there is no such page or file")
            elif parts.fragment and there in built and unquote(parts.fragment) not in built[there].ids | {"__skip"}:
                complain(f"{place}:{line}", address, "the page has no such anchor")
    return len(built)


site = Path(sys.argv[1]).resolve()
sources = check_sources()
built = 0 if problems else check_built(site)  # what is wrong in a source is wrong in its page
for problem in problems:
    print(problem, file=sys.stderr)
if problems:
    sys.exit(1)
print(f"the links of {sources} Markdown files and {built} built pages lead somewhere")
