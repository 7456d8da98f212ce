#!/usr/bin/env python3
"""Draws five-body-random.svg of docs/five-body.md, what is random about the beam, and prints the numbers of the page that `run`
does not print; other scripts take its axes and colours.

    python3 docs/images/five-body-study.py out/pictures

docs/update-pictures.sh computes what it reads, and calls it. Standard library only.
"""
import csv
import importlib
import math
import pathlib
import sys

base = importlib.import_module("five-body")  # the drawing of the mechanism: same hand
INK, GREY, PALE, BLUE, ORANGE, SKY, GREEN = base.INK, base.GREY, base.PALE, base.BLUE, base.ORANGE, base.SKY, base.GREEN
HERE = pathlib.Path(__file__).parent

CASES = (("mass", "five-body-mass"), ("inertia", "five-body-inertia"), ("centre of mass", "five-body-center-of-mass"),
         ("all three", "five-body"))
LARGE = "five-body-4000"
OUTPUTS = (("accel_z", "m/s²"), ("alpha_x", "rad/s²"))
LIMIT = 100  # of accel_z, as in the model


def number(x):
    return f"{x:g}".replace("-", "−")


class Drawing(base.Drawing):
    def __init__(self, width, height, title):
        super().__init__()
        self.width, self.height, self.title = width, height, title

    def curve(self, points, stroke, width=1.5, extra=""):
        d = "M" + " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.add(f'<path d="{d}" fill="none" stroke="{stroke}" stroke-width="{width}" stroke-linejoin="round" {extra}/>')

    def area(self, lower, upper, fill, opacity):
        d = "M" + " ".join(f"{x:.1f},{y:.1f}" for x, y in list(upper) + list(reversed(lower))) + "z"
        self.add(f'<path d="{d}" fill="{fill}" fill-opacity="{opacity}"/>')

    def save(self, name):
        text = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
                f'height="{self.height}" font-family="DejaVu Sans, Verdana, Helvetica, Arial, sans-serif">\n<title>{self.title}</title>\n'
                f'<rect width="{self.width}" height="{self.height}" fill="white"/>\n' + "\n".join(self.parts) + "\n</svg>\n")
        target = HERE / name
        target.write_text(text, encoding="utf-8")
        print(f"wrote {target.name}, {len(text) // 1000} kB")


class Axes:
    """A frame in the drawing: left, top, right, bottom in pixels, and the ranges shown in it."""

    def __init__(self, d, left, top, right, bottom, x, y, log=False):
        self.d, self.box, self.x, self.y, self.log = d, (left, top, right, bottom), x, y, log

    def X(self, v):
        a, b = self.x
        if self.log:
            v, a, b = math.log(v), math.log(a), math.log(b)
        return self.box[0] + (self.box[2] - self.box[0]) * (v - a) / (b - a)

    def Y(self, v):
        v = min(max(v, self.y[0]), self.y[1])
        return self.box[3] + (self.box[1] - self.box[3]) * (v - self.y[0]) / (self.y[1] - self.y[0])

    def at(self, xs, ys):
        return [(self.X(x), self.Y(y)) for x, y in zip(xs, ys)]

    def frame(self, xticks, yticks, xlabel="", ylabel="", zero=True, xnumbers=True):
        d, (left, top, right, bottom) = self.d, self.box
        for v in yticks:
            d.line(left, self.Y(v), right, self.Y(v), GREY if v == 0 and zero else PALE, 1)
            d.text(left - 7, self.Y(v) + 4, number(v), 12, GREY, "end")
        for v in xticks:
            d.line(self.X(v), bottom, self.X(v), bottom + 5, GREY, 1)
            if xnumbers:
                d.text(self.X(v), bottom + 19, number(v), 12, GREY)
        d.line(left, bottom, right, bottom, GREY, 1)
        if xlabel:
            d.text((left + right) / 2, bottom + 38, xlabel, 13, GREY)
        if ylabel:
            d.add(f'<text transform="translate({left - 49},{(top + bottom) / 2}) rotate(-90)" font-size="13" fill="{GREY}" '
                  f'text-anchor="middle">{ylabel}</text>')


def read(path):
    """Columns of a CSV file by name; empty cells are not-a-number, words stay words."""
    def value(text):
        try:
            return float(text or "nan")
        except ValueError:
            return text
    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    return {name: [value(r[i]) for r in rows[1:]] for i, name in enumerate(rows[0])}


def legend(d, x, y, entries):
    """Entries (kind, colour, text) from left to right; kind is `line`, `dash` or `fill`."""
    for kind, colour, text in entries:
        if kind == "fill":
            d.add(f'<rect x="{x}" y="{y - 10}" width="26" height="11" fill="{colour[0]}" fill-opacity="{colour[1]}"/>')
        else:
            d.line(x, y - 4, x + 26, y - 4, colour, 2.2, 'stroke-dasharray="5 4"' if kind == "dash" else "")
        d.text(x + 33, y, text, 13, INK, "start")
        x += 33 + 7.9 * len(text) + 24


def histogram(axes, values, low, high, bins, colour):
    """Density of the values as bars."""
    d, count, width = axes.d, [0] * bins, (high - low) / bins
    for v in values:
        if low <= v < high:
            count[int((v - low) / width)] += 1
    for i, c in enumerate(count):
        x0, x1, y = axes.X(low + i * width), axes.X(low + (i + 1) * width), axes.Y(c / len(values) / width)
        d.add(f'<rect x="{x0 + 0.5:.1f}" y="{y:.1f}" width="{x1 - x0 - 1:.1f}" height="{axes.box[3] - y:.1f}" fill="{colour}" '
              'fill-opacity="0.6"/>')


