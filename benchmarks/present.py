#!/usr/bin/env python3
"""Plots and tables from the CSV files of benchmarks/results/, which ./bench writes: throughput.svg and growth.svg beside them, and the
tables of benchmarks/README.md between its marks <!-- NAME: begin --> and <!-- NAME: end -->.

    python3 benchmarks/present.py [FOLDER]

Another FOLDER than benchmarks/results/ gets its plots, and leaves the page alone. Standard library only.
"""
import csv
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
LANES = "lane_us_per_step_and_realization"
STEPS = {"us_per_step": "", "one_us_per_step": ", compiled", LANES: ", in lanes"}  # columns of growth-parts.csv
INK, GREY, PALE = "#222222", "#777777", "#dddddd"
COLOURS = ("#0072b2", "#56b4e9", "#009e73", "#cc79a7", "#444488", "#888888")  # ours, in the order they appear
PEERS = {"Simbody": "#d55e00", "SUNDIALS IDA": "#e69f00"}


def read(file):
    """Header line and rows of a CSV file of ours; nothing where it is not there."""
    if not file.exists():
        return "", []
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(lines[1:]))
    for row in rows:  # the integrator is the first of the settings: not twice
        if "contender" in row:
            row["contender"] = row["contender"].replace(", " + row["settings"].split(",")[0], "")
    return lines[0].lstrip("# "), rows


class Drawing:
    def __init__(self, width, height, title):
        self.width, self.height, self.parts = width, height, []
        self.title = title

    def text(self, x, y, words, anchor="start", size=12, fill=INK, extra=""):
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" {extra}>{words}</text>')

    def line(self, x1, y1, x2, y2, stroke=INK, width=1.0, extra=""):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" stroke-width="{width}" {extra}/>')

    def dot(self, x, y, colour, full=True):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour if full else "white"}" stroke="{colour}" stroke-width="1.5"/>')

    def curve(self, points, stroke, extra=""):
        path = "M" + " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<path d="{path}" fill="none" stroke="{stroke}" stroke-width="1.6" {extra}/>')

    def save(self, file):
        file.write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}" '
            f'font-family="DejaVu Sans, Verdana, Helvetica, Arial, sans-serif">\n<title>{self.title}</title>\n'
            f'<rect width="{self.width}" height="{self.height}" fill="white"/>\n' + "\n".join(self.parts) + "\n</svg>\n", encoding="utf-8")
        print(f"wrote {file}")


class Scale:
    """A logarithmic axis from decade to decade, on pixels a … b."""

    def __init__(self, values, a, b):
        self.low, self.high = math.floor(math.log10(min(values)) + 1e-9), math.ceil(math.log10(max(values)) - 1e-9)
        self.high = max(self.high, self.low + 1)
        self.a, self.b = a, b

    def __call__(self, v):
        return self.a + (self.b - self.a) * (math.log10(v) - self.low) / (self.high - self.low)

    def decades(self):
        return [10.0**k for k in range(self.low, self.high + 1)]


def plain(v):
    """A power of ten as one writes it."""
    k = round(math.log10(v))
    return f"{v:,.0f}" if 0 <= k <= 4 else f"{v:g}" if -3 <= k < 0 else "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(c)] if c != "-" else "⁻" for c in str(k))


def brief(x):
    """Three digits, without an exponent where it can be read."""
    x = float(x)
    if x == 0:
        return "0"
    if 1e-3 <= abs(x) < 1e5:
        digits = max(0, 2 - math.floor(math.log10(abs(x))))
        return f"{x:,.{digits}f}"
    mantissa, exponent = f"{x:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def colours_of(rows):
    names = list(dict.fromkeys(r["contender"] for r in rows))
    ours = [n for n in names if n not in PEERS]
    return {n: PEERS.get(n) or COLOURS[ours.index(n) % len(COLOURS)] for n in names}


