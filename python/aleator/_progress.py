"""How far a study is: a bar in the terminal and in notebooks, or a function of the user's."""

from __future__ import annotations

import sys
from typing import Any, Callable, NamedTuple, Optional, Union


class Progress(NamedTuple):
    """What a function that watches a study is told, at most five times a second."""

    phase: str
    done: int
    planned: int
    failed: int
    per_second: float
    seconds_left: float  # 0: not known


Watch = Union[None, bool, Callable[[Progress], None]]


def _words(p: Progress) -> str:
    left = f", {p.seconds_left:.0f} s left" if p.seconds_left > 0 else ""
    failed = f", {p.failed} failed" if p.failed else ""
    return f"{p.done} of {p.planned} {p.phase}{failed}{left}"


def _share(p: Progress) -> float:
    return min(1.0, p.done / p.planned) if p.planned > 0 else 0.0


class _Terminal:
    width = 30

    def __init__(self) -> None:
        self.length = 0

    def show(self, p: Progress) -> None:
        full = int(self.width * _share(p))
        line = f"[{'#' * full}{'.' * (self.width - full)}] {_words(p)}"[:110]
        sys.stderr.write("\r" + line.ljust(self.length))
        sys.stderr.flush()
        self.length = len(line)

    def note(self, text: str) -> None:
        self.close()
        sys.stderr.write(text + "\n")

    def close(self) -> None:
        if self.length:
            sys.stderr.write("\r" + " " * self.length + "\r")
            sys.stderr.flush()
        self.length = 0


class _Notebook:
    def __init__(self, display: Any) -> None:
        self.display = display
        self.handle: Any = None

    def show(self, p: Progress) -> None:
        page = self.display.HTML(f'<progress value="{_share(p):.4f}" max="1" style="width: 20em; vertical-align: middle"></progress> '
                                 f'<small>{_words(p)}</small>')
        if self.handle is None:
            self.handle = self.display.display(page, display_id=True)
        else:
            self.handle.update(page)

    def note(self, text: str) -> None:
        sys.stderr.write(text + "\n")

    def close(self) -> None:
        if self.handle is not None:
            self.handle.update(self.display.HTML(""))


class _Function:
    def __init__(self, function: Callable[[Progress], None]) -> None:
        self.show = function

    def note(self, text: str) -> None:
        sys.stderr.write(text + "\n")

    def close(self) -> None:
        pass


def _notebook() -> Optional[Any]:
    """IPython's display, inside a kernel."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    import IPython.display

    return IPython.display


class Watcher:
    """Passes on progress and notes; with nothing to watch, notes are kept alone."""

    def __init__(self, watch: Watch) -> None:
        self.notes: list[str] = []
        self.view: Any = None
        if watch is not None and not isinstance(watch, bool) and not callable(watch):
            raise TypeError(f"progress must be True, False, None or a function, found {watch!r}")
        if callable(watch):
            self.view = _Function(watch)
        elif watch is None or watch:
            notebook = _notebook()
            if notebook is not None:
                self.view = _Notebook(notebook)
            elif watch or sys.stderr.isatty():
                self.view = _Terminal()

    def __enter__(self) -> "Watcher":
        return self

    def __exit__(self, *_: object) -> None:
        if self.view is not None:
            self.view.close()

    @property
    def progress(self) -> Optional[Callable[..., None]]:
        return None if self.view is None else lambda *told: self.view.show(Progress(*told))

    def note(self, text: str) -> None:
        self.notes.append(text)
        if self.view is not None:
            self.view.note(text)
