"""Called by mkdocs while it builds the site: brings in the pages of the repository and writes them as mkdocs understands them."""
import base64
import json
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))
import pages  # noqa: E402

KATEX = Path("/usr/share/javascript/katex")
RENAMED = {pages.FIRST: "index", "README.md": "overview"}  # both would be index.html
SUBSCRIPT = re.compile(r"(?<![A-Za-z_])([^\W\d_][\u0300-\u036f']?)_(\{[^}]+\}|[A-Za-z0-9]{1,4}(?![A-Za-z0-9_])|[α-ω])"
                       r"([\u0300-\u036f]?)")  # r_x, a'_j
EXPONENT = re.compile(r"\^(\((?:[^()]|\([^()]*\))*\)|[\w½⅔]+)")  # n^½, n^(−3/2)

shown = {}     # {page: file or folder of the repository}
formulas = {}  # {page: [(TeX, displayed)]}


def on_config(config):
    shown.update(pages.crawl())
    config["nav"] = [{"Home": pages.FIRST}] + [
        {section: [{title: page.replace(".md", ".html#") + anchor if anchor else page} for title, page, anchor in entries]}
        for section, entries in pages.sections()] + [{"All guides by task": pages.INDEX}]
    return config


def on_files(files, config):
    for page in sorted(shown):
        file = File(page, str(pages.ROOT), config["site_dir"], use_directory_urls=False)
        if page in RENAMED:
            file.name = RENAMED[page]
            file.dest_path = file.url = f"{file.name}.html"
            file.abs_dest_path = str(Path(config["site_dir"]) / file.dest_path)
        files.append(file)
    return files


def on_page_read_source(page, config):
    """The pages of source files and folders, which are no Markdown."""
    path = shown[page.file.src_path]
    here = pages.ROOT / path
    if here.is_dir() and not here.joinpath("README.md").exists():
        rows = "".join(f"| {file_name(path, file)} | {first_comment(file)} |\n" for file in sorted(here.iterdir()))
        return f"# {path}/\n\nA folder of the source tree.\n\n| file | |\n|---|---|\n{rows}"
    if here.is_file() and here.suffix != ".md":
        return f"# {path}\n\n````{pages.LANGUAGES.get(here.suffix, 'text')}\n{here.read_text().rstrip()}\n````\n"
    return None


def file_name(folder, file):
    return f"[`{file.name}`]({file.name}.md)" if f"{folder}/{file.name}.md" in shown else f"`{file.name}`"


def first_comment(file):
    """The first sentence of the comment that opens a file."""
    if file.is_dir() or file.suffix not in pages.LANGUAGES:
        return ""
    opening = re.match(r'(?:#!.*\n)?((?:(?://|#|""")[ ]+.*\n)*)', file.read_text(errors="replace"))[1]
    words = re.sub(r'\s*\n?^(?://|#|""")\s+', " ", opening, flags=re.M).strip()
    sentence = re.split(r"(?<=[\w)]{5})\.(?:\s|$)", words)[0]  # five letters: no abbreviation
    return sentence.replace("|", "\\|").replace("<", "&lt;")


def on_page_markdown(markdown, page, config, files):
    if page.file.src_path == pages.FIRST:
        page.meta["hide"] = ["toc"]
    text = take_formulas(markdown, page.file.src_path)
    text = name_headings(text)
    lines = text.split("\n")
    for number, line in pages.prose(text):
        lines[number - 1] = outside_code(link_to_pages(line, page.file.src_path), raise_and_lower)
    return as_python_lists("\n".join(lines))


def raise_and_lower(words):
    """Indices and exponents in a line of text."""
    words = SUBSCRIPT.sub(lambda part: f"{part[1]}<sub>{part[2].strip('{}')}{part[3]}</sub>", words)
    return EXPONENT.sub(lambda part: f"<sup>{part[1][1:-1] if part[1][0] == '(' else part[1]}</sup>", words)


def outside_code(line, change):
    """Changes the parts of a line that are neither code nor HTML nor the address of a link."""
    parts = re.split(r"(`+[^`]+`+|<[^>]+>|\]\([^)]*\))", line)
    return "".join(part if k % 2 else change(part) for k, part in enumerate(parts))


def on_page_content(html, page, config, files):
    """Blocks with long lines, which are messages of the program, are wrapped as a terminal does; others scroll."""
    def wrap(block):
        longest = max(map(len, unescape(re.sub(r"<[^>]+>", "", block[1])).split("\n")))
        return block[0].replace("<pre", '<pre class="wrapped"', 1) if longest > 125 else block[0]

    return re.sub(r"<pre>(.*?)</pre>", wrap, html, flags=re.S)


# ---- formulas: ```math … ``` and $$ … $$ are displayed, $`…`$ stands in a line; KaTeX typesets them

