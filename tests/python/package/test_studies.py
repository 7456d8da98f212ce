"""Studies from Python: the bits of the command line, interruptions, results from memory and from disk."""

import os
import signal
import stat
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

import aleator as al
from support import FIVE_BODY, OSCILLATOR, Case, checksum, oscillator, responses_in


class SameBits(Case):
    def test_every_method(self):
        file = self.model_file()
        model = al.load(file)
        for method in al.methods():
            # Of a random field of a beam, and this model has none; a tail takes hundreds of realizations.
            if method in ("variability", "enhanced-monte-carlo"):
                continue
            with self.subTest(method):
                self.program("run", file, "--method", method, "-o", f"cli-{method}", "--no-report")
                theirs = responses_in(self.path(f"cli-{method}", "results.h5"))
                result = model.study(method=method).run(self.path(f"py-{method}"))
                in_memory = model.study(method=method).run()
                self.assertEqual(set(theirs), {"x", "v"})
                for output, values in theirs.items():
                    self.assertEqual(checksum(result.response(output)), checksum(values))
                    self.assertEqual(checksum(in_memory.response(output)), checksum(values))
                mean = al.open(self.path(f"cli-{method}")).array("x", "mean")
                np.testing.assert_array_equal(result.array("x", "mean"), mean)

    def test_rare_events(self):
        model = al.load(self.model_file())
        self.assertIsNone(model.study(samples=20).run().reliability)
        for method in ("subset-simulation", "form"):
            with self.subTest(method):
                result = model.study(method=method, samples=200).run(self.path(method))
                found = result.reliability
                self.assertEqual(found.method, method)
                self.assertEqual(list(found.probabilities)[-1], "any")
                p = found.probabilities["any"]
                self.assertTrue(0 <= p.lower <= p.probability <= p.upper <= 1, p)
                there = al.open(self.path(method)).reliability.probabilities["any"]
                self.assertEqual(there[3:], p[3:])  # the value of "any" is not a number
                self.assertIn(method, repr(found))
        self.assertEqual(len(found.design_points[0].importance), 2)  # stiffness and mass

    def test_threads(self):
        sums = {checksum(al.load(FIVE_BODY).study(samples=100).run(threads=n).Y) for n in (1, 2)}
        self.assertEqual(len(sums), 1)


    def test_more_threads_than_cores(self):
        """They are no reason for warnings of libraries."""
        script = f"import support; print(support.oscillator.study().run(threads={3 * os.cpu_count()}).done)"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False,
                              cwd=os.path.dirname(os.path.abspath(__file__)))
        self.assertEqual((done.stdout, done.stderr), ("64\n", ""))


class Keywords(Case):
    def test_are_those_of_the_model(self):
        study = oscillator.study(method="latin-hypercube", samples=32)
        self.assertEqual((study.method, study.samples, study.seed), ("latin-hypercube", 32, 5))  # the seed is the model's
        self.assertEqual(oscillator.study().samples, 64)
        self.assertEqual(oscillator.study(accuracy={"x": 0.05}, budget="1 min").samples, 100000)
        oscillator.study(method="polynomial-chaos", chaos={"coefficients": "sparse", "order": np.int64(3)})

    def test_refused(self):
        def says(words, **settings):
            with self.assertRaises(al.InputError) as caught:
                oscillator.study(**settings)
            self.assertIn(words, str(caught.exception))
            self.assertEqual(caught.exception.line, 0)
        says("did you mean 'samples'", sampels=3)
        says("did you mean 'sobol'", method="sobl")
        says("positive", samples=-1)
        says("", samples=2.5)
        says("finite", confidence=float("nan"))
        says("None", seed=None)
        says("did you mean 'order'", chaos={"oder": 3})
        self.message(TypeError, oscillator.study, samples=object())
        study = oscillator.study(samples=8)
        self.assertIn("a whole number, found 'two'", self.message(TypeError, study.run, threads="two"))
        self.message(ValueError, study.run, threads=-1)
        self.assertIn("or a function, found 3", self.message(TypeError, study.run, progress=3))

    def test_nothing_uncertain(self):
        model = al.loads(OSCILLATOR, {"k": 90, "a.mass": 2})
        self.assertIn("nothing is uncertain", self.message(al.InputError, model.study().run))


