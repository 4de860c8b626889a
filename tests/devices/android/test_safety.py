from __future__ import annotations

import pytest
from tests.contracts.device import DeviceContract
from tests.devices.test_fake import OPEN, SCRIPT
from tests.envs.fakes import make_observation

from distrl import actions
from distrl.config.devices import SafetyConfig
from distrl.devices.android.danger_words import SYSTEM_UI
from distrl.devices.android.safety import (
    Danger,
    Fence,
    GuardedDevice,
    Refusal,
    guard,
    refusal,
)
from distrl.devices.fake import FakeDevice, Script
from distrl.errors import ActionError, ConfigError, DeviceError
from distrl.types import Action, Element, Key, Kind, Observation

SETTINGS, SHOP, MESSAGES = "com.android.settings", "com.shop", "com.google.android.apps.messaging"
DIALER, LAUNCHER = "com.android.dialer", "com.launcher"
RULES = SafetyConfig(opt_in=["fake-0"], apps=[LAUNCHER, SETTINGS, SHOP, MESSAGES, DIALER])
WHOLE = (0.0, 0.0, 1.0, 1.0)
TAP = actions.tap(0.5, 0.5)


def showing(app: str, *elements: Element) -> Observation:
    seen = make_observation(elements)
    return Observation(seen.picture, elements, keyboard=False, app=app)


def blind(app: str) -> Observation:
    return Observation(make_observation(None).picture, None, keyboard=False, app=app)


class TestGuardedDevice(DeviceContract):
    def make_device(self) -> GuardedDevice:
        apps = list(SCRIPT.screens)
        return guard(FakeDevice(SCRIPT), SafetyConfig(opt_in=["fake-0"], apps=apps))

    def effective_action(self, device: object) -> Action:
        return actions.tap(*OPEN.center)


@pytest.mark.parametrize(
    ("app", "label", "danger"),
    [
        (SETTINGS, "Erase all data (factory reset)", Danger.FACTORY_RESET),
        (SETTINGS, "Factory data reset", Danger.FACTORY_RESET),
        (SETTINGS, "RESET PHONE", Danger.FACTORY_RESET),
        (SETTINGS, "Reset Wi-Fi options", None),
        (SETTINGS, "Power off", Danger.POWER_OFF),
        (SETTINGS, "Shut down", Danger.POWER_OFF),
        (SETTINGS, "Restart", Danger.POWER_OFF),
        (SETTINGS, "Battery power", None),
        (DIALER, "Call", Danger.CALL),
        (SHOP, "Call the shop", Danger.CALL),
        (DIALER, "Emergency", Danger.CALL),
        (SHOP, "Recall notices", None),
        (MESSAGES, "Send", Danger.SMS),
        (MESSAGES, "Send SMS", Danger.SMS),
        (SHOP, "Send a photo", None),
        (SHOP, "Send message", Danger.SMS),
        (SHOP, "Buy now", Danger.PAYMENT),
        (SHOP, "Proceed to checkout", Danger.PAYMENT),
        (SHOP, "Place your order", Danger.PAYMENT),
        (SHOP, "Order now", Danger.PAYMENT),
        (SHOP, "Add to cart", None),
        (SHOP, "PayPal settings", None),
    ],
)
def test_the_table_of_labels(app: str, label: str, danger: Danger | None) -> None:
    for element in (
        Element("button", label, bounds=WHOLE),
        Element("button", "", label, bounds=WHOLE),
    ):
        for action in (TAP, actions.long_press(0.5, 0.5), actions.swipe(0.5, 0.5, 0.9, 0.5)):
            refused = refusal(action, showing(app, element), RULES)
            assert (refused.why if refused else None) is danger


