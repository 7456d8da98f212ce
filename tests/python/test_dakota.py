"""`aleator dakota` as Dakota starts it: with the files of examples/dakota, whose decks name what the model has."""

import os
import re
import subprocess
import unittest

from studies import PROGRAM, Folder

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(ROOT, "examples")
SET = """\
{count} variables
{variables}
1 functions
{request} ASV_1:{response}
{count} derivative_variables
{derivatives}
0 analysis_components
{identifier} eval_id
"""


def parameters(values, response="peak", request=1, identifier="1"):
    return SET.format(count=len(values), variables="\n".join(f"{v} {n}" for n, v in values.items()), request=request, response=response,
                      derivatives="\n".join(f"{i + 1} DVV_{i + 1}:{n}" for i, n in enumerate(values)), identifier=identifier)


class Dakota(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)
        self.at = os.path.dirname(self.folder.model)

    def path(self, name):
        return os.path.join(self.at, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as f:
            return f.read()

    def drive(self, *arguments, model=None):
        return subprocess.run([PROGRAM, "dakota", model or self.folder.model, *arguments], capture_output=True, text=True, cwd=self.at,
                              check=False)

    def test_the_example(self):
        model = os.path.join(EXAMPLES, "five-body.yaml")
        done = self.drive(os.path.join(EXAMPLES, "dakota", "params.in"), "results.out", model=model)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        number = r" *-?\d\.\d{16}e[+-]\d\d"
        self.assertRegex(self.read("results.out"), rf"^#\n{number} peak\n{number} accel_z@0.02\n\[( {number}){{2}} \]\n"
                                                   rf"#\n{number} peak\n{number} accel_z@0.02\n$")

    def test_the_decks_name_what_the_model_has(self):
        for deck in ("dakota.in", "gradients.in"):
            with open(os.path.join(EXAMPLES, "dakota", deck), encoding="utf-8") as f:
                text = f.read()
            variables, responses = text.split("interface\n")
            names = re.findall(r"descriptors\s+'([^']+)'", variables)
            self.assertTrue(names)
            for response in re.findall(r"'([^']+)'", responses.split("descriptors =")[1]):
                self.write("params.in", parameters({n: 40 if n == "rb5.mass" else 0.1 for n in names}, response))
                done = self.drive("params.in", "results.out", model=os.path.join(EXAMPLES, "five-body.yaml"))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("analysis_drivers = 'aleator dakota ../five-body.yaml'", text)

    def test_values_are_those_of_simulate(self):
        self.write("params.in", parameters({"k": 90, "a.mass": 1.5}, "x@0.4"))
        self.assertEqual(self.drive("params.in", "results.out").returncode, 0)
        printed = subprocess.run([PROGRAM, "simulate", self.folder.model, "--csv", "-", "--set", "k=90", "--set", "a.mass=1.5"],
                                 capture_output=True, text=True, cwd=self.at, check=True).stdout.strip().splitlines()
        x = float(printed[-1].split(",")[printed[0].split(",").index("x")])
        # Lanes fuse multiplications and additions, a single simulation does not.
        self.assertAlmostEqual(float(self.read("results.out").split()[0]), x, delta=1e-13)

    def test_several_pairs_are_as_each_alone(self):
        for i in range(5):
            self.write(f"params.{i}", parameters({"k": 90 + i, "a.mass": 1}, request=3, identifier=str(i)))
        pairs = [f"{kind}.{i}" for i in range(5) for kind in ("params", "together")]
        self.assertEqual(self.drive(*pairs).returncode, 0)
        for i in range(5):
            self.assertEqual(self.drive(f"params.{i}", f"alone.{i}").returncode, 0)
            self.assertEqual(self.read(f"alone.{i}"), self.read(f"together.{i}"))

    def test_failures_are_captured(self):
        self.write("params.in", parameters({"k": 100, "a.mass": -1}, identifier="3") + parameters({"k": 100, "a.mass": 1}))
        done = self.drive("params.in", "results.out")
        self.assertEqual(done.returncode, 0)
        self.assertIn("evaluation 3 failed", done.stderr)
        _, first, second = self.read("results.out").split("#\n")
        self.assertTrue(first.startswith("FAIL "))
        self.assertTrue(second.endswith(" peak\n"))

    def test_mistakes_write_nothing(self):
        for text, words in ((parameters({"k": 100, "mass": 1}), "'mass' cannot be an input"),
                            (parameters({"k": 100}, "response_fn_1"), "no output 'response_fn_1' (scalars: peak; outputs: x, p.x"),
                            (parameters({"k": "steel"}), "params.in:2:1: variable 'k' has the value 'steel'"), ("", "is empty")):
            self.write("params.in", text)
            done = self.drive("params.in", "results.out")
            self.assertEqual(done.returncode, 3)
            self.assertIn(words, done.stderr)
            self.assertFalse(os.path.exists(self.path("results.out")))
        self.assertEqual(self.drive("nowhere.in", "results.out").returncode, 3)
        self.assertEqual(self.drive("params.in").returncode, 2)
        self.write("params.in", parameters({"k": 100}))
        self.assertEqual(self.drive("params.in", "nowhere/results.out").returncode, 6)


if __name__ == "__main__":
    unittest.main()
