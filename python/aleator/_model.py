"""Models: read, looked at, changed, simulated."""

from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Optional, Sequence

from . import _aleator, _display, _distributions
from ._common import POSE, Array, PathLike, names_of, need, settings_of, thread_count, unknown
from ._forward import Forward
from ._study import Study, study_of

if TYPE_CHECKING:
    import xarray


class Parameter(NamedTuple):
    """A number of a model that can be set."""

    name: str
    value: float
    unit: str
    distribution: str  # in words; empty: it is not random


class Quantity(NamedTuple):
    """A random number of a model."""

    name: str
    unit: str
    distribution: str
    nominal: float
    mean: float
    std: float


class Trajectory(NamedTuple):
    """One motion as plain arrays."""

    time: Array  # [time]
    values: Array  # [time, output]
    outputs: list[str]
    units: list[str]
    integrator: str
    step: float
    bodies: list[str]  # bodies, and nodes of beams: NAME.0, NAME.1, …
    poses: Array  # [time, body, pose]: x, y, z in m, and the quaternion qw, qx, qy, qz, in the inertial frame


class Parameters(Mapping[str, Parameter]):
    """The numbers of a model by name: those of `--set`."""

    def __init__(self, rows: Sequence[tuple[str, float, str, str]]) -> None:
        self._rows = {row[0]: Parameter(*row) for row in rows}

    def __getitem__(self, name: str) -> Parameter:
        if name not in self._rows:
            raise unknown("parameter", name, self._rows)
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def to_pandas(self) -> Any:
        """A DataFrame: a row for each, columns value, unit, distribution."""
        rows = [p[1:] for p in self._rows.values()]
        return need("pandas").DataFrame(rows, index=list(self._rows), columns=["value", "unit", "distribution"])

    def __repr__(self) -> str:
        return _display.text_table(["name", "value", "unit", "distribution"], list(self._rows.values()))

    def _repr_html_(self) -> str:
        return _display.html_table(["name", "value", "unit", "distribution"], list(self._rows.values()))


class Uncertain(MutableMapping[str, Quantity]):
    """What is random in a model, by name. Assigning a distribution changes it; deleting an entry makes the quantity deterministic.

    A distribution is a frozen one of scipy.stats, one of OpenTURNS, an array of samples, one of the maximum-entropy classes of this
    package, or a dictionary as in `uncertain:` of a model file.

    >>> import aleator as al, numpy as np
    >>> model = al.loads("parameters: {k: 100}\\nbodies: {a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\\n"
    ...                  "joints: {g: {prismatic: [ground, a], axis: x, spring: {stiffness: k}}}\\n"
    ...                  "outputs: {x: {position: a, component: x}}\\nsimulation: {duration: 1, step: 0.01}")
    >>> model.uncertain["k"] = {"lognormal": {"cov": 0.1}}
    >>> model.uncertain["a.mass"] = al.MaximumEntropyMass(cov=0.3)
    >>> list(model.uncertain)
    ['k', 'a.mass']
    >>> model.uncertain["k"] = np.linspace(80, 120, 41)  # measured values
    >>> model.uncertain["k"].distribution
    'tabulated, 41 points from 80 to 120'
    """

    def __init__(self, model: "Model") -> None:
        self._model = model

    def _quantities(self) -> dict[str, Quantity]:
        return {row[0]: Quantity(*row) for row in _aleator.quantities(self._model._engine)}

    def __getitem__(self, name: str) -> Quantity:
        all_of_them = self._quantities()
        if name not in all_of_them:
            raise unknown("random quantity", name, all_of_them)
        return all_of_them[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._quantities())

    def __len__(self) -> int:
        return len(self._quantities())

    def __setitem__(self, name: str, distribution: Any) -> None:
        self._model._engine = _aleator.with_distribution(self._model._engine, name, _distributions.as_entry(name, distribution))

    def __delitem__(self, name: str) -> None:
        if not any(q == name or q.startswith(name + ".") for q in self):
            raise unknown("random quantity", name, self)
        whole = ".".join(name.split(".")[:2])  # of a centre of mass, an inertia or a field all numbers are random, or none
        self._model._engine = _aleator.with_distribution(self._model._engine, whole, "")

    def clear(self) -> None:
        """Nothing is random any more."""
        for name in {".".join(q.split(".")[:2]) for q in self}:
            del self[name]

    def to_pandas(self) -> Any:
        """A DataFrame: a row for each, columns unit, distribution, nominal, mean, std."""
        rows = self._quantities()
        return need("pandas").DataFrame([q[1:] for q in rows.values()], index=list(rows), columns=list(Quantity._fields[1:]))

    def __repr__(self) -> str:
        return _display.text_table(list(Quantity._fields), list(self._quantities().values()))

    def _repr_html_(self) -> str:
        return _display.html_table(list(Quantity._fields), list(self._quantities().values()))