@pytest.mark.parametrize(
    ("app", "action", "why"),
    [
        ("com.bank", TAP, Fence.APP),
        ("com.bank", actions.type_text("hello"), Fence.APP),
        ("com.bank", actions.press(Key.ENTER), Fence.APP),
        ("com.bank", actions.press(Key.BACK), None),
        ("com.bank", actions.press(Key.HOME), None),
        ("com.bank", actions.wait(), None),
        ("com.bank", actions.complete(), None),
        (SHOP, TAP, None),
        (MESSAGES, TAP, Fence.BLIND),
        (DIALER, actions.swipe(0.5, 0.5, 0.5, 0.1), Fence.BLIND),
        (SHOP, actions.type_text("blue shoes\n"), None),
        (SHOP, actions.type_text("*#06#"), Danger.CALL),
        (SHOP, actions.type_text("*2767*3855#"), Danger.CALL),
        (SHOP, actions.type_text("#shoes"), None),
        (SHOP, actions.press(Key.ENTER), None),
        (MESSAGES, actions.type_text("hello"), None),
        (MESSAGES, actions.type_text("hello\n"), Danger.SMS),
        (MESSAGES, actions.press(Key.ENTER), Danger.SMS),
        (DIALER, actions.press(Key.ENTER), Danger.CALL),
        (DIALER, actions.type_text("2767"), None),
        (DIALER, actions.type_text("2767*"), Danger.CALL),
    ],
)
def test_the_table_of_apps_texts_and_keys(
    app: str, action: Action, why: Danger | Fence | None
) -> None:
    elsewhere = Element("text", "Hello", bounds=(0.0, 0.9, 1.0, 1.0))
    refused = refusal(action, showing(app, elsewhere), RULES)
    assert (refused.why if refused else None) is why


@pytest.mark.parametrize(
    ("packages", "why"),
    [
        (frozenset(), None),
        (frozenset({SHOP}), None),
        (frozenset({SHOP, SYSTEM_UI}), Fence.APP),
        (frozenset({"com.bank"}), Fence.APP),
    ],
)
def test_what_is_touched_must_belong_to_an_app_that_is_allowed(
    packages: frozenset[str], why: Fence | None
) -> None:
    seen = showing(SHOP, Element("button", "OK", bounds=WHOLE))
    refused = refusal(TAP, seen, RULES, packages)
    assert (refused.why if refused else None) is why


@pytest.mark.parametrize("label", ["Send", "Answer", ""])
def test_notifications_neither_answer_nor_reply_where_the_system_may_be_touched(label: str) -> None:
    rules = RULES.changed(apps=[*RULES.apps, SYSTEM_UI])
    seen = showing(SHOP, Element("button", label, bounds=WHOLE))
    assert refusal(TAP, seen, rules) is None
    refused = refusal(TAP, seen, rules, frozenset({SYSTEM_UI}))
    assert refused is not None
    assert refused.why in (Danger.CALL, Danger.SMS)


@pytest.mark.parametrize(
    ("app", "role", "danger"),
    [
        (DIALER, "button", Danger.CALL),
        (MESSAGES, "button", Danger.SMS),
        (DIALER, "image", None),
        (SHOP, "button", None),
    ],
)
def test_buttons_without_a_name_are_not_touched_where_they_may_call_or_send(
    app: str, role: str, danger: Danger | None
) -> None:
    refused = refusal(TAP, showing(app, Element(role, bounds=WHOLE)), RULES)
    assert (refused.why if refused else None) is danger


@pytest.mark.parametrize(
    ("apps", "app", "allowed"),
    [
        (("com.shop",), "com.shop", True),
        (("com.shop",), "com.shop.pay", False),
        (("com.shop.*",), "com.shop.pay", True),
        (("com.shop.*",), "com.shopping", False),
        (("com.shop",), "", False),
        (("*",), "", True),
    ],
)
def test_the_table_of_allowed_apps(apps: tuple[str, ...], app: str, allowed: bool) -> None:
    rules = SafetyConfig(opt_in=[], apps=list(apps))
    assert rules.allow(app) is allowed


def test_only_what_is_touched_counts() -> None:
    buy = Element("button", "Buy now", bounds=(0.0, 0.0, 1.0, 0.2))
    assert refusal(actions.tap(0.5, 0.5), showing(SHOP, buy), RULES) is None
    assert refusal(actions.tap(0.5, 0.1), showing(SHOP, buy), RULES) is not None


@pytest.mark.parametrize("seen", [blind(SHOP), showing(SHOP)], ids=["unread", "empty"])
def test_a_screen_without_elements_is_touched_only_if_that_was_allowed(seen: Observation) -> None:
    refused = refusal(TAP, seen, RULES)
    assert refused is not None
    assert refused.why is Fence.BLIND
    assert refusal(TAP, seen, RULES.changed(blind_touches=True)) is None


def test_a_danger_can_be_allowed_by_name() -> None:
    rules = SafetyConfig(
        opt_in=RULES.opt_in,
        apps=RULES.apps,
        blocked=[danger for danger in Danger if danger is not Danger.PAYMENT],
    )
    buy = Element("button", "Buy now", bounds=WHOLE)
    assert refusal(TAP, showing(SHOP, buy), rules) is None
    call = Element("button", "Call", bounds=WHOLE)
    assert refusal(TAP, showing(SHOP, call), rules) is not None


