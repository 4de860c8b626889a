from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


# Nine languages: one row for each danger in each of them


LANGUAGES: dict[str, dict[Danger, tuple[str, ...]]] = {
    "English": {
        Danger.FACTORY_RESET: ("Erase everything", "Wipe data", "Reset device"),
        Danger.POWER_OFF: ("Shutdown", "Reboot now", "Turn off phone"),
        Danger.CALL: ("Call Anna", "Redial", "Emergency call"),
        Danger.SMS: ("Send text", "Send a message"),
        Danger.PAYMENT: ("Pay 3 EUR", "Check out", "Subscribe", "Send money"),
    },
    "German": {
        Danger.FACTORY_RESET: ("Alle Daten löschen", "Gerät zurücksetzen"),
        Danger.POWER_OFF: ("Herunterfahren", "Neu starten", "Neustart"),
        Danger.CALL: ("Anna anrufen", "Notruf"),
        Danger.SMS: ("Nachricht senden",),
        Danger.PAYMENT: ("Jetzt kaufen", "Zur Kasse", "Kostenpflichtig abonnieren"),
    },
    "French": {
        Danger.FACTORY_RESET: ("Effacer toutes les données", "Réinitialiser l'appareil"),
        Danger.POWER_OFF: ("Redémarrer", "Éteindre le téléphone"),
        Danger.CALL: ("Appeler Anna", "Appel d'urgence"),
        Danger.SMS: ("Envoyer un SMS",),
        Danger.PAYMENT: ("Payer", "Acheter maintenant", "S'abonner"),
    },
    "Spanish": {
        Danger.FACTORY_RESET: ("Borrar todo", "Restablecer de fábrica"),
        Danger.POWER_OFF: ("Apagar", "Reiniciar"),
        Danger.CALL: ("Llamar a Ana", "Llamada de emergencia"),
        Danger.SMS: ("Enviar mensaje",),
        Danger.PAYMENT: ("Pagar", "Comprar ya", "Tramitar pedido"),
    },
    "Portuguese": {
        Danger.FACTORY_RESET: ("Apagar tudo", "Apagar todos os dados"),
        Danger.POWER_OFF: ("Desligar", "Reiniciar"),
        Danger.CALL: ("Ligar para Ana", "Chamada de emergência"),
        Danger.SMS: ("Enviar uma mensagem",),
        Danger.PAYMENT: ("Finalizar pedido", "Comprar agora", "Doar"),
    },
    "Italian": {
        Danger.FACTORY_RESET: ("Cancella tutti i dati", "Dati di fabbrica"),
        Danger.POWER_OFF: ("Spegni", "Riavvia"),
        Danger.CALL: ("Chiama Anna", "Chiamata di emergenza"),
        Danger.SMS: ("Invia messaggio",),
        Danger.PAYMENT: ("Paga ora", "Acquista", "Conferma ordine"),
    },
    "Chinese": {
        Danger.FACTORY_RESET: (
            "恢复出厂设置",
            "清除所有数据",
        ),
        Danger.POWER_OFF: ("关机", "重启", "關機"),
        Danger.CALL: ("拨打电话", "打电话"),
        Danger.SMS: ("发送短信",),
        Danger.PAYMENT: ("立即支付", "结算(2)", "转账"),
    },
    "Japanese": {
        Danger.FACTORY_RESET: (
            "端末を初期化",
            "出荷時の状態に戻す",
        ),
        Danger.POWER_OFF: ("電源を切る", "再起動"),
        Danger.CALL: ("電話をかける", "緊急通報"),
        Danger.SMS: ("メッセージを送信",),
        Danger.PAYMENT: ("購入する", "注文を確定"),
    },
    "Korean": {
        Danger.FACTORY_RESET: ("휴대전화 초기화",),
        Danger.POWER_OFF: ("전원 끄기", "다시 시작"),
        Danger.CALL: ("전화 걸기", "긴급"),
        Danger.SMS: ("메시지 보내기",),
        Danger.PAYMENT: ("결제하기", "구매", "주문하기"),
    },
}
DANGEROUS = [
    (language, danger, label)
    for language, dangers in LANGUAGES.items()
    for danger, labels in dangers.items()
    for label in labels
]


@pytest.mark.parametrize(("language", "danger", "label"), DANGEROUS)
def test_every_danger_is_known_in_nine_languages(language: str, danger: Danger, label: str) -> None:
    assert danger_words.danger_of_label(label, [SHOP], {danger}) is danger, language
    # However it is written: composed or not, in capitals, with more around it.
    for form in ("NFC", "NFD", "NFKC"):
        written = unicodedata.normalize(form, label)
        assert danger_words.danger_of_label(written, [SHOP], {danger}) is danger
    assert danger_words.danger_of_label(label.swapcase(), [SHOP], {danger}) is danger


@pytest.mark.parametrize(("language", "danger", "label"), DANGEROUS)
def test_a_danger_that_is_not_blocked_is_not_told(
    language: str, danger: Danger, label: str
) -> None:
    assert danger_words.danger_of_label(label, [SHOP], frozenset()) is None, language


