#!/usr/bin/env python3
"""Draws the figures of a study: python3 plots.py FOLDER [TARGET]. study.sh calls it.

FOLDER is that of study.sh; the figures go into TARGET, by default FOLDER. Standard library only.
"""
import importlib
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "docs" / "images"))
five = importlib.import_module("five-body-study")  # axes and colours: the same hand
INK, GREY, PALE, BLUE, ORANGE, GREEN = five.INK, five.GREY, five.PALE, five.BLUE, five.ORANGE, five.GREEN
PURPLE = "#cc79a7"
OUTPUTS = (("qx", "mm", 1e3), ("qy", "mm", 1e3), ("fx", "N", 1), ("fy", "N", 1))
CASES = ("long-high-rigid", "long-high-rest", "long-low-rigid", "long-low-rest", "short-high-rigid", "short-high-rest",
         "short-low-rigid", "short-low-rest", "two-variables-rigid", "two-variables-rest")


def name_of(case):
    start = case.rsplit("-", 1)[1]
    what = case.rsplit("-", 1)[0]
    return ("crank known, SHORT-LOW" if what == "two-variables" else what.upper()) + ", " + ("from rest" if start == "rest" else "rigid start")


def nice_ticks(low, high, count=4):
    raw = (high - low) / count
    power = 10 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= raw)
    first = math.ceil(low / step - 1e-9)
    return [round(step * k, 12) for k in range(first, math.floor(high / step + 1e-9) + 1)]


def over_time(folder, target, case):
    """Means and standard deviations over time: reference, hypercube and chaos of the lowest order. Like Figs. 9, 10, 24, 25."""
    here = folder / case
    chaos = min(here.glob("pc-*.statistics.csv"), key=lambda p: int(p.name.split(".")[0][3:]))
    cubes = min(here.glob("lhs-*-1.statistics.csv"), key=lambda p: int(p.name.split("-")[1]))
    runs = cubes.name.split("-")[1]
    tables = [(five.read(here / "reference.statistics.csv"), INK, 3.4, 'stroke-opacity="0.28"'),
              (five.read(cubes), BLUE, 1.2, ""), (five.read(chaos), ORANGE, 1.2, 'stroke-dasharray="5 2"')]
    row, top, width = 168, 84, 405
    d = five.Drawing(1000, top + row * 4 + 24, f"{name_of(case)}: mean and standard deviation with {runs} runs")
    d.text(500, 24, f"{name_of(case)}: {runs} runs", 16, weight="bold")
    five.legend(d, 215, 50, (("line", "#b9bdc1", "reference"), ("line", BLUE, "Latin hypercube"), ("dash", ORANGE, "polynomial chaos")))
    for i, (output, unit, scale) in enumerate(OUTPUTS):
        for j, kind in enumerate(("mean", "std")):
            left, y0 = 78 + j * 500, top + row * i
            curves = [[scale * v for v in t[f"{output}.{kind}"]] for t, *_ in tables]
            low, high = min(map(min, curves)), max(map(max, curves))
            if kind == "std":
                low = 0
            low, high = low - (0.05 * (high - low) if low else 0), high + 0.05 * (high - low)
            axes = five.Axes(d, left, y0, left + width, y0 + row - 38, (0, 1), (low, high))
            axes.frame((0, 0.2, 0.4, 0.6, 0.8, 1), nice_ticks(low, high), "time (s)" if i == 3 else "",
                       f"{output} ({unit})", xnumbers=i == 3)
            if i == 0:
                d.text(left + width / 2, y0 - 8, ("mean", "standard deviation")[j], 14, weight="bold")
            for (t, colour, thick, extra), values in zip(tables, curves):
                d.curve(axes.at(t["time"][::2], values[::2]), colour, thick, extra)
    save(d, target, f"slider-crank-study-{case}.svg")


class LogAxes(five.Axes):
    """Both axes logarithmic."""

    def Y(self, v):
        low, high = (math.log(x) for x in self.y)
        v = min(max(math.log(max(v, 1e-300)), low), high)
        return self.box[3] + (self.box[1] - self.box[3]) * (v - low) / (high - low)


