"""An ensemble sampler (Goodman and Weare, as in emcee) of the stiffness and damping that explain a measured motion."""

import numpy as np

import aleator as al

model = al.loads("""
parameters: {k: 100, c: 1.5}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, velocity: [1, 0, 0]}}
joints: {guide: {prismatic: [ground, block], axis: x, spring: {stiffness: k}, damper: c}}
outputs: {x: {position: block, component: x}}
uncertain: {k: {uniform: {lower: 50, upper: 200}}, c: {uniform: {lower: 0, upper: 5}}}
simulation: {duration: 1, step: 0.005, output_step: 0.02, integrator: runge-kutta}
""")
forward = model.ensemble()
rng = np.random.default_rng(1)
noise, truth = 0.005, [110, 1.2]
measured = forward(truth)[:, 0] + noise * rng.normal(size=len(forward.time))


def log_posterior(X):
    inside = (X[:, 0] > 50) & (X[:, 0] < 200) & (X[:, 1] > 0) & (X[:, 1] < 5)
    Y = forward(np.where(inside[:, None], X, truth))[:, :, 0]  # all walkers at once
    return np.where(inside, -0.5 * ((Y - measured) ** 2).sum(axis=1) / noise**2, -np.inf)


walkers = forward.draw(64, seed=2)
value = log_posterior(walkers)
kept = []
for step in range(300):
    for half in (slice(0, 32), slice(32, 64)):  # each half moves along lines to the other one
        others = walkers[32:] if half.start == 0 else walkers[:32]
        z = (1 + rng.random(32)) ** 2 / 2
        proposed = others[rng.integers(32, size=32)] * (1 - z)[:, None] + z[:, None] * walkers[half]
        new = log_posterior(proposed)
        accept = np.log(rng.random(32)) < np.log(z) + new - value[half]
        walkers[half][accept], value[half][accept] = proposed[accept], new[accept]
    if step >= 100:
        kept.append(walkers.copy())
draws = np.concatenate(kept)
for name, mean, std, true in zip(forward.inputs, draws.mean(axis=0), draws.std(axis=0), truth):
    print(f"{name} = {mean:.2f} ± {std:.2f} (the truth is {true})")
    assert abs(mean - true) < 4 * std