# The device.

BUY = Element("button", "Buy now", bounds=(0.0, 0.1, 1.0, 0.3))
LINK = Element("button", "Our bank", bounds=(0.0, 0.4, 1.0, 0.6))
WORLD = Script(
    screens={"shop": (BUY, LINK), "bank": (LINK,), "paid": (), "home": ()},
    moves={("shop", "Buy now"): "paid", ("shop", "Our bank"): "bank", ("bank", "home"): "home"},
    start="shop",
)


def make_guarded(*apps: str) -> GuardedDevice:
    rules = SafetyConfig(opt_in=["fake-0"], apps=list(apps))
    return guard(FakeDevice(WORLD), rules)


def test_a_refused_action_has_no_effect_and_is_counted() -> None:
    device = make_guarded("shop", "paid", "home")
    before = device.observe()
    device.perform(actions.tap(*BUY.center))
    assert device.observe().app == before.app == "shop"
    assert device.refused == {Danger.PAYMENT: 1}
    assert device.last_refusal is not None
    assert device.last_refusal.words == "Buy now"


def test_an_action_is_judged_even_if_nobody_looked_before() -> None:
    device = make_guarded("shop", "paid", "home")
    device.perform(actions.tap(*BUY.center))
    device.perform(actions.tap(*BUY.center))
    assert device.observe().app == "shop"
    assert device.refused == {Danger.PAYMENT: 2}


def test_an_app_that_is_not_allowed_is_left_by_home() -> None:
    device = make_guarded("shop", "home")
    device.perform(actions.tap(*LINK.center))
    assert device.observe().app == "home"
    assert device.refused == {Fence.APP: 1}


def test_a_device_that_does_not_leave_such_an_app_is_faulty() -> None:
    device = make_guarded("shop")
    device.perform(actions.tap(*LINK.center))
    with pytest.raises(DeviceError, match="shows 'home' after HOME, which is not allowed"):
        device.observe()


class Crowded(FakeDevice):
    """A device on which something of another app lies above the first button."""

    def unlabelled_at(self, x: float, y: float) -> bool:
        return False

    def packages_at(self, x: float, y: float) -> frozenset[str]:
        return frozenset({SYSTEM_UI} if y < LINK.bounds[1] else {"shop"})


def test_what_lies_above_an_allowed_app_is_not_touched() -> None:
    rules = SafetyConfig(opt_in=["fake-0"], apps=["shop"], blocked=[])
    device = guard(Crowded(WORLD), rules)
    device.perform(actions.tap(*BUY.center))
    assert device.inner.observe().app == "shop"
    assert device.last_refusal == Refusal(Fence.APP, SYSTEM_UI)
    device.perform(actions.tap(*LINK.center))
    assert device.inner.observe().app == "bank"


def test_button_that_only_its_developer_named_counts_as_nameless_where_apps_call() -> None:
    named = Element("button", description="dialpad floating action", bounds=BUTTON)
    seen = showing(DIALER, named)
    assert refusal(TAP, seen, RULES) is None
    refused = refusal(TAP, seen, RULES, unlabelled=True)
    assert refused == Refusal(Danger.CALL, f"a button without a name in {DIALER}")


class Mute(FakeDevice):
    """A device that has no keys for some texts."""

    def perform(self, action: Action) -> None:
        if action.text:
            raise ActionError("there is no key for that")
        super().perform(action)


def test_an_action_that_cannot_be_carried_out_has_no_effect_and_is_counted() -> None:
    rules = SafetyConfig(opt_in=["fake-0"], apps=["shop"])
    device = guard(Mute(WORLD), rules)
    device.perform(actions.type_text("é"))
    assert device.refused == {Fence.UNABLE: 1}
    assert device.last_refusal == Refusal(Fence.UNABLE, "there is no key for that")
    assert device.observe().app == "shop"


def test_a_device_has_to_be_named_before_it_is_used() -> None:
    rules = SafetyConfig(opt_in=["R58M1"], apps=["shop"])
    with pytest.raises(ConfigError, match=r"'fake-0' may not be used.*named: R58M1"):
        guard(FakeDevice(WORLD), rules)


def test_rules_without_an_app_are_refused() -> None:
    with pytest.raises(ConfigError, match="at least one app"):
        guard(FakeDevice(WORLD), SafetyConfig(opt_in=["fake-0"]))


