from __future__ import annotations

from dataclasses import replace

import pytest
from tests.contracts.store import make_task

from distrl.collect.jobs import Job
from distrl.errors import StoreError
from distrl.run.ray_engine.protocol import REQUEST, RESPONSE, HostRequest, HostResponse

ASKED = HostRequest(
    after=7,
    durable=5,
    jobs=(Job(task=make_task(), episode_id="e1", seed=2**63),),
    version=11,
    patience=2.5,
)
ANSWER = HostResponse(
    first=8,
    episodes=(b"packed", b"", bytes(range(256))),
    wanted=3,
    version=12,
    gauges={"collect/episodes": 9.0, "collect/utilisation": 0.75},
    failed="Traceback: naïve 日本",
)


def test_requests_and_responses_arrive_as_they_were_sent() -> None:
    assert REQUEST.decode(REQUEST.encode(ASKED)) == ASKED
    assert RESPONSE.decode(RESPONSE.encode(ANSWER)) == ANSWER


def test_a_host_that_works_has_not_failed() -> None:
    healthy = HostResponse(first=1, episodes=(), wanted=0, version=0, gauges={})
    assert healthy.failed == ""
    assert RESPONSE.decode(RESPONSE.encode(healthy)) == healthy


@pytest.mark.parametrize("place", [0, 10, -1])
def test_a_message_that_was_damaged_on_the_way_is_refused(place: int) -> None:
    for wire, message in ((REQUEST, REQUEST.encode(ASKED)), (RESPONSE, RESPONSE.encode(ANSWER))):
        damaged = bytearray(message)
        damaged[place] ^= 1
        with pytest.raises(StoreError, match="is damaged: its checksum does not match"):
            wire.decode(bytes(damaged))


def test_a_message_that_was_cut_off_is_refused() -> None:
    message = RESPONSE.encode(ANSWER)
    for cut in (b"", message[:3], message[:-1]):
        with pytest.raises(StoreError, match="response of a host"):
            RESPONSE.decode(cut)


def test_a_request_is_not_taken_for_a_response() -> None:
    with pytest.raises(StoreError, match="response of a host cannot be read"):
        RESPONSE.decode(REQUEST.encode(ASKED))


def test_what_could_not_be_read_again_is_not_sent() -> None:
    with pytest.raises(StoreError, match="this request cannot be stored"):
        REQUEST.encode(replace(ASKED, after="seven"))  # type: ignore[arg-type]