class Results(Case):
    @classmethod
    def setUpClass(cls):
        cls.result = oscillator.study(sensitivity=True, samples=200).run()

    def test_labels(self):
        s = self.result.statistics["x"]
        self.assertEqual(s["mean"].dims, ("time",))
        self.assertTrue({"mean", "std", "lower", "upper", "mean_error", "std_error", "lower_error", "upper_error"} <= set(s))
        self.assertEqual((s.attrs["units"], s["time"].attrs["units"]), ("m", "s"))
        r = self.result.responses["x"]
        self.assertEqual(r.dims, ("sample", "time"))
        np.testing.assert_array_equal(r.sel(sample=7), self.result.Y[7, :, 0])
        np.testing.assert_allclose(r.mean("sample"), s["mean"], rtol=1e-12)
        frame = self.result.inputs
        self.assertEqual(list(frame.columns), ["k", "a.mass"])
        np.testing.assert_array_equal(frame.to_numpy(), self.result.X)
        sobol = self.result.sobol["x"]
        self.assertEqual(sobol["first"].dims, ("quantity", "time"))
        self.assertEqual(list(sobol["quantity"].values), ["k", "a.mass"])
        self.assertTrue({"total", "first_error", "total_error", "total_integrated"} <= set(sobol))
        self.assertEqual(self.result.scalars["peak"].values.shape, (200,))
        self.assertEqual((self.result.outcome, self.result.done, self.result.failures), ("complete", 200, []))

    def test_views(self):
        y, x = self.result.Y, self.result.X
        for array in (y, x, self.result.time, self.result.array("x", "mean"), self.result.response("x")):
            self.assertFalse(array.flags.writeable)
            self.assertFalse(array.flags.owndata)
            with self.assertRaises(ValueError):
                array[0] = 1
        self.assertEqual(y.ctypes.data, self.result.Y.ctypes.data)  # not a copy
        self.assertTrue(np.shares_memory(self.result.responses["x"].values, y))

    def test_arrays_outlive_the_result(self):
        result = oscillator.study(samples=16).run()
        y, mean = result.Y, result.array("x", "mean")
        before = (checksum(y), checksum(mean))
        result.close()
        del result
        junk = [np.ones(100000) for _ in range(50)]
        self.assertEqual((checksum(y), checksum(mean)), before)
        del junk

    def test_closed(self):
        with oscillator.study(samples=16).run() as result:
            self.assertEqual(result.done, 16)
        self.assertIn("closed", self.message(ValueError, lambda: result.Y))
        self.assertIn("closed", self.message(ValueError, lambda: result.statistics["x"]))
        self.assertIn("closed", repr(result))
        result._repr_html_()

    def test_unknown_names(self):
        r = self.result
        self.assertIn("known: x, v", self.message(KeyError, lambda: r.statistics["accel"]))
        self.message(KeyError, r.array, "x", "median")
        self.message(KeyError, r.plot, "y")
        self.message(KeyError, r.probability, "y", above=1)
        self.message(TypeError, r.probability, "x")
        no_sobol = oscillator.study(samples=16).run()
        self.assertIn("sensitivity=True", self.message(ValueError, lambda: no_sobol.sobol))

    def test_probability(self):
        limit = self.result.limits[0]
        self.assertEqual(self.result.probability("x", above=0.08), limit.ever)
        self.assertGreaterEqual(limit.ever.value, (self.result.response("x").max(axis=1) > 0.08).mean())  # between output times, too
        self.assertEqual(self.result.probability("v", below=0, at=0).value, 0)
        at_end = self.result.probability("x", above=0.08, at=0.2)
        self.assertEqual(at_end.value, limit.probability[10])
        morris = oscillator.study(method="morris").run()
        self.assertIn("no sample", self.message(ValueError, morris.probability, "x", above=0.07))

    def test_none_of_them_is_not_certain(self):
        never = self.result.probability("x", above=99)
        self.assertEqual(never.value, 0)
        self.assertEqual(never.lower, 0)
        self.assertAlmostEqual(never.upper, 1 - 0.025 ** (1 / self.result.done), 12)
        self.assertTrue(repr(never).startswith("0, below 0.0"))
        p = self.result.probability("x", above=0.08)
        self.assertTrue(p.lower < p.value < p.upper)
        self.assertEqual((p.lower, p.upper), (self.result.limits[0].ever.lower, self.result.limits[0].ever.upper))

    def test_limits_of_scalars(self):
        result = al.loads(OSCILLATOR.replace("scalars:\n", "scalars:\n  given: {value: 3, unit: N, limits: {above: 2, below: 1}}\n")).study(samples=20).run()
        above, below = result.limits[-2:]
        self.assertEqual((above.name, above.scalar, above.output), ("given.above", "given", ""))
        self.assertEqual((above.ever.value, below.ever.value), (1, 0))
        self.assertEqual(len(above.probability), 0)
        self.assertGreater(above.ever.lower, 0.8)
        self.assertEqual(result.scalars["given"].output, "")

    def test_other_thresholds_are_counted_as_limits(self):
        """Bitwise what the study says of the same value in `limits:`, between output times and with the error of its design."""
        for method in ("monte-carlo", "sobol", "latin-hypercube"):
            free = oscillator.study(method=method, samples=256).run(self.path(method))
            read = al.open(self.path(method))
            differs = 0
            for value in (0.0785, 0.0801, 0.083, 0.2):
                model = al.loads(OSCILLATOR.replace("above: 0.08", f"above: {value}").replace(
                    "component: x}\nscalars", "component: x, limits: {below: -0.4}}\nscalars"))
                limited = model.study(method=method, samples=256).run()
                above, below = limited.limits
                with self.subTest(method=method, value=value):
                    for result in (free, read):
                        self.assertEqual(result.probability("x", above=value), above.ever)
                        self.assertEqual(result.probability("v", below=-0.4), below.ever)
                        self.assertEqual(result.probability("x", above=value, at=0.14), (above.probability[7], above.error[7]))
                differs += above.ever.value > (free.response("x").max(axis=1) > value).mean()
            self.assertGreater(differs, 0)  # some pass between two output times alone
        self.message(ValueError, free.probability, "x", above=float("nan"))

    def test_poses(self):
        run = oscillator.study().run(self.path("poses"))
        for result in (run, al.open(self.path("poses"))):
            poses = result.poses
            self.assertEqual(result.bodies, ["a"])
            self.assertEqual(poses["nominal"].dims, ("time", "body", "pose"))
            self.assertEqual(poses["realizations"].dims, ("sample", "time", "body", "pose"))
            self.assertEqual(list(poses["pose"].values), ["x", "y", "z", "qw", "qx", "qy", "qz"])
            self.assertEqual(list(poses["sample"].values), list(range(16)))
            moved = poses["realizations"].sel(body="a", pose="x")
            np.testing.assert_array_equal(moved, result.responses["x"].sel(sample=poses["sample"]))
            np.testing.assert_array_equal(poses["nominal"].sel(body="a", pose="x"), result.array("x", "nominal"))
            np.testing.assert_array_equal(poses["nominal"].sel(body="a", pose="qw"), 1)  # it does not turn
            self.assertTrue(np.shares_memory(poses["nominal"].values, result.pose_array()))
            self.assertFalse(result.pose_array("realizations").flags.writeable)
        self.message(KeyError, run.pose_array, "mean")
        run.close()
        self.assertIn("closed", self.message(ValueError, lambda: run.poses))

    def test_spectra(self):
        text = OSCILLATOR.replace("limits: {above: 0.08}", "spectrum: {segment: 0.2}")
        run = al.loads(text).study(samples=8).run(self.path("out"))
        for result in (run, al.open(self.path("out"))):
            self.assertEqual(list(result.spectra), ["x"])
            s = result.spectra["x"]
            self.assertEqual((s.unit, s.segment, s.segments), ("m²/Hz", 0.2, 3))
            np.testing.assert_allclose(s.frequency, [5, 10, 15, 20, 25])
            self.assertTrue(np.all((s.lower < s.density) & (s.density < s.upper) & (s.error > 0)))
        self.assertEqual(al.loads(OSCILLATOR).study(samples=2).run().spectra, {})

    def test_from_disk(self):
        run = oscillator.study().run(self.path("out"))
        read = al.open(self.path("out"))
        self.assertTrue(read._on_disk)
        np.testing.assert_array_equal(read.response("v"), run.response("v"))
        self.assertTrue(read._on_disk)  # one output was read, no more
        np.testing.assert_array_equal(read.Y, run.Y)
        np.testing.assert_array_equal(read.X, run.X)
        self.assertEqual(read.scalars["peak"].mean, run.scalars["peak"].mean)
        self.message(al.ReadError, al.open, self.path("nothing"))
        with open(self.path("bad.h5"), "wb") as file:
            file.write(b"no results")
        self.message(al.ReadError, al.open, self.path("bad.h5"))

    def test_statistics_alone(self):
        result = oscillator.study(keep="statistics", samples=50).run()
        self.assertEqual(result.Y.shape[0], 0)
        self.assertIn("only statistics", self.message(ValueError, result.probability, "x", above=0.07))

    def test_failures(self):
        model = al.loads(OSCILLATOR)
        model.uncertain["k"] = {"normal": {"mean": 20, "std": 20}}  # a negative stiffness is no mechanism
        result = model.study(samples=40).run()
        self.assertGreater(len(result.failures), 1)
        f = result.failures[0]
        self.assertTrue(np.isnan(result.Y[f.realization]).all())
        self.assertLess(f.sample[0], 0)
        self.assertTrue(0 <= result.probability("x", above=0.05).value <= 1)

    def test_compare_and_report(self):
        a = oscillator.study(seed=1).run(self.path("a"))
        b = oscillator.study(seed=2).run(self.path("b"))
        comparison = al.compare(a, self.path("b"))
        self.assertEqual(list(comparison.to_pandas().index), ["x", "v", "peak"])
        self.assertIn("x", repr(comparison))
        zero = al.compare(a, a).to_pandas()
        self.assertEqual(zero.loc["x", "mean"], 0)
        self.message(al.ReadError, al.compare, a, self.path("b"), ["y"])
        self.message(ValueError, al.compare, self.result, b)
        a.report(self.path("report.html"), b)
        self.assertGreater(os.path.getsize(self.path("report.html")), 100000)
        self.result.report(self.path("memory.html"))
        page = self.result._repr_html_()
        self.assertIn("<svg", page)
        self.assertIn("peak", page)

    def test_plots(self):
        import matplotlib.colors
        matplotlib.use("Agg")
        ax = self.result.plot("x", realizations=5)
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("time [s]", "x [m]"))
        other = oscillator.study(samples=16).run()
        self.assertIs(other.plot("x", ax, label="other"), ax)
        means = [next(line for line in ax.lines if line.get_label() == name) for name in ("mean", "other: mean")]
        self.assertNotEqual(means[0].get_color(), means[1].get_color())
        for mean, band in zip(means, ax.collections):
            self.assertEqual(matplotlib.colors.to_rgb(mean.get_color()), tuple(band.get_facecolor()[0][:3]))
        ax = self.result.plot_sobol("x")
        self.assertEqual([t.get_text() for t in ax.get_legend().get_texts()], ["k", "a.mass"])
        ax.figure.savefig(self.path("sobol.png"))


