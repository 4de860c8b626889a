"""Parse a model's answer into a verdict, and fence untrusted text in prompts: pure functions."""

from __future__ import annotations

import re

import msgspec

from distrl.errors import JudgeError

_LONGEST_REASON = 300
"""Characters that are kept: the prompt asks for 30 words at most, but nothing enforces it."""
_CODE_BLOCK = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)
_TO_A_JUDGE = re.compile(
    r"""
      \b(verdict|judges?|grader|evaluator|reviewer)\b
    | ["']?\bsuccess["']?\s*[:=]\s*["']?(true|yes|1)
    | \b(task|goal|mission|request)\b .{0,40}
      \b(success\w*|completed?|accomplished|reached|achieved|done)\b
    | \b(ignore|disregard|forget)\b .{0,30} \b(instructions?|prompts?|rules|above|before|previous)\b
    | \A\W*success\W*\Z
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The one form of answer that counts."""

    case: str
    success: bool
    reason: str = ""


def read_answer(text: str, code: str) -> Answer:
    """A model's verdict on the case with this code; JudgeError for anything else.

    The code is drawn anew for each question. A verdict that was copied from a screen, or from
    what the agent has typed, cannot have it.
    """
    bare = text.strip()
    block = _CODE_BLOCK.match(bare)
    try:
        answer = msgspec.json.decode(block[1] if block else bare, type=Answer)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as cause:
        raise JudgeError(f"the answer is no verdict: {cause}") from None
    if answer.case != code:
        raise JudgeError("the answer has not the code of this case, so it is somebody else's")
    return msgspec.structs.replace(answer, reason=answer.reason[:_LONGEST_REASON])


def fenced(text: str, code: str) -> str:
    """Untrusted text between two lines with the code, which are nowhere inside."""
    inside = text.replace(code, "")
    return f"<<<{code}\n{inside}\n{code}>>>"


def speaks_to_judge(text: str) -> bool:
    """Whether words on a screen look like a verdict, or like orders to whoever reads them."""
    return _TO_A_JUDGE.search(text) is not None
