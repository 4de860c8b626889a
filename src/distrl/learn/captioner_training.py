"""Trains the captioner: a small classifier that names the phone's icons and photos.

    train tasks --oracle--> styles of unlabelled elements --every icon, every subject--> crops
    crops with names --> CaptionNetwork --> policies/pointer/captions.safetensors

It stands for the prior knowledge of a pretrained vision model: what a dog, a bell or a bicycle
looks like. Photos are drawn in variants that no phone holds. Goals, tasks and answers are not used
in training; accuracy is measured on crops of real screens of the `val` tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeAlias

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone uses

from distrl.devices.phone.art import ICONS, SUBJECTS
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.paint.render import render
from distrl.devices.phone.ui.view import HEIGHT, WIDTH, Paint, View, Widget
from distrl.policies.pointer.captioner import SHIPPED, Captioner, CaptionNetwork, pack_captioner
from distrl.policies.pointer.inputs import CROP
from distrl.screens import crops_of
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import Element, Picture, Pixels
from distrl.weights.file_channel import write_whole

Style: TypeAlias = tuple[Paint, int, int, bool]
"""How an unlabelled element is drawn: paint, width, height, and whether in dark mode."""
Report: TypeAlias = Callable[[str], None]

_ICON_PAINTERS = frozenset(
    {"app_icon", "fab", "glyph", "map_button", "map_pin", "round_button", "tile"}
)
"""Painters whose first argument is the name of an icon."""
_OUTLINED = ("bookmark", "heart", "star")
"""Icons with an outlined and a filled form; the two mean off and on, so they get two names."""
_BACKDROPS: tuple[Paint, ...] = (
    ("fill", "bg"),
    ("fill", (70, 84, 160)),
    ("wallpaper", 1),
    ("wallpaper", 3),
    ("map", 2, 2),
)
_FIRST_VARIANT = 1000
"""Phones only hold photos of smaller variants, so training and test pictures are disjoint."""
_GAP = 4
"""Units between two elements on a drawn screen, so that crops do not overlap."""
_ROLE = "image"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionSettings:
    """How the captioner is trained."""

    per_icon: int = 160
    """Crops of each icon."""
    per_subject: int = 600
    """Photos of each subject."""
    nameless: int = 4000
    """Crops of the class "no name", and half as many empty ones."""
    tasks: int = 300
    """Tasks of each suite whose screens are visited."""
    epochs: int = 16
    batch: int = 128
    learning_rate: float = 4e-3
    seed: int = 0


QUICK = CaptionSettings(per_icon=2, per_subject=2, nameless=50, tasks=3, epochs=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedCaptioner:
    """A trained network with its accuracy."""

    network: CaptionNetwork
    names: tuple[str, ...]
    pictures: int
    """Crops that it was trained on."""
    seen: int
    """Crops of val with a known name."""
    right: float
    """Share of those that it names correctly."""
    wrong: float
    """Share of those that it gives a wrong name; the rest it leaves unnamed."""


def name_of(paint: Paint | None) -> str:
    """The ground-truth name of what a widget shows; empty if it is no icon or photo."""
    if paint is None or paint[0] not in (*_ICON_PAINTERS, "photo"):
        return ""
    name = str(paint[1])
    if name in _OUTLINED:
        return f"{name} outline"
    return name.removesuffix("_filled").replace("_", " ")


def train_captioner(settings: CaptionSettings, report: Report) -> TrainedCaptioner:
    """Draw the training crops, train, and measure accuracy on screens of val."""
    rng = Random(settings.seed)
    names = tuple(sorted({name_of(("glyph", icon)) for icon in ICONS} | set(SUBJECTS)))
    report("looking at the screens of training tasks")
    styles = sorted({style for style, _ in _unlabelled_crops("train", settings.tasks)}, key=str)
    report(f"drawing in {len(styles)} styles")
    crops, labels = _render_crops(_training_styles(styles, settings, rng), names, rng)
    report(f"learning {len(names)} names from {len(crops):,} pictures")
    network = _train(crops, labels, len(names), settings, report)
    shown = [(crop, name_of(style[0])) for style, crop in _unlabelled_crops("val", settings.tasks)]
    named = [(crop, name) for crop, name in shown if name]
    said = Captioner(network, names).name(np.stack([crop for crop, _ in named]))
    right = [word == name for word, (_, name) in zip(said, named, strict=True)]
    wrong = [bool(word) and word != name for word, (_, name) in zip(said, named, strict=True)]
    return TrainedCaptioner(
        network=network,
        names=names,
        pictures=len(crops),
        seen=len(named),
        right=float(np.mean(right)),
        wrong=float(np.mean(wrong)),
    )


def write_captioner(
    made: TrainedCaptioner, path: Path | None = None, *, code: str
) -> dict[str, object]:
    """Write weights and figures, by default where the package loads them; returns the figures.

    `code` names the version of the code that made it.
    """
    path = path or SHIPPED
    figures: dict[str, object] = {
        "names": len(made.names),
        "pictures": made.pictures,
        "seen": made.seen,
        "right": made.right,
        "wrong": made.wrong,
    }
    about = {key: str(value) for key, value in figures.items() if key != "names"}
    data = pack_captioner(made.network, made.names, {**about, "code": code})
    write_whole(path, data)
    return {**figures, "bytes": len(data), "path": str(path)}


def _unlabelled_crops(split: str, tasks: int) -> Iterator[tuple[Style, Pixels]]:
    """Style and crop of every unlabelled element on the oracle's way through the tasks."""
    device = PhoneDevice()
    referee = PhoneReferee(device)
    oracle = PhoneOracle(referee)
    for suite in ("general", "shopping"):
        for task in load_suite(suite).tasks(split)[:tasks]:
            referee.begin(task)
            for _ in range(task.step_limit):
                view, action = device.phone.view, oracle.action()
                found = [
                    (w, e) for w in view.widgets[view.live :] if w.paint and (e := w.element())
                ]
                found = [(w, e) for w, e in found if not e.text and not e.description]
                crops = crops_of(device.observe().picture, [e.bounds for _, e in found], CROP)
                for (widget, _), crop in zip(found, crops, strict=True):
                    yield (widget.paint or (), widget.w, widget.h, view.dark), crop
                if action.kind.ends_episode:
                    break
                device.perform(action)