def power_of_ten(k):
    """10^k in per cent, as text."""
    if k >= -3:
        return f"{10.0 ** k:g} %"
    return "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹⁻"["0123456789-".index(c)] for c in str(k)) + " %"


def against_runs(folder, target, measure):
    """Error against the number of runs. Like Figs. 11, 12, 16, 17, 21, 22, 26–29."""
    e = five.read(folder / "errors.csv")
    rows = [dict(zip(e, values)) for values in zip(*e.values())]
    rows = [r for r in rows if r["against"] == "reference"]
    cases = [c for c in CASES if any(r["case"] == c for r in rows)]
    row, top, width = 126, 92, 178
    words = {"e_mu": "mean", "e_sigma": "standard deviation"}[measure]
    d = five.Drawing(1000, top + row * len(cases) + 42, f"Error of the {words} against the number of runs")
    d.text(500, 24, f"Error of the {words} ({measure}) against the number of runs", 16, weight="bold")
    x = 60
    for kind, colour, text in (("o", ORANGE, "polynomial chaos, quadrature"), ("line", BLUE, "Latin hypercube, mean and range"), ("s", GREEN, "Sobol’"),
                               ("d", PURPLE, "sparse chaos"), ("dash", GREY, "Monte Carlo, 1,000 runs")):
        if kind in "osd":
            marker(d, kind, x + 10, 46, colour)
        else:
            d.line(x - 4, 46, x + 20, 46, colour, 2.2, 'stroke-dasharray="5 4"' if kind == "dash" else "")
        d.text(x + 26, 50, text, 13, INK, "start")
        x += 26 + 7.3 * len(text) + 20
    for j, (output, *_) in enumerate(OUTPUTS):
        ofs = [r for r in rows if r["output"] == output and r["method"] not in ("reference", "auto")]
        floor = math.floor(math.log10(min(100 * r[measure] for r in ofs if r[measure] > 0)) + 0.15)
        ceiling = math.ceil(math.log10(max(100 * r[measure] for r in ofs)) - 0.05)
        for i, case in enumerate(cases):
            left, y0 = 74 + j * 242, top + row * i
            mine = [r for r in ofs if r["case"] == case]
            axes = LogAxes(d, left, y0, left + width, y0 + row - 36, (7, 300), (0.8 * 10 ** floor, 1.2 * 10 ** ceiling), log=True)
            last = i == len(cases) - 1
            axes.frame((10, 30, 100, 300), (), "runs" if last else "", xnumbers=last, zero=False)
            step = 1 if ceiling - floor <= 4 else 2
            for k in range(floor, ceiling + 1, step):
                d.line(left, axes.Y(10 ** k), left + width, axes.Y(10 ** k), PALE, 1)
                d.text(left - 5, axes.Y(10 ** k) + 4, power_of_ten(k), 10.5, GREY, "end")
            if i == 0:
                d.text(left + width / 2, y0 - 19, output, 14, weight="bold")
            if j == 0:
                d.text(left, y0 - 5, name_of(case), 12, INK, "start", weight="bold")
            for r in mine:
                if r["method"] == "mc":
                    d.line(left, axes.Y(100 * r[measure]), left + width, axes.Y(100 * r[measure]), GREY, 1.5, 'stroke-dasharray="5 4"')
            sizes = sorted({r["runs"] for r in mine if r["method"] == "lhs"})
            cubes = [[100 * r[measure] for r in mine if r["method"] == "lhs" and r["runs"] == n] for n in sizes]
            if len(sizes) > 1:
                d.area(axes.at(sizes, map(min, cubes)), axes.at(sizes, map(max, cubes)), BLUE, 0.18)
            d.curve(axes.at(sizes, [sum(c) / len(c) for c in cubes]), BLUE, 2)
            for n, c in zip(sizes, cubes):
                d.line(axes.X(n), axes.Y(min(c)), axes.X(n), axes.Y(max(c)), BLUE, 1.2)
            chaos = sorted((r["runs"], 100 * r[measure]) for r in mine if str(r["method"]).startswith("pc"))
            d.curve(axes.at(*zip(*chaos)), ORANGE, 2)
            for n, v in chaos:
                marker(d, "o", axes.X(n), axes.Y(v), ORANGE)
            for method, kind, colour in (("sobol", "s", GREEN), ("sparse", "d", PURPLE)):
                for r in mine:
                    if r["method"] == method:
                        marker(d, kind, axes.X(r["runs"]), axes.Y(100 * r[measure]), colour)
    save(d, target, f"slider-crank-study-{ {'e_mu': 'mean', 'e_sigma': 'std'}[measure]}.svg")


