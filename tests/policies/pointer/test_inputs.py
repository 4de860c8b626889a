from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np
import pytest
from tests.policies.pointer.fakes import (
    BUTTON,
    DISABLED,
    FIELD,
    GOAL,
    ICON,
    NAME,
    SCREEN,
    FakeTextEncoder,
    make_preparer,
    noise,
    random_situation,
    situation,
)

from distrl import actions
from distrl.actions import Direction
from distrl.policies.pointer import decisions as d
from distrl.policies.pointer import inputs as i
from distrl.policies.pointer.inputs import (
    Inputs,
    Preparer,
    half,
    next_characters,
    normal,
    options_of,
)
from distrl.policies.pointer.text_encoder import DIMENSIONS, words_of
from distrl.types import Bounds, Element, Picture, Pixels, Situation

ROW = slice(i._STATIC + i._MATCH + i._LIVE, i._STATIC + i._MATCH + i._LIVE + i._ROW)


def prepare(here: Situation) -> Inputs:
    return make_preparer().prepare(here)


def row_of(element: Element, **more: object) -> list[float]:
    """The features of an element alone on its screen."""
    here = replace(situation((element,)), **more)  # type: ignore[arg-type]
    features: list[float] = prepare(here).features[0].tolist()
    return features


@pytest.mark.parametrize("seed", range(20))
def test_every_part_has_its_shape_and_is_a_number(seed: int) -> None:
    here = random_situation(seed)
    inputs = prepare(here)
    count, words = len(options_of(here).candidates), len(words_of(here.goal))
    assert inputs.words.shape == (words, DIMENSIONS)
    assert inputs.word_features.shape == (words, i.WORD_FEATURES)
    assert inputs.labels.shape == (count, DIMENSIONS)
    assert inputs.features.shape == (count, i.CANDIDATE_FEATURES)
    assert inputs.crops.shape == (count, i.CROP, i.CROP, 3)
    assert inputs.history.shape == (i.HISTORY, i.HISTORY_FEATURES)
    assert inputs.trail_labels.shape == (i.HISTORY, DIMENSIONS)
    assert len(inputs.trail) == i.HISTORY
    assert inputs.overview.shape == (i.GLOBAL_FEATURES,)
    assert inputs.enabled.shape == (count,)
    arrays = [getattr(inputs, f.name) for f in fields(Inputs)]
    assert all(np.isfinite(a).all() for a in arrays if isinstance(a, np.ndarray))


@pytest.mark.parametrize("seed", range(20))
def test_every_number_is_one_that_can_be_stored(seed: int) -> None:
    inputs = prepare(random_situation(seed))
    for array in (inputs.features, inputs.word_features, inputs.history, inputs.overview):
        assert (half(array) == array).all()
        assert np.abs(array).max(initial=0) <= 2


@pytest.mark.parametrize("seed", range(5))
def test_the_same_situation_gives_the_same_inputs(seed: int) -> None:
    first, second = prepare(random_situation(seed)), prepare(random_situation(seed))
    for field in fields(Inputs):
        assert np.array_equal(getattr(first, field.name), getattr(second, field.name))


# What is read.


@pytest.mark.parametrize(
    ("text", "found"), [("Save", 1.0), ("save ADA", 1.0), ("Delete", 0.0), ("Sav", 0.0), ("a", 0.0)]
)
def test_whether_a_label_stands_in_the_goal_is_a_feature(text: str, found: float) -> None:
    assert row_of(replace(BUTTON, text=text))[i._STATIC] == found


def test_where_a_label_stands_in_the_goal_is_a_feature() -> None:
    first, later = (row_of(replace(BUTTON, text=t))[i._STATIC + 1] for t in ("Save", "friend"))
    assert first == 0.0
    assert 0.5 < later < 1.0


def test_numbers_are_read_literally_though_their_vectors_are_one() -> None:
    goal = "Set an alarm for 7:05"
    right, wrong = (
        prepare(situation((replace(BUTTON, text=text),), goal=goal)) for text in ("7:05", "9:41")
    )
    assert (right.labels == wrong.labels).all()
    assert right.features[0, i._STATIC] == 1.0
    assert wrong.features[0, i._STATIC] == 0.0


def test_an_icon_is_named_by_its_description() -> None:
    inputs = prepare(situation())
    assert inputs.names == ("Save", "Delete", "Name", "Ada Lovelace", "Search")
    encoder = FakeTextEncoder()
    assert (inputs.labels[4] == encoder.label("search")).all()


