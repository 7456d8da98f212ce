"""What aleator_manual writes: man pages that man reads without a warning, completions that bash and zsh obey."""

import glob
import os
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["ALEATOR"]
MANUAL = os.path.join(os.path.dirname(PROGRAM), "aleator_manual")


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = cls.temporary.name
        subprocess.run([MANUAL, cls.folder], check=True)
        cls.pages = sorted(glob.glob(os.path.join(cls.folder, "man", "*.1")))
        # What there is to complete.
        cls.work = os.path.join(cls.folder, "work")
        for name in ("models/pendulum.yaml", "models/notes.txt", "out/results.h5", "out/report.html"):
            path = os.path.join(cls.work, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8"):
                pass

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    # --- man pages

    def test_there_is_a_page_for_every_command(self):
        help_text = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=True).stdout
        names = [line.split()[0] for line in help_text.split("Subcommands:\n")[1].splitlines() if line.startswith("  ")
                 and not line.startswith("   ")]
        self.assertIn("run", names)
        self.assertEqual([os.path.basename(p) for p in self.pages], sorted(["aleator.1"] + [f"aleator-{n}.1" for n in names]))

    def rendered(self, page):
        done = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, check=True,
                              env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"})
        self.assertEqual(done.stderr, "", page)
        return done.stdout

    def test_man_reads_every_page_without_a_warning(self):
        for page in self.pages:
            with self.subTest(page):
                text = self.rendered(page)
                for heading in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "FILES", "SEE ALSO"):
                    self.assertIn("\n" + heading + "\n", text)
                self.assertLessEqual(max(len(line) for line in text.splitlines()), 80)

    def test_a_page_says_what_the_help_says(self):
        text = " ".join(self.rendered(os.path.join(self.folder, "man", "aleator-run.1")).split())
        for words in ("-n, --samples N", "Number of realizations.", "latin-hypercube", "aleator run examples/five-body.yaml -n 2000"):
            self.assertIn(words, text)

    # --- bash

    def bash(self, *words):
        """What is offered for the last of these words."""
        script = f"""source '{self.folder}/completions/aleator.bash'
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _aleator; printf '%s\\n' "${{COMPREPLY[@]}}" """
        done = subprocess.run(["bash", "--norc", "-u", "-c", script, "bash", *words], cwd=self.work, capture_output=True, text=True,
                              check=True)
        self.assertEqual(done.stderr, "")
        return sorted(done.stdout.split())

    def test_bash_completes(self):
        self.assertEqual(self.bash("aleator", "re"), ["report", "rerun", "resume"])
        self.assertIn("compare", self.bash("aleator", ""))
        self.assertEqual(self.bash("aleator", "run", "--sa"), ["--samples"])
        self.assertEqual(self.bash("./aleator", "run", "m.yaml", "--method", "mo"), ["monte-carlo", "morris"][0:1] + ["morris"])
        self.assertEqual(self.bash("aleator", "modes", "--about", ""), ["equilibrium", "rotation", "start", "steady"])
        self.assertEqual(self.bash("aleator", "run", "m.yaml", "-n", ""), [])
        self.assertEqual(self.bash("aleator", "frobnicate", ""), [])

    def test_bash_completes_files_of_the_right_kind(self):
        self.assertEqual(self.bash("aleator", "run", ""), ["models", "out"])
        self.assertEqual(self.bash("aleator", "run", "models/"), ["models/pendulum.yaml"])
        self.assertEqual(self.bash("aleator", "run", "models/pendulum.yaml", ""), [])
        self.assertEqual(self.bash("aleator", "run", "-o", ""), ["models", "out"])
        self.assertEqual(self.bash("aleator", "run", "-n", "20", "models/p"), ["models/pendulum.yaml"])
        self.assertEqual(self.bash("aleator", "plot", "out/"), ["out/results.h5"])
        self.assertEqual(self.bash("aleator", "compare", "out", "out/"), ["out/results.h5"])
        self.assertEqual(self.bash("aleator", "export", "out", "st"), ["statistics"])
        self.assertEqual(self.bash("aleator", "report", "out", "out", "out/"), ["out/results.h5"])
        self.assertEqual(self.bash("aleator", "animate", "models/"), ["models/pendulum.yaml"])

    # --- zsh

    def zsh(self, line):
        """What is offered after this line, by a shell on a terminal of its own."""
        script = f"""
            zmodload zsh/zpty
            zpty shell 'PS1= zsh -f -i'
            send() {{ zpty -w shell "$1" }}
            send 'PS1= PS2= RPS1= TERM=dumb; unsetopt zle_bracketed_paste 2>/dev/null; cd {self.work}'
            send 'fpath=({self.folder}/completions $fpath); autoload -Uz compinit; compinit -u -D'
            send 'zstyle ":completion:*" list-colors ""; LISTMAX=1000; stty cols 200'
            send 'compadd() {{ builtin compadd -O found "$@"; (( $#found )) && print -rl -- "<"$^found">"; builtin compadd "$@" }}'
            send 'bindkey "^I" complete-word; zle -C list list-choices _main_complete; bindkey "^X" list; echo rea""dy'
            zpty -r -m shell text '*ready*'
            zpty -w -n shell {line!r}$'\\C-x'
            sleep 2
            while zpty -r -t shell text; do print -r -- "$text"; done
            zpty -d shell"""
        done = subprocess.run(["zsh", "-f", "-c", script], capture_output=True, text=True, check=False, timeout=60)
        return {part.split(">")[0] for part in done.stdout.split("<")[1:]}

    def test_zsh_reads_its_file(self):
        subprocess.run(["zsh", "-n", os.path.join(self.folder, "completions", "_aleator")], check=True)

    def test_zsh_completes(self):
        self.assertLessEqual({"report", "rerun", "resume"}, self.zsh("aleator re"))
        self.assertLessEqual({"monte-carlo", "morris"}, self.zsh("aleator run m.yaml --method mo"))
        self.assertIn("pendulum.yaml", self.zsh("aleator run models/"))
        self.assertNotIn("notes.txt", self.zsh("aleator run models/"))


if __name__ == "__main__":
    unittest.main()
