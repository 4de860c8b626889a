from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.run.runs import UPDATES, fake_run

from distrl.bench.results import make
from distrl.bench.results.make import Workshop, train_apart
from distrl.bench.results.plan import EVALUATIONS, Planned, plan
from distrl.collect.evaluation.evaluate import Progress, Report, evaluate_policy
from distrl.config import load_run_config
from distrl.config.devices import PhoneConfig
from distrl.errors import ConfigError, PipelineError
from distrl.policies.pointer.policy import PointerPolicy
from distrl.run.state.folder import RunFolder
from distrl.types import Task


class Trainer:
    """Makes runs without training, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, words: Sequence[str], log: Path) -> None:
        self.asked.append(list(words))
        _, root, _, recipe, *settings = words
        fake_run(Path(root), load_run_config(recipe, settings))


def quiet(line: str) -> None:
    """Tell nobody."""


def planned(name: str) -> Planned:
    (row,) = plan((0,), [name], quick=True)
    return row


def test_a_trained_row_is_evaluated_in_every_way_and_counted(tmp_path: Path) -> None:
    told: list[str] = []
    trainer = Trainer()
    row = planned("quickstart")
    result = Workshop(tmp_path, told.append, train=trainer).make(row)
    root = str(tmp_path / "quickstart-seed0")
    assert trainer.asked == [["--run-dir", root, "--recipe", "quickstart", *row.settings]]
    assert [(e.split, e.without) for e in result.evaluations] == list(EVALUATIONS)
    assert all(e.figures.episodes == 2 for e in result.evaluations)
    effort = result.effort
    assert (effort.minutes, effort.minutes_in_all) == (1.5, 2.0)
    assert (effort.episodes, effort.steps, effort.updates) == (2, 6, UPDATES)
    assert (result.name, result.suite, result.quick) == ("quickstart-seed0", "general", True)
    assert any("general/test without pixels: success" in line for line in told)


def test_senses_are_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[bool, bool]] = []

    def evaluate(
        policy: PointerPolicy,
        tasks: Sequence[Task],
        *,
        phone: PhoneConfig,
        progress: Progress | None,
    ) -> Report:
        seen.append((policy._preparer._pixels, phone.elements))
        return evaluate_policy(policy, tasks, phone=phone, progress=progress)

    monkeypatch.setattr(make, "evaluate_policy", evaluate)
    Workshop(tmp_path, quiet, train=Trainer()).make(planned("quickstart"))
    assert seen == [(True, True), (True, True), (False, True), (True, False)]


def test_a_run_that_has_ended_is_not_trained_again_unless_asked(tmp_path: Path) -> None:
    trainer = Trainer()
    workshop = Workshop(tmp_path, quiet, train=trainer)
    first = workshop.make(planned("quickstart"))
    assert workshop.make(planned("quickstart")) == first
    assert len(trainer.asked) == 1
    workshop.make(planned("quickstart"), again=True)
    assert len(trainer.asked) == 2


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    def stopped(words: Sequence[str], log: Path) -> None:
        Trainer()(words, log)
        RunFolder(Path(words[1])).note({"seconds": 1.0, "phases": {}})
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Workshop(tmp_path, quiet, train=stopped).make(planned("quickstart"))

    def goes_on(words: Sequence[str], log: Path) -> None:
        assert words[2:] == ["--resume"]
        RunFolder(Path(words[1])).note({"seconds": 2.0, "phases": {}, "after": {}})

    result = Workshop(tmp_path, quiet, train=goes_on).make(planned("quickstart"))
    assert result.effort.minutes == pytest.approx(2.0 / 60.0)


def test_a_run_of_other_code_is_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop = Workshop(tmp_path, quiet, train=Trainer())
    workshop.make(planned("quickstart"))
    monkeypatch.setattr("distrl.run.state.provenance._digest", lambda: "another")
    with pytest.raises(ConfigError, match=r"begun by other code .*--again starts over"):
        workshop.make(planned("quickstart"))
    assert workshop.make(planned("quickstart"), again=True).code.digest == "another"


def test_a_run_of_other_settings_is_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop = Workshop(tmp_path, quiet, train=Trainer())
    workshop.make(planned("quickstart"))
    monkeypatch.setattr("distrl.bench.results.plan.QUICK", ("minutes=3",))
    with pytest.raises(ConfigError, match="begun with other settings; --again starts over"):
        workshop.make(planned("quickstart"))


def test_somebody_else_s_folder_is_never_removed(tmp_path: Path) -> None:
    precious = tmp_path / "quickstart-seed0" / "precious"
    precious.parent.mkdir()
    precious.touch()
    with pytest.raises(ConfigError, match="was not made by this command"):
        Workshop(tmp_path, quiet, train=Trainer()).make(planned("quickstart"), again=True)
    assert precious.exists()


def test_a_cloned_row_is_made_without_a_run(tmp_path: Path) -> None:
    trainer = Trainer()
    result = Workshop(tmp_path, quiet, train=trainer).make(planned("cloning"))
    assert trainer.asked == []
    assert result.effort.updates == 2
    assert result.effort.minutes > 0.0
    assert result.effort.episodes is None
    assert [e.figures.episodes for e in result.evaluations] == [2, 2, 2, 2]


def test_a_run_that_fails_is_told_with_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match=r"(?s)the run ended with code 2.*did you mean"):
        train_apart(["--recipe", "quickstrat"], tmp_path / "log")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_real_run_becomes_a_row(tmp_path: Path) -> None:
    result = Workshop(tmp_path, quiet).make(planned("quickstart"))
    assert result.effort.episodes == 16
    assert result.effort.updates > 0
    assert len(result.evaluations) == 4
