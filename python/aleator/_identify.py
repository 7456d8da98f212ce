"""From measurements to the uncertainty that explains them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

import numpy as np

from . import _aleator
from ._common import Array, PathLike, as_text, input_error, need, thread_count, unknown
from ._progress import Watch, Watcher
from ._result import Result

if TYPE_CHECKING:
    import pandas

    from ._model import Model


class IdentifiedParameter(NamedTuple):
    """What was found about one free parameter."""

    name: str
    unit: str
    written: float  # in the model
    lower_end: float  # of its range
    upper_end: float
    estimate: float
    lower: float  # of the confidence interval
    upper: float
    open_below: bool  # the interval ends where the range does
    open_above: bool
    std: float  # NaN: not known


class Identification:
    """What the measurements say. Made by identify()."""

    def __init__(self, found: dict[str, Any], notes: Sequence[str]) -> None:
        self._found = found
        self.notes = list(notes)
        self.outcome: str = found["outcome"]
        self.method: str = found["method"]
        #: whether the model explains the measurements, the same in words, and the probability of data that fit no better
        self.explained: bool = found["explained"]
        self.verdict: str = found["verdict"]
        self.p: float = found["p"]
        self.warnings: list[str] = found["warnings"]
        self.evaluations: int = found["evaluations"]
        self.file: str = found["file"]
        self.parameters = {row[0]: IdentifiedParameter(*row) for row in found["parameters"]}
        #: the identified model as a study; None of least squares
        self.study = Result(found["study"]) if found["study"] is not None else None

    @property
    def estimate(self) -> dict[str, float]:
        """The most likely value of each parameter."""
        return {name: p.estimate for name, p in self.parameters.items()}

    @property
    def interval(self) -> dict[str, tuple[float, float]]:
        """The confidence interval of each parameter."""
        return {name: (p.lower, p.upper) for name, p in self.parameters.items()}

    @property
    def draws(self) -> "pandas.DataFrame":
        """The sample of the posterior (method bayesian), a column per parameter."""
        return need("pandas", "identification.draws_array is a plain array").DataFrame(self.draws_array, columns=list(self.parameters))

    @property
    def draws_array(self) -> Array:
        """The same as a plain array, [draw, parameter]."""
        array: Array = self._found["draws"]
        return array

    def __repr__(self) -> str:
        values = ", ".join(f"{n} = {p.estimate:.6g} [{p.lower:.6g}, {p.upper:.6g}]" for n, p in self.parameters.items())
        return f"<aleator.Identification: {values}; {self.verdict or self.outcome}>"


def _write_specimen(path: str, table: Any) -> None:
    """One specimen: a DataFrame, or a dictionary of columns; the time is a column, or the index of that name."""
    if not hasattr(table, "columns") and not isinstance(table, Mapping):
        raise TypeError(f"a specimen is a DataFrame or a dictionary of columns, found {type(table).__name__}")
    if hasattr(table, "reset_index") and "time" not in table.columns:
        if table.index.name not in ("time", "t"):
            raise unknown("column", "time", [str(c) for c in table.columns])
        table = table.reset_index()
    columns = {str(name): np.asarray(table[name], dtype=float) for name in (table.columns if hasattr(table, "columns") else table)}
    if len({len(c) for c in columns.values()}) != 1:
        raise ValueError("the columns of a specimen must have the same length")
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(columns) + "\n")
        for row in zip(*columns.values()):
            file.write(",".join("" if np.isnan(x) else repr(float(x)) for x in row) + "\n")


def identify(study: Optional[PathLike] = None, data: Optional[Sequence[Any]] = None, *, model: "Union[Model, PathLike, None]" = None,
             free: Optional[Mapping[str, Any]] = None, noise: Any = None, folder: Optional[PathLike] = None, threads: int = 0,
             progress: Watch = None, resume: bool = False, overwrite: bool = False, **settings: Any) -> Identification:
    """Identifies parameters from measurements.

    Either a study file (docs/identification-file.md), or the same by keywords: model, free, method, samples, noise, …
    data: a DataFrame per specimen, with a column `time` (or an index of that name) and one per measured output; gaps are NaN. It
    replaces the specimens of a file.

    >>> import aleator as al
    >>> fit = al.identify(model="model.yaml", free={"k": {"from": 50, "to": 200}}, data=[df], method="least-squares")  # doctest: +SKIP
    >>> fit.estimate["k"], fit.interval["k"]  # doctest: +SKIP
    """
    with tempfile.TemporaryDirectory(prefix="aleator-") as scratch:
        specimens = []
        for k, table in enumerate(data if data is not None else []):
            specimens.append(os.path.join(scratch, f"specimen-{k + 1:04d}.csv"))
            _write_specimen(specimens[-1], table)
        allowed = [scratch]
        if study is not None:
            if model is not None or free is not None or settings:
                raise TypeError("give a study file, or keywords, not both")
            asked = _aleator.read_identification(os.fspath(study), specimens)
        else:
            if model is None or free is None:
                raise TypeError("an identification needs a study file, or model and free")
            if not isinstance(free, Mapping):
                raise TypeError(f"free must be a dictionary, such as {{'k': {{'from': 50, 'to': 200}}}}, found {free!r}")
            text: dict[str, Any] = {"model": _model_file(model, scratch), "free": {k: v or {} for k, v in free.items()}, **settings}
            if specimens or noise is not None:
                text["data"] = {**settings.get("data", {}), "specimens": specimens, **({} if noise is None else {"noise": noise})}
            asked = _identification_of(as_text(text, "identification"))
        with Watcher(progress) as watcher:
            try:
                found, _ = _aleator.identify(asked, allowed, "" if folder is None else os.fspath(folder), thread_count(threads), resume,
                                             overwrite, watcher.progress, watcher.note)
            except _aleator.InputError as e:
                raise _without_scratch(e, scratch, specimens) from None
    return Identification(found, watcher.notes)


def _without_scratch(e: _aleator.InputError, scratch: str, specimens: Sequence[str]) -> _aleator.InputError:
    """What is wrong with files that were written for the occasion is told of what they were written from."""
    message = "\n".join(e.messages).replace(os.path.join(scratch, "model.yaml"), "the model")
    if e.file in specimens:
        return input_error(f"data[{specimens.index(e.file)}]: {message}")
    return input_error(message) if scratch in str(e) or not e.file else e


def _identification_of(text: str) -> _aleator.IdentificationStudy:
    try:
        return _aleator.identification_from_text(text, "")
    except _aleator.InputError as e:
        raise input_error("\n".join(e.messages)) from None  # there is no file to point at


def _model_file(model: "Union[Model, PathLike]", scratch: str) -> str:
    """Where the model is; one that was changed, or is only a text, is written down."""
    if isinstance(model, (str, os.PathLike)):
        return os.path.abspath(os.fspath(model))
    path = os.path.join(scratch, "model.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(model.text)
    return path
