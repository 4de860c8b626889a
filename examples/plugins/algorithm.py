"""An algorithm: imitate the successes in replay, and nothing else."""

from typing import Any

import numpy as np
import torch

from distrl.learn.algorithms.a_ride import ARideSettings, UpdateResult
from distrl.learn.model import Model
from distrl.replay.buffer import Floats, Sampled


class Imitation:
    """[project.entry-points."distrl.algorithms"]: imitation = "algorithm:Imitation"."""

    def __init__(self, model: Model, settings: ARideSettings) -> None:
        self.model = model
        self.optimiser = torch.optim.AdamW(model.parameters(), settings.learning_rate)

    def update(self, sampled: Sampled, pool: Any = (), progress: float = 0.0) -> UpdateResult:
        good = [record for record in (*sampled.records, *pool) if record.succeeded]
        inputs = [one for record in good for one in record.inputs]
        decisions = [one for record in good for one in record.decisions]
        if good:
            self.optimiser.zero_grad()
            torch.autograd.backward(-self.model.evaluate(inputs, decisions).log_prob.mean())
            self.optimiser.step()
        return UpdateResult(self.terms(sampled), {"imitated": len(good)})

    def terms(self, sampled: Sampled) -> Floats:
        return np.ones((len(sampled.records), 3))

    def state_dict(self) -> dict[str, Any]:
        return {"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
