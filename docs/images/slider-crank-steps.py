#!/usr/bin/env python3
"""The step-size study of docs/slider-crank.md: simulates, prints its tables and draws slider-crank-steps.svg.

    python3 docs/images/slider-crank-steps.py build/release/aleator out/slider-crank-steps

Simulates the nominal models with generalized-alpha for all steps and spectral radii, and with the classical Runge-Kutta
method at a tiny step as reference; about ten minutes on one core. What is in the folder already is not computed again.
Standard library only.
"""
import csv
import importlib
import math
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"
OUTPUTS = ("qx", "qy", "fx", "fy")
STEPS = ("1e-3", "5e-4", "2e-4", "1e-4", "5e-5", "2e-5", "1e-5")
RADII = ("0", "0.5", "0.8", "0.9", "1")
MODELS = {("HIGH", "rigid"): "slider-crank", ("HIGH", "rest"): "slider-crank-rest", ("LOW", "rigid"): "slider-crank-long-low",
          ("LOW", "rest"): "slider-crank-long-low-rest"}
FINE, COARSE = "5e-7", "1e-6"  # steps of the reference and of its check


def simulate(program, folder, case, name, settings):
    """Outputs of the nominal model as lists, or nothing where the simulation failed."""
    table = folder / f"{case[0]}-{case[1]}-{name}.csv"
    failure = table.with_suffix(".failed")
    if not table.exists() and not failure.exists():
        text = (EXAMPLES / (MODELS[case] + ".yaml")).read_text(encoding="utf-8")
        model = table.with_suffix(".yaml")
        model.write_text(re.sub(r"(?m)^simulation:.*$", f"simulation: {{duration: 1, {settings}}}", text), encoding="utf-8")
        done = subprocess.run([program, "simulate", model, "--csv", "-"], capture_output=True, text=True)
        (table if done.returncode == 0 else failure).write_text(done.stdout if done.returncode == 0 else done.stderr, encoding="utf-8")
    if failure.exists():
        return None
    with open(table, newline="") as f:
        rows = csv.reader(f)
        names = next(rows)
        columns = list(zip(*[[float(v) for v in row] for row in rows]))
    return dict(zip(names, columns))


def stepped(program, folder, case, rho, step):
    every = step if float(step) > 1e-5 else "1e-5"
    return simulate(program, folder, case, f"{rho}-{step}", f"step: {step}, output_step: {every}, rho: {rho}, tolerance: 1e-7")


def reference(program, folder, case, step):
    return simulate(program, folder, case, f"reference-{step}", f"step: {step}, output_step: 1e-5, integrator: runge-kutta")


def samples(table, name):
    """Each millisecond."""
    stride = round(1e-3 / (table["time"][1] - table["time"][0]))
    return table[name][::stride]


