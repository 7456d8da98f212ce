"""scipy chooses a spring that neither shakes a car body nor lets it sag, on average over what is uncertain about car and road."""

import numpy as np
from scipy.optimize import minimize_scalar

import aleator as al

model = al.loads("""
parameters: {k: 5000, c: 300, speed: 15}
bodies:
  plate: {shape: {box: [0.4, 0.4, 0.02]}, mass: 10}
  car: {shape: {box: [1, 0.8, 0.3]}, mass: 50, at: [0, 0, 0.5]}
joints:
  road: {prismatic: [ground, plate], axis: z, motion: 0.02 * sin(speed * t)}
  ride: {prismatic: [plate, car], axis: z, spring: {stiffness: k}, damper: c}
outputs: {shaking: {acceleration: car, component: z}}
uncertain: {speed: {normal: {std: 2}}, car: {mass: {cov: 0.15}}}
simulation: {duration: 3, step: 0.002, output_step: 0.02, integrator: runge-kutta}
""")
forward = model.ensemble(inputs=["k", "speed", "car.mass"])  # k is not random: its values are ours
X = forward.draw(64, seed=1)  # the same cars and roads for every spring


def cost(log_k):
    X[:, 0] = np.exp(log_k)
    Y = forward(X)
    shaking = np.sqrt((Y[:, :, 0] ** 2).mean(axis=1)).mean()  # m/s²: rms over time, mean over the sample
    sag = (9.81 * X[:, 2] / X[:, 0]).mean()  # m
    return shaking + 10 * sag


best = minimize_scalar(cost, bounds=np.log([500, 50000]), method="bounded", options={"xatol": 0.01})
print(f"stiffness {np.exp(best.x):.0f} N/m, cost {best.fun:.3f} after {best.nfev} evaluations of {len(X)} motions")
assert cost(np.log(5000)) >= best.fun and cost(best.x + 0.5) > best.fun
