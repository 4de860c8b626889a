"""An episode of the phone under the real verifiers, in the environment of test_verifiers.py.

Everything is the package's own but for the model, a scripted server, and the harness, which asks it
once per turn: those that come with verifiers need uv and download more.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import httpx2
import verifiers.v1 as vf
from verifiers.v1.dialects.chat import message_to_wire
from verifiers.v1.runtimes import ProgramResult, SubprocessConfig

from distrl.integrations.verifiers import PhoneConfig, PhoneEnv, PhoneEnvConfig
from distrl.services.scripted_server import Request, ScriptedServer

MODULE = """
from distrl.integrations.verifiers import PhoneEnv, PhoneTaskset
from tests.integrations.verifiers_episode import OneAnswer
__all__ = ["PhoneEnv", "PhoneTaskset", "OneAnswer"]
"""
SAYS = ("swipe(up)", "I wonder.\nAction: press(home)", "nonsense", "complete()")


class OneAnswerConfig(vf.HarnessConfig):  # type: ignore[misc]
    pass


class OneAnswer(vf.Harness[OneAnswerConfig]):  # type: ignore[misc]
    """Sends the conversation to the model, in this process."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(  # noqa: PLR0913 - verifiers calls it so
        self, ctx: Any, trace: Any, runtime: Any, endpoint: str, secret: str, mcp: Any, data: Any
    ) -> Any:
        system, prompt = self.resolve_prompt(data)
        messages = [{"role": "system", "content": system}, *map(message_to_wire, prompt)]
        async with httpx2.AsyncClient(timeout=60, trust_env=False) as client:
            answer = await client.post(
                f"{endpoint.rstrip('/')}/chat/completions",
                json={"model": ctx.model, "messages": messages},
                headers={"Authorization": f"Bearer {secret}"},
            )
            answer.raise_for_status()
        return ProgramResult(exit_code=0, stdout="", stderr="")


def scripted(request: Request) -> str:
    said = sum(message["role"] == "assistant" for message in request.body["messages"])
    return SAYS[said]


async def play(base_url: str) -> dict[str, Any]:
    taskset = PhoneConfig(id="phone", suite="starter", split="val", pictures=True)
    player = vf.AgentConfig(harness=OneAnswerConfig(id="phone"), runtime=SubprocessConfig())
    env = PhoneEnv(PhoneEnvConfig(taskset=taskset, player=player))
    client = vf.EvalClientConfig(base_url=base_url, api_key_var="NO_KEY")
    context = vf.ModelContext(model="scripted", client=client)
    task = next(iter(env.taskset))
    async with env.serving():
        episode = await env.run_episode(task, context)
    (trace,) = episode.traces
    return {
        "ok": episode.ok,
        "errors": [error.message for error in (*episode.errors, *trace.errors)],
        "tasks": sum(1 for _ in env.taskset),
        "task": task.data.task,
        "reward": trace.reward,
        "outcome": trace.info["phone_outcome"],
    }


def main() -> None:
    folder = Path(sys.argv[1])
    (folder / "phone.py").write_text(MODULE)
    sys.path.insert(0, str(folder))
    with ScriptedServer(scripted) as server:
        told = asyncio.run(play(server.base_url))
        told["pictures"] = [len(request.pictures) for request in server.requests]
    print(json.dumps(told))  # noqa: T201 - what the test reads


if __name__ == "__main__":
    main()
