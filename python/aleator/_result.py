"""What a study finds: statistics with their standard errors, realizations, plots, a report."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, NamedTuple, Optional, Sequence, TypeVar, Union

import numpy as np

from . import _aleator, _display
from ._common import POSE, Array, PathLike, need, number, thread_count, unknown
from ._progress import Watch, Watcher
from ._reliability import Reliability, reliability_of

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    import xarray

STATISTICS = ("nominal", "mean", "std", "lower", "upper", "minimum", "maximum")
ERRORS = ("mean_error", "std_error", "lower_error", "upper_error")
T = TypeVar("T")


class Estimate(NamedTuple):
    """A number with its standard error; NaN: not known."""

    value: float
    error: float

    def __repr__(self) -> str:
        return f"{self.value:.6g} ± {self.error:.2g}"


class Probability(Estimate):
    """A probability with its standard error, and its 95 % confidence interval from `lower` to `upper`: of independent realizations that
    of Clopper and Pearson, which is right for none of n, too."""

    lower: float
    upper: float

    def __new__(cls, value: float, error: float, lower: float = float("nan"), upper: float = float("nan")) -> "Probability":
        self = super().__new__(cls, value, error)
        self.lower, self.upper = lower, upper
        return self

    def __repr__(self) -> str:
        if self.lower != self.lower or self.upper != self.upper:
            return super().__repr__()
        if self.value == 0:
            return f"0, below {self.upper:.2g}"
        if self.value == 1:
            return f"1, above {self.lower:.6g}"
        return f"{super().__repr__()} ({self.lower:.3g} … {self.upper:.3g})"


class Failure(NamedTuple):
    """A realization that could not be computed."""

    realization: int
    reason: str
    time: float
    sample: list[float]


class Scalar(NamedTuple):
    """One of `scalars:` of the model, over all realizations."""

    name: str
    unit: str
    kind: str
    output: str
    nominal: float
    mean: Estimate
    std: Estimate
    lower: Estimate
    upper: Estimate
    minimum: float
    maximum: float
    realizations: int  # that have a value
    values: Array  # [sample]; empty when only statistics were kept


class Spectrum(NamedTuple):
    """Power spectral density of an output that has `spectrum`: one-sided, per Hz (Welch)."""

    output: str
    unit: str
    segment: float  # s
    segments: int  # averaged in each realization
    frequency: Array  # Hz
    density: Array  # mean over the realizations
    error: Array  # its standard error
    lower: Array  # its 95 % confidence interval
    upper: Array
    nominal: Array  # of the nominal motion


class Limit(NamedTuple):
    """The probability that an output, or a scalar, passes one of its `limits:`."""

    output: str  # empty: of a scalar
    value: float
    above: bool
    probability: Array  # [time]; empty of a scalar
    error: Array
    ever: Probability
    scalar: str = ""  # empty: of an output

    @property
    def name(self) -> str:
        """OUTPUT.above, SCALAR.below."""
        return f"{self.scalar or self.output}.{'above' if self.above else 'below'}"


class Named(Mapping[str, T]):
    """Something of every output, made when it is asked for."""

    def __init__(self, kind: str, names: Iterable[str], make: Callable[[str], T]) -> None:
        self._kind, self._names, self._make = kind, list(names), make

    def __getitem__(self, name: str) -> T:
        if name not in self._names:
            raise unknown(self._kind, name, self._names)
        return self._make(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<{self._kind}s: {', '.join(self._names)}>"


class Result:
    """What a study found. Made by Study.run(), open() and resume(); large arrays of a file are read when they are asked for.

    >>> import aleator as al
    >>> result = al.load("examples/five-body.yaml").study(samples=64).run()
    >>> result.statistics["accel_z"].sizes["time"]
    301
    >>> result.responses["accel_z"].sel(sample=7).dims
    ('time',)
    >>> result.inputs.shape
    (64, 10)
    """

    def __init__(self, engine: _aleator.StudyResult, notes: Sequence[str] = (), on_disk: bool = False) -> None:
        self._open: Optional[_aleator.StudyResult] = engine
        self._on_disk = on_disk  # the responses are
        self._read: dict[str, Array] = {}
        #: what the program would have printed
        self.notes = list(notes)

    @property
    def _engine(self) -> _aleator.StudyResult:
        if self._open is None:
            raise ValueError("the result is closed")
        return self._open

    def close(self) -> None:
        """Lets go of the numbers; arrays that were taken from it stay."""
        self._open = None
        self._read.clear()

    def __enter__(self) -> "Result":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- what it is ---

    @property
    def outcome(self) -> str:
        """complete, interrupted (Ctrl-C), or stopped (failed realizations)"""
        return self._engine.outcome

    @property
    def complete(self) -> bool:
        return self.outcome == "complete"

    @property
    def reason(self) -> str:
        """Why it was stopped, or why the method could conclude nothing."""
        return self._engine.reason

    @property
    def file(self) -> str:
        """results.h5; empty: in memory"""
        return self._engine.file

    @property
    def method(self) -> str:
        return self._engine.method

    @property
    def seed(self) -> int:
        return self._engine.seed

    @property
    def planned(self) -> int:
        return self._engine.planned

    @property
    def done(self) -> int:
        """Realizations."""
        return self._engine.done

    @property
    def seconds(self) -> float:
        return self._engine.seconds

    @property
    def confidence(self) -> float:
        """Of the probability band between lower and upper."""
        return self._engine.confidence

    @property
    def evidence(self) -> list[str]:
        """How the method went about it, and what to know about the numbers."""
        return self._engine.evidence

    @property
    def failures(self) -> list[Failure]:
        return [Failure(*f) for f in self._engine.failures]

    @property
    def outputs(self) -> dict[str, str]:
        """Names of the outputs, and their units."""
        return dict(self._engine.outputs)

    @property
    def quantities(self) -> list[str]:
        """Names of the random numbers."""
        return list(self._engine.inputs)

    # --- plain arrays, read-only ---

    @property
    def time(self) -> Array:
        return self._engine.time

    @property
    def X(self) -> Array:
        """The samples, [sample, quantity]; empty when only statistics were kept."""
        return self._engine.samples()

    @property
    def Y(self) -> Array:
        """The responses, [sample, time, output]; NaN where a realization failed."""
        if self._on_disk:
            self._open, self._on_disk = _aleator.read_results(self._engine.file, True), False
        return self._engine.responses()

    def array(self, output: str, what: str) -> Array:
        """A statistic over time: nominal, mean, std, lower, upper, minimum, maximum, or mean_error, std_error, lower_error, upper_error."""
        self._check(output)
        if what not in STATISTICS + ERRORS:
            raise unknown("statistic", what, STATISTICS + ERRORS)
        return self._engine.statistics(output, what)

    def response(self, output: str) -> Array:
        """The responses of one output, [sample, time]."""
        self._check(output)
        if not self._on_disk:
            return self._engine.responses()[:, :, list(self.outputs).index(output)]
        if output not in self._read:
            self._read[output] = _aleator.read_responses(self._engine.file, output, len(self.time))
        return self._read[output]

    def _check(self, output: str) -> None:
        if not self.outputs:
            raise ValueError(f"there are no numbers: the study was {self.outcome} before its first realization was finished")
        if output not in self.outputs:
            raise unknown("output", output, self.outputs)

    @property
    def bodies(self) -> list[str]:
        """Names of the frames that move: bodies, and nodes of beams (NAME.0, NAME.1, …)."""
        return self._engine.motion()[0]

    def pose_array(self, what: str = "nominal") -> Array:
        """Poses x, y, z, qw, qx, qy, qz: `nominal` [time, body, 7], or `realizations` [sample, time, body, 7] of the first few."""
        if what not in ("nominal", "realizations"):
            raise unknown("motion", what, ("nominal", "realizations"))
        _, nominal, _, realizations = self._engine.motion()
        return nominal if what == "nominal" else realizations

    # --- labelled ---

    def _time(self) -> tuple[str, Array, dict[str, str]]:
        return ("time", self.time, {"units": "s"})

    @property
    def statistics(self) -> "Mapping[str, xarray.Dataset]":
        """By output: a Dataset over time with mean, std, lower, upper, … and their standard errors, *_error."""

        def make(output: str) -> "xarray.Dataset":
            xr = need("xarray", "result.array(output, what) returns plain arrays")
            unit = {"units": self.outputs[output]}
            data = {what: ("time", self.array(output, what), unit) for what in STATISTICS + ERRORS
                    if len(self.array(output, what)) == len(self.time)}
            return xr.Dataset(data, {"time": self._time()}, {"output": output, "confidence": self.confidence, **unit})

        return Named("output", self.outputs, make)

    @property
    def responses(self) -> "Mapping[str, xarray.DataArray]":
        """By output: a DataArray with the dimensions sample, time."""

        def make(output: str) -> "xarray.DataArray":
            xr = need("xarray", "result.response(output) returns plain arrays")
            y = self.response(output)
            return xr.DataArray(y, name=output, dims=("sample", "time"), attrs={"units": self.outputs[output]},
                                coords={"sample": np.arange(len(y)), "time": self._time()})

        return Named("output", self.outputs, make)

    @property
    def poses(self) -> "xarray.Dataset":
        """How the bodies move: `nominal` with the dimensions time, body, pose, and `realizations` with sample, time, body, pose of the
        realizations whose motion was kept, the first 16. A pose is the position of the frame of a body (m) and its quaternion.

        >>> import aleator as al
        >>> result = al.load("examples/five-body.yaml").study(samples=64).run()
        >>> dict(result.poses["realizations"].sizes)
        {'sample': 16, 'time': 301, 'body': 5, 'pose': 7}
        >>> height = result.poses["nominal"].sel(body="rb5", pose="z")
        """
        xr = need("xarray", "result.pose_array() returns plain arrays")
        bodies, nominal, kept, realizations = self._engine.motion()
        return xr.Dataset({"nominal": (("time", "body", "pose"), nominal),
                           "realizations": (("sample", "time", "body", "pose"), realizations)},
                          {"sample": kept, "time": self._time(), "body": bodies, "pose": list(POSE)})

    @property
    def inputs(self) -> "pandas.DataFrame":
        """The samples: a column per random number."""
        frame = need("pandas", "result.X is a plain array").DataFrame(self.X, columns=self.quantities, copy=False)
        frame.index.name = "sample"
        return frame

    @property
    def sobol(self) -> "Mapping[str, xarray.Dataset]":
        """By output: first-order and total Sobol indices with the dimensions quantity, time; *_error, and first_integrated,
        total_integrated over time."""
        if not self._engine.has_sobol:
            raise ValueError("there are no Sobol indices: run the study with sensitivity=True, or by polynomial-chaos")

        def make(output: str) -> "xarray.Dataset":
            xr = need("xarray")
            groups = self._engine.sobol(output) or {}
            data: dict[str, Any] = {}
            for k, what in enumerate(("first", "total", "first_error", "total_error")):
                curves = [g[k] for g in groups.values()]
                if all(len(c) == len(self.time) for c in curves):
                    data[what] = (("quantity", "time"), np.array(curves))
            for k, what in ((4, "first_integrated"), (5, "total_integrated")):
                data[what] = ("quantity", [g[k][0] for g in groups.values()])
                data[what + "_error"] = ("quantity", [g[k][1] for g in groups.values()])
            return xr.Dataset(data, {"quantity": list(groups), "time": self._time()}, {"output": output})

        return Named("output", self.outputs, make)

    @property
    def scalars(self) -> dict[str, Scalar]:
        """`scalars:` of the model by name."""
        out = {}
        for s in self._engine.scalars:
            out[s[0]] = Scalar(*s[:5], *(Estimate(*e) for e in s[5:9]), *s[9:])
        return out

    @property
    def spectra(self) -> dict[str, Spectrum]:
        """Power spectral densities, by output: of those that have `spectrum` in the model."""
        return {s[0]: Spectrum(*s) for s in self._engine.spectra}

    @property
    def limits(self) -> list[Limit]:
        """`limits:` of outputs and scalars, and the probabilities that they are passed."""
        return [Limit(x[0], x[1], x[2], x[3], x[4], Probability(*x[5]), x[6]) for x in self._engine.limits]

    @property
    def reliability(self) -> Optional[Reliability]:
        """What a method for rare events found; None: the study has another method."""
        x = self._engine.reliability
        return None if x is None else reliability_of(x)

    def probability(self, output: str, above: Optional[float] = None, below: Optional[float] = None,
                    at: Optional[float] = None) -> Probability:
        """The probability that an output is ever above (or below) a value, or at the time nearest to `at`.

        For a value in `limits:` of the model it is the number of the study; for others the realizations are counted in the same way:
        extremes between output times count, too, and the standard error is that of the design. In parentheses: the 95 % confidence
        interval.

        >>> import aleator as al
        >>> result = al.load("examples/five-body.yaml").study(samples=200).run()
        >>> result.probability("accel_z", above=100)
        0.18 ± 0.027 (0.129 … 0.24)
        """
        self._check(output)
        if (above is None) == (below is None):
            raise TypeError("give one of above and below: result.probability(output, above=…)")
        value = number(above if above is not None else below, "the threshold")
        when = 0.0 if at is None else number(at, "at")
        for name, x in (("the threshold", value), ("at", when)):
            if not np.isfinite(x):
                raise ValueError(f"{name} must be finite, found {x}")
        return Probability(*self._engine.probability(output, value, above is not None, float("nan") if at is None else when))

    # --- pictures ---

    def plot(self, output: str, ax: "Optional[matplotlib.axes.Axes]" = None, realizations: int = 0,
             label: str = "") -> "matplotlib.axes.Axes":
        """Mean, probability band and nominal response of an output, with some realizations if wanted: matplotlib Axes.

        On the same axes each plot takes the next colour; `label` then says in the legend which is which.
        """
        if len(self.array(output, "mean")) == 0:
            raise ValueError(f"there are no statistics to plot: the study was {self.outcome} after {self.done} of {self.planned} realizations")
        if ax is None:
            ax = need("matplotlib.pyplot").subplots()[1]
        t, prefix = self.time, label and label + ": "
        mean, = ax.plot(t, self.array(output, "mean"), label=prefix + "mean")
        colour = mean.get_color()
        lower, upper = self.array(output, "lower"), self.array(output, "upper")
        if len(lower) == len(t):
            ax.fill_between(t, lower, upper, color=colour, alpha=0.25, linewidth=0,
                            label=f"{prefix}{100 * self.confidence:g} % of the realizations")
        if realizations > 0:
            ax.plot(t, self.response(output)[:realizations].T, color=colour, alpha=0.35, linewidth=0.6)
        ax.plot(t, self.array(output, "nominal"), color=colour, linewidth=1, linestyle="--", label=prefix + "nominal")
        ax.set_xlabel("time [s]")
        ax.set_ylabel(f"{output} [{self.outputs[output]}]")
        ax.margins(x=0)
        ax.legend(frameon=False)
        return ax

    def plot_sobol(self, output: str, ax: "Optional[matplotlib.axes.Axes]" = None, what: str = "total") -> "matplotlib.axes.Axes":
        """Sobol indices of an output over time, `first` or `total`: matplotlib Axes."""
        if what not in ("first", "total"):
            raise unknown("index", what, ("first", "total"))
        indices = self.sobol[output]
        if ax is None:
            ax = need("matplotlib.pyplot").subplots()[1]
        for quantity in indices["quantity"].values:
            curve = indices[what].sel(quantity=quantity).values
            line, = ax.plot(self.time, curve, label=str(quantity))
            if what + "_error" in indices:
                error = indices[what + "_error"].sel(quantity=quantity).values
                ax.fill_between(self.time, curve - error, curve + error, color=line.get_color(), alpha=0.2, linewidth=0)
        ax.set_xlabel("time [s]")
        ax.set_ylabel(f"{what}-order Sobol index of {output}" if what == "first" else f"total Sobol index of {output}")
        ax.set_ylim(-0.05, 1.05)
        ax.margins(x=0)
        ax.legend(frameon=False)
        return ax

    def report(self, file: PathLike, *others: "Result") -> None:
        """Writes the report: one page for any browser. Further results are compared with this one."""
        _aleator.write_report([self._engine] + [o._engine for o in others], os.fspath(file))

    def __repr__(self) -> str:
        if self._open is None:
            return "<aleator.Result, closed>"
        state = "" if self.complete else f", {self.outcome}"
        return f"<aleator.Result: {self.method}, {self.done} of {self.planned} realizations{state}, {len(self.outputs)} outputs>"

    def _repr_html_(self) -> str:
        return _display.result_html(self)


def finished(engine: _aleator.StudyResult, notes: Sequence[str], interrupted: bool, folder: Optional[PathLike]) -> Result:
    """What a run leaves behind, and a word about an early end."""
    if interrupted and engine.outcome != "complete":
        begun = folder is not None and os.path.exists(os.path.join(folder, "unfinished.journal"))
        rest = f"; aleator.resume('{os.fspath(folder)}') continues it" if folder is not None and begun else ""
        sys.stderr.write(f"interrupted after {engine.done} of {engine.planned} realizations{rest}\n")
    return Result(engine, notes)


def open(path: PathLike) -> Result:
    """The result of a study from its folder or its results.h5; large arrays are read when they are asked for. Raises ReadError."""
    return Result(_aleator.read_results(os.fspath(path), False), on_disk=True)


def resume(folder: PathLike, threads: int = 0, progress: Watch = None) -> Result:
    """Continues an unfinished study in its folder with the model that it recorded when it began: bit for bit what it would have been.
    Where the model file is another one by now, a note and the evidence of the result say so."""
    with Watcher(progress) as watcher:
        engine, interrupted = _aleator.resume_study(os.fspath(folder), thread_count(threads), watcher.progress, watcher.note)
    return finished(engine, watcher.notes, interrupted, folder)


class Comparison:
    """How far the statistics of one study are from those of another, the reference."""

    def __init__(self, found: tuple[Any, ...]) -> None:
        self._lines, self._scalars, self.only_first, self.only_second, self.significance, self._text = found

    def to_pandas(self) -> "pandas.DataFrame":
        """A row per output and scalar: relative differences of mean, std, lower, upper, what noise alone would give, and p."""
        rows = {name: [unit] + [x for d in differences for x in d] + [p]
                for name, unit, *differences, p in self._lines + self._scalars}
        columns = ["unit"] + [c for w in ("mean", "std", "lower", "upper") for c in (w, w + "_noise")] + ["p"]
        return need("pandas").DataFrame.from_dict(rows, orient="index", columns=columns)

    def __repr__(self) -> str:
        return self._text.rstrip("\n")


def compare(a: Union[Result, PathLike], b: Union[Result, PathLike], names: Sequence[str] = ()) -> Comparison:
    """Compares the study b with the reference a, the first: results with a folder, or paths."""

    def path(x: Union[Result, PathLike]) -> str:
        if not isinstance(x, Result):
            return os.fspath(x)
        if not x.file:
            raise ValueError("only results in a folder can be compared: study.run('out/name')")
        return x.file

    return Comparison(_aleator.compare(path(a), path(b), list(names)))