def draw_throughput(head, rows, file):
    colours = colours_of(rows)
    cases = list(dict.fromkeys(r["case"] for r in rows))
    row_height, gap, top, left, right = 20, 14, 76, 150, 660
    d = Drawing(1060, top + len(rows) * row_height + len(cases) * gap + 70, "Realizations per second and core at stated accuracy")
    d.text(16, 24, d.title, size=15)
    d.text(16, 43, head, size=10, fill=GREY)
    x = Scale([float(r["realizations_per_second_per_core"]) for r in rows], left, right)
    bottom = d.height - 58
    for v in x.decades():
        d.line(x(v), top - 8, x(v), bottom, PALE)
        d.text(x(v), bottom + 16, plain(v), "middle", 11, GREY)
    d.text((left + right) / 2, bottom + 33, "realizations per second and core", "middle", 11, GREY)
    y = top
    for case in cases:
        of_case = [r for r in rows if r["case"] == case]
        d.text(left - 12, y + row_height * len(of_case) / 2 + 4, case, "end")
        for r in of_case:
            speed, colour = float(r["realizations_per_second_per_core"]), colours[r["contender"]]
            middle = y + row_height / 2
            d.line(left, middle, x(speed), middle, colour, 3, 'stroke-opacity="0.35"')
            d.dot(x(speed), middle, colour, r["meets_bounds"] == "yes")
            d.text(right + 12, middle + 4, f"{brief(r['ms_per_realization'])} ms  {r['contender']}: {r['settings']}", size=9.5, fill=colour)
            y += row_height
        y += gap
    if any(r["meets_bounds"] != "yes" for r in rows):
        d.text(16, d.height - 10, "Open circles: the error is above the bound.", size=10, fill=GREY)
    d.save(file)


def log_panel(d, left, top, right, bottom, xs, ys, xlabel, ylabel):
    x, y = Scale(xs, left, right), Scale(ys, bottom, top)
    for v in x.decades():
        d.line(x(v), top, x(v), bottom, PALE)
        d.text(x(v), bottom + 16, plain(v), "middle", 11, GREY)
    for v in y.decades():
        d.line(left, y(v), right, y(v), PALE)
        d.text(left - 6, y(v) + 4, plain(v), "end", 11, GREY)
    d.text((left + right) / 2, bottom + 34, xlabel, "middle", 11, GREY)
    d.text(left, top - 10, ylabel, size=11, fill=GREY)
    return x, y


def draw_growth(head, parts, samples, file):
    d = Drawing(940, 380, "How cost grows")
    d.text(16, 24, d.title, size=15)
    d.text(16, 43, head, size=10, fill=GREY)
    series = [(*s, column) for column in ("us_per_step", LANES) for s in dict.fromkeys((r["model"], r["integrator"]) for r in parts)]
    if parts:
        x, y = log_panel(d, 70, 84, 430, 320, [float(r["parts"]) for r in parts],
                         [float(r[c]) for r in parts for c in ("us_per_step", LANES) if r[c]],
                         "bodies or elements", "time of a step of a realization, µs (dashed: in proportion)")
        for k, s in enumerate(series):
            points = [(float(r["parts"]), float(r[s[2]])) for r in parts if (r["model"], r["integrator"]) == s[:2] and r[s[2]]]
            colour = COLOURS[k % len(COLOURS)]
            first = points[0]
            if k == 0:
                d.curve([(x(p), y(first[1] * p / first[0])) for p, _ in points], GREY, 'stroke-dasharray="5 4"')
            d.curve([(x(a), y(b)) for a, b in points], colour)
            for a, b in points:
                d.dot(x(a), y(b), colour)
            lanes = s[2] == LANES  # below the curves, the others above
            d.text(425 if lanes else 84, 310 - 16 * (len(series) - 1 - k) if lanes else 102 + 16 * k,
                   f"{s[0]}, {s[1]}" + (", in lanes" if lanes else ""), "end" if lanes else "start", 11, colour)
    samples = [r for r in samples if r.get("keep", "statistics") == "statistics"]
    if samples:
        x, y = log_panel(d, 550, 84, 910, 320, [float(r["samples"]) for r in samples], [float(r["seconds"]) for r in samples],
                         "samples of five-body, statistics kept", "aleator run on all cores, s")
        points = [(x(float(r["samples"])), y(float(r["seconds"]))) for r in samples]
        d.curve(points, COLOURS[0])
        for (a, b), r in zip(points, samples):
            d.dot(a, b, COLOURS[0])
            first = r is samples[0]
            d.text(a + 10 if first else a - 8, b + 16 if first else b - 8, f"{brief(r['peak_megabytes'])} MB", "start" if first else "end", 10, GREY)
    d.save(file)


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join(lines + ["| " + " | ".join(r) + " |" for r in rows])


def throughput_table(head, rows):
    out = []
    for r in rows:
        errors = brief(r["l2_error"]) + (f"; {brief(r['l1_error_reactions'])}" if r["l1_error_reactions"] else "")
        bounds = brief(r["l2_bound"]) + (f"; {brief(r['l1_bound'])}" if r["l1_bound"] else "")
        out.append([r["case"], r["contender"], r["settings"], brief(r["ms_per_realization"]), brief(r["realizations_per_second_per_core"]),
                    errors + ("" if r["meets_bounds"] == "yes" else " **above**"), bounds])
    return head + "\n\n" + table(["case", "program", "settings", "ms each", "per s and core", "worst error", "bound"], out)


