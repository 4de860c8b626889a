from distrl.config import RunConfig
from distrl.config.load import check
from distrl.run.stages import plan_stages

NEW = {"seconds": 0.0}


def names(config: RunConfig, noted: dict[str, object], *, started: bool = False) -> list[str]:
    return [stage.name for stage in plan_stages(config, noted, started=started)]


def test_a_new_run_is_evaluated_before_and_after() -> None:
    assert names(RunConfig(), dict(NEW)) == [
        "encoding goals and labels",
        "initial weights",
        "evaluating",
        "training",
        "evaluating",
    ]


def test_a_run_whose_budget_is_spent_is_only_evaluated() -> None:
    noted = {"seconds": 400.0, "before": {}}
    assert names(RunConfig(), noted)[2:] == ["evaluating"]


def test_weights_on_the_way_are_evaluated_one_by_one() -> None:
    config = check({"minutes": 10, "evaluate": {"every_minutes": 4}})
    assert names(config, dict(NEW))[4:6] == ["evaluating weights on the way"] * 2


def test_training_is_expected_to_take_its_minutes_and_without_them_nobody_knows() -> None:
    def training(config: RunConfig) -> float | None:
        stages = plan_stages(config, NEW, started=False)
        return next(stage.seconds for stage in stages if stage.name == "training")

    assert training(check({"minutes": 2})) == 120
    assert training(check({"minutes": None, "max_episodes": 50})) is None