FORMULA = re.compile(r"^([ ]*)(?:```math\n(.*?)\n[ ]*```|\$\$(.*?)\$\$)[ ]*$|\$`([^`]+)`\$", re.M | re.S)


def take_formulas(text, name):
    found = formulas.setdefault(name, [])

    def take(match):
        displayed = match[4] is None
        found.append((match[2] or match[3] or match[4], displayed))
        return f'{match[1] or ""}<span class="{"displayed" if displayed else "in-line"}" data-formula="{len(found) - 1}"></span>'

    return FORMULA.sub(take, text)


def on_post_page(output, page, config):
    """The typeset formulas come in last, so that the search does not index their letters."""
    found = formulas.get(page.file.src_path)
    if not found:
        return output
    node = subprocess.run(["node", str(Path(__file__).with_name("formulas.js")), str(KATEX)], input=json.dumps(found), text=True, capture_output=True)
    if node.returncode:
        raise SystemExit(f"{page.file.src_path}: {node.stderr.strip()}")
    typeset = json.loads(node.stdout)
    output = re.sub(r'(data-formula="(\d+)")>', lambda place: f"{place[1]}>{typeset[int(place[2])]}", output)
    style = "../" * page.file.url.count("/") + "katex.css"
    return output.replace("</head>", f'<link rel="stylesheet" href="{style}">\n</head>', 1)


# ---- from the Markdown of git hosts to that of mkdocs

def name_headings(text):
    """Gives headings the anchors of a git host. A second title, that of a reference after its guide, goes one level down with its sections."""
    lines = text.split("\n")
    titles = 0
    for number, anchor in pages.headings(text):
        titles += lines[number - 1].startswith("# ")
        lines[number - 1] = "#" * (titles > 1) + lines[number - 1] + f" {{#{anchor}}}"
    return "\n".join(lines)


def link_to_pages(line, page):
    """Links to source files and folders lead to the pages that show them."""
    def lead(link):
        address = link[2]
        if pages.is_elsewhere(address) or address.startswith("#"):
            return link[0]
        path, anchor = pages.target(page, address)
        there = pages.page_of(path)
        if there == path or there not in shown:
            return link[0]
        return link[1] + "../" * page.count("/") + there + ("#" + anchor if anchor else "")

    blank = pages.without_code(line)
    for link in reversed(list(pages.LINK.finditer(blank))):
        line = line[:link.start()] + lead(link) + line[link.end():]
    return line


def as_python_lists(text):
    """Python's Markdown wants an empty line before a list, and what belongs to an item indented by four."""
    prose = {number for number, _ in pages.prose(text)}
    result = []
    item = 0        # by how much the text of the current list item is indented; 0 outside lists
    loose = False   # the item has several paragraphs
    last = ""
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r"( *)([-*]|\d+\.) +(?=\S)", line) if number in prose else None
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            loose = item > 0
        elif mark and (item or indent < 4):
            if loose or (not item and last.strip() and not last.startswith(("|", "#", "<!--"))):
                result.append("")
            if indent == 0:
                item, loose = len(mark[0]), False
            line = " " * (4 * (indent > 0)) + line.lstrip()
        elif indent < item:
            item, loose = 0, False
        elif item:
            line = " " * 4 + line[item:]
        last = line
        result.append(line)
    return "\n".join(result)


# ---- what else the site has

def on_post_build(config):
    site = Path(config["site_dir"])
    embed_fonts(site / "katex.css")
    # The index as a script: a page in the file system cannot fetch. Source files are left out: they would drown the guides.
    index_file = site / "search" / "search_index.json"
    index = json.loads(index_file.read_text())
    code = {page[:-3] + ".html" for page, path in shown.items() if page != path and not page.endswith("README.md")}
    index["docs"] = [entry for entry in index["docs"] if entry["location"].split("#")[0] not in code]
    (site / "search" / "index.js").write_text("searchIndex(" + json.dumps(index, ensure_ascii=False, separators=(",", ":")) + ");\n")
    index_file.unlink()
    for unused in ["404.html", "sitemap.xml", "sitemap.xml.gz"]:  # for servers
        (site / unused).unlink()
    for unused in list(site.rglob("*.map")) + list(site.glob("assets/javascripts/lunr/**/*.js")):
        unused.unlink()


def embed_fonts(file):
    """KaTeX's style with its fonts inside: Firefox loads no fonts from the file system."""
    def font(source):
        data = (KATEX / "fonts" / source[1]).read_bytes()
        return f'src:url(data:font/woff2;base64,{base64.b64encode(data).decode()}) format("woff2")'

    style = (KATEX / "katex.min.css").read_text()
    file.write_text(re.sub(r'src:url\(fonts/([\w-]+\.woff2)\)[^;}]*', font, style))
