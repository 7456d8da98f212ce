"""Identification with tables of Python."""

import unittest

import numpy as np
import pandas as pd

import aleator as al
from support import OSCILLATOR, Case, oscillator

# What is to be found: the stiffness, with everything else known.
KNOWN = OSCILLATOR.replace("  k: {uniform: {lower: 80, upper: 120}}\n", "")
TRUTH = 93.0


def measured(n, noise=1e-4):
    """Displacements of specimens whose stiffness is TRUTH."""
    rng = np.random.default_rng(7)
    data = al.loads(KNOWN).simulate({"k": TRUTH})
    frames = []
    for _ in range(n):
        x = data["x"].values + noise * rng.normal(size=data.sizes["time"])
        frames.append(pd.DataFrame({"time": data["time"].values, "x": x}))
    return frames


class Identify(Case):
    def check(self, fit):
        estimate, (low, high) = fit.estimate["k"], fit.interval["k"]
        self.assertLess(abs(estimate - TRUTH), 1)
        self.assertTrue(low <= estimate <= high)
        self.assertTrue(fit.verdict)
        self.assertEqual((fit.outcome, fit.method), ("complete", "least-squares"))
        self.assertIn("k = 9", repr(fit))

    def test_keywords(self):
        self.check(al.identify(model=al.loads(KNOWN), free={"k": {"from": 50, "to": 200}}, data=measured(3), method="least-squares"))

    def test_study_file_with_data(self):
        self.model_file(KNOWN)
        with open(self.path("identify.yaml"), "w", encoding="utf-8") as file:
            file.write("model: model.yaml\nmethod: least-squares\nfree: {k: {from: 50, to: 200}}\n")
        frames = [f.set_index("time") for f in measured(3)]
        frames[1].iloc[4] = np.nan  # a gap
        self.check(al.identify(self.path("identify.yaml"), data=frames, folder=self.path("out")))

    def test_bayesian(self):
        fit = al.identify(model=oscillator, free={"a.mass.cov": {"from": 0.02, "to": 0.4}}, data=self.specimens(12), noise={"x": 1e-4},
                          method="bayesian", samples=100, evaluations=30)
        self.assertEqual(list(fit.draws.columns), ["a.mass.cov"])
        self.assertEqual(fit.draws_array.shape[1], 1)
        self.assertIsNotNone(fit.study)

    def specimens(self, n):
        forward = oscillator.ensemble()
        y = forward(forward.draw(n, seed=3))
        return [{"time": forward.time, "x": y[k, :, 0]} for k in range(n)]

    def test_refused(self):
        free = {"k": {"from": 50, "to": 200}}
        self.message(TypeError, al.identify)
        self.assertIn("found list", self.message(TypeError, al.identify, model=oscillator, free=free, data=[[1, 2]]))
        self.assertIn("must be a dictionary", self.message(TypeError, al.identify, model=oscillator, free=["k"], data=measured(1)))
        said = self.message(al.InputError, al.identify, model=oscillator, free=free, data=[{"time": [0, 1], "y": [1, 2]}],
                            method="least-squares")
        self.assertTrue(said.startswith("data[0]: no column is an output"), said)
        said = self.message(al.InputError, al.identify, model=oscillator, free={"q": {"from": 1, "to": 2}}, data=measured(1),
                            method="least-squares")
        self.assertTrue(said.startswith("free 'q': the model has no such number"), said)
        self.message(TypeError, al.identify, "identify.yaml", free=free)
        self.assertIn("did you mean 'method'", self.message(al.InputError, al.identify, model=oscillator, free=free, data=measured(1),
                                                            metod="least-squares"))
        self.message(al.InputError, al.identify, self.path("nothing.yaml"))
        bad = measured(2)
        bad[1] = bad[1].rename(columns={"time": "seconds"})
        self.assertIn("'time'", self.message(KeyError, al.identify, model=al.loads(KNOWN), free=free, data=bad, method="least-squares"))
        self.message((al.InputError, ValueError), al.identify, model=al.loads(KNOWN), free={"kk": {}}, data=measured(2),
                     method="least-squares")


if __name__ == "__main__":
    unittest.main()
