"""Apps the store offers for install."""

from dataclasses import dataclass

from distrl.devices.phone.content.tables.reader import records


@dataclass(frozen=True, slots=True)
class StoreApp:
    """An app in the store."""

    name: str
    category: str
    developer: str
    rating: float
    """Stars out of five."""
    size_mb: int


_BY_CATEGORY = {
    "Games": """
        Pebble Quest|Lanternfish Games|4.6|182; Tile Harbor|Mossback Studio|4.3|95
        Dragon Ledger|Lanternfish Games|4.1|310; Bubble Foundry|Plonk Works|3.9|88
        Word Burrow|Quillpen Labs|4.7|64; Chess Nomad|Rook Street|4.8|41
        Turbo Snails|Plonk Works|4.2|220; Kingdom Crumb|Mossback Studio|4.0|275
        Puzzle Larder|Quillpen Labs|4.5|73; Meteor Miner|Orbital Toast|3.8|198
    """,
    "Health": """
        Stepwise|Bodkin Health|4.4|52; Sleep Cove|Drowsy Otter|4.6|77
        Breathe Barn|Drowsy Otter|4.7|39; Water Tally|Bodkin Health|4.2|21
        Calorie Crate|Green Spoon|3.9|58; Runlet|Fleetfoot Labs|4.5|84
        Limber Pals|Fleetfoot Labs|4.3|66; Pill Nudge|Carewick|4.8|18
        Mood Almanac|Carewick|4.1|33; Yogaleaf|Green Spoon|4.0|102
    """,
    "Productivity": """
        Taskwren|Nib and Key|4.6|28; Focus Kiln|Nib and Key|4.4|35
        Scanlet|Paperjay|4.5|47; Outline Owl|Owlish Software|4.2|31
        Inbox Sieve|Paperjay|3.8|54; Habit Ladder|Tiny Streaks|4.7|26
        Mindmapper Moss|Owlish Software|4.0|61; Timesheet Toad|Ledgerfrog|3.9|44
        Clip Drawer|Tiny Streaks|4.3|15; Signpad|Ledgerfrog|4.1|38
    """,
    "Finance": """
        Pennyjug|Thrifty Badger|4.3|49; Splitwell|Evenly Inc|4.6|36
        Budget Burrow|Thrifty Badger|4.5|42; Stock Lantern|Tickerwood|3.9|91
        Invoice Finch|Ledgerfrog|4.2|40; Taxnest|Formwell|3.7|70
        Currency Hop|Evenly Inc|4.4|17; Savings Silo|Tickerwood|4.1|45
    """,
    "Travel": """
        Railhopper|Waymark Apps|4.5|68; Hostelry|Bunkbed Co|4.2|72
        Ferry Finder|Waymark Apps|4.3|34; Trail Compass|Cairn Studio|4.8|115
        Packmule|Bunkbed Co|4.4|23; Phrase Parrot|Squawk Labs|4.6|89
        Taxi Tulip|Kerbside|3.8|57; Border Buddy|Squawk Labs|4.0|30
        Kerb Snail|Kerbside|4.1|43; Summit Log|Cairn Studio|4.7|51
    """,
    "Photo": """
        Filterfox|Prismatic Hen|4.4|132; Collage Cabin|Prismatic Hen|4.2|97
        Retouch Reef|Shutterbloom|4.0|145; Film Grainery|Shutterbloom|4.6|80
        Sketchbird|Inkhoof|4.7|108; Poster Pantry|Inkhoof|3.9|76; Timelapse Tin|Slowframe|4.3|62
        Night Shutter|Slowframe|4.5|59
    """,
    "Education": """
        Lingo Lagoon|Squawk Labs|4.6|120; Flashcard Fern|Owlish Software|4.5|37
        Math Marmot|Abacus House|4.7|71; Starlet Atlas|Pocket Cosmos|4.8|99
        Geo Trivia|Pocket Cosmos|4.1|48; Piano Steps|Key Signature|4.3|134
        Spell Beetle|Abacus House|4.4|29; Anatomy Attic|Carewick|4.2|240
        Code Seedling|Rootstock Dev|4.0|86
    """,
    "Food": """
        Recipe Raven|Larder Labs|4.7|55; Dinner Dispatch|Hotplate|3.9|92
        Grocery Goose|Larder Labs|4.4|32; Sourdough Sam|Crumb and Co|4.6|27
        Cocktail Cabinet|Hotplate|4.2|46; Vegan Compass|Green Spoon|4.3|41
        Menu Magpie|Crumb and Co|4.0|60
    """,
    "Social": """
        Chatterbox Inn|Hearthside|4.1|118; Knotboard|Hearthside|3.8|104
        Penpal Pier|Letterwing|4.5|53; Meetmeadow|Gathermint|4.0|79
        Clubhouse Acorn|Gathermint|3.9|87; Whispergram|Letterwing|4.2|94
    """,
    "Entertainment": """
        Reelwagon|Popcorn Moose|4.3|150; Podtown|Earmark Audio|4.6|65
        Radio Raccoon|Earmark Audio|4.4|58; Comic Cellar|Panelworks|4.5|112
        Anime Alley|Panelworks|4.1|139; Karaoke Kiosk|Popcorn Moose|3.9|163
        Audiobook Barge|Earmark Audio|4.7|74; Trivia Trolley|Quillpen Labs|4.2|50
    """,
    "Tools": """
        Torchlet|Bitkettle|4.2|8; Battery Beacon|Bitkettle|3.8|19; QR Quail|Paperjay|4.5|12
        Unit Juggler|Abacus House|4.6|10; Compass Rose|Cairn Studio|4.4|14
        Password Pantry|Vaultmouse|4.8|24; Cleanbot|Dustpan Dev|3.6|31
        Speedgauge|Dustpan Dev|4.0|22; Remote Rabbit|Bitkettle|4.1|29
        Keyboard Koala|Rootstock Dev|4.3|48; Shield Sparrow|Vaultmouse|4.5|56
        Zip Zebra|Dustpan Dev|3.9|16
    """,
    "Home": """
        Lampkeeper|Hobnail Home|4.3|63; Plant Butler|Fernwise|4.7|69
        Chore Chart|Hobnail Home|4.4|25; Room Ruler|Planbench|4.0|81
        Paint Picker|Planbench|4.2|77; Pet Diary|Fernwise|4.6|44; Doorbell Dove|Hobnail Home|3.8|90
    """,
    "News": """
        Daily Thistle|Broadsheet Bros|4.1|52; Headline Heron|Broadsheet Bros|4.0|61
        Skywatch Digest|Pocket Cosmos|4.6|47; Village Voicebox|Letterwing|3.9|38
        Match Ticker|Goalpost Dev|4.4|70; Science Satchel|Pocket Cosmos|4.7|45
        Market Minute|Tickerwood|4.2|36
    """,
}

STORE_APPS = tuple(
    StoreApp(name, category, developer, float(rating), int(size))
    for category, table in _BY_CATEGORY.items()
    for name, developer, rating, size in records(table)
)
