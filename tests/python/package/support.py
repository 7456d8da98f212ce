"""What the tests of the Python package share: a small model, the program beside it, a folder for each test."""

import hashlib
import os
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

import aleator as al

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PROGRAM = os.environ["ALEATOR"]
FIVE_BODY = os.path.join(ROOT, "examples", "five-body.yaml")

OSCILLATOR = """\
title: Oscillator
# A comment that stays.
parameters: {k: 100, d: 1.5}
bodies:
  a: {shape: {box: [0.1, 0.2, 0.3]}, mass: 1, velocity: [1, 0, 0]}
joints:
  guide: {prismatic: [ground, a], axis: x, spring: {stiffness: k}, damper: d}
uncertain:
  k: {uniform: {lower: 80, upper: 120}}
  a: {mass: {cov: 0.1}}
outputs:
  x: {position: a, component: x, limits: {above: 0.08}}
  v: {velocity: a, component: x}
scalars:
  peak: {maximum: x}
simulation: {duration: 0.4, step: 4e-3, output_step: 0.02, integrator: runge-kutta}
study: {samples: 64, seed: 5}
"""


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def model_file(self, text=OSCILLATOR, name="model.yaml"):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def program(self, *arguments, code=0):
        # Without what scripts/python-sanitizer loads into Python: the program would not come to its end with it.
        environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, check=False, env=environment)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout

    def message(self, kind, function, *arguments, **keywords):
        """What the exception says."""
        with self.assertRaises(kind) as caught:
            function(*arguments, **keywords)
        return str(caught.exception)


def checksum(array):
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def responses_in(file):
    """[sample, time] by output as the file has them, read by another library."""
    with h5py.File(file) as f:
        return {name: values[()] for name, values in f["responses"].items() if values.ndim == 2}


oscillator = al.loads(OSCILLATOR, name="oscillator.yaml")
