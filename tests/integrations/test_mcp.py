"""The official MCP client against `distrl serve mcp`, as a client starts it."""

from __future__ import annotations

import asyncio
import base64
import os
import sys
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the official MCP package is not installed")

TASK = "starter/val/0"


async def play() -> list[Any]:
    from mcp import StdioServerParameters
    from mcp.client import Client
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "distrl", "serve", "mcp", "starter"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    async with Client(stdio_client(server)) as client:
        found = [await client.list_tools()]
        for name, arguments in (
            ("elements", {}),
            ("task", {"name": TASK}),
            ("swipe", {"direction": "up"}),
            ("screen", {}),
            ("elements", {}),
            ("tap", {"element": 999}),
            ("complete", {}),
        ):
            found.append(await client.call_tool(name, arguments))
    return found


def test_an_mcp_client_plays_a_task() -> None:
    tools, early, begun, swiped, screen, elements, wrong, ended = asyncio.run(play())
    assert {"tap", "type", "swipe", "screen", "elements", "task"} <= {t.name for t in tools.tools}
    assert early.is_error and "reset first" in early.content[0].text
    assert "Steps left: 5" in begun.content[0].text
    assert "Steps left: 4" in swiped.content[0].text
    assert screen.content[0].mime_type == "image/png"
    assert base64.b64decode(screen.content[0].data).startswith(b"\x89PNG")
    assert elements.content[0].text.startswith("1 ")
    assert wrong.is_error and "there is no element 999" in wrong.content[0].text
    assert "has ended" in ended.content[0].text