# Edges


BUTTON = (0.2, 0.4, 0.6, 0.5)


@pytest.mark.parametrize(
    ("x", "y", "touched"),
    [
        (0.2, 0.4, True),
        (0.6, 0.5, True),
        (0.6, 0.4, True),
        (0.4, 0.45, True),
        (0.1999, 0.45, False),
        (0.6001, 0.45, False),
        (0.4, 0.3999, False),
        (0.4, 0.5001, False),
    ],
)
def test_an_edge_belongs_to_the_element(x: float, y: float, touched: bool) -> None:
    seen = showing(SHOP, Element("button", "Buy now", bounds=BUTTON))
    for action in (actions.tap(x, y), actions.long_press(x, y), actions.swipe(x, y, 0.0, 0.0)):
        assert (refusal(action, seen, RULES) is not None) is touched


def test_where_a_swipe_ends_does_not_count() -> None:
    seen = showing(SHOP, Element("button", "Buy now", bounds=BUTTON))
    assert refusal(actions.swipe(0.9, 0.9, 0.4, 0.45), seen, RULES) is None


@pytest.mark.parametrize("order", [1, -1])
def test_one_dangerous_element_under_the_finger_is_enough(order: int) -> None:
    layers = [
        Element("item", "Socks", bounds=WHOLE),
        Element("button", "Buy now", bounds=BUTTON),
        Element("image", "", bounds=WHOLE),
    ][::order]
    refused = refusal(actions.tap(0.4, 0.45), showing(SHOP, *layers), RULES)
    assert refused == Refusal(Danger.PAYMENT, "Buy now")


@pytest.mark.parametrize(
    "element",
    [
        Element("text", "Buy now", bounds=WHOLE),
        Element("image", "", "Buy now", bounds=WHOLE),
        Element("button", "Buy now", bounds=WHOLE, enabled=False),
        Element("item", "Socks, 3 EUR, Buy now", bounds=WHOLE),
        Element("field", "Buy now", bounds=WHOLE, editable=True),
    ],
)
def test_whatever_carries_the_words_is_not_touched(element: Element) -> None:
    refused = refusal(TAP, showing(SHOP, element), RULES)
    assert refused is not None
    assert refused.why is Danger.PAYMENT


def test_nothing_under_the_finger_is_touched_in_an_app_that_neither_calls_nor_sends() -> None:
    seen = showing(SHOP, Element("button", "Buy now", bounds=BUTTON))
    assert refusal(actions.tap(0.9, 0.9), seen, RULES) is None
    in_dialer = showing(DIALER, Element("button", "7", bounds=BUTTON))
    refused = refusal(actions.tap(0.9, 0.9), in_dialer, RULES)
    assert refused == Refusal(Fence.BLIND, DIALER)
    allowed = RULES.changed(blocked=[])
    assert refusal(actions.tap(0.9, 0.9), in_dialer, allowed) is None


def test_a_blind_touch_that_was_allowed_still_reads_what_can_be_read() -> None:
    rules = RULES.changed(blind_touches=True)
    seen = showing(DIALER, Element("button", "Call", bounds=BUTTON))
    assert refusal(actions.tap(0.9, 0.9), seen, rules) is None
    assert refusal(actions.tap(0.4, 0.45), seen, rules) is not None


@pytest.mark.parametrize("app", [LAUNCHER, SETTINGS, SHOP, MESSAGES, DIALER, SYSTEM_UI, "", "x"])
@pytest.mark.parametrize(
    "action",
    [actions.wait(), actions.complete(), actions.infeasible(), actions.press(Key.BACK),
     actions.press(Key.HOME)],
)  # fmt: skip
def test_what_is_harmless_is_allowed_everywhere(app: str, action: Action) -> None:
    assert refusal(action, blind(app), RULES) is None


def test_the_name_that_is_told_is_the_one_that_gave_it_away() -> None:
    element = Element("button", "OK", "Power off", bounds=WHOLE)
    assert refusal(TAP, showing(SHOP, element), RULES) == Refusal(Danger.POWER_OFF, "Power off")
    nameless = refusal(TAP, showing(DIALER, Element("button", bounds=WHOLE)), RULES)
    assert nameless == Refusal(Danger.CALL, f"a button without a name in {DIALER}")
    entered = refusal(actions.press(Key.ENTER), showing(MESSAGES), RULES)
    assert entered == Refusal(Danger.SMS, f"enter in {MESSAGES}")


