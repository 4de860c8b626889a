"""Photos, products, maps and the cards that show them."""

from __future__ import annotations

from distrl.devices.phone import art
from distrl.devices.phone.paint import canvas, fonts
from distrl.devices.phone.paint.canvas import Canvas, Color
from distrl.devices.phone.paint.fonts import BODY, SMALL


def paint_photo(c: Canvas, subject: str, variant: int) -> None:
    """A picture from the gallery."""
    c.image(0, 0, canvas.photo(subject, variant, c.pixels.shape[1], c.pixels.shape[0]))


def paint_product(c: Canvas, kind: str, color: str) -> None:
    """A picture of something for sale."""
    c.image(0, 0, canvas.product(kind, color, c.pixels.shape[1], c.pixels.shape[0]))


def paint_map(c: Canvas, seed: int, zoom: int) -> None:
    """A piece of a map."""
    c.image(0, 0, art.map_tile(seed, c.pixels.shape[1], c.pixels.shape[0], zoom=zoom))


def paint_card(
    c: Canvas, kind: str, color: str, title: str, price: str, note: str, badge: str
) -> None:
    """A product in a list: picture, name, price and a line of remarks."""
    c.fill("bg")
    side = c.height - 8
    width, height = c.size(side, side)
    c.image(6, 4, canvas.product(kind, color, width, height))
    x = side + 12
    room = c.width - x - 4
    for row, line in enumerate(fonts.wrap(title, BODY, room)[:2]):
        c.text(x, 9 + 11 * row, fonts.shorten(line, BODY, room), BODY, "text")
    c.text(x, c.height - 20, price, BODY, "text", bold=True)
    c.text(x, c.height - 8, fonts.shorten(note, SMALL, room), SMALL, "muted")
    if badge:
        c.text(c.width - 6, c.height - 20, badge, SMALL, "warn", align="right")
    c.box(8, c.height - 0.6, c.width - 16, 0.6, "line")


def paint_captioned(c: Canvas, subject: str, variant: int, label: str) -> None:
    """A photo above its caption."""
    c.fill("bg")
    width, height = c.size(c.width, c.height - 14)
    c.image(0, 0, canvas.photo(subject, variant, width, height))
    c.text(2, c.height - 7, fonts.shorten(label, SMALL, c.width - 4), SMALL, "text")


def paint_teaser(c: Canvas, headline: str, note: str, subject: str, variant: int) -> None:
    """An article in a list: two lines of headline beside a small photo."""
    c.fill("bg")
    side = c.height - 8
    width, height = c.size(side * 1.3, side)
    c.image(c.width - side * 1.3 - 8, 4, canvas.photo(subject, variant, width, height))
    room = c.width - side * 1.3 - 30
    for row, line in enumerate(fonts.wrap(headline, BODY, room)[:2]):
        c.text(8, 9 + 11 * row, fonts.shorten(line, BODY, room), BODY, "text", bold=True)
    c.text(8, c.height - 7, note, 7, "muted")
    c.box(8, c.height - 0.6, c.width - 16, 0.6, "line")


def paint_media(
    c: Canvas, subject: str, variant: int, title: str, sub: str, ratio: float, mark: str
) -> None:
    """A song, an album or a video in a list: a small photo, two lines and an icon or nothing."""
    c.fill("bg")
    side = c.height - 6
    width, height = c.size(side * ratio, side)
    c.image(6, 3, canvas.photo(subject, variant, width, height))
    x = side * ratio + 12
    room = c.width - x - 6
    if mark:
        c.icon(c.width - 13, c.height / 2, 11, mark, "muted")
        room -= 16
    lines = fonts.wrap(title, BODY, room)[: 2 if c.height >= 40 else 1]
    y = c.height / 2 - 6 * len(lines)
    for row, line in enumerate(lines):
        c.text(x, y + 11 * row, fonts.shorten(line, BODY, room), BODY, "text")
    c.text(x, y + 11 * len(lines) + 1, fonts.shorten(sub, SMALL, room), SMALL, "muted")
    c.box(x, c.height - 0.6, c.width - x - 8, 0.6, "line")


def paint_video_card(
    c: Canvas, subject: str, variant: int, title: str, sub: str, length: str
) -> None:
    """A video in a feed: a wide picture with its length, the title and the channel below."""
    c.fill("bg")
    width, height = c.size(c.width, c.height - 32)
    c.image(0, 0, canvas.photo(subject, variant, width, height))
    room = fonts.text_width(length, 7) + 6
    c.box(c.width - room - 4, c.height - 46, room, 11, (20, 20, 24), 3)
    c.text(c.width - 7, c.height - 40.5, length, 7, "white", align="right")
    c.text(8, c.height - 22, fonts.shorten(title, BODY, c.width - 16), BODY, "text", bold=True)
    c.text(8, c.height - 10, fonts.shorten(sub, SMALL, c.width - 16), SMALL, "muted")


