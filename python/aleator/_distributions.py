"""Distributions of other packages, and measured samples, as the model language writes them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Optional

import numpy as np

from ._common import as_text, input_error

_MOST_POINTS = 1001  # of a table in a model


class _Entry:
    """A distribution that is an entry of the model language."""

    def entry(self) -> dict[str, Any]:
        raise NotImplementedError


class MaximumEntropyMass(_Entry):
    """The mass of a body when its mean and its scatter are known: Gamma. cov below 0.7071, or the response has no variance."""

    def __init__(self, cov: float, mean: Optional[float] = None) -> None:
        self.cov, self.mean = cov, mean

    def entry(self) -> dict[str, Any]:
        return {"cov": self.cov} if self.mean is None else {"cov": self.cov, "mean": self.mean}


class MaximumEntropyCenterOfMass(_Entry):
    """The centre of mass inside a domain, with a given mean. One of box, ball, ellipsoid, cylinder, polyhedron; the other keywords are
    those of the model language: at, orientation, mean, scale.

    >>> import aleator as al
    >>> model = al.load("examples/five-body.yaml")
    >>> model.uncertain["rb5.center_of_mass"] = al.MaximumEntropyCenterOfMass(ball=0.1)
    """

    def __init__(self, **domain: Any) -> None:
        self.domain = domain

    def entry(self) -> dict[str, Any]:
        return dict(self.domain)


class MaximumEntropyInertia(_Entry):
    """The inertia tensor: Kummer-Beta, every draw is the inertia of a physical body. The more negative lambda_l, the less scatter."""

    def __init__(self, lambda_l: float, lambda_u: float, z_max: Any = None) -> None:
        self.lambda_l, self.lambda_u, self.z_max = lambda_l, lambda_u, z_max

    def entry(self) -> dict[str, Any]:
        out: dict[str, Any] = {"lambda_l": self.lambda_l, "lambda_u": self.lambda_u}
        if self.z_max is not None:
            out["z_max"] = self.z_max
        return out


def _openturns_entry(name: str, **parameters: float) -> dict[str, Any]:
    return {"openturns": {"name": name, "parameters": parameters}}


# Of scipy's frozen distributions, with their shape parameters, location and scale: those that the language has by formula.
_SCIPY: dict[str, Callable[..., dict[str, Any]]] = {
    "norm": lambda loc, scale: {"normal": {"mean": loc, "std": scale}},
    "uniform": lambda loc, scale: {"uniform": {"lower": loc, "upper": loc + scale}},
    "lognorm": lambda s, loc, scale: _openturns_entry("LogNormal", muLog=math.log(scale), sigmaLog=s, gamma=loc),
    "gamma": lambda a, loc, scale: {"gamma": {"shape": a, "rate": 1 / scale, "shift": loc}},
    "beta": lambda a, b, loc, scale: {"beta": {"lower": loc, "upper": loc + scale, "alpha": a, "beta": b}},
    "triang": lambda c, loc, scale: {"triangular": {"lower": loc, "mode": loc + c * scale, "upper": loc + scale}},
    "expon": lambda loc, scale: {"exponential": {"rate": 1 / scale, "shift": loc}},
    "weibull_min": lambda c, loc, scale: {"weibull": {"scale": scale, "shape": c, "shift": loc}},
    "gumbel_r": lambda loc, scale: {"gumbel": {"location": loc, "scale": scale}},
    "rayleigh": lambda loc, scale: {"rayleigh": {"scale": scale, "shift": loc}},
    "t": lambda df, loc, scale: {"student": {"degrees": df, "mean": loc, "scale": scale}},
    "logistic": lambda loc, scale: {"logistic": {"mean": loc, "scale": scale}},
    "laplace": lambda loc, scale: {"laplace": {"mean": loc, "scale": scale}},
    "truncnorm": lambda a, b, loc, scale: {"truncated_normal": {
        "mean": loc, "std": scale, **({"lower": loc + a * scale} if math.isfinite(a) else {}),
        **({"upper": loc + b * scale} if math.isfinite(b) else {})}},
}


def _table(quantile: Callable[[float], float]) -> dict[str, Any]:
    """Points of the distribution function, closer in the tails: equally spaced in a standard normal variable up to ±5.6, 1e-8."""
    erf = np.array([math.erf(z / math.sqrt(2)) for z in np.linspace(-5.6, 5.6, _MOST_POINTS)])
    p = (1 + erf) / 2
    x = np.array([quantile(float(q)) for q in p])
    for end, at in ((0.0, 0), (1.0, -1)):
        limit = quantile(end)
        if math.isfinite(limit):
            x[at] = limit
    p[0], p[-1] = 0, 1
    keep = np.ones(len(x), dtype=bool)
    keep[1:-1] = np.diff(x)[:-1] > 0
    x, p = x[keep], p[keep]
    if len(x) > 1 and x[-1] <= x[-2]:
        x, p = np.delete(x, -2), np.delete(p, -2)
    return {"cdf": np.column_stack((x, p)).tolist()}


def _of_scipy(name: str, frozen: Any) -> dict[str, Any]:
    if not hasattr(frozen, "pdf"):
        raise input_error(f"'{name}': the distribution {frozen.dist.name} of scipy is discrete", "continuous ones and samples are taken")
    if np.size(frozen.std()) != 1:
        raise input_error(f"'{name}': the distribution {frozen.dist.name} of scipy has arrays as parameters", "numbers are needed")
    if not (math.isfinite(frozen.std()) and frozen.std() > 0):
        raise input_error(f"'{name}': the distribution {frozen.dist.name} of scipy has no variance, or none that is positive")
    shapes, loc, scale = frozen.dist._parse_args(*frozen.args, **frozen.kwds)
    numbers = [float(x) for x in (*shapes, loc, scale)]
    if frozen.dist.name in _SCIPY:
        return _SCIPY[frozen.dist.name](*numbers)
    if frozen.dist.name in ("loguniform", "reciprocal") and numbers[2] == 0:
        return {"log_uniform": {"lower": numbers[0] * numbers[3], "upper": numbers[1] * numbers[3]}}
    return _table(lambda p: float(frozen.ppf(p)))


def _of_openturns(name: str, distribution: Any) -> dict[str, Any]:
    if distribution.getDimension() != 1:
        raise input_error(f"'{name}': the distribution has {distribution.getDimension()} dimensions", "one is needed")
    if not distribution.isContinuous():
        raise input_error(f"'{name}': the distribution is discrete", "continuous ones and samples are taken")
    try:
        std = distribution.getStandardDeviation()[0]
    except Exception:  # what does not exist is thrown about
        std = math.nan
    if not (math.isfinite(std) and std > 0):
        raise input_error(f"'{name}': the distribution {distribution.getName()} of OpenTURNS has no variance, or none that is positive")
    kind = getattr(distribution, "getImplementation", lambda: distribution)().getClassName()
    names = [p[:-2] if p.endswith("_0") else p for p in distribution.getParameterDescription()]
    # Those whose parameters have names of their own, under which a model writes them.
    if names and all(p.isidentifier() for p in names) and kind not in ("Histogram", "UserDefined", "TruncatedDistribution", "Mixture",
                                                                     "KernelMixture", "ComposedDistribution"):
        return _openturns_entry(kind, **dict(zip(names, distribution.getParameter())))
    return _table(lambda p: float(distribution.computeQuantile(min(max(p, 1e-12), 1 - 1e-12))[0]))


def _of_samples(name: str, values: Any) -> dict[str, Any]:
    x = np.sort(np.asarray(values, dtype=float).ravel())
    if len(x) < 2 or not np.isfinite(x).all():
        raise input_error(f"'{name}': samples must be at least two finite numbers")
    if x[0] == x[-1]:
        raise input_error(f"'{name}': the samples are all {x[0]:g}", "a quantity without scatter is set, not random")
    # The share below each value, with half of those that equal it; from the smallest to the largest one.
    unique, count = np.unique(x, return_counts=True)
    p = np.cumsum(count) - count / 2
    p = (p - p[0]) / (p[-1] - p[0])
    if len(unique) > _MOST_POINTS:
        q = np.linspace(0, 1, _MOST_POINTS)
        unique, keep = np.unique(np.interp(q, p, unique), return_index=True)
        p = q[keep]
        p[0], p[-1] = 0, 1
    return {"cdf": np.column_stack((unique, p)).tolist()}


def as_entry(name: str, value: Any) -> str:
    """A distribution as an entry of `uncertain:`."""
    if isinstance(value, _Entry):
        out: Any = value.entry()
    elif isinstance(value, Mapping):
        out = dict(value)
    elif hasattr(value, "dist") and hasattr(value, "ppf"):
        out = _of_scipy(name, value)
    elif type(value).__name__ == "rv_histogram":  # of scipy, which needs no parameters and is used without freezing
        out = _of_scipy(name, value())
    elif hasattr(value, "getParameterDescription") and hasattr(value, "computeQuantile"):
        out = _of_openturns(name, value)
    elif isinstance(value, (np.ndarray, Sequence)) and not isinstance(value, str) or hasattr(value, "to_numpy"):
        out = _of_samples(name, value)
    else:
        raise TypeError(f"'{name}': a distribution is a frozen one of scipy.stats, one of OpenTURNS, an array of samples, a maximum-entropy "
                        f"distribution of this package or a dictionary, not {type(value).__name__}")
    if name.endswith(".mass") and not set(out) <= {"cov", "mean", "same_as"}:
        raise input_error(f"'{name}': the mass of a body takes MaximumEntropyMass",
                          "for another distribution make it a parameter: mass: m in the model, and a distribution of m")
    return as_text(out, f"'{name}'")
