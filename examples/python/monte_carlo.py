"""Anybody's own method: Monte Carlo by hand, until the standard error of a probability is below 2 %."""

import pathlib

import numpy as np

import aleator as al

model = al.load(pathlib.Path(__file__).parent.parent / "five-body.yaml")
forward = model.ensemble()  # compiled once; then a function of arrays

passed = []
seed = 1
while True:
    Y = forward(forward.draw(1000, seed=seed))  # [sample, time, output]
    passed.extend(Y[:, :, 0].max(axis=1) > 100)
    p = np.mean(passed)
    error = np.sqrt(p * (1 - p) / len(passed))
    print(f"{len(passed):6d} realizations: P(accel_z > 100 m/s²) = {p:.4f} ± {error:.4f}")
    if error < 0.02 * p or seed == 20:
        break
    seed += 1