def test_likeness_to_the_goal_is_a_feature() -> None:
    like, unlike = (row_of(replace(BUTTON, text=text)) for text in ("friend", "banana"))
    place = i._STATIC + 8
    assert like[place] > unlike[place] + 0.2
    assert like[place + 1] == pytest.approx(1.0, abs=1e-2)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"enabled": False}, len(i.ROLES)),
        ({"checked": True}, len(i.ROLES) + 1),
        ({"checked": False}, len(i.ROLES) + 2),
        ({"focused": True}, len(i.ROLES) + 3),
        ({"editable": True}, len(i.ROLES) + 4),
        ({"text": ""}, len(i.ROLES) + 5),
    ],
)
def test_every_state_of_an_element_is_a_feature(change: dict[str, object], place: int) -> None:
    plain, changed = row_of(BUTTON), row_of(replace(BUTTON, **change))  # type: ignore[arg-type]
    assert abs(plain[place] - changed[place]) == 1.0


def test_a_role_that_is_not_known_is_no_role() -> None:
    assert sum(row_of(replace(BUTTON, role="strange"))[: len(i.ROLES)]) == 0
    assert sum(row_of(BUTTON)[: len(i.ROLES)]) == 1


def test_what_was_touched_before_is_a_feature() -> None:
    place = i._STATIC + i._MATCH
    touch, other = actions.tap(*BUTTON.center), actions.tap(*NAME.center)

    def seen(*history: object) -> list[float]:
        return row_of(BUTTON, history=history)[place : place + 2]

    assert seen() == [0, 0]
    assert seen(touch) == pytest.approx([1 / 3, 1], abs=1e-3)
    assert seen(touch, other) == pytest.approx([1 / 3, 0], abs=1e-3)
    assert seen(touch, actions.wait()) == pytest.approx([1 / 3, 0], abs=1e-3)
    assert seen(*[touch] * 9) == [1, 1]


def test_a_button_without_a_name_is_known_by_the_label_in_its_row() -> None:
    star = Element("button", "", "", (0.8, 0.5, 0.9, 0.6))
    far = Element("button", "", "", (0.8, 0.7, 0.9, 0.8))
    card = Element("item", GOAL, "", (0.0, 0.0, 1.0, 1.0))
    rows = prepare(situation((NAME, star, far, card))).features[:, ROW]
    alone = prepare(situation((replace(NAME, text="Ada"), star, far))).features[:, ROW]
    assert rows[1].any()  # Ada Lovelace stands beside it
    assert alone[1].tolist() == pytest.approx([1.0, 1.0, 1 / 4], abs=1e-3)
    assert not rows[2].any()
    assert not rows[0].any()  # neither its own match nor that of the card around it


@pytest.mark.parametrize(
    ("label", "button", "beside"),
    [
        ((0.30, 0.46), (0.42, 0.45), True),
        ((0.42, 0.45), (0.30, 0.46), False),
        ((0.50, 0.60), (0.40, 0.70), True),
        ((0.40, 0.70), (0.50, 0.60), False),
    ],
    ids=["tall label", "tall button", "panel of a button", "panel of a label"],
)
def test_a_row_is_as_high_as_its_label(
    label: tuple[float, float], button: tuple[float, float], beside: bool
) -> None:
    """The button is in the row if its middle is; how high the button is does not matter."""
    said = Element("text", "Ada", "", (0.0, label[0], 0.5, label[1]))
    mute = Element("button", "", "", (0.8, button[0], 0.9, button[1]))
    assert prepare(situation((said, mute))).features[1, ROW].any() == beside


def test_links_tell_which_words_of_the_goal_stand_in_a_label() -> None:
    here = replace(situation((NAME, BUTTON, ICON)), touched=("a friend",))
    links = prepare(here).links
    assert links.shape == (i.HISTORY + 3, len(words_of(GOAL)))
    touched, others = links[0].tolist(), links[1 : i.HISTORY]
    assert touched == [False, False, False, False, True]  # small words do not count
    assert not others.any()
    assert links[i.HISTORY :].tolist() == [
        [False, True, False, False, False],
        [True, False, False, False, False],
        [False] * 5,
    ]


