"""A language model learns to operate the embedded phone, with TRL's GRPOTrainer.

    pip install 'distrl[trl]'
    python examples/trl_phone.py --model Qwen/Qwen3-0.6B
    python examples/trl_phone.py --model Qwen/Qwen3-VL-2B-Instruct --pictures

Every rollout has a phone of its own: the model calls tap, type, swipe and so on as tools, and the
reward is 1 if the goal is reached when it says so. All rollouts of a group play the same task.
"""

from __future__ import annotations

import argparse
from functools import partial

import torch
from trl import GRPOConfig, GRPOTrainer

from distrl.integrations.trl import PhoneEnvironment, phone_dataset


def main() -> None:
    """Train; the options say what and for how long."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="Qwen/Qwen3-0.6B", help="of the hub, or a folder")
    parser.add_argument("--suite", default="starter", help="starter, general, shopping, ...")
    parser.add_argument("--steps", type=int, default=200, help="updates")
    parser.add_argument("--group", type=int, default=8, help="rollouts of one task")
    parser.add_argument("--tokens", type=int, default=2048, help="of a whole rollout")
    parser.add_argument("--pictures", action="store_true", help="show screens to a model that sees")
    parser.add_argument("--out", default="runs/trl", help="folder for checkpoints")
    options = parser.parse_args()

    trainer = GRPOTrainer(
        model=options.model,
        train_dataset=phone_dataset(options.suite, tasks=64),
        environment_factory=partial(PhoneEnvironment, options.suite, pictures=options.pictures),
        args=GRPOConfig(
            output_dir=options.out,
            max_steps=options.steps,
            num_generations=options.group,
            per_device_train_batch_size=options.group,
            max_completion_length=options.tokens,
            max_tool_calling_iterations=5,
            logging_steps=1,
            report_to="none",
            bf16=torch.cuda.is_available(),
            use_cpu=not torch.cuda.is_available(),
        ),
    )
    trainer.train()


if __name__ == "__main__":
    main()
