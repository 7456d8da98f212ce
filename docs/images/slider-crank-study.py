#!/usr/bin/env python3
"""Draws two figures of docs/slider-crank.md: the mechanism, and the errors of random fields.

    python3 docs/images/slider-crank-study.py

docs/update-pictures.sh calls it. Standard library only.
"""
import importlib
import math

five = importlib.import_module("five-body-study")  # the same hand
INK, GREY, PALE, BLUE, ORANGE, SKY, GREEN = five.INK, five.GREY, five.PALE, five.BLUE, five.ORANGE, five.SKY, five.GREEN
CRANK, LINK = 0.2, 0.6


def mechanism():
    d = five.Drawing(1000, 330, "Slider-crank: rigid crank, flexible link of three elements, slider with spring and damper")
    scale, x0, y0, angle = 620, 175, 215, math.radians(55)
    X, Y = lambda x: x0 + scale * x, lambda y: y0 - scale * y
    a = (CRANK * math.cos(angle), CRANK * math.sin(angle))
    b = (a[0] + math.sqrt(LINK ** 2 - a[1] ** 2), 0)
    d.add(f'<circle cx="{X(0)}" cy="{Y(0)}" r="{scale * CRANK}" fill="none" stroke="{PALE}" stroke-width="1.2" stroke-dasharray="5 4"/>')
    d.line(X(0) - 45, Y(0), X(1.22), Y(0), PALE, 1.2, 'stroke-dasharray="5 4"')
    # ground and guide
    d.box(X(0) - 22, Y(0) + 12, 44, 12, "#c9cfd4", "none", 0, 0)
    d.add(f'<path d="M{X(0) - 14},{Y(0) + 12} L{X(0)},{Y(0)} L{X(0) + 14},{Y(0) + 12}z" fill="{five.base.STEEL}" stroke="{INK}" stroke-width="1.3"/>')
    d.box(X(b[0]) - 75, Y(0) + 27, 150, 9, "#c9cfd4", "none", 0, 0)
    wall = X(1.18)
    d.box(wall, Y(0) - 45, 10, 82, "#c9cfd4", "none", 0, 0)
    # slider, spring above, damper below
    d.box(X(b[0]) - 26, Y(0) - 26, 52, 52)
    left = X(b[0]) + 26
    points = [(left, Y(0) - 15), (left + 14, Y(0) - 15)]
    turns, run = 12, wall - left - 28
    points += [(left + 14 + run * (k + 0.5) / turns, Y(0) - 15 + (8 if k % 2 else -8)) for k in range(turns)]
    d.path(points + [(wall - 14, Y(0) - 15), (wall, Y(0) - 15)], ORANGE, 2)
    middle = (left + wall) / 2
    d.line(left, Y(0) + 14, middle - 4, Y(0) + 14, ORANGE, 2)
    d.line(middle - 4, Y(0) + 7, middle - 4, Y(0) + 21, ORANGE, 2)
    d.path([(middle - 16, Y(0) + 5), (middle + 12, Y(0) + 5), (middle + 12, Y(0) + 23), (middle - 16, Y(0) + 23)], ORANGE, 2)
    d.line(middle + 12, Y(0) + 14, wall, Y(0) + 14, ORANGE, 2)
    # crank and link
    d.line(X(0), Y(0), X(a[0]), Y(a[1]), INK, 9, 'stroke-linecap="round"')
    d.line(X(a[0]), Y(a[1]), X(b[0]), Y(b[1]), SKY, 8, 'stroke-linecap="round"')
    for k in range(4):
        x, y = a[0] + (b[0] - a[0]) * k / 3, a[1] + (b[1] - a[1]) * k / 3
        pin = k in (0, 3)
        d.circle(X(x), Y(y), 6 if pin else 4, "white" if pin else BLUE, INK if pin else BLUE, 1.8)
        d.text(X(x) + (-16, 4, -14, 2)[k], Y(y) + (-10, -13, -12, -34)[k], "ADEB"[k], 15, INK, weight="bold")
    d.circle(X(0), Y(0), 6, "white", INK, 1.8)
    d.add(f'<path d="M{X(0.075)},{Y(0)} A{scale * 0.075},{scale * 0.075} 0 0 0 {X(0.075 * math.cos(angle)):.1f},{Y(0.075 * math.sin(angle)):.1f}" '
          f'fill="none" stroke="{ORANGE}" stroke-width="1.8"/>')
    d.text(X(0.09), Y(0.03), "2π t", 14, ORANGE, "start")
    d.text(X(a[0]) - 34, Y(a[1]) - 32, "crank 0.2 m, steel", 13, GREY, "end")
    d.text(X(a[0]) - 34, Y(a[1]) - 15, "length U(0.19, 0.21)", 13, ORANGE, "end")
    d.text(X(0.33), Y(0.205), "link 0.6 m, aluminium, 10 mm × 10 mm, three elements", 13, GREY, "start")
    d.text(X(0.33), Y(0.178), "Young's modulus or Poisson's ratio: a random field", 13, ORANGE, "start")
    d.text(X(b[0]), Y(0) + 56, "slider 10 kg", 13, GREY)
    d.text(middle, Y(0) - 36, "K", 14, INK)
    d.text(middle, Y(0) + 44, "C", 14, INK)
    # outputs
    e = (a[0] + (b[0] - a[0]) * 2 / 3, a[1] * 1 / 3)
    d.arrow(X(e[0]), Y(e[1]) - 8, X(e[0]), Y(e[1]) - 50, BLUE)
    d.text(X(e[0]) + 8, Y(e[1]) - 42, "qy", 14, BLUE, "start")
    d.arrow(X(b[0]) + 2, Y(0) + 70, X(b[0]) + 60, Y(0) + 70, BLUE)
    d.text(X(b[0]) + 66, Y(0) + 75, "qx", 14, BLUE, "start")
    d.arrow(X(a[0]), Y(a[1]), X(a[0]) + 48, Y(a[1]), BLUE)
    d.text(X(a[0]) + 52, Y(a[1]) + 1, "fx", 14, BLUE, "start")
    d.arrow(X(a[0]), Y(a[1]), X(a[0]), Y(a[1]) - 44, BLUE)
    d.text(X(a[0]) + 8, Y(a[1]) - 36, "fy", 14, BLUE, "start")
    d.save("slider-crank.svg")