def vertical(axes, value, text, colour, anchor="start", height=0):
    d, (_, top, _, bottom) = axes.d, axes.box
    d.line(axes.X(value), top + height, axes.X(value), bottom, colour, 1.8, 'stroke-dasharray="5 4"')
    d.text(axes.X(value) + (5 if anchor == "start" else -5), top + height + 11, text, 12, INK, anchor)


def random_quantities(s):
    d = Drawing(1000, 302, "What is random about the beam: mass, centre of mass, moment of inertia")
    top, bottom = 62, 250
    d.text(185, 28, "mass", 15, weight="bold")
    axes = Axes(d, 60, top, 310, bottom, (0, 130), (0, 0.026))
    axes.frame(range(0, 121, 20), (), "rb5.mass (kg)")
    histogram(axes, s["rb5.mass"], 0, 130, 52, BLUE)
    grid = [0.5 * i for i in range(1, 261)]
    # the Gamma distribution with mean 40 and coefficient of variation 1/2: shape 4, rate 1/10
    d.curve(axes.at(grid, [0.1 ** 4 * m ** 3 * math.exp(-0.1 * m) / 6 for m in grid]), INK, 2)
    vertical(axes, 40, "nominal", ORANGE)
    d.text(axes.X(66), axes.Y(0.0125), "Gamma distribution", 12, INK, "start")

    d.text(500, 28, "centre of mass, from above", 15, weight="bold")
    # the beam to scale, 2.4 m × 0.4 m; the domain, 0.5 m × 0.2 m, enlarged below
    axes = Axes(d, 370, 50, 630, 50 + 260 * 0.4 / 2.4, (-1.2, 1.2), (-0.2, 0.2))
    d.box(axes.box[0], axes.box[1], 260, axes.box[3] - axes.box[1], base.STEEL, INK, 1.2, 2)
    d.box(axes.X(-0.25), axes.Y(0.1), axes.X(0.25) - axes.X(-0.25), axes.Y(-0.1) - axes.Y(0.1), "white", ORANGE, 1.2, 0)
    zoom = Axes(d, 370, 131, 630, 131 + 260 * 0.2 / 0.5, (-0.25, 0.25), (-0.1, 0.1))
    d.line(axes.X(-0.25), axes.Y(-0.1), zoom.box[0], zoom.box[1], ORANGE, 0.8)
    d.line(axes.X(0.25), axes.Y(-0.1), zoom.box[2], zoom.box[1], ORANGE, 0.8)
    d.box(zoom.box[0], zoom.box[1], 260, zoom.box[3] - zoom.box[1], "white", ORANGE, 1.2, 0)
    for x, y in list(zip(s["rb5.center_of_mass.x"], s["rb5.center_of_mass.y"]))[:500]:
        d.add(f'<circle cx="{zoom.X(x):.1f}" cy="{zoom.Y(y):.1f}" r="1.6" fill="{ORANGE}" fill-opacity="0.75"/>')
    for v in (-0.2, -0.1, 0, 0.1, 0.2):
        d.line(zoom.X(v), zoom.box[3], zoom.X(v), zoom.box[3] + 5, GREY, 1)
        d.text(zoom.X(v), zoom.box[3] + 19, number(v), 12, GREY)
    d.text(500, zoom.box[3] + 38, "x (m); 500 realizations", 13, GREY)

    d.text(815, 28, "moment of inertia about x", 15, weight="bold")
    axes = Axes(d, 690, top, 940, bottom, (0, 2), (0, 1.75))
    axes.frame((0, 0.5, 1, 1.5, 2), (), "rb5.inertia.xx (kg m²)")
    histogram(axes, s["rb5.inertia.xx"], 0, 2, 50, GREEN)
    vertical(axes, 40 * (0.4 ** 2 + 0.1 ** 2) / 12, "nominal", ORANGE)
    d.text(axes.X(0.95), axes.Y(0.9), "mass × Kummer–Beta", 12, INK, "start")
    d.save("five-body-random.svg")


def integrate(t, values):
    return sum((t[i + 1] - t[i]) * (values[i] + values[i + 1]) / 2 for i in range(len(t) - 1))


def main():
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out")
    tables = [read(out / folder / "statistics.csv") for _, folder in CASES]
    large = out / LARGE
    statistics = read(large / "statistics.csv")
    random_quantities(read(large / "samples.csv"))
    scalars = read(large / "scalars.csv")

    print("\nlargest std, at ms; largest width of the region, at ms; rms over time of std")
    for (name, _), t in list(zip(CASES, tables)) + [(("all three, 4000", ""), statistics)]:
        for output, _ in OUTPUTS:
            std = t[f"{output}.std"]
            wide = [b - a for a, b in zip(t[f"{output}.lower"], t[f"{output}.upper"])]
            i, k = std.index(max(std)), wide.index(max(wide))
            rms = math.sqrt(integrate(t["time"], [v * v for v in std]) / t["time"][-1])
            print(f"  {name:16} {output}  {std[i]:8.3g} {1e3 * t['time'][i]:5.1f}   {wide[k]:8.3g} {1e3 * t['time'][k]:5.1f}   {rms:8.3g}")
    peaks = sorted(scalars["peak"])
    m = len(peaks)
    p = sum(v > LIMIT for v in peaks) / m
    print(f"peaks: median {peaks[m // 2]:.1f}, 5 % {peaks[m // 20]:.1f}, 95 % {peaks[m - m // 20]:.1f}, largest {peaks[-1]:.1f}; "
          f"P(> {LIMIT}) = {p:.4f} ± {math.sqrt(p * (1 - p) / m):.4f}")


if __name__ == "__main__":
    main()
