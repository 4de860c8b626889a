from __future__ import annotations

from pathlib import Path

import pytest
from tests.envs.coins import install_coins
from tests.web.play.sessions import (
    OPENED,
    QUIET,
    TIMER,
    BrokenPolicy,
    GatedPhone,
    session_on,
    until,
    until_phase,
)

from distrl import actions
from distrl.collect.takeover import HUMAN
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_kinds import device_factory
from distrl.errors import ConfigError
from distrl.interfaces import Device
from distrl.run.state.episode_sources import open_episodes
from distrl.tasks.suites import load_suite
from distrl.types import Outcome
from distrl.web.play.session import MOST_PENDING
from distrl.web.play.snapshot import YOU, Phase


def test_a_session_opens_where_the_task_starts_and_waits_for_the_person(tmp_path: Path) -> None:
    with session_on(tmp_path) as session:
        now = until_phase(session, Phase.PERSON)
    assert (now.goal, now.step_limit, now.history) == (TIMER.goal, TIMER.step_limit, ())
    assert now.screen == 1
    assert (now.width, now.height) == (540, 1200)
    picture = session.screens.png(now.screen)
    assert picture is not None
    assert picture.startswith(b"\x89PNG")


def test_every_session_has_an_id_of_its_own_by_which_browsers_keep_its_screens(
    tmp_path: Path,
) -> None:
    with session_on(tmp_path) as one, session_on(tmp_path) as other:
        assert one.id != other.id


def test_a_persons_actions_are_told_in_words_and_the_end_is_judged(tmp_path: Path) -> None:
    with session_on(tmp_path) as session:
        until_phase(session, Phase.PERSON)
        assert session.act(actions.press("home"))
        assert session.act(actions.swipe(0.5, 0.7, 0.5, 0.3))
        assert session.act(actions.complete())
        now = until_phase(session, Phase.ENDED)
    assert [deed.words for deed in now.history] == ["press Home", "swipe up", "say it is done"]
    assert {deed.who for deed in now.history} == {YOU}
    assert now.ending is not None
    assert (now.ending.outcome, now.ending.success) == (Outcome.FALSE_COMPLETE, False)


def test_a_policy_plays_to_the_end_and_its_success_is_told(tmp_path: Path) -> None:
    with session_on(tmp_path, policy="scripted") as session:
        session.set_pace(0)
        now = until_phase(session, Phase.ENDED)
    assert now.ending is not None
    assert now.ending.success
    assert now.ending.side_effects == ()
    assert {deed.who for deed in now.history} == {"scripted"}


def test_a_policy_that_is_paused_shows_what_it_would_do_and_steps_once(tmp_path: Path) -> None:
    with session_on(tmp_path, policy="scripted") as session:
        session.run(running=False)
        session.restart()
        first = until(session, lambda now: now.phase is Phase.POLICY and not now.history)
        assert first.proposal is not None
        session.step()
        now = until(session, lambda now: now.phase is Phase.POLICY and len(now.history) == 1)
        assert now.history[0].words == first.proposal.words
        assert now.proposal is not None
        assert not now.running


def test_a_touch_takes_over_and_giving_back_lets_the_policy_go_on(tmp_path: Path) -> None:
    with session_on(tmp_path, policy="scripted") as session:
        session.run(running=False)
        until_phase(session, Phase.POLICY)
        assert session.act(actions.press("home"))
        taken = until(session, lambda now: now.phase is Phase.PERSON and len(now.history) == 1)
        assert taken.taken
        assert taken.history[0].who == YOU
        session.set_pace(0)
        session.run(running=True)
        session.give()
        now = until_phase(session, Phase.ENDED)
    assert now.ending is not None
    assert now.ending.success
    assert {deed.who for deed in now.history[1:]} == {"scripted"}
    assert not now.taken


def test_taking_over_without_a_touch_makes_the_policy_wait(tmp_path: Path) -> None:
    with session_on(tmp_path, policy="scripted") as session:
        until_phase(session, Phase.POLICY)
        session.take()
        now = until_phase(session, Phase.PERSON)
        assert now.taken
        assert now.proposal is None


def test_a_policy_can_be_chosen_in_the_middle_and_put_away_again(tmp_path: Path) -> None:
    with session_on(tmp_path) as session:
        until_phase(session, Phase.PERSON)
        session.run(running=False)
        session.choose_policy("scripted")
        until_phase(session, Phase.POLICY)
        session.choose_policy("")
        now = until_phase(session, Phase.PERSON)
        assert now.policy == ""
        with pytest.raises(ConfigError, match="did you mean 'scripted'"):
            session.choose_policy("scriptd")


def test_a_policy_that_breaks_is_told_and_the_person_goes_on(tmp_path: Path) -> None:
    policies = {"broken": lambda: lambda _: BrokenPolicy()}
    with session_on(tmp_path, policy="broken", policies=policies) as session:  # type: ignore[arg-type]
        now = until_phase(session, Phase.PERSON)
        assert "broken cannot go on: no idea" in now.notice
        assert now.policy == ""
        assert session.act(actions.complete())
        until_phase(session, Phase.ENDED)


def test_what_is_asked_for_after_a_start_is_meant_for_the_new_episode(tmp_path: Path) -> None:
    phone = GatedPhone()
    with session_on(tmp_path, policy="scripted", make_device=lambda: phone) as session:
        session.run(running=False)
        until_phase(session, Phase.POLICY)
        phone.gate.clear()
        session.step()
        until_phase(session, Phase.ACTING)  # the thread is with the device
        session.start(OPENED)
        session.step()
        phone.gate.set()
        until(session, lambda now: now.task == OPENED.id and len(now.history) == 1)


