"""Words from resource ids: what a developer called a view that shows no words.

`com.shop:id/btn_addToCart` says "add to cart". Affixes that name the widget and not its purpose are
left out, as long as something remains. Names that a shrinking compiler made say nothing; they are
handles at best.
"""

from __future__ import annotations

import re
from functools import lru_cache

_WIDGETS = frozenset(
    """
    ab abl android appcompat base bg bt btn button buttons cardview cb cell checkbox chk cl
    clickable column constraint container content coordinator cv edittext et fl fragment frame ftv
    group holder ib ic icn icon id image imageview img inner item iv lay layout linear ll ly lyt
    mask nested normal outer parent pb radio rb recycler recyclerview relative rl root row rv
    scroll sdv stub sv sw switch text textview tl toggle tv txt v vg view viewgroup viewpager views
    vp widget wrap wrapper
    """.split()  # noqa: SIM905 - a list of a hundred quoted words would be harder to read
)
_SHORT = frozenset(
    """
    ad add ai all any app art ask bag bar bin box buy cam car cc cut day del dot end fab fan fav fax
    fee few fit fly get gif go gps hd hot hub ink job key lab log lot low map max me mic min mix new
    nfc no now off ok old on one out own pan pay pdf pen pet pin pip pop pro qr ram red run sd see
    set sim sms sub sum sun tab tag tap tax tip to top tts two up url usb use via vip vpn vr way web
    win yes you zip
    """.split()  # noqa: SIM905
)
"""Words of up to three letters that occur in ids: any others are taken for made-up names."""
_TOKEN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+")
_OBFUSCATED = re.compile(r"^\d|obfuscated|^[0-9a-f]{8,}$|^[0-9a-f]{8}-")
_VOWEL = re.compile(r"[aeiouy]|[^\x00-\x7f]")


@lru_cache(maxsize=8192)
def words_of_id(resource: str) -> str:
    """What an id says of a view's purpose; empty when it says nothing."""
    tokens = _tokens(resource)
    named = [token for token in tokens if token not in _WIDGETS]
    return " ".join(named) if _is_said(named) else ""


@lru_cache(maxsize=8192)
def handle_of_id(resource: str) -> str:
    """The id itself where a compiler has made it up; empty where it only says which widget it is.

    It is the same whenever the view is shown, so that one icon can be told from another by it.
    """
    return "" if _is_said(_tokens(resource)) else resource.rpartition("/")[2].strip()


def _tokens(resource: str) -> tuple[str, ...]:
    name = resource.rpartition("/")[2].strip()
    if _OBFUSCATED.search(name):
        return ()
    found = (token.lower() for token in _TOKEN.findall(name))
    return tuple(token for token in found if not token.isdecimal())


def _is_said(tokens: list[str] | tuple[str, ...]) -> bool:
    """Whether at least one of the tokens is likely a word."""
    return any(token in _SHORT or (len(token) > 3 and _VOWEL.search(token)) for token in tokens)