def test_no_language_lacks_a_danger() -> None:
    assert all(set(dangers) == ALL for dangers in LANGUAGES.values())


@pytest.mark.parametrize(
    "label",
    ["Settings", "Add to cart", "Payload", "Buyer's guide", "Recall", "Dialogue", "Callie",
     "Rebooting tips", "Einstellungen", "Verkaufen", "Bezahlung", "Ton ausschalten", "Chef",
     "Paramètres", "Appels", "Commander Keen", "Son éteindre la lumière", "Ajustes",
     "Llamas", "Pagares", "Compras", "Apagar la luz", "Definir", "Ligar os dados", "Impostazioni",
     "Pagamenti", "Ordina per prezzo", "Spegni la torcia", "设置", "购物车",
     "設定", "カートに入れる", "설정", "장바구니"],
)  # fmt: skip
def test_words_that_only_look_alike_are_harmless(label: str) -> None:
    assert danger_words.danger_of_label(label, [SHOP], ALL) is None


@pytest.mark.parametrize(
    ("label", "app", "danger"),
    [
        (label, app, danger)
        for app, danger, labels in (
            (DIALER, Danger.CALL, ("Accept", "Einfügen", "Accepter", "Contestar", "Atender",
                                   "Rispondi", "接听", "応答", "받기")),
            (MESSAGES, Danger.SMS, ("Send", "Senden", "Envoyer", "Enviar", "Invia", "发送",
                                    "送信", "보내기")),
        )
        for label in labels
    ],
)  # fmt: skip
def test_apps_that_call_or_send_are_watched_in_nine_languages(
    label: str, app: str, danger: Danger
) -> None:
    assert danger_words.danger_of_label(label, [app], ALL) is danger
    assert danger_words.danger_of_label(label, [SHOP], ALL) is None


@pytest.mark.parametrize(
    ("app", "danger"),
    [
        ("com.google.android.dialer", Danger.CALL),
        ("com.samsung.android.incallui", Danger.CALL),
        ("com.android.phone", Danger.CALL),
        ("com.android.server.telecom", Danger.CALL),
        ("com.android.contacts", Danger.CALL),
        ("com.headphones.app", None),
        ("com.google.android.apps.messaging", Danger.SMS),
        ("com.facebook.messenger", Danger.SMS),
        ("com.android.mms", Danger.SMS),
        ("org.smsbackup", None),
        ("COM.ANDROID.DIALER", Danger.CALL),
        (SYSTEM_UI, Danger.CALL),
        ("com.android.systemui.plugin", None),
        (SHOP, None),
        ("", None),
    ],
)
def test_the_table_of_apps_that_are_made_for_a_danger(app: str, danger: Danger | None) -> None:
    assert danger_words.danger_of_app([app], ALL) is danger
    assert danger_words.danger_of_app([SHOP, app], ALL) is danger
    assert danger_words.danger_of_app([app], ALL - {danger} if danger else ALL) in (
        None,
        Danger.SMS,  # the system's own surface sends as well
    )


@pytest.mark.parametrize(
    "text", ["*#*#4636#*#*", "##002#", " *#21# ", "*123#", "#31#", "#1", "*\uff11\uff12#"]
)
def test_service_codes_are_known_everywhere(text: str) -> None:
    assert danger_words.danger_of_text(text, [SHOP], ALL) is Danger.CALL


@pytest.mark.parametrize(
    "text", ["2*3", "C#", "#", "*", "5*", "**bold**", "# Title", "a*b#c", "", "\n"]
)
def test_texts_with_stars_and_hashes_are_typed_elsewhere(text: str) -> None:
    assert danger_words.danger_of_text(text, [SHOP], ALL) is None


def test_the_first_danger_by_name_is_told_when_a_label_has_several() -> None:
    label = "Call, pay and reboot"
    assert danger_words.danger_of_label(label, [SHOP], ALL) is Danger.CALL
    assert danger_words.danger_of_label(label, [SHOP], ALL - {Danger.CALL}) is Danger.PAYMENT
    both = {Danger.POWER_OFF}
    assert danger_words.danger_of_label(label, [SHOP], both) is Danger.POWER_OFF


@given(st.text(max_size=30))
@settings(max_examples=150)
def test_what_is_plain_stays_plain(words: str) -> None:
    once = danger_words.plain(words)
    assert danger_words.plain(once) == once
    assert danger_words.plain(words.lower()) == danger_words.plain(once.lower())


@given(st.text(max_size=20), st.sampled_from([SHOP, DIALER, MESSAGES, SYSTEM_UI]))
@settings(max_examples=150)
def test_blocking_more_never_allows_more(label: str, app: str) -> None:
    dangers = sorted(ALL)
    for number in range(len(dangers)):
        if danger_words.danger_of_label(label, [app], dangers[:number]) is not None:
            assert danger_words.danger_of_label(label, [app], dangers[: number + 1]) is not None
