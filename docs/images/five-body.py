#!/usr/bin/env python3
"""Draws docs/images/five-body.svg: the mechanism, and what `aleator simulate examples/five-body.yaml` gives for it.

    ./aleator simulate examples/five-body.yaml
    python3 docs/images/five-body.py out/five-body/nominal.csv
    rsvg-convert -w 1600 docs/images/five-body.svg -o docs/images/five-body.png

Standard library only.
"""
import csv
import pathlib
import sys

KINKS = (1, 6, 11, 16)  # ms, as in the model
WIDTH, HEIGHT = 1000, 400

# Colours of Okabe and Ito, which people with any colour vision can tell apart.
INK, GREY, PALE = "#222222", "#6b6b6b", "#d9d9d9"
BLUE, ORANGE, SKY, GREEN = "#0072b2", "#d55e00", "#56b4e9", "#009e73"
STEEL = "#eef2f5"


class Drawing:
    def __init__(self):
        self.parts = []

    def add(self, text):
        self.parts.append(text)

    def line(self, x1, y1, x2, y2, stroke=INK, width=1.5, extra=""):
        self.add(f'<line x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}" stroke="{stroke}" stroke-width="{width}" {extra}/>')

    def path(self, points, stroke=INK, width=1.5, extra=""):
        d = "M" + " L".join(f"{x:.2f},{y:.2f}" for x, y in points)
        self.add(f'<path d="{d}" fill="none" stroke="{stroke}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round" {extra}/>')

    def box(self, x, y, w, h, fill=STEEL, stroke=INK, width=1.5, radius=3):
        self.add(f'<rect x="{x:.2f}" y="{y:.2f}" width="{w:.2f}" height="{h:.2f}" rx="{radius}" fill="{fill}" stroke="{stroke}" stroke-width="{width}"/>')

    def circle(self, x, y, r, fill="white", stroke=INK, width=1.5):
        self.add(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{r}" fill="{fill}" stroke="{stroke}" stroke-width="{width}"/>')

    def text(self, x, y, text, size=14, fill=INK, anchor="middle", weight="normal", style="normal"):
        self.add(f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" font-weight="{weight}" font-style="{style}">{text}</text>')

    def arrow(self, x1, y1, x2, y2, stroke, width=2.5):
        """Vertical or horizontal arrow with its head at (x2, y2)."""
        length = 8
        if x1 == x2:
            s = 1 if y2 > y1 else -1
            self.line(x1, y1, x2, y2 - s * length, stroke, width)
            head = [(x2, y2), (x2 - 5.5, y2 - s * length * 1.4), (x2 + 5.5, y2 - s * length * 1.4)]
        else:
            s = 1 if x2 > x1 else -1
            self.line(x1, y1, x2 - s * length, y2, stroke, width)
            head = [(x2, y2), (x2 - s * length * 1.4, y2 - 5.5), (x2 - s * length * 1.4, y2 + 5.5)]
        self.add('<polygon points="{}" fill="{}"/>'.format(" ".join(f"{x:.2f},{y:.2f}" for x, y in head), stroke))

    def svg(self):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
                'font-family="DejaVu Sans, Verdana, Helvetica, Arial, sans-serif">\n'
                '<title>Five rigid bodies on driven supports, and the acceleration of the beam</title>\n'
                f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n')
        return head + "\n".join(self.parts) + "\n</svg>\n"


def spring(d, x, y0, y1, half=9, turns=4):
    """A coil from (x, y0) down to (x, y1)."""
    n = 2 * turns
    lead = 4
    step = (y1 - y0 - 2 * lead) / n
    points = [(x, y0), (x, y0 + lead)]
    points += [(x + (half if i % 2 == 0 else -half), y0 + lead + (i + 0.5) * step) for i in range(n)]
    points += [(x, y1 - lead), (x, y1)]
    d.path(points, ORANGE, 2)


def damper(d, x, y0, y1):
    middle = (y0 + y1) / 2
    d.line(x, y0, x, middle + 2, ORANGE, 2)
    d.line(x - 5, middle + 2, x + 5, middle + 2, ORANGE, 2)
    d.path([(x - 8, middle - 9), (x - 8, middle + 12), (x + 8, middle + 12), (x + 8, middle - 9)], ORANGE, 2)
    d.line(x, middle + 12, x, y1, ORANGE, 2)


def mechanism(d):
    left, right, wide = 105, 335, 28
    beam_top, beam_bottom = 62, 96
    post_top, post_bottom = 120, 190
    support_top, support_bottom = 236, 306
    floor = 336

    d.text((left + right) / 2, 26, "five rigid bodies on driven supports", 16, weight="bold")
    for i, (x, lower, upper) in enumerate(((left, "rb1", "rb3"), (right, "rb2", "rb4"))):
        # hinge between post and beam
        d.path([(x - 11, post_top + 1), (x, beam_bottom + 10), (x + 11, post_top + 1)], INK, 1.5)
        d.box(x - wide / 2, post_top, wide, post_bottom - post_top)
        d.text(x, (post_top + post_bottom) / 2 + 5, upper, 12)
        # bushing
        d.line(x - 14, post_bottom, x - 14, post_bottom, ORANGE)
        spring(d, x - 14, post_bottom + 5, support_top - 5)
        damper(d, x + 14, post_bottom + 5, support_top - 5)
        for y in (post_bottom + 5, support_top - 5):
            d.line(x - 20, y, x + 20, y, ORANGE, 2)
        d.line(x, post_bottom, x, post_bottom + 5, ORANGE, 2)
        d.line(x, support_top - 5, x, support_top, ORANGE, 2)
        # support and its guides
        d.box(x - wide / 2, support_top, wide, support_bottom - support_top)
        d.text(x, (support_top + support_bottom) / 2 + 5, lower, 12)
        for side in (-1, 1):
            gx = x + side * (wide / 2 + 5)
            d.line(gx, support_top + 14, gx, support_bottom + 4, GREY, 3)
            for k in range(4):
                y = support_top + 22 + 15 * k
                d.line(gx, y, gx + side * 7, y + 7, GREY, 1.2)
        # drive
        d.arrow(x, floor, x, support_bottom + 5, BLUE)
        d.text(x, floor + 18, f"u<tspan font-size='10' dy='3'>{i + 1}</tspan><tspan dy='-3'>(t)</tspan>", 14, BLUE, weight="bold")
        d.text(x, floor + 36, ("1 … 6 ms", "11 … 16 ms")[i], 12, BLUE)
    # beam over everything
    d.box(left - 45, beam_top, right - left + 90, beam_bottom - beam_top)
    d.text((left + right) / 2 - 52, (beam_top + beam_bottom) / 2 + 5, "rb5", 12)
    for x in (left, right):
        d.circle(x, beam_bottom + 7, 5.5)
    # observed point
    ox, oy = (left + right) / 2, (beam_top + beam_bottom) / 2
    d.circle(ox, oy, 4, ORANGE, ORANGE)
    d.arrow(ox, oy, ox, beam_top - 18, INK, 2)
    d.text(ox + 10, beam_top - 8, "accel_z", 13, INK, "start")
    # names
    d.text((left + right) / 2, beam_bottom + 26, "hinges about y", 12, GREY)
    slide = support_top + 44
    d.arrow(right + 58, slide, right + 36, slide, GREY, 2)
    d.arrow(right + 58, slide, right + 80, slide, GREY, 2)
    d.text(right + 30, slide - 12, "free along x", 12, GREY, "start")
    d.text((left + right) / 2, (post_bottom + support_top) / 2 - 3, "bushings:", 12, ORANGE)
    d.text((left + right) / 2, (post_bottom + support_top) / 2 + 13, "6-D spring-dampers", 12, ORANGE)
    d.text((left + right) / 2, support_top + 34, "supports: lifted", 12, BLUE)
    d.text((left + right) / 2, support_top + 50, "by 10 mm in 5 ms", 12, BLUE)


def curve(d, times, values):
    x0, x1, y0, y1 = 540, 975, 340, 62      # frame of the plot
    low, high = -70, 80
    X = lambda t: x0 + (x1 - x0) * t / 30
    Y = lambda a: y0 + (y1 - y0) * (a - low) / (high - low)

    d.text((x0 + x1) / 2, 26, "vertical acceleration of the beam", 16, weight="bold")
    # where a support is moving
    for a, b, name in ((KINKS[0], KINKS[1], "rb1 lifts"), (KINKS[2], KINKS[3], "rb2 lifts")):
        d.add(f'<rect x="{X(a):.2f}" y="{y1}" width="{X(b) - X(a):.2f}" height="{y0 - y1}" fill="{SKY}" fill-opacity="0.18"/>')
        d.text((X(a) + X(b)) / 2, y1 - 8, name, 12, BLUE)
    for a in range(-60, 81, 20):
        d.line(x0, Y(a), x1, Y(a), PALE if a else GREY, 1)
        d.text(x0 - 8, Y(a) + 4, str(a).replace("-", "−"), 12, GREY, "end")
    for t in range(0, 31, 5):
        d.line(X(t), y0, X(t), y0 + 5, GREY, 1)
        d.text(X(t), y0 + 20, str(t), 12, GREY)
    d.line(x0, y0, x1, y0, GREY, 1)
    d.text((x0 + x1) / 2, y0 + 42, "time (ms)", 13, GREY)
    d.add(f'<text transform="translate({x0 - 46},{(y0 + y1) / 2}) rotate(-90)" font-size="13" fill="{GREY}" text-anchor="middle">accel_z (m/s²)</text>')

    # pieces between breakpoints: the acceleration jumps there, so the curve is not drawn through
    ends = [0, *KINKS, 30]
    for a, b in zip(ends, ends[1:]):
        piece = [(t, v) for t, v in zip(times, values) if a - 1e-9 <= t < b - 1e-9 or (b == 30 and abs(t - 30) < 1e-9)]
        if b != 30:  # the limit from the left, by a parabola through the last three points
            (ta, va), (tb, vb), (tc, vc) = piece[-3:]
            h = tc - tb
            limit = vc + (vc - vb) / h * (b - tc) + (vc - 2 * vb + va) / (2 * h * h) * (b - tc) * (b - tb)
            right = next(v for t, v in zip(times, values) if abs(t - b) < 1e-9)
            d.line(X(b), Y(limit), X(b), Y(right), ORANGE, 1.5, 'stroke-dasharray="3 3"')
            piece.append((b, limit))
        d.path([(X(t), Y(v)) for t, v in piece], INK, 2.4)
    for t, v in zip(times, values):
        if any(abs(t - k) < 1e-9 for k in KINKS):
            d.circle(X(t), Y(v), 4, ORANGE, "white", 1.2)
    d.circle(X(1.9), Y(-46), 4, ORANGE, "white", 1.2)
    d.text(X(2.7), Y(-46) + 4, "breakpoint of a drive: integration restarts", 12, INK, "start")


def main():
    source = sys.argv[1] if len(sys.argv) > 1 else "out/five-body/nominal.csv"
    with open(source, newline="") as f:
        rows = list(csv.DictReader(f))
    times = [1e3 * float(r["time"]) for r in rows]
    values = [float(r["accel_z"]) for r in rows]
    d = Drawing()
    mechanism(d)
    curve(d, times, values)
    target = pathlib.Path(__file__).with_suffix(".svg")
    target.write_text(d.svg(), encoding="utf-8")
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