def expansion(length, most, nodes=51):
    """Variance errors of EOLE with 1 … `most` terms at the points along the link: list of curves."""
    x = [LINK * k / (nodes - 1) for k in range(nodes)]
    rho = lambda a, b: math.exp(-((a - b) / length) ** 2)
    C = [[rho(a, b) for b in x] for a in x]
    points = [LINK * k / 200 for k in range(201)]
    error, curves = [1.0] * len(points), []
    for _ in range(most):
        v = [1.0 + 0.3 * math.sin(7.0 * k) for k in range(nodes)]
        for _ in range(400):   # power iteration; eigenvalues fall by a factor of twenty and more
            w = [sum(c * b for c, b in zip(row, v)) for row in C]
            size = math.sqrt(sum(b * b for b in w))
            v = [b / size for b in w]
        for i, row in enumerate(C):
            for j in range(nodes):
                row[j] -= size * v[i] * v[j]
        for k, p in enumerate(points):
            error[k] -= sum(a * rho(p, b) for a, b in zip(v, x)) ** 2 / size
        curves.append(list(error))
    return points, curves


def fields():
    d = five.Drawing(1000, 380, "Variance error of EOLE along the link and against the number of terms")
    long_, short = expansion(2, 4), expansion(1, 4)
    for (points, curves), length, terms in ((long_, 2, 1), (short, 1, 2)):
        print(f"a = {length} m, largest error by terms:", ", ".join(f"{max(c):.4g}" for c in curves), f"(used: {terms})")
    cases = ((long_, 0, "LONG: 2 m, 1 term", BLUE, 84, 0.05), (short, 1, "SHORT: 1 m, 2 terms", ORANGE, 410, 0.0075))
    for (points, curves), i, title, colour, left, high in cases:
        axes = five.Axes(d, left, 62, left + 230, 310, (0, 0.6), (0, high))
        d.text(left + 115, 32, title, 15, weight="bold")
        axes.frame((0, 0.2, 0.4, 0.6), [high * k / 5 for k in range(6)], "along the link (m)", "variance error" if i == 0 else "")
        d.curve(axes.at(points, curves[i]), colour, 2.2)
        top = max(curves[i])
        d.text(axes.X(0.02 if i == 0 else 0.03), axes.Y(top) - 7, f"{top:.4f}", 13, INK, "start")
    left = 740
    axes = five.Axes(d, left, 62, left + 230, 310, (0.7, 4.3), (-9, 0))
    d.text(left + 115, 32, "largest error", 15, weight="bold")
    for k in range(-8, 1, 2):
        d.line(left, axes.Y(k), left + 230, axes.Y(k), PALE, 1)
        d.text(left - 7, axes.Y(k) + 4, {0: "1", -2: "10⁻²", -4: "10⁻⁴", -6: "10⁻⁶", -8: "10⁻⁸"}[k], 12, GREY, "end")
    for k in (1, 2, 3, 4):
        d.line(axes.X(k), 310, axes.X(k), 315, GREY, 1)
        d.text(axes.X(k), 329, str(k), 12, GREY)
    d.line(left, 310, left + 230, 310, GREY, 1)
    d.text(left + 115, 348, "terms", 13, GREY)
    for (points, curves), colour, name in ((long_, BLUE, "LONG"), (short, ORANGE, "SHORT")):
        pts = axes.at((1, 2, 3, 4), [math.log10(max(c)) for c in curves])
        d.curve(pts, colour, 2)
        for x, y in pts:
            d.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
        d.text(pts[2][0] + (-10 if name == "LONG" else 12), pts[2][1] + (16 if name == "LONG" else -4), name, 13, colour, "end" if name == "LONG" else "start", weight="bold")
    d.save("slider-crank-fields.svg")


def main():
    mechanism()
    fields()


if __name__ == "__main__":
    main()
