"""--json as another program reads it: every object is valid by schema/output.schema.json, alone on the standard output, and has
the numbers that the results file has; docs/json.md has every key."""

import json
import os
import subprocess
import unittest

import h5py
import jsonschema

from studies import OSCILLATOR, PROGRAM, Folder

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
with open(os.path.join(ROOT, "schema", "output.schema.json"), encoding="utf-8") as schema_file:
    SCHEMA = json.load(schema_file)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

IDENTIFICATION = """\
model: model.yaml
data: {specimens: twin, noise: 0.001}
free: {%s}
method: %s
samples: 50
"""

DESIGN = """\
model: model.yaml
choose: {a.mass.cov: {from: 0.05, to: 0.3}}
minimise: 1/a.mass.cov
subject_to: quantile(peak, 0.95) <= 0.2
study: {samples: 50}
evaluations: 8
"""


def aleator(*arguments, cwd=None):
    """Exit code, the object, and what went to the standard error."""
    done = subprocess.run([PROGRAM, *arguments, "--json"], cwd=cwd, capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout), done.stderr


class JsonOutput(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)
        self.model = self.folder.model
        self.cwd = os.path.dirname(self.model)

    def read(self, *arguments, code=0, command=None):
        """The object, valid and of the right kind."""
        found, data, err = aleator(*arguments, cwd=self.cwd)
        self.assertEqual(found, code, err)
        errors = [e.message for e in VALIDATOR.iter_errors(data)]
        kind = "error" if "error" in data else command or arguments[0]
        self.assertEqual([e.message for e in jsonschema.Draft202012Validator(
            {"$ref": "#/$defs/" + kind, "$defs": SCHEMA["$defs"]}).iter_errors(data)], [])
        self.assertEqual(errors, [])
        self.assertEqual(data["format"], f"aleator-{arguments[0]}/1")
        self.assertEqual(data["exit_code"], code)
        return data

    def test_schema_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        self.assertEqual(SCHEMA["$schema"], "https://json-schema.org/draft/2020-12/schema")

    def test_schema_refuses_what_is_not_documented(self):
        data = self.read("check", self.model)
        self.assertFalse(VALIDATOR.is_valid({**data, "more": 1}))
        self.assertFalse(VALIDATOR.is_valid({**data, "format": "aleator-check/2"}))
        del data["bodies"]
        self.assertFalse(VALIDATOR.is_valid(data))

    def test_check(self):
        data = self.read("check", self.model)
        self.assertEqual(data["degrees_of_freedom"], 1)
        self.assertAlmostEqual(data["bodies"][0]["mass"], 1, 14)
        self.assertEqual([o["name"] for o in data["outputs"]], ["x", "p.x", "p.y", "p.z"])
        self.assertEqual([q["name"] for q in data["uncertain"]], ["k", "a.mass"])
        self.assertAlmostEqual(data["uncertain"][0]["numbers"][0]["mean"], 100, 12)
        self.assertEqual(data["study"]["realizations"], 20)

    def test_check_of_every_example(self):
        for name in ("five-body", "slider-crank", "gearbox", "bricard", "top", "pendulum"):
            with self.subTest(name):
                self.read("check", os.path.join(ROOT, "examples", name + ".yaml"))

    def test_modes(self):
        data = self.read("modes", self.model)
        self.assertEqual(data["total"], 1)
        self.assertAlmostEqual(data["modes"][0]["frequency"], 10 / (2 * 3.141592653589793), 6)
        self.assertEqual(data["modes"][0]["kind"], "oscillating")

    def test_modes_over_a_parameter(self):
        data = self.read("modes", self.model, "--over", "k=50..200", "--points", "4", "--orders", "0.1", "-o", "diagram",
                         command="modes_over")
        self.assertEqual(data["values"], [50, 100, 150, 200])
        for k, frequency in zip(data["values"], data["modes"][0]["frequency"]):
            self.assertAlmostEqual(frequency, k**0.5 / (2 * 3.141592653589793), 6)
        # √k = 0.1 k where k is 100
        self.assertEqual(len(data["critical"]), 1)
        self.assertAlmostEqual(data["critical"][0]["value"], 100, 5)
        with h5py.File(os.path.join(self.cwd, data["files"][0])) as results:
            self.assertEqual(list(results["campbell/frequency"][0]), data["modes"][0]["frequency"])
            self.assertEqual(list(results["campbell/value"]), data["values"])

    def test_run(self):
        data = self.read("run", self.model, "-o", "out")
        self.assertEqual((data["realizations"], data["failed"], data["seed"]), (20, 0, 5))
        self.assertEqual(data["files"], ["out/results.h5", "out/report.html"])
        with h5py.File(os.path.join(self.cwd, "out", "results.h5")) as results:
            times = list(results["time"])
            for output in data["outputs"]:
                group = results["statistics"][output["name"]]
                at = times.index(output["time"])
                self.assertEqual(group["mean"][at], output["mean"]["value"])
                self.assertEqual(group["std"][at], output["std"]["value"])
                self.assertEqual(max(group["std"]), output["std"]["value"])
        self.assertEqual([s["name"] for s in data["scalars"]], ["peak"])
        self.assertEqual(data["limits"][0]["side"], "above")
        self.assertIsNone(data["sobol"])

    def test_run_with_everything(self):
        data = self.read("run", self.model, "-o", "all", "--sensitivity", "-n", "40", "--no-report")
        self.assertEqual({g["name"] for g in data["sobol"]["outputs"][0]["groups"]}, {"k", "a.mass"})
        self.assertEqual(data["files"], ["all/results.h5"])
        for method in ("polynomial-chaos", "first-order", "univariate-reduction", "morris", "auto", "multilevel"):
            with self.subTest(method):
                self.read("run", self.model, "-o", method, "--method", method, "--no-report")
        self.read("run", self.model, "-o", "accurate", "--accuracy", "20%", "--no-report")

    def test_run_of_a_part(self):
        data = self.read("run", self.model, "-o", "parts", "--part", "1/2")
        self.assertEqual(data["part"], {"number": 1, "of": 2})
        again = self.read("run", self.model, "-o", "parts", "--part", "1/2", "--resume")
        self.assertEqual(len(again["notes"]), 1)

    def test_run_where_nothing_is_uncertain(self):
        data = self.read("run", os.path.join(ROOT, "examples", "pendulum.yaml"), "-o", "nominal", command="nominal_run")
        self.assertEqual(data["method"], "nominal")
        self.assertEqual(data["files"][0], "nominal/nominal.h5")

    def test_run_with_failures(self):
        # Some of these springs are so stiff that the oscillation is too fast for the step.
        text = OSCILLATOR.replace("{uniform: {lower: 80, upper: 120}}", "{uniform: {lower: 80, upper: 3e6}}")
        with open(self.model, "w", encoding="utf-8") as file:
            file.write(text)
        data = self.read("run", self.model, "-o", "out", "--on-failure", "skip", "--no-report", code=5)
        self.assertGreater(data["failed"], 0)
        self.assertEqual(len(data["failures"]), data["failed"])
        self.assertTrue(data["failures"][0]["reason"])

    def test_compare(self):
        self.read("run", self.model, "-o", "a", "--no-report")
        self.read("run", self.model, "-o", "b", "--seed", "7", "-n", "40", "--no-report")
        data = self.read("compare", "a", "b")
        self.assertFalse(data["exceeded"])
        self.assertEqual((data["a"]["realizations"], data["b"]["realizations"]), (20, 40))
        strict = self.read("compare", "a", "b", "--tolerance", "1e-6", code=1)
        self.assertTrue(strict["exceeded"])
        self.assertEqual(strict["outputs"], data["outputs"])

    def test_identify(self):
        subprocess.run([PROGRAM, "twin", self.model, "-n", "8", "--noise", "2%", "-o", "twin"], cwd=self.cwd, check=True,
                       capture_output=True)
        hyper = "a.mass.cov: {from: 0.05, to: 0.3}"
        for method, free in {"maximum-likelihood": hyper, "sweep": hyper, "least-squares": "k: {from: 50, to: 200}"}.items():
            with self.subTest(method):
                text = IDENTIFICATION % (free, method)
                if method == "sweep":
                    text = text.replace("data: {specimens: twin, noise: 0.001}", "places: 3")
                with open(os.path.join(self.cwd, "identify.yaml"), "w", encoding="utf-8") as file:
                    file.write(text)
                code, data, err = aleator("identify", "identify.yaml", "-o", method, "--evaluations", "12", "--no-report",
                                          cwd=self.cwd)
                self.assertIn(code, (0, 1), err)
                self.assertEqual([e.message for e in VALIDATOR.iter_errors(data)], [])
                self.assertEqual(data["exit_code"], code)
                self.assertEqual(data["method"], method)
                self.assertEqual(data["parameters"][0]["name"], free.split(":")[0])
                self.assertTrue(data["verdict"])

    def test_design(self):
        with open(os.path.join(self.cwd, "design.yaml"), "w", encoding="utf-8") as file:
            file.write(DESIGN)
        data = self.read("design", "design.yaml", "-o", "found", "--no-report")
        self.assertTrue(data["verified"], data["verdict"])
        self.assertEqual([p["name"] for p in data["parameters"]], ["a.mass.cov"])
        self.assertIn("found/design.json", data["files"])
        with open(os.path.join(self.cwd, "found", "design.json"), encoding="utf-8") as file:
            written = json.load(file)
        self.assertEqual({k: data[k] for k in written}, written)
        nowhere = DESIGN.replace("<= 0.2", "<= 0.01")
        with open(os.path.join(self.cwd, "design.yaml"), "w", encoding="utf-8") as file:
            file.write(nowhere)
        self.assertFalse(self.read("design", "design.yaml", "-o", "none", "--no-report", code=1)["met"])

    def test_what_cannot_be_printed_is_an_error(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for arguments in (["check", self.model], ["check", "nothing.yaml"]):
                done = subprocess.run([PROGRAM, *arguments, "--json"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(done.returncode, 6)
                self.assertIn("cannot write 'standard output': No space left on device", done.stderr)

    def test_errors(self):
        missing = self.read("check", "nothing.yaml", code=3)
        self.assertEqual(missing["error"]["file"], "nothing.yaml")
        with open(os.path.join(self.cwd, "wrong.yaml"), "w", encoding="utf-8") as file:
            file.write(OSCILLATOR.replace("mass: 1,", "mas: 1,"))
        wrong = self.read("run", "wrong.yaml", code=3)
        self.assertEqual((wrong["error"]["kind"], wrong["error"]["line"]), ("input", 4))
        self.assertIn("mass", wrong["error"]["remedy"])
        self.assertEqual(self.read("run", self.model, "-n", "0", code=2)["error"]["kind"], "usage")
        self.assertEqual(self.read("compare", "a", "b", code=3)["error"]["kind"], "read")
        self.assertEqual(self.read("identify", self.model, code=3)["error"]["kind"], "input")
        self.assertEqual(self.read("design", self.model, code=3)["error"]["kind"], "input")
        os.mkdir(os.path.join(self.cwd, "closed"))
        with open(os.path.join(self.cwd, "closed", "out"), "w", encoding="utf-8"):
            pass
        self.assertEqual(self.read("run", self.model, "-o", "closed/out", code=6)["error"]["kind"], "write")


class Documentation(unittest.TestCase):
    def test_has_every_key(self):
        with open(os.path.join(ROOT, "docs", "json.md"), encoding="utf-8") as file:
            page = file.read()

        def keys(value):
            if isinstance(value, dict):
                yield from value.get("properties", {})
                for element in value.values():
                    yield from keys(element)
            elif isinstance(value, list):
                for element in value:
                    yield from keys(element)

        missing = sorted({k for k in keys(SCHEMA) if f"`{k}`" not in page})
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
