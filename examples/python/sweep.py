"""A parameter sweep: how the largest acceleration of the beam depends on its mass."""

import pathlib

import numpy as np

import aleator as al

model = al.load(pathlib.Path(__file__).parent.parent / "five-body.yaml")
print("mass of the beam, kg   largest acceleration, m/s²")
for mass in np.linspace(20, 60, 5):
    motion = model.simulate({"rb5.mass": mass})
    peak = float(motion["accel_z"].max())
    print(f"{mass:20.0f}   {peak:26.2f}")
