"""Methods of OpenTURNS on a model: FORM, importance sampling around its design point, and Sobol indices."""

import numpy as np
import openturns as ot

import aleator as al

model = al.loads("""
parameters: {k: 1000, c: 4}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, velocity: [1, 0, 0]}}
joints: {guide: {prismatic: [ground, block], axis: x, spring: {stiffness: k}, damper: c}}
outputs: {x: {position: block, component: x}}
uncertain: {k: {normal: {std: 100}}, c: {uniform: {lower: 2, upper: 6}}}
simulation: {duration: 0.2, step: 0.001, output_step: 0.001, integrator: runge-kutta}
""")
peak = model.ensemble().openturns(lambda Y: Y[:, :, 0].max(axis=1), ["peak"])  # samples are computed in lanes

inputs = ot.ComposedDistribution([ot.Normal(1000, 100), ot.Uniform(2, 6)])
event = ot.ThresholdEvent(ot.CompositeRandomVector(peak, ot.RandomVector(inputs)), ot.Greater(), 0.034)

form = ot.FORM(ot.AbdoRackwitz(), event, inputs.getMean())
form.run()
found = form.getResult()
print(f"FORM: reliability index {found.getHasoferReliabilityIndex():.3f}, probability {found.getEventProbability():.5f}")
print(f"      design point {np.array(found.getPhysicalSpaceDesignPoint())}")

ot.RandomGenerator.SetSeed(1)
standard = ot.PostAnalyticalImportanceSampling(found)
standard.setMaximumOuterSampling(20)
standard.setBlockSize(100)  # samples at once: lanes are filled
standard.setMaximumCoefficientOfVariation(0.02)
standard.run()
sampled = standard.getResult()
print(f"importance sampling: {sampled.getProbabilityEstimate():.5f} ± {sampled.getStandardDeviation():.5f}")
assert 0.5 < sampled.getProbabilityEstimate() / found.getEventProbability() < 2  # FORM takes the limit surface for a plane

size = 2000
design = ot.SobolIndicesExperiment(inputs, size).generate()
indices = ot.SaltelliSensitivityAlgorithm(design, peak(design), size)  # the whole design is computed in lanes
for name, first, total in zip(peak.getInputDescription(), indices.getFirstOrderIndices(), indices.getTotalOrderIndices()):
    print(f"Sobol indices of {name}: first-order {first:.2f}, total {total:.2f}")
