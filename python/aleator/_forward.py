"""The compiled model as a function: samples in, responses out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Sequence

import numpy as np

from . import _aleator
from ._common import Array, names_of, need, unknown, whole

if TYPE_CHECKING:
    import xarray


class FailedSample(NamedTuple):
    """A row of X whose motion could not be computed."""

    sample: int
    reason: str
    time: float  # up to which it could be; NaN: it did not begin


class Jacobian(NamedTuple):
    """Derivatives of responses with respect to inputs, by differences."""

    value: Array  # [sample, time, output, input]; NaN where there is none
    error: Array  # estimated absolute error of differencing
    inputs: list[str]
    failures: list[tuple[int, str, str]]  # sample, input (empty: the sample itself), reason


class Forward:
    """A model as a vectorised function of its random numbers. Made by Model.ensemble().

    >>> import aleator as al
    >>> forward = al.load("examples/five-body.yaml").ensemble()
    >>> X = forward.draw(100, seed=1)
    >>> forward(X).shape  # sample, time, output
    (100, 301, 2)
    >>> forward(X[0]).shape  # one sample
    (301, 2)
    """

    def __init__(self, model: _aleator.Model, threads: int, isa: str, retry: bool, inputs: Sequence[str]) -> None:
        self._engine = _aleator.Ensemble(model, threads, isa, retry, inputs)
        #: the names of the columns of X
        self.inputs: list[str] = list(self._engine.inputs)
        #: the names of the outputs, and their units
        self.outputs: dict[str, str] = dict(self._engine.outputs)
        #: the values of the inputs in the nominal model
        self.nominal: Array = self._engine.nominal
        #: the times of the responses, s
        self.time: Array = self._engine.time
        #: the rows of the last call that failed, and why
        self.failures: list[FailedSample] = []

    @property
    def integrator(self) -> str:
        return self._engine.integrator

    @property
    def step(self) -> float:
        return self._engine.step

    def draw(self, n: int, seed: int = 1) -> Array:
        """n samples from the distributions of the model, [n, inputs]: those of a Monte Carlo study with this seed."""
        return self._engine.draw(whole(n, "n"), whole(seed, "seed"))

    def rows(self, X: Any) -> Array:
        """X as an array; columns of a DataFrame are taken by name."""
        columns = getattr(X, "columns", None)
        if columns is not None:
            names = [str(c) for c in columns]
            for name in self.inputs:
                if name not in names:
                    raise unknown("column", name, names)
            X = X[self.inputs].to_numpy()
        if np.iscomplexobj(X):
            raise ValueError("X must be an array of real numbers")
        try:
            x = np.asarray(X, dtype=float)
        except (TypeError, ValueError) as e:
            raise ValueError(f"X must be an array of numbers: {e}") from e
        if x.ndim < 1 or x.shape[-1] != len(self.inputs):
            raise ValueError(f"X must have {len(self.inputs)} columns ({', '.join(self.inputs)}), found the shape {x.shape}")
        return x

    def _flat(self, x: Array) -> Array:
        return x.reshape(int(np.prod(x.shape[:-1])), len(self.inputs))

    def __call__(self, X: Any) -> Array:
        """The responses to samples X [n, inputs]: [n, time, output]. Rows that fail are NaN, and `failures` says why."""
        x = self.rows(X)
        values, failures = self._engine.evaluate(self._flat(x))
        self.failures = [FailedSample(*f) for f in failures]
        return values if x.ndim == 2 else values.reshape(x.shape[:-1] + values.shape[1:])

    def jacobian(self, X: Any, inputs: Sequence[str] = ()) -> Jacobian:
        """Derivatives of the responses at samples X with respect to some inputs, or all: of one sample [time, output, input], of n samples
        [n, time, output, input], with estimated errors. Eight more simulations per input and sample, in lanes.

        >>> import aleator as al
        >>> forward = al.load("examples/five-body.yaml").ensemble()
        >>> j = forward.jacobian(forward.nominal, ["rb5.mass"])
        >>> j.value.shape
        (301, 2, 1)
        """
        x = self.rows(X)
        value, error, names, failures = self._engine.jacobian(self._flat(x), names_of(inputs, "inputs"))
        shape = x.shape[:-1] + value.shape[1:]
        return Jacobian(value.reshape(shape), error.reshape(shape), names, failures)

    def labelled(self, X: Any) -> "xarray.DataArray":
        """The same as a DataArray with the dimensions sample, time, output."""
        xr = need("xarray", "calling the object returns a plain array")
        y = self(np.atleast_2d(self.rows(X)))
        return xr.DataArray(y, dims=("sample", "time", "output"),
                            coords={"sample": np.arange(len(y)), "time": self.time, "output": list(self.outputs)})

    def openturns(self, reduce: Optional[Callable[[Array], Array]] = None, names: Optional[Sequence[str]] = None) -> Any:
        """An openturns.Function that computes samples in lanes.

        reduce takes responses [n, time, output] to [n] or [n, m]; without it the function returns all of them, flattened.
        A sample that fails is an exception there.
        """
        ot = need("openturns")

        def outcome(x: Any) -> Array:
            y = self(np.asarray(x, dtype=float))
            if self.failures:
                raise RuntimeError(f"sample {self.failures[0].sample} failed: {self.failures[0].reason}")
            z = np.asarray(reduce(y) if reduce is not None else y, dtype=float)
            return z.reshape(len(y), -1)

        sizes = names or [f"{o}({t:g})" for t in self.time for o in self.outputs]
        if reduce is not None and names is None:
            n = outcome(self.draw(1)).shape[1]
            sizes = ["y"] if n == 1 else [f"y{i}" for i in range(n)]
        function = ot.PythonFunction(len(self.inputs), len(sizes), func=lambda x: outcome([x])[0].tolist(),
                                     func_sample=lambda x: outcome(x).tolist())
        function.setInputDescription(self.inputs)
        function.setOutputDescription(list(sizes))
        return function

    def __repr__(self) -> str:
        return f"<aleator.Forward: {len(self.inputs)} inputs → {len(self.time)} times × {len(self.outputs)} outputs>"
