"""Models from Python: read, asked, changed, simulated; and what bad input says."""

import math
import os
import unittest

import numpy as np
import openturns as ot
import scipy.stats as st

import aleator as al
from support import FIVE_BODY, OSCILLATOR, Case, oscillator


class Loading(Case):
    def test_file_and_text_are_the_same(self):
        a, b = al.load(self.model_file()), al.loads(OSCILLATOR)
        np.testing.assert_array_equal(a.trajectory().values, b.trajectory().values)
        self.assertEqual((a.title, a.outputs), ("Oscillator", {"x": "m", "v": "m/s"}))

    def test_overrides(self):
        model = al.loads(OSCILLATOR, {"k": 90, "a.mass.cov": 0.2})
        self.assertEqual(model.parameters["k"].value, 90)
        self.assertEqual(model.settings, {"k": 90, "a.mass.cov": 0.2})
        self.assertEqual(list(model.uncertain), ["a.mass"])  # what is set is not random

    def test_input_error_says_where(self):
        file = self.model_file(OSCILLATOR.replace("[ground, a]", "[ground, b]"))
        with self.assertRaises(al.InputError) as caught:
            al.load(file)
        e = caught.exception
        self.assertEqual((e.file, e.line, e.key), (file, 7, "joints.guide.prismatic"))
        self.assertGreater(e.column, 1)
        self.assertIn("unknown body 'b'", e.message)
        self.assertTrue(str(e).startswith(file + ":7:"))
        self.assertIsInstance(e, ValueError)
        self.assertIsInstance(e, al.Error)

    def test_all_mistakes_come_at_once(self):
        with self.assertRaises(al.InputError) as caught:
            al.loads("bodies: {a: {mas: 1}}\njoints: {h: {hinge: [ground, a]}}\nsimulation: {duration: -1}\n")
        e = caught.exception
        self.assertEqual((e.line, e.remedy), (1, "did you mean 'mass'?"))
        self.assertEqual(str(e), "model.yaml:1:14: body 'a': unknown key 'mas' (did you mean 'mass'?)\n"
                                 "model.yaml:2:14: joint 'h': unknown key 'hinge' (did you mean 'revolute'?)\n"
                                 "model.yaml:3:24: simulation: 'duration' must be positive, found -1")
        self.assertEqual(len(e.messages), 3)

    def test_wrong_names(self):
        self.assertIn("'kk'", self.message(al.InputError, al.loads, OSCILLATOR, {"kk": 1}))
        self.assertIn("did you mean 'k'", self.message(KeyError, lambda: oscillator.parameters["kk"]))
        self.message(al.InputError, al.load, self.path("nothing.yaml"))
        self.message(TypeError, al.load, 3)
        self.assertEqual(self.message(TypeError, al.loads, OSCILLATOR, {"k": "stiff"}), "'k' must be a number, found 'stiff'")
        self.assertIn("a dictionary of names and numbers", self.message(TypeError, oscillator.simulate, 3))
        self.assertIn("found int", self.message(TypeError, al.loads, 3))


class Parameters(Case):
    def test_table(self):
        p = oscillator.parameters
        self.assertEqual((p["k"].value, p["k"].distribution[:7]), (100, "uniform"))
        self.assertAlmostEqual(p["a.mass"].value, 1, 14)
        self.assertEqual(p["a.mass"].unit, "kg")
        self.assertEqual(p["a.mass.cov"].value, 0.1)
        self.assertAlmostEqual(p["a.inertia.xx"].value, (0.2**2 + 0.3**2) / 12, 14)
        frame = p.to_pandas()
        self.assertEqual(frame.loc["d", "value"], 1.5)
        self.assertIn("a.center_of_mass.x", repr(p))
        self.assertIn("<td", p._repr_html_())

    def test_every_name_can_be_set(self):
        for model in (oscillator, al.load(FIVE_BODY)):
            for p in model.parameters.values():
                if not math.isnan(p.value):
                    model.with_settings({p.name: p.value})


