"""What the files of the package share: errors by hand, names that are not there, packages that are not installed."""

from __future__ import annotations

import difflib
import importlib
import json
import operator
import os
from collections.abc import Mapping
from typing import Any, Iterable, Union

import numpy as np
import numpy.typing as npt

from . import _aleator

Array = npt.NDArray[np.float64]
#: the numbers of a pose: position of a frame in m, and its quaternion
POSE = ("x", "y", "z", "qw", "qx", "qy", "qz")
PathLike = Union[str, "os.PathLike[str]"]

_PURPOSE = {"xarray": "labelled arrays", "pandas": "tables", "matplotlib.pyplot": "plots", "openturns": "functions of OpenTURNS"}


def need(name: str, otherwise: str = "") -> Any:
    """The module of that name; where it is not installed, an error that says what to install."""
    try:
        return importlib.import_module(name)
    except ImportError as e:
        package = name.split(".")[0]
        raise ImportError(f"{_PURPOSE[name]} need the package {package}, which is not installed (Debian: python3-{package}, "
                          f"pip: {package}){otherwise and '; ' + otherwise}") from e


def input_error(message: str, remedy: str = "") -> _aleator.InputError:
    """An InputError that points at no file."""
    error = _aleator.InputError(f"{message} ({remedy})" if remedy else message)
    error.file, error.line, error.column, error.key, error.message, error.remedy = "", 0, 0, "", str(error), remedy
    error.messages = [str(error)]
    return error


def number(value: Any, what: str) -> float:
    """A number, or an error that says what should have been one."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what} must be a number, found {value!r}") from None


def whole(value: Any, what: str, most: int = 2**63 - 1) -> int:
    """A whole number that is not negative."""
    try:
        n = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} must be a whole number, found {value!r}") from None
    if n < 0:
        raise ValueError(f"{what} must not be negative, found {n}")
    if n > most:
        raise ValueError(f"{what} must be at most {most}, found {n}")
    return n


def thread_count(value: Any) -> int:
    return whole(value, "threads", 65536)


def names_of(value: Any, what: str) -> list[str]:
    """Names, or a single one."""
    names = [value] if isinstance(value, str) else list(value)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{what} must be names, found {name!r}")
    return names


def settings_of(values: Any) -> dict[str, float]:
    """Numbers to be set, by name."""
    if not isinstance(values, Mapping):
        raise TypeError(f"numbers are set by a dictionary of names and numbers, found {values!r}")
    return {str(name): number(value, f"'{name}'") for name, value in values.items()}


class UnknownName(KeyError):
    """A KeyError whose text is a sentence."""

    def __str__(self) -> str:
        return str(self.args[0])


def unknown(kind: str, name: object, known: Iterable[str]) -> UnknownName:
    """There is no such thing; the nearest name, or all of them."""
    names = list(known)
    near = difflib.get_close_matches(str(name), names, 1)
    hint = f" (did you mean '{near[0]}'?)" if near else f" (known: {', '.join(names)})" if 0 < len(names) <= 10 else ""
    return UnknownName(f"there is no {kind} '{name}'{hint}")


def as_text(value: Any, what: str) -> str:
    """A value as YAML writes it: JSON is a part of YAML."""

    def plain(x: Any) -> Any:
        if hasattr(x, "tolist"):  # numpy
            return x.tolist()
        if isinstance(x, os.PathLike):
            return os.fspath(x)
        raise TypeError(f"{what}: {type(x).__name__} is no number, text, list or dictionary")

    try:
        return json.dumps(value, default=plain, allow_nan=False)
    except ValueError as e:
        raise input_error(f"{what}: the numbers must be finite") from e