ALONE = ("Aleator, one at a time", "Aleator, uncompiled", "SUNDIALS IDA", "Simbody")


def alone_table(head, rows):
    cases = list(dict.fromkeys(r["case"] for r in rows))
    best = {}
    for r in rows:
        key = r["contender"], r["case"]
        if r["contender"] in ALONE and (key not in best or float(r["ms_per_realization"]) < float(best[key]["ms_per_realization"])):
            best[key] = r
    lines = [[name] + [f"{brief(best[name, c]['ms_per_realization'])} ({best[name, c]['settings']})" if (name, c) in best else "" for c in cases]
             for name in ALONE if any(n == name for n, _ in best)]
    return head + "\n\n" + table(["ms each", *cases], lines)


def work_table(head, rows):
    rows = [r for r in rows if r.get("operations")]
    kilo = lambda text: brief(str(float(text) / 1e3))
    return head + "\n\n" + table(["case", "program", "settings", "thousand operations each", "kB read", "kB written", "Gflop/s", "share of peak, %"],
                               [[r["case"], r["contender"], r["settings"], kilo(r["operations"]), kilo(r["bytes_read"]), kilo(r["bytes_written"]),
                                 brief(str(1e-6 * float(r["operations"]) / float(r["ms_per_realization"]) / float(r["threads"]))),
                                 f"{100 * float(r['share_of_peak']):.0f}"] for r in rows])


def parts_table(head, rows):
    sizes = list(dict.fromkeys(r["parts"] for r in rows))
    series = list(dict.fromkeys((r["model"], r["integrator"]) for r in rows))
    cell = {(r["model"], r["integrator"], r["parts"], c): brief(r[c]) for r in rows for c in STEPS if r.get(c)}
    lines = [[f"{m}, {i}{words}"] + [cell.get((m, i, n, c), "") for n in sizes]
             for m, i in series for c, words in STEPS.items() if c in rows[0]]
    return head + "\n\n" + table(["µs per step and realization", *sizes], lines)


def samples_table(head, rows):
    if "keep" not in rows[0]:  # of a version before 0.3, with the step of the example; ./bench --only samples makes it anew
        rows = [{**r, "keep": "statistics"} for r in rows]
    columns = ("seconds", "cpu_seconds", "ms_per_sample", "peak_megabytes")
    phases = ("percent_drawing", "percent_simulation", "percent_statistics", "percent_final")
    if "percent_final" not in rows[0]:
        return head + "\n\n" + table(["keep", "samples", "s", "processor s", "ms per sample", "MB at most"],
                                     [[r["keep"], f"{int(r['samples']):,}"] + [brief(r[k]) for k in columns] for r in rows])
    head += ("\n\nStep and integrator are chosen by the program for an accuracy of 1e-3. The last four columns are shares of the processor time after the start, as "
             "`--profile` tells them.")
    return head + "\n\n" + table(["keep", "samples", "s", "processor s", "ms per sample", "MB at most", "drawing, %", "simulation, %", "statistics and journal, %",
                                  "final statistics and file, %"],
                                 [[r["keep"], f"{int(r['samples']):,}"] + [brief(r[k]) for k in columns] + [f"{float(r[k]):.0f}" for k in phases]
                                  for r in rows])


def put_into_page(page, name, text):
    content = page.read_text(encoding="utf-8")
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, rest = content.split(begin)
    _, after = rest.split(end)
    page.write_text(before + begin + "\n" + text + "\n" + end + after, encoding="utf-8")


def main():
    own = HERE / "results"
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else own
    throughput, parts, samples = (read(folder / f"{n}.csv") for n in ("throughput", "growth-parts", "growth-samples"))
    if throughput[1]:
        draw_throughput(*throughput, folder / "throughput.svg")
    if parts[1] or samples[1]:
        draw_growth(parts[0] or samples[0], parts[1], samples[1], folder / "growth.svg")
    if folder.resolve() == own.resolve():
        for name, (head, rows), make in (("throughput", throughput, throughput_table), ("one-at-a-time", throughput, alone_table),
                                         ("work", throughput, work_table),
                                         ("growth-parts", parts, parts_table),
                                         ("growth-samples", samples, samples_table)):
            if rows and (name != "work" or "operations" in rows[0]):
                put_into_page(HERE / "README.md", name, make(head, rows))


main()