class Folders(Case):
    def test_unfinished_study_in_the_way(self):
        self.assertIn("there is no such folder", self.message(al.ReadError, al.resume, self.path("nothing")))

    @unittest.skipIf(os.geteuid() == 0 and not os.path.exists("/usr/bin/setpriv"), "root writes everywhere")
    def test_read_only_folder(self):
        folder = self.path("closed")
        os.mkdir(folder)
        os.chmod(folder, stat.S_IRUSR | stat.S_IXUSR)
        os.chmod(self.folder, 0o755)
        script = ("import aleator as al, support, sys\ntry:\n  support.oscillator.study(samples=8).run(sys.argv[1] + '/out')\n"
                  "except al.WriteError as e:\n  print(e.path, '|', e.reason)\n")
        drop = ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        done = subprocess.run(drop + [sys.executable, "-c", script, folder], capture_output=True, text=True, check=False,
                              cwd=os.path.dirname(os.path.abspath(__file__)))
        self.assertIn("Permission denied", done.stdout, done.stderr)


class Interruptions(Case):
    SCRIPT = ("import aleator as al, sys, time\n"
              "model = al.load(sys.argv[1])\n"
              "study = model.study(samples=int(sys.argv[3]))\n"
              "print('ready', flush=True)\n"
              "r = study.run(sys.argv[2], threads=1, progress=lambda p: print('going', flush=True))\n"
              "print('ended', r.outcome, r.done, flush=True)\n")

    def test_ctrl_c_and_resume(self):
        for _ in range(3):  # a quick machine may have finished before it is interrupted
            child = subprocess.Popen([sys.executable, "-c", self.SCRIPT, FIVE_BODY, self.path("out"), "12000"], stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True)
            while "going" not in child.stdout.readline():
                self.assertIsNone(child.poll())
            child.send_signal(signal.SIGINT)
            sent = time.monotonic()
            for line in child.stdout:
                if line.startswith("ended"):
                    break
            took = time.monotonic() - sent
            said = child.stderr.read()
            child.wait()
            child.stdout.close()
            child.stderr.close()
            if "interrupted" in line:
                break
        self.assertIn("interrupted", line, said)
        self.assertIn("aleator.resume(", said)
        self.assertLess(took, 0.5 * float(os.environ.get("ALEATOR_SLOW", "4")))  # other tests share the machine
        part = al.open(self.path("out"))
        self.assertEqual(part.outcome, "interrupted")
        rest = al.resume(self.path("out"))
        whole = al.load(FIVE_BODY).study(samples=12000).run()
        self.assertEqual(rest.outcome, "complete")
        self.assertEqual(checksum(rest.Y), checksum(whole.Y))

    def test_resume_of_a_model_that_was_changed(self):
        """Its file never had this distribution."""
        model = al.load(FIVE_BODY)
        model.uncertain["rb5.mass"] = al.MaximumEntropyMass(cov=0.1)
        study = model.study(samples=4000)
        def stop(_):
            raise KeyboardInterrupt
        part = study.run(self.path("out"), threads=1, progress=stop)
        rest = al.resume(self.path("out"))
        self.assertEqual((part.outcome, rest.outcome), ("interrupted", "complete"))
        self.assertEqual(checksum(rest.Y), checksum(study.run().Y))

    def test_exception_in_a_callback_ends_it(self):
        def stop(_):
            raise RuntimeError("enough")
        self.assertEqual(self.message(RuntimeError, al.load(FIVE_BODY).study(samples=50000).run, progress=stop), "enough")

    def test_progress(self):
        told = []
        al.load(FIVE_BODY).study(samples=4000).run(threads=1, progress=told.append)
        self.assertGreater(len(told), 0)
        self.assertTrue(0 < told[-1].done <= told[-1].planned == 4000)


class Threads(Case):
    def test_two_models_at_once(self):
        models = [oscillator, al.load(FIVE_BODY)]
        alone = [checksum(m.study(samples=2000).run(threads=1).Y) for m in models]
        sums, turns = {}, []
        def work(k):
            sums[k] = checksum(models[k].study(samples=2000).run(threads=1).Y)
        threads = [threading.Thread(target=work, args=(k,)) for k in (0, 1)]
        for t in threads:
            t.start()
        while any(t.is_alive() for t in threads):
            turns.append(1)  # the interpreter goes on meanwhile
            time.sleep(0.001)
        self.assertEqual([sums[0], sums[1]], alone)
        self.assertGreater(len(turns), 3)


if __name__ == "__main__":
    unittest.main()
