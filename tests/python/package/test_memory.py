"""Nothing is lost: a thousand times loaded, run, asked and deleted."""

import gc
import resource
import unittest

import numpy as np

import aleator as al
from support import OSCILLATOR, Case


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


class Memory(Case):
    def cycle(self):
        model = al.loads(OSCILLATOR)
        result = model.study(samples=8).run(threads=1, progress=False)
        y = result.Y
        forward = model.ensemble(threads=1)
        z = forward(forward.draw(8, seed=5))
        self.assertTrue(np.array_equal(y, z))

    def test_thousand_cycles(self):
        for _ in range(200):
            self.cycle()
        gc.collect()
        before = resident()
        for _ in range(800):
            self.cycle()
        gc.collect()
        self.assertLess(resident() - before, 4e6)  # 5 kB a cycle would be seen


if __name__ == "__main__":
    unittest.main()
