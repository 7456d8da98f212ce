"""Parameters that are cheap and keep failures improbable."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple, Optional

from . import _aleator
from ._common import PathLike, thread_count
from ._progress import Watch, Watcher
from ._result import Estimate, Result


class DesignConstraint(NamedTuple):
    """What must hold, and how sure that is."""

    text: str
    bound: float
    found: Estimate  # its left side, in the search
    verified: Estimate  # and in the fresh study
    sure: float  # probability that it holds, given the sampling errors
    verified_sure: float
    active: bool  # it keeps the cost from becoming smaller


class TradeOff(NamedTuple):
    """The least cost if the active constraint had another bound, by interpolation."""

    bound: float
    possible: bool  # otherwise no design in the ranges reaches it
    extrapolated: bool
    cost: float
    lower: float  # 68 %
    upper: float
    values: list[float]  # of the parameters


class Design:
    """What the search for a design has found. Made by design()."""

    def __init__(self, found: dict[str, Any], notes: Sequence[str]) -> None:
        self.notes = list(notes)
        self.outcome: str = found["outcome"]
        #: a design meets all constraints, a fresh study agrees, and the same in words
        self.met: bool = found["met"]
        self.verified: bool = found["verified"]
        self.verdict: str = found["verdict"]
        #: the chosen parameters; where none meets the constraints, those that miss least
        self.parameters: dict[str, float] = dict(zip(found["names"], found["values"]))
        self.cost = Estimate(*found["cost"])
        self.verified_cost = Estimate(*found["verified_cost"])
        self.constraints = [DesignConstraint(c[0], c[1], Estimate(*c[2]), Estimate(*c[3]), *c[4:]) for c in found["constraints"]]
        self.trade_off = [TradeOff(*t) for t in found["trade_off"]]
        self.remarks: list[str] = found["remarks"]
        self.evaluations: int = found["evaluations"]
        #: the fresh study at the design; None where no design was found
        self.study = Result(found["study"]) if found["study"] is not None else None

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {value:.6g}" for name, value in self.parameters.items())
        return f"<aleator.Design: {values}; {self.verdict or self.outcome}>"


def design(study: PathLike, *, folder: Optional[PathLike] = None, threads: int = 0, progress: Watch = None, resume: bool = False) -> Design:
    """Chooses parameters as a design file says (docs/design-file.md).

    >>> import aleator as al
    >>> found = al.design("design.yaml")  # doctest: +SKIP
    >>> found.parameters, found.verified  # doctest: +SKIP
    """
    with Watcher(progress) as watcher:
        found, _ = _aleator.design(os.fspath(study), [], "" if folder is None else os.fspath(folder), thread_count(threads), resume,
                                   watcher.progress, watcher.note)
    return Design(found, watcher.notes)
