"""The Markdown files of the repository as the pages of a site: which there are, their links and their anchors.

Everything here follows a git host: a link is relative to its file, an anchor is made from its heading as GitHub does.
"""
import re
from pathlib import Path
from posixpath import dirname, join, normpath

ROOT = Path(__file__).resolve().parents[2]
FIRST = "docs/site/index.md"  # the first page of the site
INDEX = "docs/README.md"      # all guides by task: the navigation

FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
CODE = re.compile(r"(`+)(?:(?!\1).)+?\1(?!`)")
LINK = re.compile(r"(\]\(|\b(?:href|src)=\")([^()\s\"]+)(?=[)\s\"])")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
PICTURES = {".svg", ".png", ".jpg", ".gif"}
LANGUAGES = {".yaml": "yaml", ".yml": "yaml", ".cff": "yaml", ".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".sh": "bash", ".json": "json",
             ".mjs": "js", ".ts": "ts", ".txt": "text", ".csv": "text"}


def prose(text):
    """The lines of a Markdown text that are no code, with their numbers from 1."""
    fence = None
    for number, line in enumerate(text.split("\n"), 1):
        mark = FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = None
        elif mark:
            fence = mark[1]
        else:
            yield number, line


def without_code(line):
    """A line with its code spans blanked out, every other character in its place."""
    return CODE.sub(lambda span: " " * len(span[0]), line)


def links(text):
    """(line number, address) of each link and picture."""
    for number, line in prose(text):
        for link in LINK.finditer(without_code(line)):
            yield number, link[2]


def slug(heading):
    """The anchor GitHub gives a heading."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")


def headings(text):
    """(line number, anchor) of each heading; the same heading again gets -1, -2, …"""
    seen = {}
    for number, line in prose(text):
        heading = HEADING.match(line)
        if heading:
            name = slug(heading[2])
            seen[name] = seen.get(name, -1) + 1
            yield number, f"{name}-{seen[name]}" if seen[name] else name


def is_elsewhere(address):
    return re.match(r"[a-z]+:", address) is not None


def target(page, address):
    """(path in the repository, anchor) that an address on a page means."""
    path, _, anchor = address.partition("#")
    return (normpath(join(dirname(page), path)) if path else page), anchor


def page_of(path):
    """The page that shows a file or folder of the repository: itself, the README of a folder, or one made by hooks.py."""
    here = ROOT / path
    if here.is_dir():
        return join(path, "README.md" if (here / "README.md").exists() else "index.md")
    return path if here.suffix == ".md" or is_copied(here) else path + ".md"


def is_copied(file):
    """Pictures and data are copied; other files are shown as text."""
    return file.suffix in PICTURES or (file.is_file() and b"\0" in file.read_bytes()[:4096])


def crawl():
    """{page or picture: the file or folder it shows}: the first page, the guides, and everything reached from them by links."""
    found = {}
    waiting = [FIRST, INDEX]
    while waiting:
        path = waiting.pop()
        page = page_of(path)
        if page in found or path.startswith("..") or not (ROOT / path).exists():
            continue
        found[page] = path
        if (ROOT / page).suffix == ".md" and (ROOT / page).exists():
            waiting += [target(page, address)[0] for _, address in links((ROOT / page).read_text()) if not is_elsewhere(address)]
    return found


def sections():
    """The table of docs/README.md: [(section, [(title, page, anchor)])]."""
    found = []
    for _, line in prose((ROOT / INDEX).read_text()):
        section = re.match(r"\| \*\*(.+)\*\* \|", line)
        if section:
            found.append((section[1], []))
        for title, address in re.findall(r"\[([^\]]+)\]\(([^)]+)\)", line):
            found[-1][1].append((title[0].upper() + title[1:], *target(INDEX, address)))
    return found