def test_a_colour_that_the_goal_names_is_a_feature_of_what_has_it() -> None:
    pixels = np.zeros((100, 100, 3), np.uint8)
    pixels[:50], pixels[50:] = (140, 215, 120), (255, 147, 201)
    notes = (
        Element("item", "Note", bounds=(0.0, 0.0, 1.0, 0.5)),
        Element("item", "Note", bounds=(0.0, 0.5, 1.0, 1.0)),
    )

    def marked(goal: str) -> list[float]:
        here = situation(notes, goal=goal, pixels=pixels)
        found: list[float] = prepare(here).features[:, ROW.stop].tolist()
        return found

    assert marked("Open the green note") == [1, 0]
    assert marked("Show the pink one") == [0, 1]
    assert marked("Open the note") == [0, 0]


@pytest.mark.parametrize(
    ("keyed", "wanted"),
    [
        ("", "7"),
        ("7", "7"),
        ("77", ""),
        ("77+", "6"),
        ("77+6", ""),
        ("9", ""),
    ],
)
def test_the_next_key_of_a_number_is_known_from_the_keys_before(keyed: str, wanted: str) -> None:
    assert next_characters("How much is 77 plus 6?", tuple(keyed)) == wanted
    assert next_characters("How much is 77 plus 6?", ("Calculator", *keyed)) == wanted


@pytest.mark.parametrize(("keyed", "wanted"), [("72", "0"), ("720", "5"), ("7205626", "")])
def test_a_dash_inside_a_number_is_not_keyed_in(keyed: str, wanted: str) -> None:
    assert next_characters("Dial 720-5626 for me", tuple(keyed)) == wanted


def test_keys_that_go_on_with_a_number_are_marked() -> None:
    keys = tuple(
        Element("button", key, bounds=(k / 4, 0.0, (k + 1) / 4, 0.1))
        for k, key in enumerate("127+")
    )
    here = replace(situation(keys, goal="Dial 712"), touched=("7",))
    assert prepare(here).features[:, -1].tolist() == [1, 0, 0, 0]


def test_words_know_how_they_are_written() -> None:
    here = situation(goal="Save Ada: room 7, please")
    place, length, capital, number, small, before, after = prepare(here).word_features.T[:7]
    assert place.tolist() == pytest.approx([k / 24 for k in range(5)], abs=1e-3)
    assert length.tolist() == pytest.approx([4 / 12, 3 / 12, 4 / 12, 1 / 12, 6 / 12], abs=1e-3)
    assert capital.tolist() == [1, 1, 0, 0, 0]
    assert number.tolist() == [0, 0, 0, 1, 0]
    assert small.tolist() == [0, 0, 0, 0, 1]
    assert before.tolist() == [0, 0, 1, 0, 1]
    assert after.tolist() == [0, 1, 0, 1, 0]


def test_words_know_whether_they_are_typed_or_shown() -> None:
    typed = replace(FIELD, text="Ada")
    rows = prepare(situation((typed, replace(NAME, text="a Friend")))).word_features
    assert rows[:, 7].tolist() == [0, 1, 0, 0, 0]
    assert rows[:, 8].tolist() == [0, 0, 0, 1, 1]


def test_history_is_newest_first_and_bounded() -> None:
    done = (
        *(actions.wait() for _ in range(5)),
        actions.swipe_towards(Direction.LEFT),
        actions.press("back"),
    )
    rows = prepare(situation(history=done)).history
    assert rows[0, d.CHOICES.index((actions.press("back").kind, actions.press("back").key))] == 1
    assert rows[1, d.SWIPE] == 1
    assert rows[1, len(d.CHOICES) + d.DIRECTIONS.index(Direction.LEFT)] == 1
    assert rows[:, len(d.CHOICES) + len(d.DIRECTIONS)].tolist() == [1] * i.HISTORY
    assert not prepare(situation()).history.any()


def test_the_words_of_earlier_touches_are_remembered_newest_first() -> None:
    done = (actions.tap(*BUTTON.center), actions.wait(), actions.tap(*NAME.center))
    here = replace(situation(history=done), touched=("Save", "", "Ada Lovelace"))
    inputs = prepare(here)
    assert inputs.trail[:3] == ("Ada Lovelace", "", "Save")
    assert (inputs.trail_labels[2] == inputs.labels[0]).all()


@pytest.mark.parametrize(
    ("elements", "keyboard", "typing"),
    [
        (SCREEN, False, False),
        (SCREEN, True, True),
        ((replace(FIELD, focused=True),), False, True),
        ((replace(BUTTON, focused=True),), False, False),
        (None, False, False),
        (None, True, True),
    ],
)
def test_typing_is_possible_in_a_focused_field(
    elements: tuple[Element, ...] | None, keyboard: bool, typing: bool
) -> None:
    assert prepare(situation(elements, keyboard=keyboard)).typing is typing