def averages(table, name):
    """Each millisecond from 1 ms on, averaged over the millisecond before and the one after with weights cos²: takes out what
    is faster than 1 kHz."""
    stride = round(1e-3 / (table["time"][1] - table["time"][0]))
    if stride < 10:  # steps are too few for an average
        return None
    weight = [math.cos(math.pi / 2 * k / stride) ** 2 for k in range(1 - stride, stride)]
    whole = sum(weight)
    values = table[name]
    return [sum(w * v for w, v in zip(weight, values[stride * m - stride + 1:])) / whole for m in range(1, len(values) // stride)]


def distance(a, b):
    """Relative L1 distance over the run."""
    return sum(abs(x - y) for x, y in zip(a, b)) / sum(abs(y) for y in b)


def errors(table, exact):
    if table is None:
        return None
    out = {name: distance(samples(table, name), exact[name]) for name in OUTPUTS}
    for name in ("fx", "fy"):
        smooth = averages(table, name)
        out[name + " averaged"] = distance(smooth, exact[name + " averaged"]) if smooth else None
    return out


def percent(v):
    if v is None:
        return "–"
    return f"{100 * v:.2g}" if v < 0.1 else f"{100 * v:.0f}"


def study(program, folder):
    results = {}
    for case in MODELS:
        table = reference(program, folder, case, FINE)
        exact = {name: samples(table, name) for name in OUTPUTS}
        exact.update({name + " averaged": averages(table, name) for name in ("fx", "fy")})
        results[case, "reference"] = errors(reference(program, folder, case, COARSE), exact)
        for rho in RADII:
            for step in STEPS:
                results[case, rho, step] = errors(stepped(program, folder, case, rho, step), exact)
        k = 80000
        print(f"\n{case[0]}, {case[1]} start; at 0.8 s:", ", ".join(f"{name} {table[name][k]:.8g}" for name in OUTPUTS))
        print("errors in %; columns rho =", ", ".join(RADII), "; reference against twice its step:",
              ", ".join(f"{n} {percent(v)}" for n, v in results[case, "reference"].items()))
        for name in results[case, "reference"]:
            print(name)
            for step in STEPS:
                row = [results[case, rho, step] for rho in RADII]
                print(f"| {step} |", " | ".join("failed" if r is None else percent(r[name]) for r in row), "|")
    return results


def figure(results):
    five = importlib.import_module("five-body-study")
    five.HERE = HERE
    colours = dict(zip(RADII, (five.ORANGE, five.SKY, five.BLUE, five.GREEN, five.INK)))
    d = five.Drawing(1000, 996, "Error of displacements and reactions against the step, for several spectral radii")

    class LogLog(five.Axes):
        def Y(self, v):
            low, high = math.log(self.y[0]), math.log(self.y[1])
            v = min(max(math.log(v), low), high)
            return self.box[3] + (self.box[1] - self.box[3]) * (v - low) / (high - low)

    five.legend(d, 175, 26, [("line", colours[rho], "ρ∞ = " + rho) for rho in RADII])
    labels = {1: "100 %", 0.1: "10 %", 0.01: "1 %", 1e-3: "0.1 %", 1e-4: "10⁻⁴", 1e-5: "10⁻⁵", 1e-6: "10⁻⁶", 1e-7: "10⁻⁷"}
    high, low, rest = ("HIGH", "rigid"), ("LOW", "rigid"), ("HIGH", "rest")
    frames = ((high, "qy", "qy, HIGH", (1e-7, 1e-2)), (low, "qy", "qy, LOW", (1e-7, 1e-2)), (high, "fx", "fx, HIGH", (5e-4, 2)),
              (low, "fx", "fx, LOW", (5e-4, 2)), (rest, "fx averaged", "fx averaged, HIGH, start at rest", (5e-4, 2)),
              (rest, "fy averaged", "fy averaged, HIGH, start at rest", (5e-4, 2)))
    for n, (case, name, title, reach) in enumerate(frames):
        left, top = 92 + 480 * (n % 2), 76 + 306 * (n // 2)
        axes = LogLog(d, left, top, left + 380, top + 236, (1e-5, 1e-3), reach, log=True)
        d.text(left + 190, top - 14, title, 15, weight="bold")
        for v, label in labels.items():
            if reach[0] <= v <= reach[1]:
                d.line(left, axes.Y(v), left + 380, axes.Y(v), five.PALE, 1)
                d.text(left - 7, axes.Y(v) + 4, label, 12, five.GREY, "end")
        for v, label in ((1e-5, "10⁻⁵"), (5e-5, "5·10⁻⁵"), (1e-4, "10⁻⁴"), (1e-3, "10⁻³")):
            d.line(axes.X(v), top + 236, axes.X(v), top + 241, five.GREY, 1)
            d.text(axes.X(v), top + 255, label, 12, five.GREY)
        d.line(left, top + 236, left + 380, top + 236, five.GREY, 1)
        if n >= 4:
            d.text(left + 190, top + 278, "step (s)", 13, five.GREY)
        for rho in sorted(RADII, key=lambda r: r == "0.8"):  # the one the examples use on top
            pairs = [(float(h), results[case, rho, h][name]) for h in STEPS if results[case, rho, h] and results[case, rho, h][name]]
            points = axes.at([q[0] for q in pairs], [q[1] for q in pairs])
            d.curve(points, colours[rho], 2)
            for x, y in points:
                d.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colours[rho]}"/>')
        used = "5e-5" if case == ("HIGH", "rigid") else "1e-5"  # by the examples
        x, y = axes.at((float(used),), (results[case, "0.8", used][name],))[0]
        d.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="none" stroke="{five.ORANGE}" stroke-width="2"/>')
        if n < 4:
            h, error = 1.6e-4, 3e-5 if name == "qy" else 4e-3
            d.curve(axes.at((h, 3 * h), (error, 9 * error)), five.GREY, 1.2, 'stroke-dasharray="4 3"')
            x, y = axes.at((3 * h,), (9 * error,))[0]
            d.text(x + 5, y + 10, "h²", 13, five.GREY, "start")
    d.save("slider-crank-steps.svg")


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    figure(study(program, folder))


if __name__ == "__main__":
    main()