def test_app_in_front_is_judged_before_what_lies_above_it() -> None:
    seen = showing("com.bank", Element("button", "OK", bounds=WHOLE))
    assert refusal(TAP, seen, RULES, frozenset({"com.evil"})) == Refusal(Fence.APP, "com.bank")


@pytest.mark.parametrize("danger", sorted(Danger))
def test_every_danger_can_be_allowed_by_itself(danger: Danger) -> None:
    labels = {
        Danger.FACTORY_RESET: "Erase everything",
        Danger.POWER_OFF: "Power off",
        Danger.CALL: "Call",
        Danger.SMS: "Send SMS",
        Danger.PAYMENT: "Buy now",
    }
    rules = RULES.changed(blocked=[other for other in Danger if other is not danger])
    for other, label in labels.items():
        refused = refusal(TAP, showing(SHOP, Element("button", label, bounds=WHOLE)), rules)
        assert (refused is None) is (other is danger)


# The guarded device keeps count and passes the rest on


def test_every_refusal_is_counted_by_its_reason() -> None:
    device = make_guarded("shop", "home")
    device.perform(actions.tap(*BUY.center))
    device.perform(actions.type_text("*#06#"))
    device.perform(actions.tap(*BUY.center))
    assert device.refused == {Danger.PAYMENT: 2, Danger.CALL: 1}
    assert device.last_refusal == Refusal(Danger.PAYMENT, "Buy now")


def test_action_that_the_device_does_not_have_is_an_error_and_no_refusal() -> None:
    rules = SafetyConfig(opt_in=["fake-0"], apps=["shop"])
    device = guard(FakeDevice(WORLD, kinds=frozenset({Kind.TAP})), rules)
    assert device.kinds == {Kind.TAP}
    with pytest.raises(ActionError, match="cannot wait"):
        device.perform(actions.wait())
    assert not device.refused


def test_a_reset_forgets_what_was_seen_and_a_device_that_is_closed_stays_so() -> None:
    device = make_guarded("shop", "bank", "home")
    device.perform(actions.tap(*LINK.center))
    assert device.observe().app == "bank"
    device.reset(3)
    assert device.observe().app == "shop"
    device.close()
    with pytest.raises(DeviceError):
        device.observe()


def test_a_screen_is_looked_at_once_for_all_actions_that_are_refused() -> None:
    looks: list[int] = []

    class Watched(FakeDevice):
        def observe(self) -> Observation:
            looks.append(1)
            return super().observe()

    rules = SafetyConfig(opt_in=["fake-0"], apps=["shop"])
    device = guard(Watched(WORLD), rules)
    for _ in range(5):
        device.perform(actions.tap(*BUY.center))
    assert len(looks) == 1  # nothing has happened that could have changed it
    device.perform(actions.wait())
    device.perform(actions.tap(*BUY.center))
    assert len(looks) == 2


def test_an_app_is_opened_only_if_its_package_is_known_and_allowed() -> None:
    here = showing(LAUNCHER, Element("item", "Shop", bounds=WHOLE))
    opens = actions.open_app("Shop")
    assert refusal(opens, here, RULES, frozenset({SHOP})) is None
    bank = refusal(opens, here, RULES, frozenset({"com.bank"}))
    assert bank == Refusal(Fence.APP, "com.bank")
    assert refusal(opens, here, RULES) == Refusal(Fence.BLIND, "Shop")


def test_an_answer_and_recents_are_harmless_wherever_the_agent_is() -> None:
    here = blind("com.bank")
    assert refusal(actions.answer("Pay now"), here, RULES) is None
    assert refusal(actions.press(Key.RECENTS), here, RULES) is None


def test_a_double_tap_and_both_ends_of_a_drag_are_touches() -> None:
    buy = Element("button", "Buy now", bounds=(0.0, 0.0, 1.0, 0.2))
    here = showing(SHOP, buy, Element("item", "Tea", bounds=(0.0, 0.4, 1.0, 0.6)))
    for action in (
        actions.double_tap(0.5, 0.1),
        actions.drag(0.5, 0.1, 0.5, 0.5),
        actions.drag(0.5, 0.5, 0.5, 0.1),
    ):
        found = refusal(action, here, RULES)
        assert found == Refusal(Danger.PAYMENT, "Buy now"), action
    assert refusal(actions.drag(0.5, 0.5, 0.5, 0.55), here, RULES) is None
