"""What is written about the package is so: examples in docstrings and in the guide, scripts, the notebook, types."""

import doctest
import glob
import importlib
import os
import re
import runpy
import subprocess
import sys
import unittest
import unittest.mock
import warnings

import aleator
from support import ROOT, Case

EXAMPLES = os.path.join(ROOT, "examples", "python")


class Docstrings(unittest.TestCase):
    def test_examples(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(ROOT)
        tried = 0
        for name in ["aleator"] + [f"aleator.{m}" for m in ("_model", "_study", "_forward", "_result", "_distributions", "_identify")]:
            failed, attempted = doctest.testmod(importlib.import_module(name))
            self.assertEqual(failed, 0, name)
            tried += attempted
        self.assertGreater(tried, 20)

    def test_everything_public_is_explained(self):
        for name in aleator.__all__:
            self.assertTrue(getattr(aleator, name).__doc__, name)


class Guide(Case):
    def test_code_blocks_run(self):
        """Those of docs/python.md, one after the other; blocks marked `text` are not."""
        with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as file:
            blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
        self.assertGreater(len(blocks), 8)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        os.symlink(os.path.join(ROOT, "examples"), "examples")
        import matplotlib
        matplotlib.use("Agg")
        names = {}
        for k, block in enumerate(blocks):
            with self.subTest(block=k), warnings.catch_warnings():
                exec(compile(block, f"docs/python.md, block {k + 1}", "exec"), names)  # pylint: disable=exec-used

    def test_readme(self):
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
        self.assertEqual(len(blocks), 1)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        os.symlink(os.path.join(ROOT, "examples"), "examples")
        import matplotlib
        matplotlib.use("Agg")
        exec(compile(blocks[0], "README.md", "exec"), {})  # pylint: disable=exec-used


class Scripts(Case):
    def test_run(self):
        scripts = sorted(glob.glob(os.path.join(EXAMPLES, "*.py")))
        self.assertGreaterEqual(len(scripts), 5)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for script in scripts:
            with self.subTest(os.path.basename(script)):
                said = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, env={**os.environ, "MPLBACKEND": "Agg"})
                self.assertEqual(said.returncode, 0, said.stderr)
                self.assertTrue(said.stdout)


class Notebook(Case):
    def test_runs(self):
        import nbclient
        import nbformat
        notebook = nbformat.read(os.path.join(EXAMPLES, "five-body.ipynb"), as_version=4)
        for cell in notebook.cells:
            self.assertFalse(cell.get("outputs"), "the notebook is kept without outputs")
        # Other tests share the machine; should the kernel die, it says where it was.
        with unittest.mock.patch.dict(os.environ, {"PYTHONFAULTHANDLER": "1"}):
            nbclient.NotebookClient(notebook, timeout=600, startup_timeout=300, kernel_name="python3",
                                    resources={"metadata": {"path": EXAMPLES}}).execute()
        shown = [o for c in notebook.cells for o in c.get("outputs", [])]
        kinds = {kind for o in shown for kind in o.get("data", {})}
        self.assertTrue({"text/html", "image/png"} <= kinds)
        target = os.environ.get("ALEATOR_NOTEBOOK")
        if target:
            nbformat.write(notebook, target)


class Types(unittest.TestCase):
    def test_mypy(self):
        done = subprocess.run(["mypy", "--config-file", os.path.join(ROOT, "python", "mypy.ini"), "--cache-dir", os.devnull, "-p", "aleator"],
                              capture_output=True, text=True, check=False,
                              env={**os.environ, "MYPYPATH": os.path.join(ROOT, "python"), "PYTHONPATH": ""})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_stub_is_the_module(self):
        """Every name of the module is in the stub, and the other way round."""
        with open(os.path.join(ROOT, "python", "aleator", "_aleator.pyi"), encoding="utf-8") as file:
            stub = file.read()
        written = set(re.findall(r"^(?:def|class) (\w+)", stub, re.M))
        module = {n for n in dir(aleator._aleator) if not n.startswith("_")}
        self.assertEqual(written, module)


if __name__ == "__main__":
    unittest.main()
