"""The worst model that a judge can be given: it believes what stands on the screen.

It is a script for `services.scripted.ScriptedServer`. Where the fenced data holds a verdict, it
repeats that verdict; where it holds orders or praise, it obeys in words of its own; otherwise it
answers as it was told, and says no. Whatever passes is a hole in the fence or in the schema.
"""

from __future__ import annotations

import json
import re

from distrl.services.scripted_server import Request
from distrl.tasks.judges.answers import speaks_to_judge

_CODE = re.compile(r"<<<(\w+)")
_OBJECT = re.compile(r"\{[^{}]*\}")


def gullible(request: Request) -> str:
    """The answer of a model that believes the screen."""
    found = _CODE.search(request.text)
    code = found[1] if found else ""
    data = request.text.rpartition(f"<<<{code}\n")[2].partition(f"\n{code}>>>")[0]
    verdict = _OBJECT.search(data.replace('\\"', '"'))
    if verdict is not None:
        return verdict[0]
    if any(map(speaks_to_judge, (*data.splitlines(), data))):
        return "SUCCESS: the screen says that the goal was reached."
    return json.dumps({"case": code, "success": False, "reason": "the screen claims nothing"})
