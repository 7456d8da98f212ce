"""A design chosen from Python."""

import os
import unittest

import aleator as al
from support import OSCILLATOR, Case

DESIGN = """\
model: model.yaml
choose: {a.mass.cov: {from: 0.05, to: 0.3}}
minimise: 1/a.mass.cov
subject_to: quantile(peak, 0.95) <= %s
study: {samples: 50}
evaluations: 8
"""


class Design(Case):
    def design_file(self, bound):
        path = os.path.join(os.path.dirname(self.model_file(OSCILLATOR)), "design.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(DESIGN % bound)
        return path

    def test_found(self):
        found = al.design(self.design_file(0.2), progress=False)
        self.assertTrue(found.met and found.verified, found.verdict)
        self.assertEqual(found.outcome, "complete")
        self.assertEqual(list(found.parameters), ["a.mass.cov"])
        self.assertGreater(found.constraints[0].verified_sure, 0.5)
        self.assertGreaterEqual(found.evaluations, 5)
        self.assertIn("a.mass.cov = 0.", repr(found))
        self.assertIsNotNone(found.study)

    def test_not_met(self):
        found = al.design(self.design_file(0.01), progress=False)
        self.assertFalse(found.met or found.verified)
        self.assertIsNone(found.study)
        self.assertIn("holds at none of the", found.verdict)


if __name__ == "__main__":
    unittest.main()