_WALLS = ((196, 212, 224), (226, 208, 188), (190, 214, 196), (214, 200, 222))
_SHIRTS = ((60, 90, 160), (170, 70, 70), (70, 130, 90), (120, 80, 150))
_SKINS = ((236, 196, 168), (198, 148, 112), (140, 96, 70), (246, 212, 190))


def paint_selfie(c: Canvas, variant: int) -> None:
    """Head and shoulders, as the front camera sees who holds the phone."""
    c.fill(_WALLS[variant % 4])
    side = min(c.width, c.height)
    x, y = c.width / 2, c.height / 2
    skin, hair = _SKINS[variant // 2 % 4], (50, 36, 30)
    c.box(x - 0.42 * side, y + 0.26 * side, 0.84 * side, c.height, _SHIRTS[variant // 3 % 4], 20)
    c.box(x - 0.1 * side, y + 0.1 * side, 0.2 * side, 0.22 * side, skin, 4)
    c.box(x - 0.24 * side, y - 0.36 * side, 0.48 * side, 0.44 * side, hair, 0.2 * side)
    c.box(x - 0.2 * side, y - 0.26 * side, 0.4 * side, 0.46 * side, skin, 0.2 * side)
    for eye in (-0.12, 0.06):
        c.box(x + eye * side, y - 0.08 * side, 0.06 * side, 0.06 * side, hair, 0.03 * side)
    c.box(x - 0.08 * side, y + 0.08 * side, 0.16 * side, 0.03 * side, (170, 80, 80), 1)


def paint_shutter(c: Canvas, color: Color) -> None:
    """The round release button of a camera, on black."""
    c.fill((0, 0, 0))
    side = min(c.width, c.height)
    x, y = (c.width - side) / 2, (c.height - side) / 2
    c.box(x, y, side, side, "white", side / 2)
    c.box(x + 2.5, y + 2.5, side - 5, side - 5, (0, 0, 0), side / 2 - 2.5)
    c.box(x + 4.5, y + 4.5, side - 9, side - 9, color, side / 2 - 4.5)


def paint_offer(c: Canvas, kind: str, color: str, price: str, note: str) -> None:
    """A product in a grid: its picture above the price and a remark, without its name."""
    c.fill("bg")
    width, height = c.size(c.width - 6, c.height - 30)
    c.image(3, 3, canvas.product(kind, color, width, height))
    c.text(6, c.height - 19, price, BODY, "text", bold=True)
    c.text(6, c.height - 8, fonts.shorten(note, SMALL, c.width - 8), SMALL, "muted")


def paint_sale(
    c: Canvas, title: str, sub: str, tint: Color, ground: Color, goods: tuple[str, str]
) -> None:
    """A shop's banner: words on the shop's colour beside a product of (kind, color)."""
    c.fill("bg")
    c.box(6, 4, c.width - 12, c.height - 8, tint, 8)
    side = c.height - 20
    c.box(c.width - side - 18, 8, side + 6, c.height - 16, ground, 6)
    width, height = c.size(side, side)
    c.image(c.width - side - 15, 10, canvas.product(*goods, width, height))
    room = c.width - side - 36
    for row, line in enumerate(fonts.wrap(title, 13, room)[:2]):
        c.text(14, 19 + 15 * row, fonts.shorten(line, 13, room), 13, "white", bold=True)
    c.text(14, c.height - 15, fonts.shorten(sub, SMALL, room), SMALL, "white")


def paint_map_pin(c: Canvas, icon: str, tint: Color) -> None:
    """A drop on a map with an icon in its head."""
    side = min(c.width, c.height - 5)
    x = (c.width - side) / 2
    for step in range(5):
        width = side * 0.45 * (1 - step / 5)
        c.box(c.width / 2 - width / 2, side - 2 + 1.4 * step, width, 1.6, tint)
    c.box(x, 0, side, side, tint, side / 2)
    c.icon(c.width / 2, side / 2, side * 0.66, icon, "white")


def paint_map_button(c: Canvas, icon: str, ink: Color) -> None:
    """A round white button that floats above a map."""
    c.box(0, 0, c.width, c.height, "surface", c.width / 2)
    c.icon(c.width / 2, c.height / 2, c.width * 0.6, icon, ink)