def _training_styles(
    styles: Sequence[Style], settings: CaptionSettings, rng: Random
) -> list[Style]:
    """Styles to draw: each icon in each observed style, each subject in new variants, the rest."""
    icon_styles = [style for style in styles if style[0][0] in _ICON_PAINTERS]
    photo_styles = [style for style in styles if style[0][0] == "photo"]
    others = [style for style in styles if not name_of(style[0])]
    painters = sorted({style[0][0] for style in icon_styles})
    wanted: list[Style] = []
    for icon in ICONS:
        for number in range(settings.per_icon):
            # Painters in turn, so that rare ones, such as map pins, are drawn as often as others.
            painter = painters[number % len(painters)]
            style = rng.choice([style for style in icon_styles if style[0][0] == painter])
            wanted.append(((painter, icon, *style[0][2:]), *style[1:]))
    for subject in SUBJECTS:
        for number in range(settings.per_subject):
            paint = ("photo", subject, _FIRST_VARIANT + number)
            wanted.append((paint, *rng.choice(photo_styles)[1:]))
    wanted += rng.choices(others, k=settings.nameless)
    for style in rng.choices(icon_styles, k=settings.nameless // 2):
        color = rng.choice(("bg", "faint", tuple(rng.choices(range(256), k=3))))
        wanted.append((("fill", color), *style[1:]))
    rng.shuffle(wanted)
    return wanted


def _render_crops(
    wanted: Sequence[Style], names: Sequence[str], rng: Random
) -> tuple[Pixels, torch.Tensor]:
    """Crops and class labels; the class after the last name is "no name"."""
    number = {name: index for index, name in enumerate(names)}
    crops, labels = [], []
    for dark in (False, True):
        pending = [style for style in wanted if style[3] is dark]
        while pending:
            view, placed = _screen(pending, dark, rng)
            elements: list[Element] = [e for w in view.widgets[1:] if (e := w.element())]
            screen = Picture(render(view, WIDTH, HEIGHT))
            crops.append(crops_of(screen, [e.bounds for e in elements], CROP))
            labels += [number.get(name_of(style[0]), len(names)) for style in placed]
    return np.concatenate(crops), torch.tensor(labels)


def _screen(pending: list[Style], dark: bool, rng: Random) -> tuple[View, list[Style]]:
    """Place as many pending styles as fit on one screen with a random backdrop."""
    view, placed = View("", "", dark=dark), list[Style]()
    view.widgets.append(Widget(rng.choice(_BACKDROPS), 0, 0, WIDTH, HEIGHT))
    x = y = tallest = 0
    while pending:
        paint, width, height, _ = pending[-1]
        if x + width > WIDTH and x > 0:
            x, y, tallest = 0, y + tallest + _GAP, 0
        if y + height > HEIGHT and placed:
            break
        placed.append(pending.pop())
        view.widgets.append(Widget(paint, x, y, width, height, _ROLE))
        x, tallest = x + width + rng.randint(1, _GAP), max(tallest, height)
    return view, placed


def _train(
    crops: Pixels, labels: torch.Tensor, names: int, settings: CaptionSettings, report: Report
) -> CaptionNetwork:
    torch.manual_seed(settings.seed)
    network, pixels = CaptionNetwork(names), torch.from_numpy(crops)
    optimiser = torch.optim.AdamW(network.parameters(), settings.learning_rate)
    batches = settings.epochs * -(-len(pixels) // settings.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, settings.learning_rate, total_steps=batches
    )
    for epoch in range(settings.epochs):
        errors = 0
        for rows in torch.split(torch.randperm(len(pixels)), settings.batch):
            scores = network(_augmented(pixels[rows]))
            loss = F.cross_entropy(scores, labels[rows])
            optimiser.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
            errors += int((scores.argmax(-1) != labels[rows]).sum())
        report(f"epoch {epoch + 1}: {errors / len(pixels):.2%} missed")
    return network


def _augmented(crops: torch.Tensor) -> torch.Tensor:
    """Data augmentation: shift by up to a pixel, scale the brightness by up to 15 %."""
    # Bounds of elements are not aligned with pixels, so real crops are off by up to one.
    down, right = torch.randint(-1, 2, (2,)).tolist()
    moved = crops.roll((down, right), (1, 2))
    brightness = 0.85 + 0.3 * torch.rand(len(crops), 1, 1, 1)
    return (moved.float() * brightness).clamp(0, 255)