def test_what_is_disabled_is_marked() -> None:
    assert prepare(situation()).enabled.tolist() == [e is not DISABLED for e in SCREEN]


# What is seen.


def test_a_crop_is_the_pixels_of_its_element() -> None:
    pixels = np.zeros((100, 100, 3), np.uint8)
    pixels[10:20, 10:30] = (255, 0, 0)
    crops = prepare(situation(pixels=pixels)).crops
    assert (crops[0] == (255, 0, 0)).all()
    assert not crops[1:].any()


def test_a_picture_that_draws_crops_alone_is_not_drawn_as_a_whole() -> None:
    def draw() -> Pixels:
        raise AssertionError("the whole screen was drawn")

    def draw_crops(boxes: Sequence[Bounds], side: int) -> Pixels:
        return np.stack([np.full((side, side, 3), round(100 * box[0]), np.uint8) for box in boxes])

    here = situation()
    seen = replace(here.observation, picture=Picture(draw, draw_crops=draw_crops))
    crops = prepare(replace(here, observation=seen)).crops
    assert crops.shape == (len(SCREEN), i.CROP, i.CROP, 3)
    assert crops[:, 0, 0, 0].tolist() == [10, 60, 10, 10, 40]


def test_without_pixels_every_crop_is_black_and_the_screen_is_not_even_drawn() -> None:
    here = situation()
    blind = make_preparer(pixels=False).prepare(here)
    assert not blind.crops.any()
    seen = prepare(here)
    assert seen.crops.any()
    for field in fields(Inputs):
        if field.name != "crops":
            assert np.array_equal(getattr(blind, field.name), getattr(seen, field.name))

    def draw() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        raise AssertionError("the screen was drawn")

    picture = type(here.observation.picture)(draw)
    Preparer(FakeTextEncoder(), pixels=False).prepare(
        replace(here, observation=replace(here.observation, picture=picture))
    )


def test_without_elements_the_cells_of_a_grid_are_seen_and_have_no_names() -> None:
    pixels = noise(120, 60)
    inputs = prepare(situation(None, pixels=pixels))
    assert len(inputs.features) == d.GRID_COLUMNS * d.GRID_ROWS
    assert inputs.features[:, i.ROLES.index("cell")].all()
    assert set(inputs.names) == {""}
    assert not inputs.labels.any()
    assert inputs.enabled.all()
    assert inputs.overview[3] == 1.0
    assert prepare(situation()).overview[3] == 0.0
    # Cells look different from each other.
    assert len({crop.tobytes() for crop in inputs.crops}) == len(inputs.crops)


def test_a_screen_of_which_nothing_is_listed_is_pointed_at_by_cells() -> None:
    inputs = prepare(situation(()))
    assert np.array_equal(inputs.features, prepare(situation(None)).features)
    assert not inputs.labels.any()


def test_more_elements_than_can_be_pointed_at_are_left_out() -> None:
    many = tuple(Element("text", f"item {n}") for n in range(200))
    assert len(prepare(situation(many)).features) == d.MAX_CANDIDATES


@pytest.mark.parametrize(
    ("text", "words"),
    [("Save it!", " save it "), ("  7:05 AM", " 7 05 am "), ("…", "  "), ("", "  ")],
)
def test_normal_form_has_single_blanks_around_words(text: str, words: str) -> None:
    assert normal(text) == words


def test_the_goal_itself_is_kept() -> None:
    assert prepare(situation()).goal == GOAL
    assert prepare(situation((ICON,))).names == ("Search",)


def test_a_label_is_alike_a_goal_word_by_the_meanings_of_both() -> None:
    labels = (replace(BUTTON, text="Ada"), replace(BUTTON, text=""), replace(BUTTON, text="Zebra"))
    here = prepare(situation(labels, goal="Save Ada"))
    candidates = here.alike[i.HISTORY :]
    assert here.alike.shape == (i.HISTORY + 3, 2)
    # Vectors are hashes of words here: of the same word, the same.
    assert candidates[0, 1] == pytest.approx(1.0, abs=1e-3)
    assert abs(candidates[0, 0]) < 0.3
    assert not candidates[1].any()
    assert (here.alike >= 0).all()