class Simulation(Case):
    def test_dataset(self):
        data = oscillator.simulate()
        self.assertEqual(dict(data.sizes), {"time": 21})
        self.assertEqual(data["v"].attrs["units"], "m/s")
        omega = math.sqrt(100 - 0.75**2)  # a mass of 1 on a damped spring of 100
        exact = np.exp(-0.75 * data.time) * np.sin(omega * data.time) / omega
        np.testing.assert_allclose(data["x"], exact, atol=1e-6)  # of the integrator with this step

    def test_set(self):
        a = oscillator.simulate({"k": 400})
        b = al.loads(OSCILLATOR.replace("k: 100", "k: 400")).simulate()
        np.testing.assert_array_equal(a["x"], b["x"])
        self.assertIn("can be set", self.message(al.InputError, oscillator.simulate, {"a.mas": 4}))

    def test_poses(self):
        p = oscillator.poses({"k": 400})
        self.assertEqual((p.dims, list(p["body"].values)), (("time", "body", "pose"), ["a"]))
        np.testing.assert_array_equal(p.sel(body="a", pose="x"), oscillator.simulate({"k": 400})["x"])
        t = al.loads("plane: xy\ngravity: [0, -9.81]\nbodies: {link: {beam: [[0, 0], [1, 0]], section: {rectangle: {height: 0.01, width: "
                     "0.01}}, E: 2e11, nu: 0.3, density: 7800, elements: 2}}\njoints: {root: {fixed: [ground, link], at: [0, 0]}}\n"
                     "outputs: {y: {position: link, at: [1, 0], component: y}}\nsimulation: {duration: 0.01, step: 1e-3}").trajectory()
        self.assertEqual((t.bodies, t.poses.shape), (["link.0", "link.1", "link.2"], (len(t.time), 3, 7)))  # its nodes
        np.testing.assert_allclose(t.poses[:, 2, 1], t.values[:, 0], atol=1e-15)  # the tip is the last one

    def test_arrays_are_read_only_and_outlive_their_owner(self):
        time = oscillator.trajectory().time
        with self.assertRaises(ValueError):
            time[0] = 1
        self.assertEqual(time[-1], 0.4)


