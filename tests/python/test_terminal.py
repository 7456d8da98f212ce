"""The program on a terminal and on a pipe: colours, progress, control characters, help."""

import os
import pty
import re
import select
import signal
import subprocess
import time
import unittest

from studies import OSCILLATOR, PROGRAM, Folder

PROGRESS = re.compile(r"^ *\d+ %  \d+ of \d+ realizations  [\d.e+]+ per second  [\d.]+ (s|min|h) left$")


def environment(**more):
    plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "CLICOLOR_FORCE", "COLUMNS")}
    return {**plain, "TERM": "xterm-256color", **more}


def on_terminal(*arguments, cwd, **more):
    """Exit code and everything that a terminal gets to see."""
    leader, follower = pty.openpty()
    child = subprocess.Popen([PROGRAM, *arguments], cwd=cwd, stdin=follower, stdout=follower, stderr=follower,
                             env=environment(**more))
    os.close(follower)
    seen = b""
    while True:
        ready, _, _ = select.select([leader], [], [], 60)
        try:
            part = os.read(leader, 65536) if ready else b""
        except OSError:  # the other end was closed
            part = b""
        if not part:
            break
        seen += part
    os.close(leader)
    return child.wait(), seen.decode("utf-8", "replace")


class Terminal(unittest.TestCase):
    def setUp(self):
        self.folder = Folder(OSCILLATOR.replace("title: Oscillator", 'title: "Oscill\\e[31mator"'))
        self.addCleanup(self.folder.close)
        self.cwd = os.path.dirname(self.folder.model)

    def test_colours(self):
        self.assertIn("\x1b[1m", on_terminal("check", "model.yaml", cwd=self.cwd)[1])
        self.assertIn("\x1b[1;31maleator: \x1b[0m", on_terminal("simulat", cwd=self.cwd)[1])
        for off in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\x1b", on_terminal("check", "model.yaml", cwd=self.cwd, **off)[1])
        self.assertIn("\x1b[1m", on_terminal("check", "model.yaml", cwd=self.cwd, NO_COLOR="")[1])

    def test_no_colours_on_a_pipe_unless_forced(self):
        for more, wanted in (({}, False), ({"CLICOLOR_FORCE": "1"}, True), ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False)):
            done = subprocess.run([PROGRAM, "check", "model.yaml"], cwd=self.cwd, env=environment(**more), capture_output=True,
                                  check=True)
            self.assertEqual(b"\x1b[1m" in done.stdout, wanted)

    def test_a_title_cannot_command_the_terminal(self):
        for command in (["check", "model.yaml"], ["run", "model.yaml", "--no-report"], ["simulate", "model.yaml"],
                        ["check", "a\x1b[31m.yaml"], ["check", "model.yaml", "--set", "\x1b[31m=1"]):
            code, seen = on_terminal(*command, cwd=self.cwd)
            self.assertNotIn("\x1b[31m", seen, command)
            self.assertIn("?[31m", seen, command)
            self.assertIn(code, (0, 3))

    def test_what_comes_after_the_last_realization_is_named(self):
        seen = on_terminal("run", "model.yaml", cwd=self.cwd)[1]
        for phase in ("computing statistics", "writing the results", "writing the report"):
            self.assertIn(f"100 %  20 of 20 realizations, {phase}", seen)

    def test_help_ends_with_examples(self):
        for flag in ("-h", "--help"):
            text = subprocess.run([PROGRAM, "run", flag], capture_output=True, text=True, check=True).stdout
            self.assertIn("\nExamples:\n  aleator run examples/five-body.yaml\n", text)

    def test_a_short_run_on_a_pipe_says_nothing_of_its_progress(self):
        done = subprocess.run([PROGRAM, "run", "model.yaml", "--no-report"], cwd=self.cwd, capture_output=True, text=True,
                              check=True)
        self.assertEqual(done.stderr, "")


class Progress(unittest.TestCase):
    def setUp(self):
        text = OSCILLATOR.replace("samples: 20", "samples: 90000000, keep: statistics").replace("step: 4e-3", "step: 1e-5")
        self.folder = Folder(text)
        self.addCleanup(self.folder.close)
        self.cwd = os.path.dirname(self.folder.model)

    def test_a_line_every_ten_seconds_on_a_pipe(self):
        start = time.monotonic()
        with subprocess.Popen([PROGRAM, "run", "model.yaml", "-j", "1"], cwd=self.cwd, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as child:
            first = child.stderr.readline()
            took = time.monotonic() - start
            child.send_signal(signal.SIGINT)
            rest = child.communicate()[1]
        self.assertRegex(first.rstrip("\n"), PROGRESS)
        self.assertGreater(took, 9.5)
        self.assertLess(took, 60)
        self.assertNotIn("\r", first + rest)
        self.assertNotIn("\x1b", first + rest)
        self.assertEqual(child.returncode, 130)

    def test_one_line_on_a_terminal_however_narrow(self):
        leader, follower = pty.openpty()
        with subprocess.Popen([PROGRAM, "run", "model.yaml", "-j", "1"], cwd=self.cwd, stdout=subprocess.DEVNULL, stderr=follower,
                              env=environment(COLUMNS="30")) as child:
            os.close(follower)
            seen, end = b"", time.monotonic() + 60
            while seen.count(b"\r") < 4 and time.monotonic() < end:
                seen += os.read(leader, 65536)
            child.send_signal(signal.SIGINT)
            child.wait()
        os.close(leader)
        lines = [part for part in seen.decode("utf-8", "replace").split("\r") if part.strip()]
        self.assertGreaterEqual(len(lines), 1)
        for line in lines:
            self.assertLess(len(line), 30)
            self.assertIn("%", line)


if __name__ == "__main__":
    unittest.main()