def test_another_task_begins_at_once_whoever_is_waited_for(tmp_path: Path) -> None:
    with session_on(tmp_path) as session:
        until_phase(session, Phase.PERSON)
        session.start(OPENED)
        now = until(session, lambda now: now.task == OPENED.id and now.phase is Phase.PERSON)
        assert now.goal == OPENED.goal
        session.choose_policy("scripted")
        until_phase(session, Phase.POLICY)
        session.start(TIMER)
        until(session, lambda now: now.task == TIMER.id and now.phase is Phase.POLICY)


def test_a_slow_device_makes_actions_wait_up_to_a_bound(tmp_path: Path) -> None:
    phone = GatedPhone()
    with session_on(tmp_path, make_device=lambda: phone) as session:
        until_phase(session, Phase.PERSON)
        phone.gate.clear()
        assert session.act(actions.wait())
        until_phase(session, Phase.ACTING)
        assert all(session.act(actions.wait()) for _ in range(MOST_PENDING))
        assert not session.act(actions.wait())
        assert session.snapshot.pending == MOST_PENDING
        phone.gate.set()
        now = until(session, lambda now: len(now.history) == MOST_PENDING + 1)
        assert until_phase(session, Phase.PERSON).pending == 0
        assert now.ending is None


def test_a_lost_device_is_told_and_starting_over_gets_a_new_one(tmp_path: Path) -> None:
    phones: list[GatedPhone] = []

    def make() -> Device:
        phones.append(GatedPhone())
        return phones[-1]

    with session_on(tmp_path, make_device=make) as session:
        until_phase(session, Phase.PERSON)
        phones[0].lost = True
        session.act(actions.press("home"))
        now = until_phase(session, Phase.BROKEN)
        assert now.ending is not None
        assert "the cable was pulled" in now.ending.fault
        assert not now.ending.can_be_kept
        assert not session.act(actions.press("home"))
        with pytest.raises(ConfigError, match="no finished episode"):
            session.keep()
        session.restart()
        until_phase(session, Phase.PERSON)
    assert len(phones) == 2
    assert phones[0].closed
    assert phones[1].closed


def test_a_device_that_cannot_be_made_again_is_told_and_tried_again(tmp_path: Path) -> None:
    first, last = GatedPhone(), PhoneDevice("new", QUIET)
    coming: list[Device | None] = [first, None, last]

    def make() -> Device:
        device = coming.pop(0)
        if device is None:
            raise ConfigError("none is left")
        return device

    with session_on(tmp_path, make_device=make) as session:
        until_phase(session, Phase.PERSON)
        first.lost = True
        session.act(actions.press("home"))
        until_phase(session, Phase.BROKEN)
        session.restart()
        until(session, lambda now: "none is left" in now.notice)
        session.restart()
        until_phase(session, Phase.PERSON)


def test_an_episode_is_kept_once_as_the_trainer_reads_it(tmp_path: Path) -> None:
    with session_on(tmp_path, policy="scripted") as session:
        session.run(running=False)
        until_phase(session, Phase.POLICY)
        session.act(actions.press("home"))
        session.set_pace(0)
        until(session, lambda now: len(now.history) == 1)
        session.run(running=True)
        session.give()
        until_phase(session, Phase.ENDED)
        session.keep()
        session.keep()
        now = session.snapshot
        assert now.ending is not None
        assert now.ending.kept
        assert [kept.task for kept in now.kept] == [TIMER.id]
    with open_episodes(tmp_path / "demos") as source:
        (episode,) = source.episodes
    assert episode.succeeded
    assert episode.task == TIMER
    assert episode.steps[0].choice.digest == HUMAN
    with session_on(tmp_path) as later:
        assert later.snapshot.kept_count == 1


def test_an_episode_that_runs_cannot_be_kept(tmp_path: Path) -> None:
    with session_on(tmp_path) as session:
        until_phase(session, Phase.PERSON)
        with pytest.raises(ConfigError, match="no finished episode"):
            session.keep()
    assert not (tmp_path / "demos").exists()


def test_listeners_hear_every_change_until_they_leave(tmp_path: Path) -> None:
    heard: list[int] = []
    with session_on(tmp_path) as session:
        until_phase(session, Phase.PERSON)
        leave = session.listen(lambda: heard.append(session.snapshot.number))
        session.set_pace(2)
        assert heard == [session.snapshot.number]
        leave()
        session.set_pace(1)
        assert len(heard) == 1


def test_a_pace_is_bounded(tmp_path: Path) -> None:
    with session_on(tmp_path) as session, pytest.raises(ConfigError, match="got -1"):
        session.set_pace(-1)


def test_closing_ends_the_thread_and_the_device_whoever_is_waited_for(tmp_path: Path) -> None:
    phone = GatedPhone()
    with session_on(tmp_path, policy="scripted", make_device=lambda: phone) as session:
        session.run(running=False)
        until_phase(session, Phase.POLICY)
    assert phone.closed


def test_an_environment_of_a_plug_in_is_played_on_its_own_slots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_coins(tmp_path, monkeypatch)
    task = load_suite("coins").tasks("train")[1]
    make = device_factory("coins").make_device
    with session_on(tmp_path, task, make_device=lambda: make("slot")) as session:
        assert until_phase(session, Phase.PERSON).goal == "whatever"
        session.act(actions.wait())
        now = until_phase(session, Phase.ENDED)
    assert now.ending is not None
    assert now.ending.success