class Distributions(Case):
    def setUp(self):
        super().setUp()
        self.model = al.loads(OSCILLATOR)

    def moments(self, distribution, name="k"):
        self.model.uncertain[name] = distribution
        q = self.model.uncertain[name]
        return q.mean, q.std

    def test_scipy(self):
        for frozen in (st.norm(100, 5), st.uniform(90, 20), st.lognorm(0.1, scale=100), st.gamma(9, scale=10), st.beta(2, 3, 80, 40),
                       st.triang(0.25, 80, 40), st.expon(50, 10), st.weibull_min(2, 60, 30), st.gumbel_r(100, 5), st.rayleigh(80, 10),
                       st.t(5, 100, 3), st.logistic(100, 3), st.laplace(100, 3), st.truncnorm(-1, 2, 100, 5), st.loguniform(50, 200)):
            with self.subTest(frozen.dist.name):
                mean, std = self.moments(frozen)
                self.assertAlmostEqual(mean / frozen.mean(), 1, 9)
                self.assertAlmostEqual(std / frozen.std(), 1, 6)  # OpenTURNS integrates some of them

    def test_scipy_by_table(self):
        # 1001 points: the density is constant between two of them, and what is beyond 1e-8 is cut off.
        for frozen in (st.skewnorm(4, 100, 10), st.powerlaw(3, 50, 60), st.vonmises(2, 100, 5)):
            with self.subTest(frozen.dist.name):
                mean, std = self.moments(frozen)
                self.assertAlmostEqual(mean / frozen.mean(), 1, 5)
                self.assertAlmostEqual(std / frozen.std(), 1, 4)

    def test_openturns(self):
        for d in (ot.Normal(100, 5), ot.Frechet(50, 5, 60), ot.TruncatedDistribution(ot.Normal(100, 5), 95.0, 110.0),
                  ot.Mixture([ot.Normal(90, 3), ot.Normal(110, 4)])):
            with self.subTest(d.getClassName()):
                mean, std = self.moments(d)
                self.assertAlmostEqual(mean / d.getMean()[0], 1, 5)
                self.assertAlmostEqual(std / d.getStandardDeviation()[0], 1, 3)

    def test_samples(self):
        x = np.random.default_rng(1).normal(100, 5, 400)
        mean, std = self.moments(x)
        self.assertAlmostEqual(mean / x.mean(), 1, 3)  # the ends count half
        self.assertAlmostEqual(std / x.std(), 1, 1)
        drawn = self.model.ensemble().draw(2000)[:, 0]
        self.assertGreaterEqual(drawn.min(), x.min())
        self.assertLess(st.ks_2samp(drawn, x).statistic, 0.09)  # 1e-2 level: 1.63 sqrt(1/400 + 1/2000)
        many = np.random.default_rng(2).normal(100, 5, 100000).round(1)  # with ties
        self.assertAlmostEqual(self.moments(many)[0] / many.mean(), 1, 4)
        self.assertEqual(self.moments([90, 100, 110])[0], 100)

    def test_maximum_entropy(self):
        self.assertAlmostEqual(self.moments(al.MaximumEntropyMass(cov=0.3), "a.mass")[1], 0.3, 12)
        model = al.load(FIVE_BODY)
        model.uncertain["rb5.center_of_mass"] = al.MaximumEntropyCenterOfMass(ball=0.1)
        # uniform in a ball: the variance of a coordinate is R²/5
        self.assertAlmostEqual(model.uncertain["rb5.center_of_mass.x"].std, 0.1 / math.sqrt(5), 12)
        model.uncertain["rb5.inertia"] = al.MaximumEntropyInertia(-20, -20, z_max={"multiple": 3})
        del model.uncertain["rb5.mass"]
        self.assertNotIn("rb5.mass", model.uncertain)
        self.assertIn("# The supports", model.text)
        del model.uncertain["rb5.center_of_mass.x"]
        self.assertEqual({q.split(".")[1] for q in model.uncertain}, {"inertia"})
        model.uncertain.clear()
        self.assertEqual(len(model.uncertain), 0)

    def test_text_is_a_model(self):
        self.model.uncertain["k"] = st.norm(100, 5)
        self.assertIn("# A comment that stays.", self.model.text)
        again = al.loads(self.model.text)
        np.testing.assert_array_equal(again.ensemble().draw(5), self.model.ensemble().draw(5))

    def test_flow_style_model(self):
        model = al.loads("{parameters: {k: 100}, bodies: {a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}, joints: {g: {prismatic: "
                         "[ground, a], axis: x, spring: {stiffness: k}}}, outputs: {x: {position: a}}, simulation: {duration: 1, "
                         "step: 0.01}}")
        model.uncertain["k"] = st.norm(100, 5)
        self.assertEqual(list(model.uncertain), ["k"])

    def test_refused(self):
        def put(value, name="k"):
            self.model.uncertain[name] = value
        before = self.model.text
        for value, words in ((st.cauchy(100), "no variance"), (st.t(1), "no variance"), (ot.Student(1), "no variance"),
                             (np.full(5, 3.0), "without scatter"), ([1, math.nan], "finite"), ([1], "at least two"),
                             (st.poisson(3), "discrete"), ({"normal": {"sdt": 1}}, "did you mean 'std'"), ({}, ""),
                             ({"normal": {"std": -1}}, "positive"), ({"cdf": [[0, 0], [1, 0.5]]}, "end with 1"),
                             (al.MaximumEntropyMass(cov=0.3), "")):
            with self.subTest(str(value)):
                self.assertIn(words, self.message(al.InputError, put, value))
        self.assertIn("0.7071", self.message(al.InputError, put, al.MaximumEntropyMass(cov=0.8), "a.mass"))
        self.assertIn("make it a parameter", self.message(al.InputError, put, st.norm(1, 0.1), "a.mass"))
        self.assertIn("did you mean 'k'", self.message(al.InputError, put, st.norm(1, 0.1), "kk"))
        self.assertIn("not str", self.message(TypeError, put, "normal"))
        self.assertEqual(self.model.text, before)
        self.message(KeyError, self.model.uncertain.__delitem__, "d")

    def test_study_with_it_can_be_resumed_and_rerun(self):
        self.model.uncertain["k"] = np.linspace(80, 120, 30)
        result = self.model.study(samples=20).run(self.path("out"))
        self.program("rerun", self.path("out"), "3")
        np.testing.assert_array_equal(al.resume(self.path("out")).Y, result.Y)


class Report(Case):
    def test_page_of_a_model(self):
        oscillator.report(self.path("model.html"))
        self.assertGreater(os.path.getsize(self.path("model.html")), 100000)
        self.assertIn("<iframe srcdoc=", oscillator._repr_html_())


if __name__ == "__main__":
    unittest.main()
