"""What notebooks and terminals show of models and results."""

from __future__ import annotations

import html
import os
import tempfile
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from . import _aleator
from ._common import Array

if TYPE_CHECKING:
    from ._model import Model
    from ._result import Result

_MOST_ROWS = 60
_COLOUR = "#1f6f8b"


def _cell(x: Any) -> str:
    return f"{x:.6g}" if isinstance(x, float) else str(x)


def text_table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    cells = [list(head)] + [[_cell(x) for x in row] for row in rows]
    widths = [max(len(row[k]) for row in cells) for k in range(len(head))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in cells)


def html_table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    def line(cells: Sequence[Any], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag} style='text-align: left'>{html.escape(_cell(c))}</{tag}>" for c in cells) + "</tr>"

    more = f"<p><small>the first {_MOST_ROWS} of {len(rows)}</small></p>" if len(rows) > _MOST_ROWS else ""
    return "<table>" + line(head, "th") + "".join(line(r, "td") for r in rows[:_MOST_ROWS]) + "</table>" + more


def _thinned(n: int, most: int = 200) -> list[int]:
    return sorted(set(np.linspace(0, n - 1, min(n, most)).round().astype(int).tolist())) if n > 0 else []


def _band_picture(result: "Result", output: str) -> str:
    """Mean, band and nominal response over time as a small SVG."""
    width, height, left, bottom, top = 340, 150, 8, 22, 18
    keep = _thinned(len(result.time))
    t = result.time[keep]
    curves = {what: result.array(output, what) for what in ("lower", "upper", "mean", "nominal")}
    curves = {what: y[keep] for what, y in curves.items() if len(y) == len(result.time)}
    numbers = np.concatenate([y[np.isfinite(y)] for y in curves.values()] or [np.zeros(0)])
    if len(numbers) == 0 or len(t) < 2:
        return ""
    low, high = float(numbers.min()), float(numbers.max())
    span = (high - low) or 1.0

    def points(y: Array, backwards: bool = False) -> str:
        x = left + (t - t[0]) / ((t[-1] - t[0]) or 1) * (width - 2 * left)
        v = top + (high - y) / span * (height - bottom - top)
        pairs = [f"{a:.1f},{b:.1f}" for a, b in zip(x, v) if np.isfinite(b)]
        return " ".join(reversed(pairs) if backwards else pairs)

    parts = []
    if "lower" in curves and "upper" in curves:
        parts.append(f'<polygon points="{points(curves["upper"])} {points(curves["lower"], True)}" fill="{_COLOUR}" fill-opacity="0.25"/>')
    if "nominal" in curves:
        parts.append(f'<polyline points="{points(curves["nominal"])}" fill="none" stroke="#777" stroke-dasharray="4 3"/>')
    if "mean" in curves:
        parts.append(f'<polyline points="{points(curves["mean"])}" fill="none" stroke="{_COLOUR}" stroke-width="1.5"/>')
    name = html.escape(f"{output} [{result.outputs[output]}]")
    label = 'font-size="11" fill="currentColor" font-family="sans-serif"'
    return (f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" style="margin: 0 8px 8px 0">'
            f'<text x="{left}" y="12" {label}>{name}: {low:.4g} … {high:.4g}</text>{"".join(parts)}'
            f'<text x="{left}" y="{height - 6}" {label}>{t[0]:.4g}</text>'
            f'<text x="{width - left}" y="{height - 6}" text-anchor="end" {label}>{t[-1]:.4g} s</text></svg>')


def _plus_minus(value: float, error: float) -> str:
    return f"{value:.5g}" + (f" ± {error:.2g}" if np.isfinite(error) else "")


def _with_error(result: "Result", output: str, what: str, k: int) -> str:
    error = result.array(output, what + "_error")
    return _plus_minus(float(result.array(output, what)[k]), float(error[k]) if len(error) else float("nan"))


def result_html(result: "Result") -> str:
    """A small report: what was done, the outputs where they scatter most, scalars, limits, pictures of the first four."""
    if result._open is None:
        return "<p>aleator.Result, closed</p>"
    state = "" if result.complete else f", <b>{html.escape(result.outcome)}</b> {html.escape(result.reason)}"
    failed = f", {len(result.failures)} failed" if result.failures else ""
    head = f"<p>{html.escape(result.method)}, {result.done} of {result.planned} realizations{failed}, seed {result.seed}{state}</p>"
    rows = []
    for output, unit in result.outputs.items():
        std = result.array(output, "std")
        if not len(std) or not np.isfinite(std).any():
            continue
        k = int(np.nanargmax(std))
        rows.append([output, unit, f"{result.time[k]:.5g}", _with_error(result, output, "mean", k), _with_error(result, output, "std", k)])
    table = html_table(["output", "unit", "largest scatter at, s", "mean", "standard deviation"], rows) if rows else ""
    extra = [[s.name, s.unit, _plus_minus(*s.mean), _plus_minus(*s.std)] for s in result.scalars.values()]
    if extra:
        table += html_table(["scalar", "unit", "mean", "standard deviation"], extra)
    limits = [[f"{x.scalar or x.output} {'above' if x.above else 'below'} {x.value:g}", repr(x.ever)] for x in result.limits]
    if limits:
        table += html_table(["limit", "probability that it is ever passed"], limits)
    pictures = "".join(_band_picture(result, output) for output in list(result.outputs)[:4])
    return f"<div>{head}<div>{pictures}</div>{table}</div>"


def model_html(model: "Model") -> str:
    """The page of a report with the mechanism in motion, inside the notebook."""
    with tempfile.TemporaryDirectory(prefix="aleator-") as folder:
        path = os.path.join(folder, "model.html")
        _aleator.write_model_report(model._engine, path)
        with open(path, encoding="utf-8") as file:
            page = file.read()
    return (f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: 620px; border: 1px solid #ccc" '
            f'title="{html.escape(model.title or "model")}"></iframe>')
