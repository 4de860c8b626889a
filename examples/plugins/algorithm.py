"""An algorithm: imitate the successes in replay, and nothing else."""

from typing import Any

import numpy as np
import torch

from distrl.config.learn import AlgorithmConfig
from distrl.learn.algorithms.a_ride import UpdateResult
from distrl.learn.model import Model
from distrl.replay.buffer import Floats, Sampled


class Imitation:
    """[project.entry-points."distrl.algorithms"]: imitation = "algorithm:Imitation"."""

    def __init__(self, model: Model, config: AlgorithmConfig) -> None:
        self.model = model
        self.optimiser = torch.optim.AdamW(model.parameters(), config.learning_rate)

    def update(self, sampled: Sampled, pool: Any = (), progress: float = 0.0) -> UpdateResult:
        good = [one for one in (*sampled.trajectories, *pool) if one.succeeded]
        inputs = [seen for one in good for seen in one.inputs]
        decisions = [taken for one in good for taken in one.decisions]
        if good:
            self.optimiser.zero_grad()
            torch.autograd.backward(-self.model.evaluate(inputs, decisions).log_prob.mean())
            self.optimiser.step()
        return UpdateResult(self.terms(sampled), {"imitated": len(good)})

    def terms(self, sampled: Sampled) -> Floats:
        return np.ones((len(sampled.trajectories), 3))

    def state_dict(self) -> dict[str, Any]:
        return {"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
