"""`distrl serve mcp`: a phone for any client of the Model Context Protocol, over stdio.

Each client starts a server of its own, and has a phone of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any

from mcp.server.mcpserver import Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from distrl import __version__
from distrl.errors import DistrlError
from distrl.integrations.messages import element_lines, screen_png
from distrl.integrations.phone_tools import TOOLS, PhoneTools, told
from distrl.integrations.play_session import PlaySession, TaskBook, Turn
from distrl.policies.text_actions import WARNING

_INSTRUCTIONS = (
    "A phone with tasks. Call `task` to begin one, look with `screen` or `elements`, act with "
    f"`tap`, `type`, `swipe` and `press`, and call `complete` when the goal is reached. {WARNING}"
)


class McpTools(PhoneTools):
    """The tools of an MCP client: those of the hand, and three to look and to begin."""

    def __init__(self, session: PlaySession, *, pictures: bool) -> None:
        """Act in `session`; with `pictures`, every answer has the screen."""
        super().__init__(session)
        self._pictures = pictures

    def _told(self, turn: Turn) -> Any:
        return [told(turn), *([self._image(turn)] if self._pictures else [])]

    def _image(self, turn: Turn) -> Image:
        return Image(data=screen_png(turn.seen), format="png")

    def task(self, name: str | None = None, seed: int | None = None) -> Any:
        """Begin a task, or tell the one that is running if neither name nor seed is given.

        Args:
            name: The name of a task, such as general/val/0.
            seed: Draws a task; the same seed gives the same task.
        """
        session = self._session
        if name is None and seed is None and session.begun:
            return self._told(session.turn)
        book = session.book
        return self._told(session.reset(book.drawn(seed) if name is None else book.named(name)))

    def screen(self) -> Any:
        """Look at the screen: a picture."""
        return self._image(self._session.turn)

    def elements(self) -> str:
        """Look at the elements of the screen: a numbered list."""
        return element_lines(self._session.turn.seen)


def mcp_server(book: TaskBook, *, pictures: bool = False) -> MCPServer[Any]:
    """A server with a phone of its own; `run()` serves it until its client goes away."""
    tools = McpTools(PlaySession(book, name="mcp"), pictures=pictures)
    server: MCPServer[Any] = MCPServer(
        "distrl", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    one_at_a_time = Lock()
    for name in (*TOOLS, "task", "screen", "elements"):
        # Unstructured: texts and pictures, as clients show them.
        tool = _answering_in_kind(getattr(tools, name), one_at_a_time)
        server.add_tool(tool, structured_output=False)
    return server


def _answering_in_kind(tool: Callable[..., Any], one_at_a_time: Lock) -> Callable[..., Any]:
    """The tool, with errors that its caller can do something about told to the caller.

    Calls of one client may come from several threads, and a phone has one hand.
    """

    @wraps(tool)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            with one_at_a_time:
                return tool(*args, **kwargs)
        except DistrlError as error:
            raise ToolError(str(error)) from error

    return called