class Model:
    """A mechanism, compiled. Made by load() and loads()."""

    def __init__(self, engine: _aleator.Model) -> None:
        self._engine = engine

    @property
    def title(self) -> str:
        return self._engine.title

    @property
    def file(self) -> str:
        return self._engine.file

    @property
    def text(self) -> str:
        """The model file, with the distributions as they are now."""
        return self._engine.text

    @property
    def settings(self) -> dict[str, float]:
        """The numbers that were set when it was loaded."""
        return self._engine.settings

    @property
    def outputs(self) -> dict[str, str]:
        """Names of the outputs, and their units."""
        return dict(self._engine.outputs)

    @property
    def notes(self) -> list[str]:
        """What was decided or left out of imported files (`urdf:`, `mjcf:`), and what is hardly meant, with file and line."""
        return self._engine.notes

    @property
    def parameters(self) -> Parameters:
        """Every number that can be set, with unit and distribution."""
        return Parameters(_aleator.parameters(self._engine))

    @property
    def uncertain(self) -> Uncertain:
        """What is random; may be assigned to."""
        return Uncertain(self)

    def with_settings(self, set: Mapping[str, float]) -> "Model":
        """The same model with further numbers set, by the names of `parameters`."""
        return Model(_aleator.with_settings(self._engine, settings_of(set)))

    def trajectory(self, set: Optional[Mapping[str, float]] = None) -> Trajectory:
        """The nominal motion as plain arrays, with these numbers set."""
        numbers = settings_of(set if set is not None else {})
        engine = _aleator.with_settings(self._engine, numbers) if numbers else self._engine
        time, values, outputs, integrator, step, bodies, poses = _aleator.simulate(engine, None)
        return Trajectory(time, values, [name for name, _ in outputs], [unit for _, unit in outputs], integrator, step, bodies, poses)

    def simulate(self, set: Optional[Mapping[str, float]] = None) -> "xarray.Dataset":
        """The nominal motion, with these numbers set: a Dataset over time."""
        xr = need("xarray", "model.trajectory() returns plain arrays")
        t = self.trajectory(set)
        data = {name: ("time", t.values[:, k], {"units": t.units[k]}) for k, name in enumerate(t.outputs)}
        return xr.Dataset(data, {"time": ("time", t.time, {"units": "s"})},
                          {"title": self.title, "integrator": t.integrator, "step": t.step})

    def poses(self, set: Optional[Mapping[str, float]] = None) -> "xarray.DataArray":
        """How the bodies move in the nominal motion: a DataArray with the dimensions time, body, pose.

        A pose is the position x, y, z of the frame of a body (m) and its quaternion qw, qx, qy, qz; of a beam there is one at each node.

        >>> import aleator as al
        >>> al.load("examples/five-body.yaml").poses().sel(body="rb5", pose="z").dims
        ('time',)
        """
        xr = need("xarray", "model.trajectory().poses is a plain array")
        t = self.trajectory(set)
        return xr.DataArray(t.poses, name="poses", dims=("time", "body", "pose"),
                            coords={"time": ("time", t.time, {"units": "s"}), "body": t.bodies, "pose": list(POSE)})

    def study(self, **settings: Any) -> Study:
        """How uncertainty propagates: the keywords are the keys of `study:` in a model file; what is not given is as the model has it.

        >>> import aleator as al
        >>> model = al.load("examples/five-body.yaml")
        >>> model.study(method="sobol", sampels=64)
        Traceback (most recent call last):
        aleator.InputError: study: unknown key 'sampels' (did you mean 'samples'?)
        """
        return study_of(self._engine, settings)

    def ensemble(self, threads: int = 0, *, inputs: Sequence[str] = (), retry: bool = True, isa: str = "") -> Forward:
        """The compiled model as a vectorised function of what is random, or of the numbers named: any of `parameters`, random or not.

        threads 0: all. retry: a sample that fails is tried again with a smaller step.
        """
        return Forward(self._engine, thread_count(threads), isa, retry, names_of(inputs, "inputs"))

    def report(self, file: PathLike) -> None:
        """Writes a page for any browser: the mechanism in motion, and its responses."""
        _aleator.write_model_report(self._engine, os.fspath(file))

    def __repr__(self) -> str:
        n = len(self.uncertain) if self._engine.uncertain else 0
        return f"<aleator.Model '{self.title or self.file}': {len(self.outputs)} outputs, {n} random numbers>"

    def _repr_html_(self) -> str:
        return _display.model_html(self)


