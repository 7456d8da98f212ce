"""Multibody dynamics in which the bodies themselves are uncertain.

>>> import aleator as al
>>> model = al.loads('''
... parameters: {k: 100}
... bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1}}
... joints: {guide: {prismatic: [ground, block], axis: x, spring: {stiffness: k, rest: -0.1}, damper: 1.5}}
... outputs: {x: {position: block, component: x}}
... uncertain: {k: {lognormal: {cov: 0.1}}}
... simulation: {duration: 1, step: 0.005, output_step: 0.02, integrator: runge-kutta}
... ''')
>>> result = model.study(method="sobol", samples=256, seed=1).run()
>>> round(float(result.array("x", "std").max()), 4)
0.0202

The guide is docs/python.md.
"""

from ._aleator import Error, InputError, ReadError, SimulationError, WriteError, version
from ._design import Design, DesignConstraint, TradeOff, design
from ._distributions import MaximumEntropyCenterOfMass, MaximumEntropyInertia, MaximumEntropyMass
from ._forward import Forward, Jacobian
from ._identify import Identification, IdentifiedParameter, identify
from ._model import Model, Parameter, Parameters, Quantity, Trajectory, import_model, load, loads
from ._progress import Progress
from ._result import Comparison, Estimate, Failure, Limit, Result, Scalar, compare, open, resume
from ._study import Study, methods

__version__ = version()
__all__ = [
    "Comparison", "Design", "DesignConstraint", "Error", "Estimate", "Failure", "Forward", "Identification", "IdentifiedParameter",
    "InputError", "Jacobian", "Limit", "MaximumEntropyCenterOfMass", "MaximumEntropyInertia", "MaximumEntropyMass", "Model", "Parameter",
    "Parameters", "Progress", "Quantity", "ReadError", "Result", "Scalar", "SimulationError", "Study", "TradeOff", "Trajectory",
    "WriteError", "compare", "design", "identify", "import_model", "load", "loads", "methods", "open", "resume", "version",
]
