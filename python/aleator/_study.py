"""Studies: how the uncertainty of a model propagates to its motion."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Optional

from . import _aleator
from ._common import PathLike, as_text, input_error, thread_count
from ._progress import Watch, Watcher
from ._result import Result, finished


class Study:
    """What is asked of a model. Made by Model.study(); it keeps the model as it was then."""

    def __init__(self, model: _aleator.Model, study: _aleator.Study) -> None:
        self._model = model
        self._study = study

    @property
    def method(self) -> str:
        return self._study.method

    @property
    def samples(self) -> int:
        return self._study.samples

    @property
    def seed(self) -> int:
        return self._study.seed

    def run(self, folder: Optional[PathLike] = None, threads: int = 0, progress: Watch = None, *, resume: bool = False,
            overwrite: bool = False, isa: str = "", device: str = "") -> Result:
        """Runs the study; results are written into the folder (results.h5), or stay in memory.

        threads 0: all. progress None: a bar where somebody sees it; or True, False, or a function of a Progress.
        Ctrl-C ends it early: the result then has what was finished, and with a folder aleator.resume() continues it.
        An unfinished study in the folder is continued by resume=True and dropped by overwrite=True.
        device "gpu" (or "gpu:1", "auto"): realizations are computed on a GPU, with the same bits.
        """
        with Watcher(progress) as watcher:
            engine, interrupted = _aleator.run_study(
                self._model, self._study, "" if folder is None else os.fspath(folder), thread_count(threads), resume, overwrite, isa,
                device,
                watcher.progress, watcher.note)
        return finished(engine, watcher.notes, interrupted, folder)

    def __repr__(self) -> str:
        size = f"accuracy {self._study.accuracy:g}" if self._study.accuracy > 0 else f"{self.samples} realizations"
        return f"<aleator.Study of '{self._model.title or self._model.file}': {self.method}, {size}, seed {self.seed}>"


def study_of(model: _aleator.Model, settings: Mapping[str, Any]) -> Study:
    for key in settings:
        if settings[key] is None:
            raise input_error(f"study: '{key}' is None", "leave it out, or give a value")
    return Study(model, _aleator.study_of(model, as_text(dict(settings), "study") if settings else ""))


def methods() -> list[str]:
    """The names of all methods.

    >>> import aleator as al
    >>> "sobol" in al.methods()
    True
    """
    return list(_aleator.study_methods())
