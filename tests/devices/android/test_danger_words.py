from __future__ import annotations

import pytest

from distrl.devices.android import danger_words
from distrl.devices.android.danger_words import SYSTEM_UI, Danger

SHOP, DIALER, MESSAGES = "com.shop", "com.samsung.android.dialer", "com.android.messaging"
ALL = frozenset(Danger)


@pytest.mark.parametrize(
    ("label", "danger"),
    [
        ("Order now", Danger.PAYMENT),
        ("Complete order", Danger.PAYMENT),
        ("Submit my order", Danger.PAYMENT),
        ("Orders", None),
        ("Sort order", None),
        ("\uff22\uff35\uff39 now", Danger.PAYMENT),  # full-width letters
        ("Auf Werkseinstellungen zurücksetzen", Danger.FACTORY_RESET),
        ("Ausschalten", Danger.POWER_OFF),
        ("WLAN ausschalten", None),
        ("Zahlungspflichtig bestellen", Danger.PAYMENT),
        ("Anrufen", Danger.CALL),
        ("Rétablir la configuration d\u2019usine", Danger.FACTORY_RESET),
        ("Éteindre", Danger.POWER_OFF),
        ("Appeler", Danger.CALL),
        ("Valider ma commande", Danger.PAYMENT),
        ("Total Commander", None),
        ("Restablecer datos de fábrica", Danger.FACTORY_RESET),
        ("Reiniciar", Danger.POWER_OFF),
        ("Llamar", Danger.CALL),
        ("Finalizar compra", Danger.PAYMENT),
        ("Redefinição para a configuração original de fábrica", Danger.FACTORY_RESET),
        ("Desligar", Danger.POWER_OFF),
        ("Ripristino dati di fabbrica", Danger.FACTORY_RESET),
        ("Riavvia", Danger.POWER_OFF),
        ("Ordina per data", None),
        ("Acquista ora", Danger.PAYMENT),
        ("恢复出厂设置", Danger.FACTORY_RESET),
        ("立即购买", Danger.PAYMENT),
        ("再起動", Danger.POWER_OFF),
        ("결제하기", Danger.PAYMENT),
        ("Settings", None),
        ("", None),
    ],
)
def test_the_table_of_words_everywhere(label: str, danger: Danger | None) -> None:
    assert danger_words.danger_of_label(label, [SHOP], ALL) is danger
    assert danger_words.danger_of_label(label.upper(), [SHOP], ALL) is danger


@pytest.mark.parametrize(
    ("label", "app", "danger"),
    [
        ("Answer", SHOP, None),
        ("Answer", DIALER, Danger.CALL),
        ("Answer", SYSTEM_UI, Danger.CALL),
        ("Annehmen", DIALER, Danger.CALL),
        ("Send", SHOP, None),
        ("Send", MESSAGES, Danger.SMS),
        ("Send", SYSTEM_UI, Danger.SMS),
        ("发送", MESSAGES, Danger.SMS),
        ("*", DIALER, Danger.CALL),
        ("#", "com.android.contacts", Danger.CALL),
        ("star", DIALER, Danger.CALL),
        ("Star Pizza", DIALER, None),
        ("7", DIALER, None),
        ("Paste", DIALER, Danger.CALL),
        ("Paste", SHOP, None),
        ("#1 in shoes", SHOP, None),
    ],
)
def test_the_table_of_words_in_apps_that_call_or_send(
    label: str, app: str, danger: Danger | None
) -> None:
    assert danger_words.danger_of_label(label, [SHOP, app], ALL) is danger


@pytest.mark.parametrize(
    ("text", "app", "danger"),
    [
        ("*2767*3855#", SHOP, Danger.CALL),
        ("2767*3855#", SHOP, None),
        ("#shoes", SHOP, None),
        ("*2767*38", DIALER, Danger.CALL),
        ("55#", DIALER, Danger.CALL),
        ("*", DIALER, Danger.CALL),
        ("\uff0a", DIALER, Danger.CALL),
        ("555 1234", DIALER, None),
    ],
)
def test_the_table_of_codes(text: str, app: str, danger: Danger | None) -> None:
    assert danger_words.danger_of_text(text, [app], ALL) is danger


def test_codes_are_refused_for_what_they_can_reset_even_if_calls_are_allowed() -> None:
    assert (
        danger_words.danger_of_text("*#06#", [DIALER], ALL - {Danger.CALL}) is Danger.FACTORY_RESET
    )
    assert danger_words.danger_of_label("#", [DIALER], ALL - {Danger.CALL}) is Danger.FACTORY_RESET
    neither = ALL - {Danger.CALL, Danger.FACTORY_RESET}
    assert danger_words.danger_of_text("*#06#", [DIALER], neither) is None
    assert danger_words.danger_of_label("Answer", [DIALER], neither) is None
