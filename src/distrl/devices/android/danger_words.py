"""Words that reveal dangerous actions on a phone: in labels, typed texts and names of apps.

Labels are compared without their case, their accents and the width of their letters. The words are
those that Android and large apps use, in English and, for what is plain, in some other large
languages. No list of words is complete: it is the second fence, behind the apps that are allowed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache

from distrl.config.devices import Danger as Danger  # whoever asks about words names dangers

SYSTEM_UI = "com.android.systemui"


# English; German; French; Spanish and Portuguese; Italian. In lower case. ^ and $ are for words
# that are dangerous as a whole label only: "ausschalten" is how a phone is switched off, and
# "WLAN ausschalten" is not.
_WORDS: Mapping[Danger, tuple[str, ...]] = {
    Danger.FACTORY_RESET: (
        r"factory (data )?(reset|settings)|erase (all|everything)|wipe (all )?data"
        r"|(hard )?reset (phone|device|tablet)|hard reset|delete all data",
        r"werkseinstellungen|werksreset|alle daten löschen|(telefon|gerät|handy) zurücksetzen",
        r"d'usine|effacer toutes les données|réinitialiser (le |l')?(téléphone|appareil)",
        r"de fábrica|borrar (todo|todos los datos)|apagar (tudo|todos os dados)",
        r"di fabbrica|cancella tutti i dati|inizializza telefono",
    ),
    Danger.POWER_OFF: (
        r"power off|shut ?down|reboot|restart|(turn|switch) off (the )?(phone|device|tablet)",
        r"^ausschalten$|herunterfahren|neu ?starten|neustart",
        r"^éteindre$|éteindre (le |l')?(téléphone|appareil)|redémarrer",
        r"^apagar$|apagar (el )?(teléfono|dispositivo)|^desligar$|reiniciar",
        r"^spegni$|riavvia",
    ),
    Danger.CALL: (
        r"call|video call|dial|redial|emergency( call)?",
        r"anrufen|notruf|videoanruf",
        r"appeler|appel (vidéo|d'urgence)",
        r"llamar|llamada( de emergencia)?|^ligar$|ligar para|chamada( de emergência)?",
        r"chiama|chiamata( di emergenza)?",
    ),
    Danger.SMS: (
        r"send (an? )?(sms|mms|text|message)|text message",
        r"(sms|mms|nachricht) senden",
        r"envoyer (un |le )?(sms|mms|message)",
        r"enviar (un |uma )?(sms|mms|mensaje|mensagem)",
        r"invia (un )?(sms|mms|messaggio)",
    ),
    Danger.PAYMENT: (
        r"pay|buy|purchase|check ?out|order now|order and pay|subscribe|donate"
        r"|(place|complete|confirm|submit)( your| my| the)? (order|purchase|payment)"
        r"|transfer( money)?|send money",
        r"kaufen|bezahlen|jetzt zahlen|(zahlungs|kosten)pflichtig|bestellen|zur kasse|abonnieren"
        r"|spenden|überweisen",
        r"payer|acheter|^commander$|(passer|valider) (la |ma )?commande|s'abonner|faire un don",
        r"pagar|comprar|(realizar|hacer|tramitar|fazer|finalizar) (el |o )?pedido|pedir ahora"
        r"|finalizar (la |a )?compra|suscribirse|^assinar$|donar|doar|transferir",
        r"paga|acquista|ordina ora|(invia|conferma|effettua) ordine|abbonati",
    ),
}
"""Whole words, in the text or the description of what is touched."""

_SIGNS: Mapping[Danger, str] = {
    Danger.FACTORY_RESET: r"恢复出厂|清除所有数据|恢復原廠|初期化|出荷時|초기화",
    Danger.POWER_OFF: r"关机|關機|重启|重新启动|重新啟動|電源を切る|電源オフ|再起動"
    r"|전원 끄기|다시 시작",
    Danger.CALL: r"呼叫|拨打|撥打|打电话|発信|電話をかける|緊急通報|전화 걸기|긴급",
    Danger.SMS: r"发送短信|发短信|傳送簡訊|メッセージを送信|메시지 보내기",
    Danger.PAYMENT: r"支付|付款|购买|購買|下单|结算|結帳|转账|轉帳|購入|支払|注文を確定"
    r"|결제|구매|주문하기",
}
"""The same in Chinese, Japanese and Korean, which do not part their words by blanks."""

_APPS: Mapping[Danger, str] = {
    Danger.CALL: r"dialer|contacts|incallui|telecom|\.phone$|^com\.android\.systemui$",
    Danger.SMS: r"messag|messenger|\bsms\b|\bmms\b|^com\.android\.systemui$",
}
"""Apps in which more is dangerous than elsewhere. The system's own surface is one of them: its
notifications answer calls and reply to messages."""

_THERE: Mapping[Danger, tuple[str, str]] = {
    Danger.CALL: (
        # To paste is to type what nobody has seen: a code, or a number.
        r"answer|accept|paste|annehmen|einfügen|répondre|accepter|coller|contestar|responder"
        r"|aceptar|pegar|atender|aceitar|colar|rispondi|accetta|incolla",
        r"接听|接聽|粘贴|貼上|応答|貼り付け|받기|붙여넣기",
    ),
    Danger.SMS: (r"send|senden|envoyer|enviar|invia", r"发送|傳送|送信|보내기|전송"),
}
"""What is dangerous in such apps only: whole words, and signs."""

_CODE = re.compile(r"\s*[*#][*#\d]+#?\s*")
"""A service code, as typed into a dialer; some of them reset a phone."""
_CODE_KEYS = re.compile(r"[*#✱]|^(star|asterisk|pound|hash|number sign)( key)?$")
"""What a service code is made of, and what the keys for it are called."""


def danger_of_label(label: str, apps: Iterable[str], blocked: Iterable[Danger]) -> Danger | None:
    """The blocked danger that a label reveals; None when it is harmless.

    `apps` are all packages that may own what is touched: some words count in certain apps only.
    """
    words, names = plain(label), tuple(apps)
    # Sorted, so that a label with several dangers is always refused for the same one.
    for danger in sorted(blocked):
        if _everywhere(danger).search(words):
            return danger
        if danger in _THERE and _is_for(danger, names) and _in_such_apps(danger).search(words):
            return danger
    return _code(_CODE_KEYS.search(words) is not None and _is_for(Danger.CALL, names), blocked)


def danger_of_text(text: str, apps: Iterable[str], blocked: Iterable[Danger]) -> Danger | None:
    """The danger of typing a text: a whole service code anywhere, a piece of one in a dialer."""
    words = plain(text)
    piece = re.search(r"[*#]", words) is not None and _is_for(Danger.CALL, apps)
    return _code(piece or _CODE.fullmatch(words) is not None, blocked)


def danger_of_app(apps: Iterable[str], blocked: Iterable[Danger]) -> Danger | None:
    """The danger that one of the apps is made for, if it is one."""
    names = tuple(apps)
    return next((d for d in _APPS if d in blocked and _is_for(d, names)), None)


def plain(words: str) -> str:
    """Words without what does not change their meaning: case, accents, the width of letters."""
    # NFKD separates accents, to be dropped below, and maps full-width letters to plain ones.
    apart = unicodedata.normalize("NFKD", words.replace("\u2019", "'"))
    return "".join(c for c in apart if not unicodedata.combining(c)).casefold()


def _code(is_code: bool, blocked: Iterable[Danger]) -> Danger | None:
    """Which of the blocked dangers a service code is."""
    of_codes = (danger for danger in (Danger.CALL, Danger.FACTORY_RESET) if danger in blocked)
    return next(of_codes, None) if is_code else None


def _is_for(danger: Danger, apps: Iterable[str]) -> bool:
    return any(re.search(_APPS[danger], app.lower()) for app in apps)


@cache
def _everywhere(danger: Danger) -> re.Pattern[str]:
    return _pattern("|".join(_WORDS[danger]), _SIGNS[danger])


@cache
def _in_such_apps(danger: Danger) -> re.Pattern[str]:
    return _pattern(*_THERE[danger])


def _pattern(words: str, signs: str) -> re.Pattern[str]:
    """A pattern for labels that are plain. It has no upper case, whose loss could change it."""
    return re.compile(plain(rf"\b({words})\b|{signs}"))
