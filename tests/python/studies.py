"""Small studies, run by the program that ALEATOR names, in a folder of their own."""
import os
import subprocess
import tempfile

PROGRAM = os.environ["ALEATOR"]

OSCILLATOR = """\
title: Oscillator
parameters: {k: 100}
bodies:
  a: {shape: {box: [0.1, 0.2, 0.3]}, mass: 1, velocity: [1, 0, 0]}
joints:
  guide: {prismatic: [ground, a], axis: x, spring: {stiffness: k}}
outputs:
  x: {position: a, component: x, limits: {above: 0.11}}
  p: {position: a}
scalars:
  peak: {maximum: x}
simulation: {duration: 0.4, step: 4e-3, output_step: 0.02, integrator: runge-kutta}
uncertain:
  k: {uniform: {lower: 80, upper: 120}}
  a: {mass: {cov: 0.1}}
study: {samples: 20, seed: 5}
"""


class Folder:
    """The model, and what the program makes of it."""

    def __init__(self, model=OSCILLATOR):
        self._folder = tempfile.TemporaryDirectory()
        self.model = os.path.join(self._folder.name, "model.yaml")
        with open(self.model, "w", encoding="utf-8") as f:
            f.write(model)

    def close(self):
        self._folder.cleanup()

    def __call__(self, command, *options):
        """The results file of `aleator run` or `simulate` with these options."""
        out = os.path.join(self._folder.name, "-".join((command,) + options).replace("/", "-"))
        subprocess.run([PROGRAM, command, self.model, "--out", out, *options], check=True, capture_output=True)
        return os.path.join(out, "results.h5" if command == "run" else "nominal.h5")
