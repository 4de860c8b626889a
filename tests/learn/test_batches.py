from __future__ import annotations

import numpy as np
import pytest
import torch
from tests.learn.tables import drawn, episode, random_batch

from distrl.learn.batches import batch_episodes

NAN = float("nan")


def test_episodes_stand_side_by_side_and_are_padded_at_the_end() -> None:
    batch = batch_episodes(
        drawn(
            episode([0, 1, 2], [0, 1, 0], succeeded=True, penalties=[0.0, -0.5, 0.0]),
            episode([3], [1], succeeded=False, log_mu=[-2.0], terminated=False),
        )
    )
    assert batch.rewards_BT.tolist() == [[0, 0, 1], [0, 0, 0]]
    assert batch.penalties_BT.tolist() == [[0, -0.5, 0], [0, 0, 0]]
    assert batch.done_BT.tolist() == [[0, 0, 1], [0, 0, 0]]
    assert batch.mask_BT.tolist() == [[1, 1, 1], [1, 0, 0]]
    assert batch.success_B.tolist() == [1, 0]
    assert batch.log_mu_BT[1].tolist() == [-2, 0, 0]


def test_steps_of_unknown_probability_are_marked_and_hold_a_number() -> None:
    batch = batch_episodes(
        drawn(
            episode([0, 1, 2], [0, 0, 0], succeeded=True, log_mu=[-1.0, NAN, -3.0]),
            episode([0], [0], succeeded=True, log_mu=[NAN]),
        )
    )
    assert batch.known_BT.tolist() == [[1, 0, 1], [0, 0, 0]]
    assert batch.log_mu_BT.tolist() == [[-1, 0, -3], [0, 0, 0]]


def test_weights_and_ages_come_from_the_draw() -> None:
    one = episode([0], [0], succeeded=True)
    batch = batch_episodes(drawn(one, one, weights=[0.25, 1.0], fresh=[False, True]))
    assert batch.weights_B.tolist() == [0.25, 1.0]
    assert batch.fresh_B.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("seed", range(5))
def test_spread_puts_each_step_of_the_flat_list_where_it_belongs(seed: int) -> None:
    sampled = random_batch(seed)
    batch = batch_episodes(sampled)
    flat = [100.0 * row + t for row, r in enumerate(sampled.trajectories) for t in range(len(r))]
    scatter = batch.scatter(torch.tensor(flat))
    for row, trajectory in enumerate(sampled.trajectories):
        length = len(trajectory)
        assert scatter[row, :length].tolist() == [100.0 * row + t for t in range(length)]
        assert not scatter[row, length:].any()
    assert scatter[batch.mask_BT > 0].tolist() == flat


def test_gradients_flow_back_through_spread_and_not_into_padding() -> None:
    batch = batch_episodes(
        drawn(episode([0, 1], [0, 0], succeeded=True), episode([0], [0], succeeded=True))
    )
    flat = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    total = (batch.scatter(flat) * torch.tensor([[1.0, 10.0], [100.0, 1000.0]])).sum()
    total.backward()  # type: ignore[no-untyped-call]
    assert flat.grad is not None
    assert flat.grad.tolist() == [1, 10, 100]


def test_the_batch_does_not_share_memory_with_the_buffer() -> None:
    trajectory = episode([0, 1], [0, 0], succeeded=True)
    batch = batch_episodes(drawn(trajectory))
    batch.rewards_BT.fill_(9)
    batch.log_mu_BT.fill_(9)
    assert trajectory.rewards.tolist() == [0, 1]
    assert trajectory.log_mu == pytest.approx(np.log([0.5, 0.5]))
