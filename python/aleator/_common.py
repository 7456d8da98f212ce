"""What the files of the package share: errors by hand, names that are not there, packages that are not installed."""

from __future__ import annotations

import difflib
import importlib
import json
import os
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
    return error


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