def load(file: PathLike, set: Optional[Mapping[str, float]] = None, *, allowed: Sequence[PathLike] = ()) -> Model:
    """A model from its file, with some of its numbers set by the names that `--set` of the command line knows.

    `allowed`: folders from which the model may take files, beside its own. Raises InputError.

    >>> import aleator as al
    >>> model = al.load("examples/five-body.yaml", {"rb5.mass.cov": 0.3})
    >>> model.parameters["rb5.mass.cov"].value
    0.3
    """
    return Model(_aleator.load_model(os.fspath(file), settings_of(set if set is not None else {}), [os.fspath(a) for a in allowed]))


def import_model(
    file: PathLike,
    set: Optional[Mapping[str, float]] = None,
    *,
    base: str = "",
    positions: Optional[Mapping[str, float]] = None,
    packages: Sequence[PathLike] = (),
    repair: bool = False,
    limits: bool = True,
    meshes: bool = True,
) -> Model:
    """A model from a robot description, URDF or MJCF, as `aleator import` makes it; `model.text` is that.

    `base`: "fixed" or "floating" (URDF). `positions`: of joints at t = 0. `packages`: folders of `package://`. `repair`: inertias that no
    body can have are replaced by the nearest possible ones. Raises InputError.

    >>> import aleator as al
    >>> arm = al.import_model("examples/robots/arm.urdf", positions={"elbow": 1.2})
    >>> arm.title
    'arm'
    """
    return Model(
        _aleator.import_model(
            os.fspath(file),
            settings_of(set if set is not None else {}),
            base,
            dict(positions or {}),
            [os.fspath(p) for p in packages],
            repair,
            limits,
            meshes,
        )
    )


def loads(text: str, set: Optional[Mapping[str, float]] = None, *, name: str = "model.yaml") -> Model:
    """A model from text; `name` is what messages call it.

    >>> import aleator as al
    >>> al.loads("{bodies: {a: {mas: 1}}, simulation: {duration: 1}}")
    Traceback (most recent call last):
    aleator.InputError: model.yaml:1:15: body 'a': unknown key 'mas' (did you mean 'mass'?)
    """
    if not isinstance(text, str):
        raise TypeError(f"a model is read from text, found {type(text).__name__}; load() reads a file")
    return Model(_aleator.model_from_text(text, settings_of(set if set is not None else {}), name))