def marker(d, kind, x, y, colour):
    if kind == "o":
        d.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.4" fill="{colour}"/>')
    elif kind == "s":
        d.add(f'<rect x="{x - 3.6:.1f}" y="{y - 3.6:.1f}" width="7.2" height="7.2" fill="{colour}"/>')
    else:
        d.add(f'<path d="M{x:.1f},{y - 5:.1f} L{x + 5:.1f},{y:.1f} L{x:.1f},{y + 5:.1f} L{x - 5:.1f},{y:.1f}z" fill="{colour}" stroke="white" stroke-width="0.6"/>')


def sweeps(folder, target):
    """Responses at 0.8 s along one variable of the field. Like Figs. 30 and 31."""
    columns = [c for c in ("long-high-rigid", "long-high-rest", "short-low-rigid", "short-low-rest") if list((folder / "sweeps").glob(f"{c}-xi*.csv"))]
    row, top, width = 160, 92, 178
    d = five.Drawing(1000, top + row * 4 + 30, "Responses at 0.8 s against one random variable of the link")
    d.text(500, 24, "Responses at 0.8 s against one variable of the random field, the others at their means", 16, weight="bold")
    five.legend(d, 240, 52, (("line", BLUE, "ξ₁, the dominant variable"), ("dash", ORANGE, "ξ₂ (only SHORT has one)")))
    for j, case in enumerate(columns):
        tables = [(five.read(p), colour, extra) for name, colour, extra in (("xi2", ORANGE, 'stroke-dasharray="5 2"'), ("xi1", BLUE, ""))
                  for p in [folder / "sweeps" / f"{case}-{name}.csv"] if p.exists()]
        left = 78 + j * 240
        d.text(left + width / 2, top - 12, name_of(case), 13, weight="bold")
        for i, (output, unit, scale) in enumerate(OUTPUTS):
            scale, unit = (1e6, "µm") if unit == "mm" else (scale, unit)
            nominal = 0 if unit == "N" else -169142 if output == "qx" else -63479
            curves = [[scale * v - nominal for v in t[output]] for t, *_ in tables]
            low, high = min(map(min, curves)), max(map(max, curves))
            low, high = low - 0.06 * (high - low), high + 0.06 * (high - low)
            y0 = top + row * i
            axes = five.Axes(d, left, y0, left + width, y0 + row - 36, (-3, 3), (low, high))
            label = f"{output} ({unit})" if unit == "N" else f"{output} + {-nominal / 1e3:g} mm (µm)"
            axes.frame((-3, -2, -1, 0, 1, 2, 3), nice_ticks(low, high), "ξ" if i == 3 else "", label if j == 0 else "", zero=False, xnumbers=i == 3)
            for (t, colour, extra), values in zip(tables, curves):
                d.curve(axes.at(t["xi"], values), colour, 1.5, extra)
    save(d, target, "slider-crank-study-sweeps.svg")


def save(drawing, target, name):
    five.HERE = target   # where drawings go
    drawing.save(name)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else folder
    for case in ("long-high-rigid", "short-low-rest"):
        over_time(folder, target, case)
    for measure in ("e_mu", "e_sigma"):
        against_runs(folder, target, measure)
    sweeps(folder, target)


main()
