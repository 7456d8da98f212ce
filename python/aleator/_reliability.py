"""What a method for rare events finds: failure probabilities, curves, design points, failures and their causes."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

from ._common import Array


class FailureProbability(NamedTuple):
    """The probability that a limit, or any of them, is passed at any time."""

    limit: str  # "drift.above", …, "any"
    value: float  # of the limit; NaN: it is random, or there are several
    unit: str
    probability: float
    cov: float  # relative standard error
    lower: float  # 95 % confidence interval
    upper: float
    beta: float  # reliability index


class Curve(NamedTuple):
    """The probability that the extreme of an output is beyond b, with its 95 % confidence interval."""

    limit: str
    unit: str
    b: Array
    probability: Array
    lower: Array
    upper: Array


class Level(NamedTuple):
    """An intermediate event of subset simulation: the excess over the limit is above `excess`."""

    excess: float
    probability: float  # of the next level, given this one
    cov: float
    realizations: int
    accepted: float  # share of proposals
    correlation: float  # between successive states of a chain
    rho: float  # of a proposal with the state before


class DesignPoint(NamedTuple):
    """A point of the limit state nearest to the origin of the space of standard normal numbers."""

    limit: str
    beta: float
    form: float  # probability of first order
    sorm: float  # of second order; NaN: not computed
    converged: bool
    u: Array  # by `variables`
    importance: Array  # α², by `variables`
    inputs: Array  # by `quantities` of the result
    curvatures: Array


class Tail(NamedTuple):
    """The tail of enhanced Monte Carlo: P(λ) = q exp(−a (λ − b)^c); λ = 1 is the limit."""

    q: float
    a: float
    b: float
    c: float
    fitted_from: float
    fitted_to: float
    level: Array  # λ
    estimate: Array  # of the sample
    lower: Array
    upper: Array


class Cause(NamedTuple):
    """A random number before, and given failure."""

    quantity: str
    unit: str
    mean: float
    std: float
    mean_failing: float
    std_failing: float
    shift: float  # (mean_failing − mean)/std
    importance: float  # α² of the design point; NaN without one


class Reliability(NamedTuple):
    """What a method for rare events found."""

    method: str
    simulations: int
    failed: int  # simulations that could not be completed
    probabilities: dict[str, FailureProbability]  # by limit, and "any"
    curves: dict[str, Curve]  # by limit
    levels: list[Level]
    sets: Array  # the probability of "any" by independent sets of realizations
    agreement: float  # probability that they differ by so much
    variables: list[str]  # standard normal numbers of design points
    design_points: list[DesignPoint]
    tails: list[Tail]
    causes: list[Cause]
    inputs: Array  # [failure sample, quantity]
    weights: Array  # of failure samples; their sum is 1
    excess: Array  # of failure samples, over the limit
    kept: list[int]  # failure samples with histories and poses, the most probable first
    histories: Array  # [kept, time, output]
    poses: Array  # [kept, time, body, 7]
    doubts: list[str]  # why these numbers may be wrong

    def __repr__(self) -> str:
        p = self.probabilities.get("any")
        return f"<aleator.Reliability: {self.method}, P = {p.probability:.3g}, cov {p.cov:.2g}>" if p else f"<aleator.Reliability: {self.method}>"


def reliability_of(x: dict[str, Any]) -> Reliability:
    """Of what the engine says."""
    makers: dict[str, Callable[..., Any]] = {"levels": Level, "design_points": DesignPoint, "tails": Tail, "causes": Cause}
    parts: dict[str, Any] = {key: [make(*row) for row in x[key]] for key, make in makers.items()}
    parts["probabilities"] = {p[0]: FailureProbability(*p) for p in x["probabilities"]}
    parts["curves"] = {c[0]: Curve(*c) for c in x["curves"]}
    return Reliability(**{**x, **parts})
